// The picture of a match inside its frame: it draws what the page sends, and tells the page what is chosen.
const AREAS = ["side", "boards", "mine", "shared", "players", "notes"]; // as in pictures/page.py
const place = document.getElementById("match");
const sheets = { pictures: new CSSStyleSheet(), game: new CSSStyleSheet() };
document.adoptedStyleSheets = [sheets.pictures, sheets.game];

addEventListener("message", (event) => {
  if (event.source !== parent) return;
  const { styles, sections, id } = event.data;
  for (const [name, text] of Object.entries(styles ?? {})) sheets[name].replaceSync(text);
  if (sections) put(sections);
  parent.postMessage({ done: id }, "*");
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter) parent.postMessage({ chosen: event.submitter.value }, "*");
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link) return;
  event.preventDefault();
  const aim = document.getElementById((link.getAttribute("href") ?? "").slice(1));
  aim?.scrollIntoView({ block: "nearest" });
  aim?.querySelector("button")?.focus();
});

// Sections that have not changed stay as they are, and details that were open stay open.
function put(sections) {
  const inQuestion = place.querySelector("#question")?.contains(document.activeElement);
  const open = [...place.querySelectorAll("details[open][id]")].map((one) => one.id);
  const old = new Map([...place.querySelectorAll("[data-section]")].map((part) => [part.dataset.section, part]));
  const areas = new Map(AREAS.map((area) => [area, []]));
  for (const { id, area, html } of sections) areas.get(area).push(old.get(id)?.html === html ? old.get(id) : made(id, html));
  const divs = [...areas].map(([area, parts]) => within(`rw-${area}`, parts));
  place.replaceChildren(divs[0], within("rw-main", divs.slice(1)));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (inQuestion) place.querySelector("#question button")?.focus({ preventScroll: true });
}

function made(id, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const part = template.content.firstElementChild;
  part.dataset.section = id;
  part.html = html;
  return part;
}

function within(name, parts) {
  const div = Object.assign(document.createElement("div"), { className: name });
  div.append(...parts);
  return div;
}
