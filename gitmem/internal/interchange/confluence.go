package interchange

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/gitmem/gitmem/internal/lazy"
)

var (
	// confluenceID matches the id of a page in its file name.
	confluenceID = lazy.Pattern(`(?:^|_)(\d+)\.html?$`)
	// changedOn matches the dates of creation and change in the head of a page.
	changedOn = lazy.Pattern(`on ([A-Z][a-z]{2} \d{1,2}, \d{4})`)
	// panel matches the kind of a panel, such as a warning.
	panel = lazy.Pattern(`confluence-information-macro-(information|note|tip|warning)\b`)
	// brush matches the language of a code block.
	brush = lazy.Pattern(`brush: *([\w+#-]+)`)
)

// maxPage is the maximum size of a page in bytes: the time to convert one is not linear.
const maxPage = 512 << 10

// readConfluence reads the pages of a space that was exported as HTML.
func (r *reader) readConfluence() {
	pages := map[string]string{} // paths in the space, by file
	for _, f := range r.files {
		e, doc := confluencePage(f)
		switch ext := strings.ToLower(path.Ext(f.Path)); {
		case slices.Contains(strings.Split(f.Path, "/"), "attachments"):
			r.skip(f.Path, "an attachment")
		case ext != ".html" && ext != ".htm":
			r.skip(f.Path, "no page")
		case len(f.Data) > maxPage:
			r.skip(f.Path, fmt.Sprintf("a page of more than %d KB", maxPage>>10))
		case doc == nil || byID(doc, "main-content") == nil:
			r.skip(f.Path, "no page of Confluence: it has no main-content")
		default:
			pages[f.Path] = e.Path
		}
	}
	// Escapes would keep names with underscores from being found, and secrets from being redacted.
	conv := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
			table.NewTablePlugin()))
	for _, f := range r.files {
		if pages[f.Path] == "" {
			continue
		}
		e, doc := confluencePage(f) // parsed again: the trees of all pages would need far more memory
		var t tokens
		for _, part := range []*html.Node{byID(doc, "main-content"), byID(doc, "comments")} {
			if part != nil && attribute(part, "id") == "comments" && part.Parent != nil && part.Parent.Parent != nil {
				part = part.Parent.Parent // the section below the heading
			}
			if part == nil {
				continue
			}
			prepare(part, &t, func(href string) string { return pages[path.Join(path.Dir(f.Path), href)] })
			text, err := conv.ConvertNode(part)
			if err != nil {
				r.skip(f.Path, err)
				continue
			}
			e.Text += strings.TrimSpace(t.expand(string(text))) + "\n\n"
		}
		e.Text = strings.TrimSpace(e.Text) + "\n"
		r.entries = append(r.entries, e)
	}
}

// confluencePage returns the head of a page and its tree, or nil if the file is not a page.
func confluencePage(f File) (Entry, *html.Node) {
	e := Entry{Kind: KindNote, Time: instant(f.Time), Title: titleOf(f.Path), Source: Confluence + " " + f.Path}
	if len(f.Data) > maxPage {
		return e, nil
	}
	doc, err := html.Parse(strings.NewReader(withoutTokens(string(f.Data))))
	if err != nil {
		return e, nil
	}
	var crumbs []string
	for a := range nodes(byID(doc, "breadcrumbs"), "a") {
		crumbs = append(crumbs, strings.ReplaceAll(textOf(a), "/", "-"))
	}
	if title := textOf(byID(doc, "title-text")); title != "" {
		e.Title = title
	}
	if len(crumbs) > 0 {
		e.Title = cmp.Or(strings.TrimPrefix(e.Title, crumbs[0]+" : "), e.Title)
		crumbs = crumbs[1:]
	}
	e.Path = path.Join(append(crumbs, strings.ReplaceAll(e.Title, "/", "-")+".html")...)
	if m := confluenceID().FindStringSubmatch(f.Path); m != nil {
		e.Source = Confluence + " " + m[1]
	}
	for div := range nodes(doc, "div") {
		if !hasClass(div, "page-metadata") {
			continue
		}
		// the last one is the last change
		for _, m := range changedOn().FindAllStringSubmatch(strings.Join(strings.Fields(textOf(div)), " "), -1) {
			if at, err := time.Parse("Jan 2, 2006", m[1]); err == nil {
				e.Time = at.Format(time.DateOnly)
			}
		}
	}
	return e, doc
}

// prepare replaces elements of Confluence by those of Markdown: links between pages, panels, code, tasks.
func prepare(part *html.Node, t *tokens, pageAt func(href string) string) {
	for n := range slices.Values(slices.Collect(nodes(part, ""))) {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "colspan" || a.Key == "rowspan" })
		switch {
		case n.Data == "a":
			href, _, _ := strings.Cut(attribute(n, "href"), "#")
			plain, err := url.PathUnescape(href)
			if p := pageAt(plain); err == nil && href != "" && p != "" {
				insertText(n, n.FirstChild, t.put(wikiLink(p, textOf(n))))
				for n.FirstChild.NextSibling != nil {
					n.RemoveChild(n.FirstChild.NextSibling)
				}
				n.Data, n.DataAtom, n.Attr = "span", 0, nil
			}
		case n.Data == "div" && panel().MatchString(attribute(n, "class")):
			kind := strings.TrimSuffix(panel().FindStringSubmatch(attribute(n, "class"))[1], "rmation")
			n.Data, n.DataAtom = "blockquote", 0
			p := &html.Node{Type: html.ElementNode, Data: "p"}
			n.InsertBefore(p, n.FirstChild)
			insertText(p, nil, t.put("[!"+kind+"]"))
		case n.Data == "pre" && brush().MatchString(attribute(n, "data-syntaxhighlighter-params")):
			text := textOf(n)
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			language := brush().FindStringSubmatch(attribute(n, "data-syntaxhighlighter-params"))[1]
			inner := &html.Node{Type: html.ElementNode, Data: "code",
				Attr: []html.Attribute{{Key: "class", Val: "language-" + language}}}
			n.AppendChild(inner)
			insertText(inner, nil, text)
		case n.Data == "img" && hasClass(n, "emoticon"):
			n.Data, n.DataAtom = "span", 0
			insertText(n, nil, attribute(n, "alt"))
		case n.Data == "li" && n.Parent != nil && hasClass(n.Parent, "inline-task-list"):
			insertText(n, n.FirstChild, t.put(map[bool]string{true: "[x] ", false: "[ ] "}[hasClass(n, "checked")]))
		}
	}
}

func insertText(parent, before *html.Node, text string) {
	parent.InsertBefore(&html.Node{Type: html.TextNode, Data: text}, before)
}

// nodes returns the node and the elements below it with a name; "" matches any.
func nodes(n *html.Node, name string) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		if n == nil {
			return
		}
		if n.Type == html.ElementNode && (name == "" || n.Data == name) && !yield(n) {
			return
		}
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && (name == "" || d.Data == name) && !yield(d) {
				return
			}
		}
	}
}

// byID returns the element with an id, or nil.
func byID(doc *html.Node, id string) *html.Node {
	for n := range nodes(doc, "") {
		if attribute(n, "id") == id {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// textOf returns the text of an element, "" for nil.
func textOf(n *html.Node) string {
	var b bytes.Buffer
	if n != nil {
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
		}
	}
	return strings.TrimSpace(b.String())
}
