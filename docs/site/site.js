// The game on the start page begins when somebody asks for it: a visitor who only reads loads nothing.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-play]");
  if (!button) return;
  const frame = Object.assign(document.createElement("iframe"), { src: button.dataset.play, title: "A game to play" });
  button.closest(".try").replaceChildren(frame);
  frame.scrollIntoView({ block: "center" });
});
