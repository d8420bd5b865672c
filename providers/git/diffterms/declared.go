package diffterms

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown/linediff"
)

const (
	// maxLine is the longest line that is examined: longer ones are data.
	maxLine = 400
	// maxNames limits the names kept per file, and maxBack the bytes above a hunk that are searched for the
	// enclosing declaration.
	maxNames = 48
	maxBack  = 32 << 10
	tabWidth = 8
)

// name is a declaration that a change touches: 'A' adds it, 'D' removes it, 'M' changes something in it.
type name struct {
	declaration
	op byte
}

// declared returns the declarations that a change of a file touches, in the order of the text. A declaration
// that is removed in one place and added in another counts as changed.
func declared(f *File, l *language) []name {
	if l == nil {
		return nil
	}
	before, after := fences{on: l.headed, text: f.Old}, fences{on: l.headed, text: f.New}
	var out []name
	for i := range f.Hunks {
		h := &f.Hunks[i]
		if len(out) >= maxNames {
			break
		}
		found := len(out)
		out = collect(out, h.Removed, 'D', l, before.at(h.OldAt))
		out = collect(out, h.Added, 'A', l, after.at(h.NewAt))
		if len(out) == found && f.Op == 'M' {
			if d := enclosing(f, h, l); d.name != "" {
				out = append(out, name{d, 'M'})
			}
		}
	}
	return joined(out)
}

func collect(out []name, text []byte, op byte, l *language, inFence bool) []name {
	for line := range bytes.Lines(text) {
		if len(out) >= maxNames {
			break
		}
		if len(line) > maxLine {
			continue
		}
		if l.headed {
			if bytes.HasPrefix(line, []byte("```")) {
				inFence = !inFence
			}
			if inFence {
				continue
			}
		} else if !mayDeclare(line) {
			continue
		}
		if d := l.declaredIn(strings.TrimRight(string(line), "\r\n")); d.name != "" {
			out = append(out, name{d, op})
		}
	}
	return out
}

// mayDeclare rules out most lines by their first byte, without copying anything.
func mayDeclare(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 4 && (isWordByte(line[0]) || line[0] == '#')
}

// joined merges the entries of the same declaration.
func joined(names []name) []name {
	var out []name
	for _, n := range names {
		at := slices.IndexFunc(out, func(o name) bool { return o.declaration == n.declaration })
		switch {
		case at < 0:
			out = append(out, n)
		case out[at].op != n.op:
			out[at].op = 'M'
		}
	}
	return out
}

// enclosing returns the declaration that contains a hunk. It walks up the lines above it, each time to the
// next one that is less indented.
func enclosing(f *File, h *linediff.Hunk, l *language) declaration {
	text, changed, at := f.New, h.Added, h.NewAt
	if len(changed) == 0 {
		text, changed, at = f.Old, h.Removed, h.OldAt
	}
	if l.headed {
		return l.headingAbove(text[:at])
	}
	edge := leastIndent(changed)
	var inner declaration
	for above := text[max(0, at-maxBack):at]; len(above) > 0 && edge > 0; {
		start := bytes.LastIndexByte(above[:len(above)-1], '\n') + 1
		line := above[start:]
		above = above[:start]
		n := indent(line)
		if n >= edge || continuesOther(line, l) {
			continue
		}
		edge = n
		d := l.declaredIn(strings.TrimRight(string(line[:min(len(line), maxLine+1)]), "\r\n"))
		switch {
		case d.name == "":
		case inner.name != "" && isGroup(d.kind):
			inner.name = d.name + "." + inner.name
			return inner
		case inner.name == "":
			inner = d
		}
	}
	return inner
}

// leastIndent returns the smallest indentation of the changed lines, or 0 if they are all blank.
func leastIndent(text []byte) int {
	least := -1
	for line := range bytes.Lines(text) {
		if n := indent(line); n < blank && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}

// blank is the indentation of a blank line.
const blank = 1 << 20

func indent(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += tabWidth
		case '\r', '\n':
			return blank
		default:
			return n
		}
	}
	return blank
}

// continuesOther reports whether a line has less indentation than the declaration that contains it: a brace
// or bracket of the line above, a directive, a label.
func continuesOther(line []byte, l *language) bool {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return true
	case line[0] == '{' || line[0] == ')' || line[0] == '#' && !l.headed:
		return true
	}
	return l.labels && line[len(line)-1] == ':'
}

// headingAbove returns the last heading of a text.
func (l *language) headingAbove(text []byte) declaration {
	var last declaration
	inFence := false
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("```")) {
			inFence = !inFence
		} else if (line[0] == '#' || line[0] == '=') && len(line) <= maxLine && !inFence {
			if d := l.declaredIn(strings.TrimRight(string(line), "\r\n")); d.name != "" {
				last = d
			}
		}
	}
	return last
}

func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// fences tracks which offsets of a document are in a code block, where a line that begins with # is not a
// heading. Calls must be in ascending order of offsets.
type fences struct {
	on   bool
	text []byte
	seen int
	in   bool
}

func (f *fences) at(offset int) bool {
	for f.on && f.seen < offset {
		end := lineEnd(f.text, f.seen)
		if bytes.HasPrefix(f.text[f.seen:end], []byte("```")) {
			f.in = !f.in
		}
		f.seen = end
	}
	return f.in
}
