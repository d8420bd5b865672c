// Scrolls to the end of a transcript, whose parts are loaded on the way.
async () => {
  const out = { messages: 0, frames: 0, longest: 0, task: 0, total: 0, tasks: 0 };
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) {
      out.tasks++;
      out.task = Math.max(out.task, e.duration);
    }
  }).observe({ entryTypes: ["longtask"] });
  const start = performance.now();
  let last = start;
  let still = start; // since when there is nothing more
  while (performance.now() - still < 3000 && performance.now() - start < 50000) {
    const height = document.documentElement.scrollHeight;
    scrollBy({ top: 3000, behavior: "instant" });
    const now = await new Promise(requestAnimationFrame);
    out.frames++;
    out.longest = Math.max(out.longest, now - last);
    last = now;
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const more = document.querySelector("a.more[rel=next]");
    if (!end || more || document.documentElement.scrollHeight !== height) still = performance.now();
  }
  out.total = performance.now() - start;
  out.messages = document.querySelectorAll("main li.message").length;
  return out;
}
