package browser

import "strings"

// hostilePerson is a possible author name of a commit.
const hostilePerson = `Eve "><img src=x onerror=hit(2)> Example`

// hostile returns a text that would run, load or change something if a page did not escape it, or rendered
// its Markdown unchecked. It contains where it was written.
func hostile(where string) string {
	return strings.ReplaceAll(`WHERE <script>hit("WHERE")</script><img src=x onerror=hit("WHERE")><svg onload=hit("WHERE")>
<style>*{color:rgb(1,2,3)!important}</style><iframe src="javascript:parent.hit(1)"></iframe>
<base href="http://evil.example/"><link rel=stylesheet href=http://evil.example/x.css>
<meta http-equiv=refresh content="0;url=http://evil.example/">
"'><b class=hostile onmouseover=hit(1)>bold</b> </textarea></title><script>hit(2)</script>
[click](javascript:hit("WHERE")) [tab](<java	script:hit(1)>) [data](data:text/html,<script>hit(1)</script>)
[case](JaVaScRiPt:hit(1)) [entity](&#106;avascript:hit(1)) <javascript:hit(1)>
![pixel](http://evil.example/pixel.png) <http://prefetch.example/> [x]: http://prefetch.example/
{{.Token}} {{template "opened"}} ${hit(3)} </script><!-- `, "WHERE", where) + tricks
}

// tricks reorder and hide text, or control a terminal.
const tricks = "\u202egnp.exe\u2066 \x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \u200bhidden"

// line returns hostile on one line.
func line(where string) string { return strings.ReplaceAll(hostile(where), "\n", " ") }

// brief returns a short version of hostile.
func brief(where string) string {
	return where + ` <img src=x onerror=hit("` + where + `")> "'><b class=hostile>x</b> [go](javascript:hit(1)) ` +
		"\u202egnp \x1b[31mred"
}

// hostileNames returns file names with characters that are special in pages or terminals.
func hostileNames() []string {
	return []string{
		`<img src=x onerror=hit("name")>.md`, `javascript:hit(1).md`, "\u202egnp.exe.md", "\x1b[31mred.md",
		`"onmouseover="hit(1)" x=".md`, "' onfocus=hit(1) autofocus '.md", "#msg-1?x=1&y.md",
		strings.Repeat("long", 50) + ".md",
	}
}
