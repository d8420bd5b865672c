package markdown

import (
	"slices"
	"strings"
)

// addSections converts headings to nested sections. Titles of several lines (underlined headings) are joined
// with single spaces.
func (d *Doc) addSections(hs []heading) {
	for _, h := range hs {
		s := Section{Level: h.level, Heading: h.lines}
		s.Title, s.ID = cutID(oneLine(h.content.Of(d.Source)))
		d.Sections = append(d.Sections, s)
	}
	d.Nest()
}

// Nest computes the parent, path, span and body of the sections from their levels, titles and headings.
func (d *Doc) Nest() {
	var open []int // indexes of the sections that enclose the next heading
	for i := range d.Sections {
		s := &d.Sections[i]
		for len(open) > 0 && d.Sections[open[len(open)-1]].Level >= s.Level {
			d.Sections[open[len(open)-1]].Span.End = s.Heading.Start
			open = open[:len(open)-1]
		}
		next := d.Body.End
		if i+1 < len(d.Sections) {
			next = d.Sections[i+1].Heading.Start
		}
		s.Body, s.Span = Span{s.Heading.End, next}, Span{s.Heading.Start, d.Body.End}
		s.Parent, s.Path = -1, []string{s.Title}
		if len(open) > 0 {
			s.Parent = open[len(open)-1]
			s.Path = append(slices.Clip(d.Sections[s.Parent].Path), s.Title)
		}
		open = append(open, i)
	}
}

// Section returns the first section with a title, ignoring case.
func (d *Doc) Section(title string) (int, bool) {
	i := slices.IndexFunc(d.Sections, func(s Section) bool { return strings.EqualFold(s.Title, title) })
	return i, i >= 0
}

// dropDuplicateIDs keeps an id only for the first section or idea that has it.
func (d *Doc) dropDuplicateIDs() {
	seen := map[string]bool{}
	keep := func(id *string, at Span) {
		switch {
		case *id == "":
		case seen[*id]:
			d.Skipped = append(d.Skipped, Skip{Span: at, Reason: "block id ^" + *id + " is taken further up: read without id"})
			*id = ""
		default:
			seen[*id] = true
		}
	}
	next := 0
	for i := range d.Sections {
		for ; next < len(d.Ideas) && d.Ideas[next].Section < i; next++ {
			keep(&d.Ideas[next].ID, d.Ideas[next].Span)
		}
		keep(&d.Sections[i].ID, d.Sections[i].Heading)
	}
	for ; next < len(d.Ideas); next++ {
		keep(&d.Ideas[next].ID, d.Ideas[next].Span)
	}
}
