package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// firmConfidence is the confidence of an idea that states none.
const firmConfidence = 0.9

// oneLine joins the lines of a text by single blanks, without their
// indentation.
func oneLine(b []byte) string {
	b = bytes.TrimSpace(b)
	if bytes.IndexByte(b, '\n') < 0 {
		return string(b)
	}
	var out strings.Builder
	for line := range bytes.Lines(b) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.Write(bytes.TrimSpace(line))
	}
	return out.String()
}

// parseMarks takes the marks off the end of s (block id, reference and tags,
// in any order). It tells false when nothing but marks is left. Tags alone are a
// text.
func (i *Idea) parseMarks(s string) bool {
	i.Refs = Ref{Confidence: firmConfidence}
	hasRef, bare := false, "" // bare: s without its id and reference, tags kept
	for {
		s = strings.TrimRight(s, " \t")
		if i.ID == "" {
			if rest, id := cutID(s); id != "" {
				s, i.ID = rest, id
				continue
			}
		}
		if !hasRef {
			if rest, ref, ok := cutRef(s); ok {
				s, i.Refs, hasRef = rest, ref, true
				continue
			}
		}
		start := strings.LastIndexAny(s, " \t") + 1
		if !isTag(s[start:]) {
			break
		}
		if bare == "" {
			bare = s
		}
		s = s[:start]
	}
	i.Text = s
	if s == "" {
		i.Text = bare
	}
	return i.Text != ""
}

// cutID takes " ^id" off the end.
func cutID(s string) (rest, id string) {
	start := strings.LastIndexAny(s, " \t") + 1
	id, ok := strings.CutPrefix(s[start:], "^")
	if !ok || !isID(id) {
		return s, ""
	}
	return strings.TrimRight(s[:start], " \t"), id
}

// isID tells whether s can be a block id: ASCII letters, digits, "-" and "_".
func isID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return s != ""
}

// cutRef takes "(0.6 L140 14:25)" off the end; each part may be missing.
func cutRef(s string) (rest string, ref Ref, ok bool) {
	if !strings.HasSuffix(s, ")") {
		return s, Ref{}, false
	}
	open := strings.LastIndexByte(s, '(')
	if open < 0 || open > 0 && s[open-1] != ' ' && s[open-1] != '\t' {
		return s, Ref{}, false
	}
	parts := strings.Fields(s[open+1 : len(s)-1])
	ref.Confidence = firmConfidence
	n := len(parts)
	if len(parts) > 0 && isConfidence(parts[0]) {
		ref.Confidence, _ = strconv.ParseFloat(parts[0], 64)
		parts = parts[1:]
	}
	if len(parts) > 0 {
		if line, isLine := lineNumber(parts[0]); isLine {
			ref.Line, parts = line, parts[1:]
		}
	}
	if len(parts) > 0 && isClock(parts[0]) {
		ref.Time, parts = parts[0], parts[1:]
	}
	if n == 0 || len(parts) > 0 {
		return s, Ref{}, false
	}
	return strings.TrimRight(s[:open], " \t"), ref, true
}

// isConfidence accepts 0.6, 0.65, 0.655 and 1.0, but no whole number: "(1)"
// at the end of a sentence is a footnote more often than certainty.
func isConfidence(s string) bool {
	whole, frac, ok := strings.Cut(s, ".")
	if !ok || frac == "" || len(frac) > 3 || !allDigits(frac) {
		return false
	}
	return whole == "0" || whole == "1" && strings.Trim(frac, "0") == ""
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isClock accepts HH:MM and HH:MM:SS.
func isClock(s string) bool {
	_, short := time.Parse("15:04", s)
	_, long := time.Parse(time.TimeOnly, s)
	return len(s) == 5 && short == nil || len(s) == 8 && long == nil
}

func isTag(s string) bool { return s != "" && tagLen(s) == len(s) }

// tagLen is the length of the tag that s starts with, "#" included, or 0. Like
// an issue number, "#12" is none: a tag has something that is no digit.
func tagLen(s string) int {
	if s == "" || s[0] != '#' {
		return 0
	}
	n, named := 1, false
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		letter := unicode.IsLetter(r) || unicode.IsMark(r)
		if !letter && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '/' {
			break
		}
		named = named || letter || r == '_'
		n += size
	}
	for n > 1 && (s[n-1] == '/' || s[n-1] == '-') {
		n--
	}
	if !named {
		return 0
	}
	return n
}
