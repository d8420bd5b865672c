// Pan and zoom of a picture, and the heading of a document that an address names.
"use strict";

// look shows a part of a picture: it is moved by shares of what is seen, and by is how much more is seen.
function look(frame, by, dx = 0, dy = 0) {
  const svg = frame.querySelector("svg");
  frame.all ??= svg.getAttribute("viewBox");
  if (by === 0) return svg.setAttribute("viewBox", frame.all);
  const [x, y, w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  const all = Number(frame.all.split(" ")[2]);
  if (w * by > all * 4 || w * by < all / 40) return;
  svg.setAttribute("viewBox", [x + w * dx + (w - w * by) / 2, y + h * dy + (h - h * by) / 2, w * by, h * by].join(" "));
}

document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-zoom] button[data-by]");
  if (button) look(button.closest("[data-zoom]"), Number(button.dataset.by));
});

document.addEventListener("keydown", (e) => {
  const frame = e.target.closest("[data-zoom]");
  const way = { "+": [0.8], "=": [0.8], "-": [1.25], 0: [0], ArrowLeft: [1, -0.15], ArrowRight: [1, 0.15], ArrowUp: [1, 0, -0.15], ArrowDown: [1, 0, 0.15] }[e.key];
  if (!frame || !way || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  look(frame, ...way);
});

document.addEventListener("pointerdown", (e) => {
  const svg = e.target.closest("[data-zoom] svg");
  if (!svg || e.button) return;
  let [x, y, moved] = [e.clientX, e.clientY, 0];
  const unlinked = (c) => { c.preventDefault(); c.stopPropagation(); };
  const move = (m) => {
    const [box, view, dx, dy] = [svg.getBoundingClientRect(), svg.viewBox.baseVal, x - m.clientX, y - m.clientY];
    const unit = Math.max(view.width / box.width, view.height / box.height);
    look(svg.closest("[data-zoom]"), 1, (dx * unit) / view.width, (dy * unit) / view.height);
    moved += Math.abs(dx) + Math.abs(dy);
    [x, y] = [m.clientX, m.clientY];
  };
  const end = () => {
    for (const [name, f] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) removeEventListener(name, f);
    if (moved < 6) return;
    addEventListener("click", unlinked, true); // which ends the move, and is none on a link
    setTimeout(() => removeEventListener("click", unlinked, true), 50);
  };
  for (const [name, f] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) addEventListener(name, f);
});
document.addEventListener("dragstart", (e) => { if (e.target.closest("[data-zoom] svg")) e.preventDefault(); });
document.addEventListener("wheel", (e) => {
  const frame = e.target.closest("[data-zoom]");
  if (!frame || !e.ctrlKey) return; // else the page scrolls
  e.preventDefault();
  look(frame, e.deltaY > 0 ? 1.1 : 0.9);
}, { passive: false });

document.addEventListener("rendered", () => {
  const wanted = fragmentOf(location).toLowerCase();
  const slug = (h) => h.textContent.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
  const found = wanted && [...document.querySelectorAll(".document :is(h1, h2, h3, h4, h5, h6)")].find((h) => slug(h) === wanted);
  if (found) found.id = location.hash.slice(1);
});
