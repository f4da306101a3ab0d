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
