package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Firm is the confidence of an idea that states none.
const Firm = 0.9

// oneLine joins the lines of a text with single spaces, without their indentation.
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

// parseMarks removes the marks at the end of s (block id, reference and tags, in any order) and stores them.
// It returns false if nothing but marks is left. Tags alone count as text.
func (i *Idea) parseMarks(s string) bool {
	i.Refs, i.Tags = Ref{Confidence: Firm}, nil
	hasRef, withTags := false, "" // withTags: s without its id and reference, tags kept
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
		if withTags == "" {
			withTags = s
		}
		i.Tags = append(i.Tags, s[start+1:])
		s = s[:start]
	}
	slices.Reverse(i.Tags)
	i.Text = s
	if s == "" {
		i.Text, i.Tags = withTags, nil
	}
	return i.Text != ""
}

// cutID removes " ^id" from the end.
func cutID(s string) (rest, id string) {
	start := strings.LastIndexAny(s, " \t") + 1
	id, ok := strings.CutPrefix(s[start:], "^")
	if !ok || !isID(id) {
		return s, ""
	}
	return strings.TrimRight(s[:start], " \t"), id
}

// isID reports whether s can be a block id: ASCII letters, digits, "-" and "_".
func isID(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// ByPattern matches the author of an idea's words, after "by" at the end of a reference.
const ByPattern = `(?:me|a program|a model|an agent)`

// refPattern matches the content of a reference, each word followed by a space. "(1)" at the end of a
// sentence is more often a footnote than a confidence.
var refPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(0\.\d{1,3}|1\.0{1,3}) )?(?:L(\d+) )?(?:((?:[01]\d` +
		`|2[0-3]):[0-5]\d(?::[0-5]\d)?) )?(?:by (` + ByPattern + `) )?$`)
})

// cutRef removes "(0.6 L140 14:25 by me)" from the end; each part may be missing.
func cutRef(s string) (rest string, ref Ref, ok bool) {
	open := strings.LastIndexByte(s, '(')
	if !strings.HasSuffix(s, ")") || open < 0 || open > 0 && !isBlankByte(s[open-1]) {
		return s, Ref{}, false
	}
	words := strings.Join(strings.Fields(s[open+1:len(s)-1]), " ")
	parts := refPattern().FindStringSubmatch(words + " ")
	if words == "" || parts == nil {
		return s, Ref{}, false
	}
	ref = Ref{Confidence: Firm, Time: parts[3], By: parts[4]}
	if parts[1] != "" {
		ref.Confidence, _ = strconv.ParseFloat(parts[1], 64)
	}
	if parts[2] != "" {
		line, err := strconv.Atoi(parts[2])
		if err != nil || line == 0 {
			return s, Ref{}, false
		}
		ref.Line = line
	}
	return strings.TrimRight(s[:open], " \t"), ref, ref.Line > 0 || ref.By == ""
}

// isTag accepts "#" followed by letters, digits, "_", "-" and "/". "#12" is an issue number and not a tag: a
// tag has at least one character that is not a digit.
func isTag(s string) bool {
	named := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || r == '_' }
	name, ok := strings.CutPrefix(s, "#")
	return ok && strings.ContainsFunc(name, named) && strings.TrimRight(name, "/-") == name &&
		!strings.ContainsFunc(name, func(r rune) bool { return !named(r) && !unicode.IsDigit(r) && r != '-' && r != '/' })
}
