package diffterms

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxWords and maxWordBytes limit the result, minWord and maxWord the length of a word in bytes.
	maxWords     = 400
	maxWordBytes = 8 << 10
	minWord      = 3
	maxWord      = 40
	// maxSeen limits the different words kept per change until the selection; maxFileScan and maxChangeScan
	// limit the bytes read per file and per change. They matter for changes that add whole trees.
	maxSeen       = 4096
	maxFileScan   = 64 << 10
	maxChangeScan = 1 << 20
)

// rank is the significance of a word for a change; the lowest comes first.
type rank byte

const (
	declaredNow rank = iota // the name of a declaration that is added or removed
	compound                // on one side only, camelCase or snake_case
	simple                  // on one side only
	around                  // the name of a declaration around a hunk
	shared                  // on both sides, but more often on one
	nearby                  // next to a small edit; only used if there are few others
)

// maxNearby is the number of words below which words next to an edit are included, and smallEdit the number
// of lines of such an edit.
const (
	maxNearby = 12
	smallEdit = 2
)

// words counts the words of changed lines.
type words struct {
	at      map[string]int32
	seen    []seenWord
	scanned int
	files   int
	inFile  int32
	near    bool
}

type seenWord struct {
	text           string
	added, removed int32
	nth            int32 // position in its file
	file           int32
	named          byte // 'A' or 'D': declared on a changed line, 'M': around one
	near           bool // in a small edit
}

// file counts the words of a file's changed lines.
func (w *words) file(f *File, names []name) {
	if w.at == nil {
		w.at = map[string]int32{}
	}
	w.files++
	w.inFile = 0
	for _, n := range names {
		w.name(n)
	}
	left := maxFileScan
	for i := range f.Hunks {
		h := &f.Hunks[i]
		w.near = h.Old.Len() == h.New.Len() && h.Old.Len() <= smallEdit
		for side, text := range [2][]byte{h.Removed, h.Added} {
			text = wholeLines(text, min(left, maxChangeScan-w.scanned))
			left -= len(text)
			w.scanned += len(text)
			w.text(text, side == 1)
		}
	}
}

// wholeLines truncates a text to at most this many bytes, at the end of a line.
func wholeLines(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	return text[:bytes.LastIndexByte(text[:most], '\n')+1]
}

func (w *words) name(n name) {
	if n.kind == "section" || strings.ContainsAny(n.name, " '\"`") {
		return
	}
	for part := range strings.FieldsFuncSeq(n.name, func(r rune) bool {
		return r == '.' || r == ':' || r == '?' || r == '!'
	}) {
		if len(part) < minWord || len(part) > maxWord {
			continue
		}
		if s := w.find([]byte(part)); s != nil && (s.named == 0 || s.named == 'M') {
			s.named = n.op
		}
	}
}

func (w *words) text(text []byte, added bool) {
	for line := range bytes.Lines(text) {
		if len(line) <= maxLine {
			w.line(line, added)
		}
	}
}

func (w *words) line(line []byte, added bool) {
	for i := 0; i < len(line); {
		if !isWordByte(line[i]) {
			i++
			continue
		}
		start, ascii := i, true
		for i < len(line) && isWordByte(line[i]) {
			ascii = ascii && line[i] < utf8.RuneSelf
			i++
		}
		if ascii {
			w.token(line[start:i], added)
			continue
		}
		for part := range bytes.FieldsFuncSeq(line[start:i], isNoLetter) {
			w.token(part, added)
		}
	}
}

func isNoLetter(r rune) bool {
	return r == utf8.RuneError || r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

func (w *words) token(token []byte, added bool) {
	token = bytes.Trim(token, "_$")
	if len(token) < minWord || len(token) > maxWord || isCommon(token) || isNoise(token) {
		return
	}
	s := w.find(token)
	if s == nil {
		return
	}
	s.near = s.near || w.near
	if added {
		s.added++
	} else {
		s.removed++
	}
}

// find returns the counter of a word, or nil if there is no room for another one.
func (w *words) find(token []byte) *seenWord {
	if at, ok := w.at[string(token)]; ok {
		return &w.seen[at]
	}
	if len(w.seen) >= maxSeen || !utf8.Valid(token) {
		return nil
	}
	text := string(token)
	w.at[text] = int32(len(w.seen))
	w.seen = append(w.seen, seenWord{text: text, file: int32(w.files), nth: w.inFile})
	w.inFile++
	return &w.seen[len(w.seen)-1]
}

// rank returns the rank of a word; the bool is false for a word that only moved.
func (s *seenWord) rank() (rank, bool) {
	switch {
	case s.named == 'A' || s.named == 'D':
		return declaredNow, true
	case s.added == 0 || s.removed == 0:
		if s.named == 'M' {
			return around, true
		}
		if isCompound(s.text) {
			return compound, true
		}
		return simple, true
	case s.named == 'M':
		return around, true
	}
	if s.added == s.removed {
		return nearby, s.near
	}
	return shared, true
}

// choose joins the words with the best ranks. It takes words from the files in turn, so that no file uses all
// the room.
func (w *words) choose() string {
	type choice struct {
		rank rank
		*seenWord
	}
	var out []choice
	for i := range w.seen {
		if r, ok := w.seen[i].rank(); ok {
			out = append(out, choice{r, &w.seen[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.nth, b.nth), cmp.Compare(a.file, b.file))
	})
	var text strings.Builder
	for i, c := range out[:min(len(out), maxWords)] {
		if c.rank == nearby && i >= maxNearby || text.Len()+1+len(c.text) > maxWordBytes {
			break
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(c.text)
	}
	return text.String()
}

func (w *words) reset() {
	if len(w.seen) > maxSeen/8 {
		w.at = nil // clearing costs as much as the largest change so far
	} else {
		clear(w.at)
	}
	clear(w.seen)
	w.seen, w.scanned, w.files = w.seen[:0], 0, 0
}

// isCompound reports whether s is camelCase or snake_case.
func isCompound(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == '_' || 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// isNoise reports whether token is a number, a hash or the like.
func isNoise(token []byte) bool {
	if '0' <= token[0] && token[0] <= '9' {
		return true
	}
	digits, hex, turns := 0, 0, 0
	for i, c := range token {
		digit := '0' <= c && c <= '9'
		if digit {
			digits++
		}
		if digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' {
			hex++
		}
		if i > 0 && digit != ('0' <= token[i-1] && token[i-1] <= '9') {
			turns++
		}
	}
	return digits > 0 && hex == len(token) && len(token) >= 6 || turns >= 5 || len(token) > 24 && digits > len(token)/4
}
