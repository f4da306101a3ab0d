// A table of comma-separated values as cells to type in.
export function readCsv(text) {
  const rows = [];
  let row = [], cell = "", quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') { cell += '"'; at++; }
      else quoted = false;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === ",") { row.push(cell); cell = ""; }
    else if (sign === "\n") { row.push(cell); rows.push(row); row = []; cell = ""; }
    else if (sign !== "\r") cell += sign;
  }
  if (cell !== "" || row.length) { row.push(cell); rows.push(row); }
  return rows;
}

export function writeCsv(rows) {
  const cell = (text) => (/[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

export function showSheet(place, text, changed) {
  const rows = readCsv(text);
  const width = Math.max(1, ...rows.map((row) => row.length));
  const table = document.createElement("table");
  const written = () => changed(writeCsv(rows));
  rows.forEach((row, number) => {
    const line = table.insertRow();
    for (let column = 0; column < width; column++) {
      const field = document.createElement("input");
      field.value = row[column] ?? "";
      field.setAttribute("aria-label", number ? `${rows[0][column] ?? ""}, row ${number}` : `column ${column + 1}`);
      field.oninput = () => {
        while (row.length <= column) row.push("");
        row[column] = field.value;
        written();
      };
      const cell = document.createElement(number ? "td" : "th");
      cell.append(field);
      line.append(cell);
    }
  });
  const more = Object.assign(document.createElement("button"), { type: "button", textContent: "Add a row" });
  more.onclick = () => {
    rows.push(Array(width).fill(""));
    written();
    showSheet(place, writeCsv(rows), changed);
  };
  place.replaceChildren(table, more);
}
