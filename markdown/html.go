package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// HTML renders Markdown for a page that nothing may be loaded into: raw HTML is left out, a
// link leads to no script, and of a picture there is a link only.
func HTML(src string) (string, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(pictureless{}, 0))))
	var b strings.Builder
	err := md.Convert([]byte(src), &b)
	return b.String(), err
}

// pictureless makes links of pictures.
type pictureless struct{}

// Transform implements parser.ASTTransformer.
func (pictureless) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	var pictures []*ast.Image
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if i, ok := n.(*ast.Image); ok && entering {
			pictures = append(pictures, i)
		}
		return ast.WalkContinue, nil
	})
	for _, i := range pictures {
		link := ast.NewLink()
		link.Destination, link.Title = i.Destination, i.Title
		for c := i.FirstChild(); c != nil; c = i.FirstChild() {
			link.AppendChild(link, c)
		}
		i.Parent().ReplaceChild(i.Parent(), i, link)
	}
}
