package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// HTML renders Markdown for a page that must not load anything: raw HTML is shown as text, links never run
// scripts, and a picture is only a link. A text that would take long to render, or become far longer, is
// shown as it is.
func HTML(src string) (string, error) { return render(src) }

// XHTML is HTML with all tags closed, as in XML.
func XHTML(src string) (string, error) { return render(src, html.WithXHTML()) }

func render(src string, o ...renderer.Option) (string, error) {
	if costly(src) {
		return "<pre>" + string(util.EscapeHTML([]byte(src))) + "</pre>\n", nil
	}
	o = append(o, renderer.WithNodeRenderers(util.Prioritized(written{}, 0)))
	md := goldmark.New(goldmark.WithRendererOptions(o...))
	var b strings.Builder
	err := md.Convert([]byte(src), &b)
	return b.String(), err
}

// Limits of rendering: bytes, quotes and lists that begin in one line, and brackets between two empty lines.
const (
	mostRendered = 1 << 20
	mostNested   = 50
	mostBrackets = 5000
)

// costly reports whether a text exceeds the limits.
func costly(src string) bool {
	brackets := 0
	for line := range strings.Lines(src) {
		rest := strings.TrimSpace(line)
		if brackets += strings.Count(rest, "["); rest == "" {
			brackets = 0
		}
		if brackets > mostBrackets || nested(rest) > mostNested {
			return true
		}
	}
	return len(src) > mostRendered
}

// nested returns how many quotes and lists begin in a line.
func nested(line string) (n int) {
	for i := range len(line) {
		spaced := i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')
		switch c := line[i]; {
		case c == '>', spaced && strings.IndexByte("-*+.)", c) >= 0:
			n++
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}

// table returns the HTML of a paragraph that is a GitHub table, with the raw text of its cells, or "" for
// another paragraph. goldmark's table extension would compile the patterns of all its extensions at every
// program start.
func table(rows []string) string {
	if len(rows) < 2 || !strings.Contains(rows[0], "|") || !strings.Contains(rows[1], "|") ||
		!strings.Contains(rows[1], "-") || strings.Trim(rows[1], "|:- \t\r\n") != "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("<table>\n")
	for i, row := range rows {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		if i == 1 {
			continue
		}
		b.WriteString("<tr>")
		for c := range strings.SplitSeq(strings.Trim(strings.TrimSpace(row), "|"), "|") {
			fmt.Fprintf(&b, "<%s>%s</%s>", cell, util.EscapeHTML([]byte(strings.TrimSpace(c))), cell)
		}
		b.WriteString("</tr>\n")
	}
	return b.String() + "</table>\n"
}

// written renders raw HTML as text, a picture as a link, and tables.
type written struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (written) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag, to := "</a>", util.URLEscape(n.(*ast.Image).Destination, true)
		if html.IsDangerousURL(to) {
			to = nil
		}
		if entering {
			tag = fmt.Sprintf(`<a href="%s">`, util.EscapeHTML(to))
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
	r.Register(ast.KindParagraph, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</p>\n"
		if entering {
			tag = "<p>"
			if t := table(slices.Collect(strings.Lines(string(n.Lines().Value(src))))); t != "" {
				tag = t
				n.RemoveChildren(n)
			}
		} else if !n.HasChildren() { // it was a table
			tag = ""
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
	r.Register(ast.KindRawHTML, func(
		w util.BufWriter, src []byte, n ast.Node, entering bool,
	) (_ ast.WalkStatus, err error) {
		if entering {
			_, err = w.Write(util.EscapeHTML(n.(*ast.RawHTML).Segments.Value(src)))
		}
		return ast.WalkSkipChildren, err
	})
	r.Register(ast.KindHTMLBlock, func(
		w util.BufWriter, src []byte, n ast.Node, entering bool,
	) (_ ast.WalkStatus, err error) {
		if block := n.(*ast.HTMLBlock); entering {
			lines := *block.Lines()
			if block.HasClosure() {
				lines.Append(block.ClosureLine)
			}
			_, err = fmt.Fprintf(w, "<pre>%s</pre>\n", util.EscapeHTML(lines.Value(src)))
		}
		return ast.WalkContinue, err
	})
}
