// Boards zoom and pan, two clicks choose an option of two places. Pages work without this.
const button = (parts) => Object.assign(document.createElement("button"), { type: "button", ...parts });
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// ---- an option of several places: each click leaves fewer options ----
let left = null; // the numbers of the options that are left, as text; null: all

const numbers = (element) => (element.dataset.options ?? element.dataset.option ?? "").split(" ").filter(Boolean);

function show() {
  for (const item of all(".rw-options > li")) item.hidden = left !== null && !left.has(item.id.slice("option-".length));
  for (const place of all("a[data-options], button[data-option]")) {
    if (!place.closest(".rw-options")) place.classList.toggle("rw-picked", left !== null && numbers(place).some((n) => left.has(n)));
  }
  document.getElementById("rw-again")?.remove();
  const form = document.getElementById("choose");
  if (left !== null) form?.before(button({ id: "rw-again", textContent: form.dataset.again }));
}

function pick(place) {
  const here = numbers(place).filter((n) => left === null || left.has(n));
  left = new Set(here.length ? here : numbers(place));
  if (left.size === 1) {
    const button = document.querySelector(`#choose button[data-option="${[...left][0]}"]`);
    left = null;
    button?.form.requestSubmit(button);
  }
  show();
}

document.addEventListener("click", (event) => {
  if (event.target.id === "rw-again") { left = null; show(); return; }
  const thing = event.target.closest?.("a[data-options], button[data-option], [data-row]");
  if (thing && enlarged(thing)) { event.preventDefault(); event.stopPropagation(); return; }
  const place = event.target.closest?.("a[data-options], button[data-option]");
  if (!place || place.closest(".rw-options")) return;
  if (place.dataset.options || left !== null) { event.preventDefault(); pick(place); }
}, true); // before anything else that a click does
document.addEventListener("submit", () => { left = null; });
document.addEventListener("table:moved", () => { left = null; show(); }); // the numbers of options are others now
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && left !== null) { left = null; show(); } });

// ---- zoom: wheel with ctrl, two fingers, the keys + - 0 ----
const SMALL = 34, LARGE = 48; // pixels: a smaller field is enlarged to that size by the first tap
const scales = new WeakMap();

function zoom(picture, scale, x, y) {
  const svg = picture.querySelector("svg");
  if (!svg) return;
  const [was, box] = [svg.getBoundingClientRect(), picture.getBoundingClientRect()];
  const natural = was.width / (scales.get(picture) ?? 1);
  const next = Math.min(6, Math.max(1, scale));
  const [px, py] = [(x ?? box.left + box.width / 2), (y ?? box.top + box.height / 2)];
  const [fx, fy] = [(px - was.left) / was.width, (py - was.top) / was.height];
  scales.set(picture, next);
  picture.classList.toggle("rw-zoomed", next > 1);
  svg.style.width = next > 1 ? `${natural * next}px` : "";
  const now = svg.getBoundingClientRect();
  picture.parentElement.querySelector(":scope > .rw-whole")?.remove();
  if (next > 1) picture.before(button({ className: "rw-whole", textContent: picture.dataset.whole, onclick: () => zoom(picture, 1) }));
  picture.scrollLeft += now.left + fx * now.width - px;
  picture.scrollTop += now.top + fy * now.height - py;
}

function enlarged(place) {
  const picture = place.closest(".rw-picture");
  if (!picture || !matchMedia("(pointer: coarse)").matches) return false;
  const box = place.getBoundingClientRect();
  if (Math.min(box.width, box.height) >= SMALL) return false;
  zoom(picture, (scales.get(picture) ?? 1) * LARGE / Math.min(box.width, box.height), box.left + box.width / 2, box.top + box.height / 2);
  return true;
}

document.addEventListener("wheel", (event) => {
  const picture = event.target.closest?.(".rw-picture");
  if (!picture || !event.ctrlKey) return;
  event.preventDefault();
  zoom(picture, (scales.get(picture) ?? 1) * (event.deltaY < 0 ? 1.2 : 1 / 1.2), event.clientX, event.clientY);
}, { passive: false });

document.addEventListener("keydown", (event) => {
  const [picture, next] = [event.target.closest?.(".rw-picture"), { "+": 1.3, "=": 1.3, "-": 1 / 1.3, "0": 0 }[event.key]];
  if (!picture || event.ctrlKey || event.metaKey || next === undefined) return;
  zoom(picture, (scales.get(picture) ?? 1) * next);
  event.preventDefault();
});

const fingers = new Map();
let held = null; // how far apart two fingers are, and the middle between them
const grip = ([a, b]) => ({ apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".rw-picture")) return;
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) held = grip([...fingers.values()]);
});
document.addEventListener("pointermove", (event) => {
  const [before, picture] = [fingers.get(event.pointerId), event.target.closest?.(".rw-picture")];
  if (!before) return;
  fingers.set(event.pointerId, event);
  if (!picture) return;
  if (fingers.size === 2 && held) {
    const now = grip([...fingers.values()]);
    zoom(picture, (scales.get(picture) ?? 1) * now.apart / held.apart, now.x, now.y);
    picture.scrollBy(held.x - now.x, held.y - now.y);
    held = now;
  } else if (fingers.size === 1 && event.buttons === 1 && picture.classList.contains("rw-zoomed")) {
    const [top, down] = [picture.scrollTop, event.clientY - before.clientY];
    picture.scrollBy(before.clientX - event.clientX, -down);
    if (event.pointerType === "mouse") picture.setPointerCapture(event.pointerId); // so the click at the end chooses nothing
    else scrollBy(0, top - down - picture.scrollTop); // the page moves as far as the picture cannot
  }
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => { fingers.delete(event.pointerId); held = null; });
