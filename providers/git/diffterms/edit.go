package diffterms

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown/linediff"
)

const (
	// maxEdit is the longest text that is shown for either side, in bytes, and maxEdits the number of lines that
	// are examined.
	maxEdit  = 40
	maxEdits = 64
)

// singleEdit returns what a change replaces in one line, or identically in each of several lines, as "old →
// new" if that is short: a version, a flag, a name. Otherwise it returns "".
func singleEdit(hunks []linediff.Hunk) string {
	edit, n := "", 0
	for _, h := range hunks {
		if h.Old.Len() != h.New.Len() || n+h.Old.Len() > maxEdits {
			return ""
		}
		after := h.Added
		for before := range bytes.Lines(h.Removed) {
			end := lineEnd(after, 0)
			if len(before) > maxLine || end > maxLine {
				return ""
			}
			one := lineEdit(string(before), string(after[:end]))
			if one == "" || edit != "" && one != edit {
				return ""
			}
			edit, after = one, after[end:]
			n++
		}
	}
	if n > 1 {
		edit += fmt.Sprintf(" (%d×)", n)
	}
	return edit
}

// lineEdit returns the difference between two lines, in whole words. It includes the word before if a number
// alone would not be understood.
func lineEdit(before, after string) string {
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	start := commonStart(before, after)
	from, to := before[start:], after[start:]
	end := commonEnd(from, to)
	from, to = from[:len(from)-end], to[:len(to)-end]
	if from == "" || to == "" || len(from) > maxEdit || len(to) > maxEdit || !hasWord(from) || !hasWord(to) {
		return ""
	}
	if label := lastWord(before[:start]); label != "" && strings.ContainsAny(from+to, "0123456789") {
		return label + " " + from + " → " + to
	}
	return from + " → " + to
}

// commonStart returns the length of the common prefix of two lines, up to a word or punctuation boundary:
// versions and paths stay whole.
func commonStart(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && isInner(a, n) || n > 0 && isInner(b, n) {
		n--
	}
	return n
}

func commonEnd(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && (isInner(a, len(a)-n) || isInner(b, len(b)-n)) {
		n--
	}
	return n
}

// isInner reports whether a cut at an offset would split a unit.
func isInner(s string, at int) bool {
	return at > 0 && at < len(s) && isPart(s, at-1) && isPart(s, at)
}

// isPart reports whether a byte belongs to a word or joins numbers, as in 1.2.3-rc.1.
func isPart(s string, at int) bool {
	if isWordByte(s[at]) {
		return true
	}
	joins := s[at] == '.' || s[at] == '-' || s[at] == '+'
	return joins && (at > 0 && isDigit(s[at-1]) || at+1 < len(s) && isDigit(s[at+1]))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hasWord(s string) bool { return slices.ContainsFunc([]byte(s), isWordByte) }

// lastWord returns the last word before an edit, without punctuation around it, if it is close to the edit.
func lastWord(s string) string {
	end := len(s)
	for end > 0 && !isWordByte(s[end-1]) {
		end--
	}
	if len(s)-end > 5 {
		return ""
	}
	start := end
	for start > 0 && (isWordByte(s[start-1]) || strings.IndexByte("-./@", s[start-1]) >= 0) {
		start--
	}
	word := strings.Trim(s[start:end], "-./@")
	if len(word) > maxEdit || len(word) < 2 {
		return ""
	}
	return word
}
