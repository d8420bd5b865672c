package markdown

// Span is a half-open range [Start, End) of byte offsets into [Doc.Source].
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the bytes of src in the span, sharing src's memory, or nil if the span is outside of src.
func (s Span) Of(src []byte) []byte {
	if s.Start < 0 || s.End < s.Start || s.End > len(src) {
		return nil
	}
	return src[s.Start:s.End:s.End]
}

// Doc is one parsed file. All its spans point into Source.
type Doc struct {
	// Source is the slice given to Parse, not a copy: do not change it while
	// the Doc is in use.
	Source []byte
	// EOL is the most frequent line end, "\n" or "\r\n"; "\n" on a tie. Edits write new lines with it.
	EOL string
	// Front is the frontmatter, or nil.
	Front *Frontmatter
	// Body is everything after the byte order mark and the frontmatter.
	Body Span
	// Sections are the headings in file order.
	Sections []Section
	// Ideas are the idea and task lines in file order.
	Ideas []Idea
	// Skipped lists text that was not understood, in file order.
	Skipped []Skip
}

// Section is a heading with the text below it.
type Section struct {
	// Level is 1 to 6.
	Level int
	// Title is the heading's text without its block id.
	Title string
	// ID is the block id without "^", or empty.
	ID string
	// Heading covers the heading's whole lines with their line ends.
	Heading Span
	// Body is the section's own text, up to the next heading of any level.
	Body Span
	// Span is the heading, its body and all its subsections.
	Span Span
	// Parent is the index of the enclosing section, -1 at the top.
	Parent int
	// Path has the titles from the outermost section to this one.
	Path []string
	// Line is the heading's line, counted from 1.
	Line int
}

// Idea is a list item with a category or a checkbox.
type Idea struct {
	// Intent is the category in lower case, one of [Intents] or any other word; empty for a task without one.
	Intent string
	// Text is the item's own text on one line: without bullet, checkbox,
	// category, closing tags, reference and block id. Tags inside the sentence
	// stay in it.
	Text string
	// Tags are the closing tags without "#", in their order.
	Tags []string
	// Done is the state of the checkbox, nil without a checkbox.
	Done *bool
	// HalfDone is set if the checkbox is "[/]": not done, but in progress.
	HalfDone bool
	// ID is the block id without "^", or empty.
	ID string
	// Refs is the reference in brackets at the end.
	Refs Ref
	// Relations are the links of the bullets below this one.
	Relations []Relation
	// Span covers the whole lines of the item's own text, with line ends and
	// without nested bullets.
	Span Span
	// Content covers the item's own text after the bullet, marks included.
	Content Span
	// Section is the index of the section that contains the idea, -1 before the first heading.
	Section int
	// Parent is the index of the idea whose bullet directly encloses this one, or -1.
	Parent int
	// Line is the bullet's line, counted from 1.
	Line int
}

// Ref is the reference in brackets at the end of an idea, such as
// "(0.6 L140 14:25)": each part may be missing, their order is fixed.
type Ref struct {
	// Line is the transcript line, or 0.
	Line int
	// Time is HH:MM or HH:MM:SS as written, or empty.
	Time string
	// Confidence is between 0 and 1; 0.9 if the idea does not state it.
	Confidence float64
	// By is the author of the words, if the line names one: me (the owner of the file), a program, a model or an
	// agent, as in "(L140 14:25 by me)"; only with a line.
	By string
}

// Relation is one link of a nested bullet "kind [[target]]".
type Relation struct {
	// Kind is supersedes, builds_on, contradicts, answers, relates_to or withdraws.
	Kind string
	// Target is the text between the double brackets, without a label.
	Target string
	// Span covers the whole lines of the bullet's text, with line ends.
	Span Span
}

// Skip is text that Parse left out of its values. The bytes are still in the source.
type Skip struct {
	// Line is the first line concerned, counted from 1.
	Line int
	// Span covers the bytes concerned.
	Span Span
	// Reason describes it for people.
	Reason string
}

// Parse parses b. It accepts every input: text that it does not understand is counted in Skipped. The Doc
// shares b's memory.
func Parse(b []byte) *Doc {
	d := &Doc{Source: b, EOL: dominantEOL(b)}
	d.Body = Span{bomLen(b), len(b)}
	front, skips := parseFront(b)
	if front != nil {
		d.Front = front
		d.Body.Start = front.Span.End
	}
	d.Skipped = append(skips, encodingSkips(b)...)
	bl := scanBlocks(b, d.Body)
	d.Skipped = append(d.Skipped, bl.skips...)
	d.addSections(bl.headings)
	d.addIdeas(bl.items)
	d.dropDuplicateIDs()
	d.numberLines()
	return d
}

// preamble returns the body's text before the first heading.
func (d *Doc) preamble() Span {
	if len(d.Sections) == 0 {
		return d.Body
	}
	return Span{d.Body.Start, d.Sections[0].Heading.Start}
}
