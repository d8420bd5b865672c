package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxOpenBlocks limits the nesting of lists and quotes. goldmark visits every open container for every line
// and recurses into them, so without a limit a few kilobytes of "> > >" cost seconds, and megabytes of it
// overflow the stack. A list level takes two blocks.
const maxOpenBlocks = 64

// heading is a heading of the document itself.
type heading struct {
	level   int
	lines   Span // whole lines
	content Span // the text, trimmed
}

// item is a list item.
type item struct {
	marker int  // offset of the bullet or number
	parent int  // index of the directly enclosing item, -1 for none
	quoted bool // inside a block quote
	blocks int  // children seen so far
	text   Span // its first child's text, if that is a paragraph; trimmed
}

// blocks are the elements that goldmark locates in a body.
type blocks struct {
	headings []heading
	items    []item
	comments []Span
	skips    []Skip
}

// scanner collects blocks while goldmark parses, through wrappers around goldmark's block parsers. Nothing is
// read from the finished tree, so that the tree may be pruned and inline parsing has nothing to do.
type scanner struct {
	blocks
	src   []byte // the body, with every "\r\n" replaced with " \n"
	base  int    // the body's offset in the source
	items map[ast.Node]int
	texts map[ast.Node]int // open paragraphs that are an item's own text
	doc   ast.Node
}

// scanBlocks locates headings and list items in src[body].
func scanBlocks(src []byte, body Span) (out blocks) {
	s := &scanner{
		// goldmark treats "- \n" as an empty item, but not "-\r\n"
		src:   bytes.ReplaceAll(body.Of(src), []byte("\r\n"), []byte(" \n")),
		base:  body.Start,
		items: map[ast.Node]int{},
		texts: map[ast.Node]int{},
	}
	// A panic in goldmark must not reach a reader of memory: the blocks located before it are kept, and the rest
	// is counted as skipped.
	defer func() {
		if r := recover(); r != nil {
			s.skip(Span{0, len(s.src)}, fmt.Sprintf("structure not understood: %v", r))
			out = s.result()
		}
	}()
	p := parser.NewParser(parser.WithBlockParsers(s.wrapped()...))
	p.Parse(&blankRuns{Reader: text.NewReader(s.src), s: s})
	return s.result()
}

func (s *scanner) result() blocks {
	out := s.blocks
	slices.SortStableFunc(out.headings, func(a, b heading) int { return cmp.Compare(a.lines.Start, b.lines.Start) })
	for i := range out.headings {
		out.headings[i].lines = s.abs(out.headings[i].lines)
		out.headings[i].content = s.abs(out.headings[i].content)
	}
	for i := range out.items {
		out.items[i].marker += s.base
		out.items[i].text = s.abs(out.items[i].text)
	}
	return out
}

func (s *scanner) abs(sp Span) Span { return Span{sp.Start + s.base, sp.End + s.base} }

func (s *scanner) skip(sp Span, reason string) {
	s.skips = append(s.skips, Skip{Span: s.abs(sp), Reason: reason})
}

// wrapped returns goldmark's block parsers in goldmark's order, each in a wrapper.
func (s *scanner) wrapped() []util.PrioritizedValue {
	quote, list := parser.NewBlockquoteParser(), parser.NewListParser()
	values := parser.DefaultBlockParsers()
	for i, v := range values {
		if bp, ok := v.Value.(parser.BlockParser); ok {
			values[i].Value = wrapper{bp, s, bp == quote || bp == list}
		}
	}
	return values
}

// wrapper passes all calls to a goldmark block parser and informs the scanner.
type wrapper struct {
	parser.BlockParser
	s       *scanner
	nesting bool // opens quotes or lists
}

// Open lets goldmark open a block unless the scanner refuses it.
func (w wrapper) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, at := reader.Position()
	above := pc.LastOpenedBlock().Node
	node, state := w.BlockParser.Open(parent, reader, pc)
	if node == nil {
		return node, state
	}
	if w.nesting && len(pc.OpenedBlocks()) >= maxOpenBlocks {
		reader.SetPosition(line, at)
		w.s.tooDeep(at)
		return nil, parser.NoChildren
	}
	if h, ok := node.(*ast.Heading); ok && state&parser.RequireParagraph != 0 {
		if !w.s.underlined(h, above, parent, at) {
			return nil, parser.NoChildren
		}
	}
	w.s.opened(node, parent, at)
	return node, state
}

// Close handles what is only known at the end of a block.
func (w wrapper) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	w.BlockParser.Close(node, reader, pc)
	s := w.s
	if i, ok := s.texts[node]; ok {
		delete(s.texts, node)
		s.blocks.items[i].text = s.linesOf(node)
	}
	delete(s.items, node)
	s.addComments(node)
	if line, _ := reader.PeekLine(); line == nil && s.doc != nil && node.Parent() == s.doc {
		s.doc.RemoveChildren(s.doc)
	}
}

// tooDeep counts a line whose quote or list was not opened.
func (s *scanner) tooDeep(at text.Segment) {
	line := Span{lineStart(s.src, at.Start), at.Stop}
	if n := len(s.skips); n == 0 || s.skips[n-1].Span != s.abs(line) {
		s.skip(line, "nested deeper than gitmem reads: taken as text")
	}
}

// opened records a new block and prunes its finished siblings: goldmark only uses a parent's last child, and
// the tree of a large file would be many times its size.
func (s *scanner) opened(node, parent ast.Node, at text.Segment) {
	if _, ok := parent.(*ast.Document); ok {
		s.doc = parent
	}
	for c := parent.FirstChild(); c != nil && c != parent.LastChild(); c = parent.FirstChild() {
		parent.RemoveChild(parent, c)
	}
	owner, owned := s.items[parent]
	if owned {
		s.blocks.items[owner].blocks++
	}
	switch n := node.(type) {
	case *ast.ListItem:
		s.openItem(n, parent, at)
	case *ast.Paragraph:
		if owned && s.blocks.items[owner].blocks == 1 {
			s.texts[node] = owner
		}
	case *ast.Heading:
		s.openATX(n, parent, at)
	}
}

func (s *scanner) openItem(node *ast.ListItem, list ast.Node, at text.Segment) {
	it := item{marker: at.Stop - len(bytes.TrimLeft(s.src[at.Start:at.Stop], " \t")), parent: -1}
	switch list.Parent().(type) {
	case *ast.Blockquote:
		it.quoted = true
	case *ast.ListItem:
		it.parent = s.items[list.Parent()]
		it.quoted = s.blocks.items[it.parent].quoted
	}
	it.text = Span{it.marker, it.marker}
	s.items[node] = len(s.blocks.items)
	s.blocks.items = append(s.blocks.items, it)
}

// openATX records a "#" heading. Underlined ones have no text of their own yet and are handled by underlined.
func (s *scanner) openATX(h *ast.Heading, parent ast.Node, at text.Segment) {
	if text := bytes.TrimLeft(s.src[at.Start:at.Stop], " \t"); !bytes.HasPrefix(text, []byte("#")) {
		return
	}
	lines := wholeLines(s.src, Span{at.Start, at.Stop})
	content := Span{}
	if h.Lines().Len() > 0 {
		content = trimSpan(s.src, Span{h.Lines().At(0).Start, h.Lines().At(0).Stop})
	} else {
		i := at.Start + bytes.IndexByte(s.src[at.Start:at.Stop], '#') + h.Level
		content = Span{i, i}
	}
	s.heading(h.Level, lines, content, parent)
}

// underlined records a heading formed by the line at under the paragraph above. It returns false if the
// paragraph only consists of link reference definitions: then the line underlines nothing.
func (s *scanner) underlined(h *ast.Heading, above, parent ast.Node, at text.Segment) bool {
	segs := above.Lines()
	first := 0
	for first < segs.Len() && isReference(s.src[segs.At(first).Start:segs.At(first).Stop]) {
		first++
	}
	if first == segs.Len() {
		return false
	}
	content := trimSpan(s.src, Span{segs.At(first).Start, segs.At(segs.Len() - 1).Stop})
	// The definitions count as lines of the heading: if text were inserted between them and the rest, indented
	// lines of the rest would become code.
	lines := Span{lineStart(s.src, segs.At(0).Start), lineEnd(s.src, at.Start)}
	s.heading(h.Level, lines, content, parent)
	return true
}

func (s *scanner) heading(level int, lines, content Span, parent ast.Node) {
	if _, ok := parent.(*ast.Document); !ok {
		s.skip(lines, "heading inside a quote or list item: no section")
		return
	}
	s.headings = append(s.headings, heading{level, lines, content})
}

func (s *scanner) linesOf(paragraph ast.Node) Span {
	segs := paragraph.Lines()
	if segs.Len() == 0 {
		return Span{}
	}
	return trimSpan(s.src, Span{segs.At(0).Start, segs.At(segs.Len() - 1).Stop})
}

// isReference reports whether a line is a complete link reference definition: "[label]: target", with or
// without a title.
func isReference(line []byte) bool {
	line = bytes.TrimSpace(line)
	end := bytes.Index(line, []byte("]:"))
	if end < 2 || line[0] != '[' || bytes.ContainsAny(line[1:end], "[]") {
		return false
	}
	target, title, _ := bytes.Cut(bytes.TrimSpace(line[end+2:]), []byte(" "))
	title = bytes.TrimSpace(title)
	if len(target) == 0 || len(title) == 0 {
		return len(target) > 0
	}
	closer := map[byte]byte{'"': '"', '\'': '\'', '(': ')'}[title[0]]
	return len(title) > 1 && closer != 0 && title[len(title)-1] == closer
}
