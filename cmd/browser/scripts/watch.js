// In each page before its own script: notes what the policy stopped, and what hostile text ran.
window.stopped = [];
window.hits = [];
window.hit = (where) => hits.push(String(where));
addEventListener("securitypolicyviolation", (e) =>
  stopped.push([e.effectiveDirective, e.blockedURI, e.sourceFile, e.lineNumber, e.sample].join(" ")));
addEventListener("rendered", () => requestAnimationFrame(() => { window.shownAt ??= performance.now(); }));
