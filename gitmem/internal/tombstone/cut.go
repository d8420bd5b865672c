package tombstone

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/markdown"
)

// Mark replaces a forgotten text that can't be removed completely.
const Mark = "[forgotten]"

// Cutter removes forgotten text from files and messages.
type Cutter struct {
	Set      *Set
	Redactor *redact.Redactor
	// Literals are lower-case texts that contain a word, since a line may be a heading because of its marks alone. A line
	// that contains one is removed, and so are adjacent lines that one spans; in a heading or a field only the text is
	// replaced.
	Literals []string
	// Sections are citation ids of sections that are removed as a whole, in each version of their file. The value true
	// means that another section has the same heading, so that the id may refer to that one in other versions: it is
	// removed only if it contains forgotten text.
	Sections map[string]bool
	// UnitsOnly keeps lines that were forgotten elsewhere: only what a citation named is removed.
	UnitsOnly bool

	deleted bool // also remove what was deleted by hand
}

// Idle reports whether nothing can be cut.
func (c Cutter) Idle() bool {
	return c.Set.Len() == 0 && len(c.Literals) == 0 && len(c.Sections) == 0 && !c.deleted
}

// Cut returns a file without forgotten text, nil if nothing of it may stay, and the removed lines. Cutting the result
// again changes nothing, unless a literal was replaced in a heading that then equals another forgotten line. If nothing
// is removed, it returns the file unchanged.
func (c Cutter) Cut(f cite.File, src []byte) (out []byte, cut []string) {
	edits, whole, cut := c.Edits(f, src)
	if whole {
		return nil, cut
	}
	return applied(src, edits), cut
}

// Blank is Cut with empty lines in place of removed ones, so that the others keep their numbers. A removed file becomes
// empty lines.
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

// applied returns a file after edits of one line each.
func applied(src []byte, edits []markdown.Edit) []byte {
	if len(edits) == 0 {
		return src
	}
	out, _ := markdown.Apply(src, edits...) // lines don't overlap
	return out
}

// Edits returns the changes that [Cutter.Cut] makes, with the removed lines. whole means that the file is removed
// instead.
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

// edits returns the changed and removed lines, the latter as empty lines with blank, and the text of both.
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

// page is a file being processed by a cutter.
type page struct {
	cutter   Cutter
	file     cite.File
	raw      []string // lines with their ends
	red      []string // the same, redacted: as shown to people
	gone     []bool
	replaced map[int]string // new text of replaced lines
	fixed    []bool         // headings and frontmatter
	whole    bool           // remove the file
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

// structure finds headings and frontmatter, and removes whole units.
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
	if p.file.Area == cite.AreaProfile { // its frontmatter is the content
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

// WholeSpan returns the span of a unit in its file, including its heading.
func WholeSpan(d *markdown.Doc, u cite.Unit) markdown.Span {
	span := u.Span
	for _, s := range d.Sections {
		if s.Body.Start == span.Start || s.Heading.End == span.Start {
			span.Start = s.Heading.Start
		}
	}
	return span
}

// starts returns the offsets of lines.
func starts(lines []string) []int {
	at := make([]int, len(lines))
	pos := 0
	for i, line := range lines {
		at[i] = pos
		pos += len(line)
	}
	return at
}

// lineAt returns the line that contains an offset.
func lineAt(at []int, pos int) int {
	i, ok := slices.BinarySearch(at, pos)
	if !ok && i > 0 {
		i--
	}
	return i
}

// lines marks each line that is removed on its own.
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

// literal removes a line that contains one of the texts. If a line carries the structure of its file, only the text is
// removed.
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

// field reports whether a line of the archive contains facts that programs read.
func (p *page) field(i int) bool {
	return p.file.Area == cite.AreaArchive && cite.IsHeadField(p.raw[i])
}

// withoutTitle returns a heading without its text: its marks and its block id are kept.
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

// items removes the rest of a removed list item: its continuation lines and the bullets below it.
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

// bullet returns the indent of a list item.
func bullet(line string) (indent int, ok bool) {
	text := strings.TrimLeft(line, " \t")
	return len(line) - len(text), strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") ||
		strings.HasPrefix(text, "+ ")
}

// replaceFold replaces a text, given in lower case, case-insensitively in s.
func replaceFold(s, lower, with string) string {
	holds := func(s string) bool { return lower != "" && strings.Contains(strings.ToLower(s), lower) }
	if !holds(s) {
		return s
	}
	s = regexp.MustCompile("(?i)"+regexp.QuoteMeta(lower)).ReplaceAllLiteralString(s, with)
	if holds(s) { // in letters with other lower-case forms than the expression assumes
		return with + s[len(strings.TrimRight(s, "\r\n")):] // too much is better than too little
	}
	return s
}

// Message returns the message of a commit or tag with forgotten text replaced by [Mark]: whole lines, text after a
// colon, and literals.
func (c Cutter) Message(text string) string {
	if c.Idle() {
		return text
	}
	lines := splitLines(text)
	for i, line := range lines {
		body := strings.TrimRight(line, "\r\n")
		end := line[len(body):]
		// The rest after replacing a literal may be another forgotten text.
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

// Name returns a name with literals replaced by [Mark].
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

// Sentences returns a paragraph without the forgotten sentences.
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

// sentences splits a text after full stops and line ends, keeping every byte.
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
