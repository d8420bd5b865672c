package interchange

import (
	"cmp"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// tokens replace the parts of a text that a conversion must not change.
type tokens []string

// Characters of private use begin and end a token.
const tokenStart, tokenEnd = "\ue000", "\ue001"

var token = lazy.Pattern(tokenStart + `(\d+)` + tokenEnd)

// put returns a token for a text.
func (t *tokens) put(text string) string {
	*t = append(*t, text)
	return tokenStart + strconv.Itoa(len(*t)-1) + tokenEnd
}

// expand replaces the tokens by their texts.
func (t *tokens) expand(text string) string {
	return token().ReplaceAllStringFunc(text, func(s string) string {
		if n, err := strconv.Atoi(token().FindStringSubmatch(s)[1]); err == nil && n < len(*t) {
			return (*t)[n]
		}
		return ""
	})
}

// withoutTokens returns a text without the characters of tokens and those that XML forbids.
func withoutTokens(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == '\ue000' || r == '\ue001' || r == '\ufffe' || r == '\uffff' {
			return -1
		}
		return r
	}, text)
}

var (
	codeBlock = lazy.Pattern(`(?s)<pre><code(?: class="language-([^"]*)")?>(.*?)</code></pre>`)
	taskItem  = lazy.Pattern(`(?s)<li>\[([ x])\] (.*?)</li>`)
)

// storage returns a page in the storage format of Confluence: its properties, then its text. The name of the
// file is the title of the page.
func (l *layout) storage(p page) ([]byte, error) {
	var t tokens
	p.Text = withoutTokens(withoutTitle(p.Text, p.Title))
	text := l.relink(p, func(k link, to page) string { return t.put(storageLink(k, p, to)) })
	text = outsideCode(text, func(part string) string {
		return blockID().ReplaceAllStringFunc(part, func(id string) string {
			return t.put(`<ac:structured-macro ac:name="anchor"><ac:parameter ac:name="">` +
				strings.TrimLeft(strings.TrimSpace(id), "^") + `</ac:parameter></ac:structured-macro>`)
		})
	})
	body, err := markdown.XHTML(text)
	if err != nil {
		return nil, err
	}
	body = codeBlock().ReplaceAllStringFunc(body, func(block string) string {
		m := codeBlock().FindStringSubmatch(block)
		language := ""
		if m[1] != "" {
			language = `<ac:parameter ac:name="language">` + m[1] + `</ac:parameter>`
		}
		return `<ac:structured-macro ac:name="code">` + language + `<ac:plain-text-body>` + cdata(html.UnescapeString(m[2])) +
			`</ac:plain-text-body></ac:structured-macro>`
	})
	if p.Kind == listTasks {
		n := 0
		body = taskItem().ReplaceAllStringFunc(body, func(item string) string {
			m := taskItem().FindStringSubmatch(item)
			n++
			return fmt.Sprintf("<ac:task><ac:task-id>%d</ac:task-id><ac:task-status>%s</ac:task-status><ac:task-body>%s"+
				"</ac:task-body></ac:task>", n, map[string]string{" ": "incomplete", "x": "complete"}[m[1]], m[2])
		})
		body = strings.NewReplacer("<ul>", "<ac:task-list>", "</ul>", "</ac:task-list>").Replace(body)
	}
	var b strings.Builder
	b.WriteString(`<ac:structured-macro ac:name="details"><ac:rich-text-body><table><tbody>` + "\n")
	for _, f := range p.fields() {
		fmt.Fprintf(&b, "<tr><th>%s</th><td>%s</td></tr>\n", f[0], html.EscapeString(withoutTokens(f[1])))
	}
	b.WriteString("</tbody></table></ac:rich-text-body></ac:structured-macro>\n" + t.expand(body))
	return []byte(b.String()), nil
}

// storageLink returns a link to a page, or to an anchor in one.
func storageLink(k link, from, to page) string {
	anchor, target := "", ""
	if id := strings.TrimPrefix(k.anchor, "^"); id != "" {
		anchor = ` ac:anchor="` + html.EscapeString(id) + `"`
	}
	if to.name != from.name {
		target = `<ri:page ri:content-title="` + html.EscapeString(to.name) + `" />`
	}
	return `<ac:link` + anchor + `>` + target + `<ac:plain-text-link-body>` + cdata(cmp.Or(k.label, to.Title)) +
		`</ac:plain-text-link-body></ac:link>`
}

// cdata returns a text as a CDATA section.
func cdata(s string) string {
	return "<![CDATA[" + strings.ReplaceAll(s, "]]>", "]]]]><![CDATA[>") + "]]>"
}
