// The script of the pages: it asks for each page with the token, puts it into the frame, and
// follows links and forms the same way.
"use strict";

const main = document.getElementById("main");
const stored = { get: (k) => localStorage.getItem(k) || "", set: (k, v) => localStorage.setItem(k, v) };
let load = new AbortController(); // of the page being loaded

// request sends a request with the tokens.
function request(url, options = {}) {
  const headers = { Authorization: "Bearer " + stored.get("token"), ...options.headers };
  if (options.method === "POST") headers["X-Gitmem-Edit"] = stored.get("edits");
  return fetch(url, { ...options, headers, cache: "no-store" });
}

// say shows a message in place of a page.
function say(text) {
  const p = document.createElement("p");
  p.setAttribute("role", "alert");
  p.textContent = text;
  main.replaceChildren(p);
  main.removeAttribute("aria-busy");
}

// render puts a page into an element. A page holds no script; the policy would stop one.
function render(html, into = main) {
  into.innerHTML = html;
  const title = into.querySelector("title");
  if (title) {
    document.title = title.textContent;
    title.remove();
  }
  into.dispatchEvent(new Event("rendered", { bubbles: true }));
}

// open shows the page of an address.
async function open(url, { push = true, focus = true, options = {} } = {}) {
  load.abort();
  load = new AbortController();
  main.setAttribute("aria-busy", "true");
  try {
    const asked = new URL(url, location.href);
    if (asked.hash && asked.pathname.startsWith("/sessions/")) asked.searchParams.set("at", fragmentOf(asked));
    const response = await request(asked, { ...options, signal: load.signal });
    const text = await response.text();
    if (response.status === 401 || !(response.headers.get("Content-Type") || "").startsWith("text/html")) return say(text);
    const shown = new URL(response.redirected ? response.url : url, location.href);
    if (push) history.pushState({}, "", shown);
    render(text);
    if (focus) main.focus({ preventScroll: true });
    const target = targetOf(shown);
    if (target) show(target);
    else if (push) scrollTo(0, 0);
  } catch (e) {
    if (e.name !== "AbortError") say("gitmem browse has ended. Start it again to go on.");
  } finally {
    main.removeAttribute("aria-busy");
    const path = location.pathname;
    for (const a of document.querySelectorAll("nav[aria-label=Pages] a")) {
      const own = a.pathname;
      if (own === path || (own !== "/" && path.startsWith(own))) a.setAttribute("aria-current", "page");
      else a.removeAttribute("aria-current");
    }
  }
}

// fragmentOf is the text of an address's fragment, "" for one that is no text.
function fragmentOf({ hash }) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

// targetOf is the element that an address names, or that a page marks. Anchors are in lower case.
function targetOf({ hash }) {
  if (!hash) return main.querySelector("[data-target]");
  const id = fragmentOf({ hash });
  return [main, ...main.querySelectorAll("[id]")].find((e) => e.id === id || e.id === id.toLowerCase());
}

// show scrolls to an element and marks it.
function show(target) {
  if (target === main) return main.focus();
  for (const old of document.querySelectorAll(".target")) old.classList.remove("target");
  for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  target.classList.add("target");
  target.scrollIntoView({ block: "center", behavior: "instant" });
}

// sent is the address of a form that asks, with its fields.
function sent(form) {
  const url = new URL(form.getAttribute("action") || location.pathname, location.href);
  for (const [k, v] of new FormData(form)) if (v !== "") url.searchParams.set(k, v);
  return url;
}

document.addEventListener("click", (e) => {
  const a = e.target.closest("a[href]");
  if (!a || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || a.target) return;
  const url = new URL(a.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/assets/")) return;
  e.preventDefault();
  const target = url.hash && url.pathname === location.pathname && url.search === location.search && targetOf(url);
  if (!target) return open(url);
  history.pushState({}, "", url);
  show(target);
});

document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method === "dialog" || e.defaultPrevented) return;
  e.preventDefault();
  if (form.method === "post") {
    const body = new URLSearchParams(new FormData(form, e.submitter));
    open(form.getAttribute("action") || location.href, { push: false, options: { method: "POST", body } });
  } else if (!form.classList.contains("asof")) open(sent(form));
});

// A field marked data-live shows what it finds as one types.
let typing;
document.addEventListener("input", (e) => {
  const field = e.target;
  if (field.dataset.live === undefined) return;
  clearTimeout(typing);
  typing = setTimeout(() => {
    if (!field.value.trim()) return;
    const url = sent(field.form), here = new URL(location.href), on = here.pathname === url.pathname;
    for (const filter of on ? ["layer", "agent", "type", "since", "project"] : [])
      if (here.searchParams.has(filter)) url.searchParams.set(filter, here.searchParams.get(filter));
    if (on) history.replaceState({}, "", url);
    open(url, { push: !on, focus: false, options: { headers: { "X-Gitmem-Typing": "1" } } });
  }, 20); // keys that come at once are one
});

// dayOf is the day of the slider of the past, whose steps are days; "" for today.
function dayOf(slider) {
  if (slider.value === slider.max) return "";
  const at = new Date(slider.form.dataset.first + "T00:00:00Z");
  at.setUTCDate(at.getUTCDate() + Number(slider.value));
  return at.toISOString().slice(0, 10);
}

document.addEventListener("input", (e) => {
  if (!e.target.closest("form.asof")) return;
  const day = dayOf(e.target) || "today";
  e.target.form.querySelector("output").textContent = day;
  e.target.setAttribute("aria-valuetext", day);
});
let slid = false; // it shall have the focus again, once it is there
document.addEventListener("change", (e) => {
  if (!e.target.closest("form.asof")) return;
  const url = new URL(location.href);
  const day = dayOf(e.target);
  if (day) url.searchParams.set("asof", day);
  else url.searchParams.delete("asof");
  slid = true;
  open(url, { focus: false });
});
document.addEventListener("rendered", () => {
  const slider = slid && document.querySelector("form.asof input");
  if (!slider) return;
  slid = false;
  if (document.activeElement === document.body) slider.focus();
});

addEventListener("popstate", () => open(location.href, { push: false }));

// Keys work where no field has the focus.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.target.closest("input, textarea, select")) {
    if (e.key === "Escape") e.target.blur();
    return;
  }
  const entries = [...main.querySelectorAll("[data-entry]")];
  const at = entries.indexOf(document.activeElement.closest("[data-entry]"));
  const pages = [...document.querySelectorAll("nav[aria-label=Pages] a")];
  if (e.key === "/") document.querySelector("header input").focus();
  else if (e.key === "?") document.getElementById("keys").showModal();
  else if (e.key === "j") entries[Math.min(at + 1, entries.length - 1)]?.focus();
  else if (e.key === "k") entries[Math.max(at - 1, 0)]?.focus();
  else if (e.key === "Enter" && e.target.matches("[data-entry]:not(a, summary, button)")) e.target.querySelector("a[href], summary")?.click();
  else if (pages[Number(e.key) - 1]) open(pages[Number(e.key) - 1].href);
  else return;
  e.preventDefault();
});

if (document.body.dataset.token) {
  stored.set("token", document.body.dataset.token);
  stored.set("edits", document.body.dataset.edits);
  location.replace(document.body.dataset.to);
} else if (location.pathname === "/open" && location.hash) {
  const form = document.createElement("form"); // trades the code that was printed for the token
  [form.method, form.action, form.hidden] = ["post", "/open", true];
  form.innerHTML = '<input name="code"><input name="to">';
  const [code, to] = location.hash.slice(1).split(",");
  form.elements.code.value = code;
  form.elements.to.value = new URLSearchParams("to=" + (to || "/")).get("to");
  document.body.append(form);
  form.submit();
} else if (!stored.get("token")) say("Open these pages by gitmem browse.");
else open(location.href, { push: false, focus: false });
