package archive

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/internal/lazy"
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
	// of two that changed places, either one may have moved
	for _, h := range linediff.Diff([]byte(after), []byte(before)) {
		by.add(h.Removed)
	}
	if gitmem {
		for key := range keysOf(before) {
			delete(p.seen, key)
		}
	}
	maps.Copy(p.seen, keysOf(after))
}

// Had reports whether an idea stood in the section, and gitmem did not take it out.
func (p *Past) Had(id string) bool { return p.seen[id] }

// keysOf are those of the ideas and relations of a section.
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

// touched reports whether an idea is not known to be as gitmem wrote it.
func (p *Past) touched(b block) bool {
	return !b.fits || slices.ContainsFunc(b.lines, func(line string) bool { return !p.wrote(line) })
}

// wrote reports whether a line is as gitmem wrote it.
func (p *Past) wrote(line string) bool { return p.written[line] && !p.person[line] }

// updated are the lines of an idea as it was derived, without the relations that were taken out.
// One that was said again elsewhere stays from where it was.
func (p *Past) updated(b, derived block) []string {
	there := keysOf(strings.Join(b.lines, ""))
	lines := derived.lines[:1:1]
	if b.line != derived.line {
		lines = b.lines[:1:1]
	}
	for _, line := range derived.lines[1:] {
		if key := derived.relationKey(line); there[key] || !p.seen[key] {
			lines = append(lines, line)
		}
	}
	return lines
}

// modelPart is the part of a head that says which model's ideas a section has.
var modelPart = lazy.Pattern(` · ideas: [^·\n]*[^·\s]`)

// marked is a section whose head says which model's ideas it has, unless a person wrote that line.
func (p *Past) marked(section, mark string) string {
	out := ""
	for line := range strings.Lines(section) {
		if mark != "" && strings.HasPrefix(line, cite.HeadStart) && p.wrote(line) {
			line = strings.Replace(modelPart().ReplaceAllString(line, ""), " · through: ", " · "+mark+" · through: ", 1)
		}
		out += line
	}
	return out
}
