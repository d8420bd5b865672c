// What a foreign page may try; each answer begins with nothing if it got nothing.
async (base) => {
  const out = {};
  const later = () => new Promise((done) => setTimeout(() => done("nothing within 3 s"), 3000));
  const attempt = async (name, f) => {
    try {
      out[name] = "" + (await Promise.race([f(), later()]));
    } catch (e) {
      out[name] = "nothing: " + e.message;
    }
  };
  const read = async (options, path = "/sessions") => {
    const r = await fetch(base + path, options);
    return r.type === "opaque" ? "nothing: opaque" : r.status + " " + (await r.text());
  };
  const element = (tag, set) => new Promise((done) => {
    const e = Object.assign(document.createElement(tag), set);
    e.onload = () => done("loaded " + tag);
    e.onerror = () => done("nothing: not loaded");
    document.body.append(e);
  });
  const opens = (e) => new Promise((done) => {
    e.onopen = () => done("opened");
    e.onerror = () => done("nothing: error");
  });
  const post = (body, headers) => ({ method: "POST", body, headers });
  await attempt("fetch", () => read({}));
  await attempt("fetch with a token", () => read({ headers: { Authorization: "Bearer x" } }));
  await attempt("fetch without cors", () => read({ mode: "no-cors" }));
  await attempt("post without cors", () => read({ mode: "no-cors", ...post("text=x") }, "/memory/line"));
  await attempt("open by post", () => read(post(new URLSearchParams({ code: "x" })), "/open"));
  const query = post('{"query":"{__typename}"}', { "Content-Type": "text/plain" });
  await attempt("ask by GraphQL", () => read(query, "/graphql"));
  await attempt("script", () => element("script", { src: base + "/assets/app.js" }));
  await attempt("picture", () => element("img", { src: base + "/assets/icon.svg" }));
  await attempt("style", () => element("link", { rel: "stylesheet", href: base + "/assets/app.css" }));
  await attempt("frame", async () => {
    const f = Object.assign(document.createElement("iframe"), { src: base + "/" });
    await new Promise((done) => {
      f.onload = done;
      document.body.append(f);
    });
    if (f.contentDocument) return f.contentDocument.body.innerText || "nothing: empty";
    return f.contentWindow.length ? "frames" : "nothing: no document";
  });
  await attempt("stream", () => opens(new EventSource(base + "/")));
  await attempt("socket", () => opens(new WebSocket(base.replace("http", "ws") + "/")));
  await attempt("beacon", async () => {
    navigator.sendBeacon(base + "/memory/line", "text=x");
    return "nothing can be read";
  });
  return out;
}
