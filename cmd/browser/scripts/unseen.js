// Why the focus can't be seen: nothing if it can.
() => {
  const e = document.activeElement;
  if (!e.matches("main *")) return "it is not in the page";
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  if (!box.width || !box.height) return "it has no size";
  if (style.outlineStyle === "none" || !parseFloat(style.outlineWidth)) return "it has no outline";
  if (box.top >= innerHeight || box.bottom <= 0) return "it is not in the window";
  const at = document.elementFromPoint(box.left + Math.min(box.width / 2, 40), Math.max(box.top, 0) + 3);
  return e.contains(at) || at?.contains(e) ? "" : "it is covered by " + (at?.outerHTML.slice(0, 60) || "nothing");
}
