// The next part of a transcript is loaded when its end comes near.
"use strict";
{
  const near = new IntersectionObserver((seen) => {
    for (const s of seen) if (s.isIntersecting) append(s.target);
  }, { rootMargin: "1500px" });

  // watch waits for the link to the next part.
  const watch = (link) => {
    near.disconnect();
    if (link) near.observe(link);
  };

  // append puts the part that a link leads to in front of the link, which leads to the one behind it then.
  const append = async (link) => {
    near.disconnect();
    const response = await request(link.href).catch(() => null);
    if (!response?.ok || !link.isConnected) return; // the link can still be followed
    const part = new DOMParser().parseFromString(await response.text(), "text/html");
    link.parentElement.before(part.querySelector("ol.transcript"));
    const next = part.querySelector("a.more[rel=next]");
    if (next) link.replaceWith(next);
    else link.remove();
    watch(next);
  };

  main.addEventListener("rendered", () => watch(main.querySelector("a.more[rel=next]")));
}
