package tombstone

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/markdown"
)

// Mark replaces a text where something has to be left in its place.
const Mark = "[forgotten]"

// Cutter takes what was forgotten out of files and messages.
type Cutter struct {
	Set      *Set
	Redactor *redact.Redactor
	// Literals are texts in lower case with a word in them: a mark alone may be what
	// makes its line a heading. A line that holds one goes, and so do lines
	// over whose ends one runs; in a heading or a field the text is replaced.
	Literals []string
	// Sections are citation ids of sections that go whole, in each version of
	// their file. With true, another section has the same heading, so that the id
	// may name that one in other versions: it goes only where it says something
	// that was forgotten.
	Sections map[string]bool
	// UnitsOnly lets lines be that were forgotten elsewhere: only what a citation
	// named goes.
	UnitsOnly bool

	deleted bool // cut what was deleted by hand, too
}

// Idle says whether nothing can be cut.
func (c Cutter) Idle() bool {
	return c.Set.Len() == 0 && len(c.Literals) == 0 && len(c.Sections) == 0 && !c.deleted
}

// Cut returns a file without what was forgotten, nil if nothing of it may stay, and
// the lines that went. Cutting the result again changes nothing, unless a
// literal was replaced in a heading that then reads as another forgotten line. The
// file is returned as it is if nothing goes.
func (c Cutter) Cut(f cite.File, src []byte) (out []byte, cut []string) {
	edits, whole, cut := c.Edits(f, src)
	if whole {
		return nil, cut
	}
	return applied(src, edits), cut
}

// Blank is Cut with every line that goes left empty, so that the others keep their
// numbers. A file that goes is empty lines.
func (c Cutter) Blank(f cite.File, src []byte) (out []byte, cut []string) {
	if c.Idle() || f.Path == File {
		return src, nil
	}
	p := c.page(f, src)
	for i := range p.gone {
		p.gone[i] = p.gone[i] || p.whole
	}
	edits, cut := p.edits(true)
	return applied(src, edits), cut
}

// applied is a file after edits of one line each.
func applied(src []byte, edits []markdown.Edit) []byte {
	if len(edits) == 0 {
		return src
	}
	out, _ := markdown.Apply(src, edits...) // lines don't overlap
	return out
}

// Edits are the changes that [Cutter.Cut] makes, with the lines that go. whole says
// that the file goes instead.
func (c Cutter) Edits(f cite.File, src []byte) (edits []markdown.Edit, whole bool, cut []string) {
	if c.Idle() || f.Path == File {
		return nil, false, nil
	}
	p := c.page(f, src)
	if p.whole {
		return nil, true, trimmed(p.raw)
	}
	edits, cut = p.edits(false)
	return edits, false, cut
}

// edits are the lines that change or go, the latter as empty lines with blank, and the
// text of both.
func (p *page) edits(blank bool) (edits []markdown.Edit, cut []string) {
	var lines []string
	at := 0
	for i, line := range p.raw {
		now, replaced := p.replaced[i]
		if p.gone[i] {
			if now = ""; blank {
				now = line[len(strings.TrimRight(line, "\r\n")):]
			}
			lines = append(lines, line)
		} else if replaced && now != line {
			lines = append(lines, line)
		} else {
			now = line
		}
		if now != line {
			edits = append(edits, markdown.Edit{Span: markdown.Span{Start: at, End: at + len(line)}, Text: now})
		}
		at += len(line)
	}
	return edits, trimmed(lines)
}

// page is a file on its way through a cutter.
type page struct {
	cutter   Cutter
	file     cite.File
	raw      []string // lines with their ends
	red      []string // the same, redacted: as people saw them
	gone     []bool
	replaced map[int]string // lines that are replaced
	fixed    []bool         // headings and frontmatter
	whole    bool           // the file goes
}

func (c Cutter) page(f cite.File, src []byte) *page {
	p := &page{cutter: c, file: f, raw: splitLines(string(src)), replaced: map[int]string{}}
	redacted := string(src)
	if c.Redactor != nil {
		redacted = c.Redactor.Lines(redacted)
	}
	if p.red = splitLines(redacted); len(p.red) != len(p.raw) {
		p.red, redacted = p.raw, string(src)
	}
	p.gone, p.fixed = make([]bool, len(p.raw)), make([]bool, len(p.raw))
	p.structure([]byte(redacted))
	p.lines()
	for p.items(); p.wrapped(); {
		p.items()
	}
	return p
}

func splitLines(s string) []string { return slices.Collect(strings.Lines(s)) }

func trimmed(lines []string) []string {
	var out []string
	for _, line := range lines {
		if t := strings.TrimSpace(line); Normal(t) != "" || wordless().MatchString(Text(t)) {
			out = append(out, t)
		}
	}
	return out
}

// structure finds headings and frontmatter, and takes out whole units.
func (p *page) structure(red []byte) {
	d := markdown.Parse(red)
	at := starts(p.red)
	mark := func(s markdown.Span) {
		for from, to := lineRange(at, s); from < to; from++ {
			p.fixed[from] = true
		}
	}
	if d.Front != nil {
		mark(d.Front.Span)
	}
	if p.file.Area == cite.AreaProfile { // its frontmatter is what is remembered
		for _, span := range cite.ProfileLines(red) {
			p.fixed[lineAt(at, span.Start)] = false
		}
	}
	for _, s := range d.Sections {
		mark(s.Heading)
	}
	if p.file.Area == cite.AreaNone || (p.cutter.Set == nil || !p.cutter.Set.units) && len(p.cutter.Sections) == 0 &&
		!p.cutter.deleted {
		return
	}
	units, _ := cite.Units(p.file, red)
	for _, u := range units {
		p.unit(d, at, u)
	}
}

func (p *page) unit(d *markdown.Doc, at []int, u cite.Unit) {
	from, to := lineRange(at, WholeSpan(d, u))
	set := p.cutter.Set
	shared, named := p.cutter.Sections[u.ID]
	goes := set.HasUnit(u.ID, p.file.Project) || named && !shared || named &&
		slices.ContainsFunc(p.red[from:to], func(line string) bool {
			return set.HasLine(line) || set.HasLocal(u.ID, line)
		}) || p.cutter.deleted && set.HasDeleted(BlockKey(p.file.Path, u.BlockID()))
	if goes && p.file.Area == cite.AreaDecision {
		p.whole = true
		return
	}
	for i := from; i < to; i++ {
		p.gone[i] = p.gone[i] || goes || !p.fixed[i] && set.HasLocal(u.ID, p.red[i])
	}
}

// WholeSpan is what a unit takes up in its file, its heading included.
func WholeSpan(d *markdown.Doc, u cite.Unit) markdown.Span {
	span := u.Span
	for _, s := range d.Sections {
		if s.Body.Start == span.Start || s.Heading.End == span.Start {
			span.Start = s.Heading.Start
		}
	}
	return span
}

// starts are the offsets of lines.
func starts(lines []string) []int {
	at := make([]int, len(lines))
	pos := 0
	for i, line := range lines {
		at[i] = pos
		pos += len(line)
	}
	return at
}

// lineAt is the line that holds an offset.
func lineAt(at []int, pos int) int {
	i, ok := slices.BinarySearch(at, pos)
	if !ok && i > 0 {
		i--
	}
	return i
}

// lines marks each line that goes by itself.
func (p *page) lines() {
	for i := range p.raw {
		if p.gone[i] || p.cutter.UnitsOnly {
			continue
		}
		if p.cutter.Set.HasQuote(p.red[i]) {
			if !p.fixed[i] {
				p.gone[i] = p.cutter.Set.HasLine(p.red[i])
			} else if strings.HasPrefix(p.red[i], "#") {
				p.replaced[i] = withoutTitle(p.raw[i])
			}
		}
		p.literal(i)
	}
}

// literal takes out a line that holds one of the texts. Where a line carries the
// structure of its file only the text goes.
func (p *page) literal(i int) {
	line := p.raw[i]
	if now, ok := p.replaced[i]; ok {
		line = now
	}
	for _, text := range p.cutter.Literals {
		replaced := replaceFold(line, text, Mark)
		if replaced == line {
			continue
		}
		if !p.fixed[i] && !p.field(i) {
			p.gone[i] = true
			return
		}
		line = replaced
		p.replaced[i] = line
	}
}

// field says whether a line of the archive holds facts that programs read.
func (p *page) field(i int) bool {
	return p.file.Area == cite.AreaArchive && cite.IsHeadField(p.raw[i])
}

// withoutTitle is a heading without its words: its marks and its block id stay.
func withoutTitle(line string) string {
	body := strings.TrimRight(line, "\r\n")
	end := line[len(body):]
	marks := body[:len(body)-len(strings.TrimLeft(body, "#"))]
	id := ""
	if i := strings.LastIndex(body, " ^"); i >= 0 && blockID(body[i+2:]) {
		id = body[i:]
	}
	return marks + " " + Mark + id + end
}

// items takes out what belongs to a list item that goes: the lines that continue
// it and the bullets below it.
func (p *page) items() {
	for i := range p.raw {
		if !p.gone[i] || p.fixed[i] {
			continue
		}
		end := p.itemEnd(i, i+1)
		for j := i + 1; j < end; j++ {
			p.gone[j] = true
		}
	}
}

// bullet is the indent of a list item.
func bullet(line string) (indent int, ok bool) {
	text := strings.TrimLeft(line, " \t")
	return len(line) - len(text), strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") ||
		strings.HasPrefix(text, "+ ")
}

// replaceFold replaces a text, given in lower case, whatever its case in s.
func replaceFold(s, lower, with string) string {
	holds := func(s string) bool { return lower != "" && strings.Contains(strings.ToLower(s), lower) }
	if !holds(s) {
		return s
	}
	s = regexp.MustCompile("(?i)"+regexp.QuoteMeta(lower)).ReplaceAllLiteralString(s, with)
	if holds(s) { // in letters whose small forms are other than the expression takes them for
		return with + s[len(strings.TrimRight(s, "\r\n")):] // better too much than too little
	}
	return s
}

// Message returns the message of a commit or tag with [Mark] in the place of what
// was forgotten: whole lines, what follows a colon, and literals.
func (c Cutter) Message(text string) string {
	if c.Idle() {
		return text
	}
	lines := splitLines(text)
	for i, line := range lines {
		body := strings.TrimRight(line, "\r\n")
		end := line[len(body):]
		// What a literal leaves behind may be another forgotten text.
		for range len(body) + 1 {
			now := c.Name(c.quoted(body))
			if now == body {
				break
			}
			body = now
		}
		lines[i] = body + end
	}
	return strings.Join(lines, "")
}

// Name returns a name with [Mark] in the place of literals.
func (c Cutter) Name(text string) string {
	for _, lit := range c.Literals {
		text = replaceFold(text, lit, Mark)
	}
	return text
}

func (c Cutter) quoted(line string) string {
	for at := 0; ; {
		if rest := line[at:]; c.Set.HasQuote(rest) {
			return line[:at] + Mark
		}
		i := strings.Index(line[at:], ": ")
		if i < 0 {
			return line
		}
		at += i + len(": ")
	}
}

// Sentences returns a paragraph without the sentences that were forgotten.
func (s *Set) Sentences(text string) string {
	if s.Len() == 0 || text == "" {
		return text
	}
	if s.HasQuote(text) {
		return ""
	}
	parts := sentences(text)
	kept := slices.DeleteFunc(slices.Clone(parts), s.HasQuote)
	if len(kept) == len(parts) {
		return text
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}

// sentences parts a text behind full stops and line ends, keeping every byte.
func sentences(text string) []string {
	var out []string
	at := 0
	for i := range len(text) {
		if text[i] == '\n' || text[i] == ' ' && i > 0 && strings.IndexByte(".!?", text[i-1]) >= 0 {
			out = append(out, text[at:i+1])
			at = i + 1
		}
	}
	return append(out, text[at:])
}
