package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// WithoutComments returns a copy of b in which the HTML comments of its body are blank: the offsets of the
// rest are unchanged. Text in code that looks like a comment is kept, and so is a comment without an end.
func WithoutComments(b []byte) []byte {
	out := bytes.Clone(b)
	if !bytes.Contains(b, []byte(commentStart)) {
		return out
	}
	body := Span{bomLen(b), len(b)}
	if front, _ := parseFront(b); front != nil {
		body.Start = front.Span.End
	}
	for _, span := range scanBlocks(b, body).comments {
		blankOut(out, span)
	}
	return out
}

const commentStart, commentEnd = "<!--", "-->"

// addComments records the comments of a finished block.
func (s *scanner) addComments(node ast.Node) {
	switch n := node.(type) {
	case *ast.HTMLBlock:
		all := s.linesOf(n)
		all.End = max(all.End, n.ClosureLine.Stop)
		for at := all.Start; ; {
			start := bytes.Index(s.src[at:all.End], []byte(commentStart))
			if start < 0 {
				return
			}
			end := bytes.Index(s.src[at+start:all.End], []byte(commentEnd))
			if end < 0 {
				return
			}
			comment := Span{at + start, at + start + end + len(commentEnd)}
			s.comments, at = append(s.comments, s.abs(comment)), comment.End
		}
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		if bytes.Contains(s.linesOf(n).Of(s.src), []byte(commentStart)) {
			s.addInlineComments(n)
		}
	}
}

// addInlineComments records the comments in the text of a block, outside its code spans.
func (s *scanner) addInlineComments(block ast.Node) {
	reader, pc := text.NewBlockReader(s.src, block.Lines()), parser.NewContext()
	code, html := parser.NewCodeSpanParser(), parser.NewRawHTMLParser()
	for line, _ := reader.PeekLine(); line != nil; line, _ = reader.PeekLine() {
		var inline ast.Node
		switch next := bytes.IndexAny(line, "`<\\"); {
		case next < 0:
			reader.AdvanceLine()
			continue
		case next > 0:
			reader.Advance(next)
			continue
		case line[0] == '`':
			inline = code.Parse(block, reader, pc)
		case line[0] == '<':
			inline = html.Parse(block, reader, pc)
		default: // an escaped character begins nothing
			reader.Advance(1)
		}
		if inline == nil {
			reader.Advance(1)
			continue
		}
		if raw, ok := inline.(*ast.RawHTML); ok && bytes.HasPrefix(line, []byte(commentStart)) {
			for _, part := range raw.Segments.Sliced(0, raw.Segments.Len()) {
				s.comments = append(s.comments, s.abs(Span{part.Start, part.Stop}))
			}
		}
	}
}
