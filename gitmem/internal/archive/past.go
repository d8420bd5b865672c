package archive

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Past is what the history of a section tells of who wrote what.
type Past struct {
	Known   bool            // it tells of the section's beginning
	written lineSet         // by gitmem
	person  lineSet         // written or moved by somebody else
	seen    map[string]bool // keys of what stood there and gitmem did not take out
}

type lineSet map[string]bool

func (s lineSet) add(text []byte) {
	for line := range bytes.Lines(text) {
		s[string(line)] = true
	}
}

// NewPast is that of a section of which no history tells.
func NewPast() *Past {
	return &Past{written: lineSet{}, person: lineSet{}, seen: map[string]bool{}}
}

// Change takes in a change of the section, oldest first; gitmem says whether that made it. A
// section that comes to be has no text before.
func (p *Past) Change(before, after string, gitmem bool) {
	if before == "" && gitmem {
		p.Known = true
	}
	by := p.person
	if gitmem {
		by = p.written
	}
	for _, h := range linediff.Diff([]byte(before), []byte(after)) {
		by.add(h.Added)
	}
	for _, h := range linediff.Diff([]byte(after), []byte(before)) { // of two that changed places, either one may have moved
		by.add(h.Removed)
	}
	old, now := keysOf(before), keysOf(after)
	for key := range old {
		if !now[key] && gitmem {
			delete(p.seen, key)
		}
	}
	for key := range now {
		p.seen[key] = true
	}
}

// keysOf are those of the ideas, relations and headings of a section.
func keysOf(text string) map[string]bool {
	keys := map[string]bool{}
	for _, b := range blocksOf(text) {
		keys[b.key] = true
		for _, line := range b.lines[1:] {
			keys[b.relationKey(line)] = true
		}
	}
	delete(keys, "")
	return keys
}

// touched reports whether a block is not known to be as gitmem wrote it.
func (p *Past) touched(b block) bool {
	return b.key != "" && !b.fits || slices.ContainsFunc(b.lines, func(line string) bool { return !p.written[line] || p.person[line] })
}

// lost reports whether a heading that stood there was taken out.
func (p *Past) lost(headings []block) bool {
	for key := range p.seen {
		if strings.HasPrefix(key, "#") && !slices.ContainsFunc(headings, func(b block) bool { return b.key == key }) {
			return true
		}
	}
	return false
}

// updated are the lines of an idea as it was derived, without the relations that were taken out.
// It keeps its id, or that it has none, and the line of the transcript that it is from.
func (p *Past) updated(b, derived block) []string {
	there := keysOf(strings.Join(b.lines, ""))
	line := strings.TrimSuffix(strings.TrimSuffix(derived.lines[0], "\n"), " ^"+derived.id)
	if b.id != "" {
		line += " ^" + b.id
	}
	lines := []string{line + "\n"}
	if b.line != derived.line { // it was said again elsewhere
		lines[0] = b.lines[0]
	}
	for _, line := range derived.lines[1:] {
		if key := derived.relationKey(line); there[key] || !p.seen[key] {
			lines = append(lines, line)
		}
	}
	return lines
}

// marked is a section whose head says which model's ideas it has, unless a person wrote that line.
func (p *Past) marked(section, mark string) string {
	lines := strings.SplitAfter(section, "\n")
	bare := strings.Split(section, "\n")
	from, to := cite.HeadLines(bare)
	for i := from; i < to; i++ {
		if !strings.HasPrefix(bare[i], cite.HeadStart) || !p.written[lines[i]] || p.person[lines[i]] {
			continue
		}
		parts := slices.DeleteFunc(strings.Split(bare[i], " · "), func(part string) bool { return strings.HasPrefix(part, "ideas: ") })
		at := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, "through: ") })
		if at < 0 {
			at = len(parts)
		}
		lines[i] = strings.Join(slices.Insert(parts, at, mark), " · ") + "\n"
	}
	return strings.Join(lines, "")
}
