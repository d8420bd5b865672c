package browser

import (
	"fmt"
	"strings"
)

// hostilePerson is a name that a commit's author may give himself.
const hostilePerson = `Eve "><img src=x onerror=hit(2)> Example`

// hostile is a text that would run, load or change something if a page did not escape it, or
// took its Markdown by its word. It says where it was written.
func hostile(where string) string {
	return fmt.Sprintf(`%[1]s <script>hit("%[1]s")</script><img src=x onerror=hit("%[1]s")><svg onload=hit("%[1]s")><style>*{color:rgb(1,2,3)!important}</style>`+
		`<iframe src="javascript:parent.hit(1)"></iframe><base href="http://evil.example/"><link rel=stylesheet href=http://evil.example/x.css>`+
		`<meta http-equiv=refresh content="0;url=http://evil.example/"> "'><b class=hostile onmouseover=hit(1)>bold</b> </textarea></title><script>hit(2)</script> `+
		`[click](javascript:hit("%[1]s")) [tab](<java	script:hit(1)>) [data](data:text/html,<script>hit(1)</script>) ![pixel](http://evil.example/pixel.png) `+
		`<http://prefetch.example/> {{.Token}} {{template "opened"}} ${hit(3)} </script><!-- `+"\u202egnp.exe\u2066 \x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \u200bhidden", where)
}

// brief is hostile where a text has to be short.
func brief(where string) string {
	return where + ` <img src=x onerror=hit("` + where + `")> "'><b class=hostile>x</b> [go](javascript:hit(1)) ` + "\u202egnp \x1b[31mred"
}

// hostileNames are names of files that a page or a terminal might take for something else.
func hostileNames() []string {
	return []string{
		`<img src=x onerror=hit("name")>.md`, `javascript:hit(1).md`, "\u202egnp.exe.md", "\x1b[31mred.md", `"onmouseover="hit(1)" x=".md`,
		"' onfocus=hit(1) autofocus '.md", "#msg-1?x=1&y.md", strings.Repeat("long", 50) + ".md",
	}
}

// hurt lists what hostile content has reached in a page: %s is nothing if nothing.
const hurt = `(() => {
  const out = [], main = document.getElementById("main");
  if (window.hits) out.push("ran: " + hits);
  for (const e of main.querySelectorAll("script, iframe, style, link, meta, base, object, embed, img, frame, .hostile"))
    out.push("element: " + e.outerHTML.slice(0, 200));
  for (const e of document.querySelectorAll("*")) for (const a of e.attributes) {
    if (/^on/i.test(a.name) || a.name === "style") out.push("attribute: " + a.name + "=" + a.value.slice(0, 100) + " of " + e.tagName);
    if (/^(href|src|action|formaction|xlink:href|data|srcset|poster|background)$/i.test(a.name) && /^\s*(javascript|data|vbscript|file|blob):/i.test(a.value))
      out.push("address: " + a.value.slice(0, 100));
  }
  for (const f of document.forms) if (new URL(f.action, location.href).origin !== location.origin) out.push("form: " + f.action);
  if (getComputedStyle(main).color === "rgb(1, 2, 3)") out.push("style: colour");
  if (location.hostname !== "127.0.0.1") out.push("went to " + location.href);
  const bad = main.innerText.match(/[\u202a-\u202e\u2066-\u2069\u200b]/);
  if (bad) out.push("reorders or hides: U+" + bad[0].charCodeAt(0).toString(16) + " in " + main.innerText.slice(Math.max(0, bad.index - 40), bad.index + 40));
  const token = localStorage.getItem("token");
  if (token && document.documentElement.outerHTML.includes(token)) out.push("the token is in the page");
  return out;
})()`
