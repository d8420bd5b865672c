// Lists what hostile content has reached in a page: nothing if all is well.
() => {
  const out = [...hits.map((h) => "ran: " + h)];
  const main = document.getElementById("main");
  const injected = "script, iframe, style, link, meta, base, object, embed, img, frame, .hostile";
  for (const e of main.querySelectorAll(injected)) out.push("element: " + e.outerHTML.slice(0, 200));
  const addresses = /^(href|src|action|formaction|xlink:href|data|srcset|poster|background)$/i;
  for (const e of document.querySelectorAll("*")) {
    for (const { name, value } of e.attributes) {
      if (/^on/i.test(name) || name === "style") out.push(`attribute: ${name}=${value.slice(0, 100)} of ${e.tagName}`);
      const runs = /^\s*(javascript|data|vbscript|file|blob):/i.test(value);
      if (addresses.test(name) && runs) out.push("address: " + value.slice(0, 100));
    }
  }
  for (const f of document.forms) {
    const action = new URL(f.getAttribute("action") || "", location.href);
    if (action.origin !== location.origin) out.push("form: " + action);
  }
  if (getComputedStyle(main).color === "rgb(1, 2, 3)") out.push("style: the colour of a hostile style");
  if (location.hostname !== "127.0.0.1") out.push("went to " + location.href);
  const text = main.innerText;
  const bad = text.match(/[\u202a-\u202e\u2066-\u2069\u200b\x1b\x07]/);
  if (bad) {
    const code = bad[0].charCodeAt(0).toString(16);
    const around = JSON.stringify(text.slice(Math.max(0, bad.index - 40), bad.index + 40));
    out.push(`reorders, hides or controls: U+${code} in ${around}`);
  }
  const token = localStorage.getItem("token");
  if (token && document.documentElement.outerHTML.includes(token)) out.push("the token is in the page");
  return out;
}
