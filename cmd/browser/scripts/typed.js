// Waits for a key, and measures how long it takes until what a text finds is on the screen.
(text) => {
  window.typed = new Promise((done) => {
    const pressed = () => {
      const at = performance.now();
      const seen = () => {
        if (new URL(location.href).searchParams.get("q") !== text) return;
        removeEventListener("rendered", seen);
        requestAnimationFrame(() => done(performance.now() - at));
      };
      addEventListener("rendered", seen);
    };
    addEventListener("keydown", pressed, { once: true, capture: true });
    setTimeout(() => done(-1), 10000);
  });
  return true;
}
