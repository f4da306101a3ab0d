// Words of the worker as a part of the page.
export function explained(markdown) {
  const part = document.createElement("div");
  part.className = "explained";
  for (const piece of markdown.split(/^```\w*\n?/m).map((text) => text.trim()).filter(Boolean)) {
    const line = document.createElement("div");
    line.textContent = piece.replace(/\*\*|`/g, "");
    part.append(line);
  }
  return part;
}

// The lines of a rulebook, in which a heading is underlined and each paragraph is one line.
export function rulebook(lines) {
  const part = document.createElement("div");
  part.className = "rulebook";
  for (const block of lines.join("\n").split(/\n\n+/)) {
    const rest = block.split("\n");
    if (/^(=+|-+)$/.test(rest[1] ?? "")) {
      if (rest[1][0] === "-") part.append(marked("h3", rest[0])); // the dialog has a title of its own
      rest.splice(0, 2);
    }
    const first = rest.findIndex(isItem);
    const list = first >= 0 && rest.slice(first).every(isItem) ? rest.splice(first) : [];
    if (rest.length === 1) part.append(marked("p", rest[0]));
    if (rest.length > 1) part.append(table(rest) ?? Object.assign(document.createElement("pre"), { textContent: rest.join("\n") }));
    if (list.length) part.append(items(list));
  }
  return part;
}

function isItem(line) {
  return /^ *- /.test(line);
}

function items(lines) {
  const list = document.createElement("ul");
  for (const line of lines) {
    const [, clause, text] = line.match(/^ *- ([A-Z]{2,}-[A-Z0-9]+ )?(.*)$/);
    const item = marked("li", text);
    if (clause) item.prepend(Object.assign(document.createElement("span"), { className: "clause", textContent: clause }));
    list.append(item);
  }
  return list;
}

// The columns begin where the head has words after two spaces. Other text with several lines is no table.
function table(lines) {
  const starts = [0, ...[...lines[0].matchAll(/  (?=\S)/g)].map((found) => found.index + 2)];
  const fits = (line) => starts.every((start) => !line.slice(Math.max(0, start - 2), start).trim());
  if (starts.length === 1 || !lines.every(fits)) return null;
  const made = document.createElement("table");
  for (const line of lines) {
    const row = made.insertRow();
    starts.forEach((start, at) => row.append(marked(line === lines[0] ? "th" : "td", line.slice(start, starts[at + 1]).trim())));
  }
  return made;
}

function marked(tag, text) {
  const part = document.createElement(tag);
  text.split(/(?<![\w*])\*(?![\s*])(.+?)(?<![\s*])\*(?![\w*])/).forEach((piece, at) => {
    part.append(at % 2 ? Object.assign(document.createElement("em"), { textContent: piece }) : piece);
  });
  return part;
}
