package diffterms

import (
	"bytes"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// linesAbove is how many lines above a hunk are passed to Hide with it: the name of a secret may be above its
// value.
const linesAbove = 3

// hidden returns a file with the secrets hidden in the parts that are read for words, names and edits.
// Without Hide it returns the file itself. The result is valid until the next call.
func (r *Reader) hidden(f *File) *File {
	if r.Hide == nil || f.Opaque {
		return f
	}
	h := *f
	r.hunks = append(r.hunks[:0], f.Hunks...)
	h.Hunks = r.hunks
	if reaches(f.Old) || reaches(f.New) {
		r.hideWhole(&h)
		return &h
	}
	left := min(maxFileScan, max(0, maxChangeScan-r.words.scanned))
	for i := range h.Hunks {
		k := &h.Hunks[i]
		k.Removed = wholeLines(k.Removed, left)
		left -= len(k.Removed)
		k.Added = wholeLines(k.Added, left)
		left -= len(k.Added)
		k.Removed, k.Added = r.hideLines(f.Old, k.OldAt, k.Removed), r.hideLines(f.New, k.NewAt, k.Added)
	}
	return &h
}

// reaches reports whether a text may contain a secret of many lines, of which a hunk may only contain some in
// the middle.
func reaches(text []byte) bool {
	if bytes.Contains(text, []byte("-----BEGIN")) {
		return true
	}
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 {
			return false
		}
		text = text[at+1:]
		if word := []byte("private"); len(text) >= len(word) && bytes.EqualFold(text[:len(word)], word) {
			return true
		}
	}
}

// hideLines hides the secrets in lines at an offset of a text.
func (r *Reader) hideLines(text []byte, at int, lines []byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	from, above := at, 0
	for from > 0 && above < linesAbove {
		start := bytes.LastIndexByte(text[:from-1], '\n') + 1
		if from-start > maxLine {
			break
		}
		from, above = start, above+1
	}
	before := string(text[from : at+len(lines)])
	after := r.Hide(before)
	if after == before {
		return lines
	}
	rest := []byte(after)
	for range above {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
	}
	return rest
}

// hideWhole hides the secrets in both texts and cuts the hunks out of the results.
func (r *Reader) hideWhole(f *File) {
	f.Old, f.New = []byte(r.Hide(string(f.Old))), []byte(r.Hide(string(f.New)))
	before, after := lineStarts(f.Old), lineStarts(f.New)
	for i := range f.Hunks {
		h := &f.Hunks[i]
		h.OldAt, h.Removed = cut(f.Old, before, h.Old)
		h.NewAt, h.Added = cut(f.New, after, h.New)
	}
}

// lineStarts returns the offsets of the lines of a text, and its end.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		at = lineEnd(text, at)
		starts = append(starts, at)
	}
	return starts
}

func cut(text []byte, starts []int, lines linediff.Range) (at int, out []byte) {
	last := len(starts) - 1
	at = starts[min(lines.Start, last)]
	return at, text[at:starts[min(lines.End, last)]]
}
