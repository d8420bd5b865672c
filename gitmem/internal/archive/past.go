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

// Past records who wrote the lines of a section, according to its history.
type Past struct {
	Known   bool            // the history includes the creation of the section
	written lineSet         // by gitmem
	person  lineSet         // written or moved by somebody else
	seen    map[string]bool // keys that the section had and that gitmem did not remove
}

type lineSet map[string]bool

func (s lineSet) add(text []byte) {
	for line := range bytes.Lines(text) {
		s[string(line)] = true
	}
}

// NewPast returns the Past of a section without history.
func NewPast() *Past {
	return &Past{written: lineSet{}, person: lineSet{}, seen: map[string]bool{}}
}

// Change applies a change of the section; changes must come oldest first. gitmem is set if gitmem made the change.
// before is "" if the change creates the section.
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
	// if two lines swapped, either one may have moved
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

// Had reports whether the section contained an idea that gitmem did not remove.
func (p *Past) Had(id string) bool { return p.seen[id] }

// keysOf returns the keys of the ideas and relations in a section.
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

// touched reports whether an idea may differ from what gitmem wrote.
func (p *Past) touched(b block) bool {
	return !b.fits || slices.ContainsFunc(b.lines, func(line string) bool { return !p.wrote(line) })
}

// wrote reports whether gitmem wrote a line and nobody else did.
func (p *Past) wrote(line string) bool { return p.written[line] && !p.person[line] }

// updated returns the newly derived lines of an idea without the relations that were removed. An idea that was repeated
// elsewhere keeps its original line reference.
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

// modelPart matches the part of a head that names the model of the ideas.
var modelPart = lazy.Pattern(` · ideas: [^·\n]*[^·\s]`)

// marked sets the model of the ideas in the section's head, unless a person wrote that line.
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
