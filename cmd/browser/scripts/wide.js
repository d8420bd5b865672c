// What is wider than the window, so that one has to scroll sideways.
() => {
  const page = document.documentElement;
  if (page.scrollWidth <= innerWidth) return [];
  const out = [`the page has ${page.scrollWidth} px`];
  for (const e of document.querySelectorAll("body *")) {
    if (e.getBoundingClientRect().right > innerWidth + 1 && out.length < 6) out.push(e.outerHTML.slice(0, 120));
  }
  return out;
}
