package cite

import (
	"strings"
)

// Quotable returns the text of a source with irrelevant lines blanked: the trailers of a commit, the head of a
// session's section, and the alternatives of a decision. Blank lines keep the line numbers of passages and separate
// passages.
func Quotable(src Source) string {
	lines := strings.SplitAfter(src.Text, "\n")
	switch {
	case src.Source == string(KindSession):
		return withHeadBlank(lines)
	case src.Source == string(KindDecision):
		return withoutAlternatives(lines)
	case src.Layer != LayerTeam:
		return src.Text
	}
	last := lastParagraph(lines)
	formal := last > 0
	for _, line := range lines[last:] {
		formal = formal && (strings.TrimSpace(line) == "" || isContinuation(line) || isTrailer(line) || isSignature(line))
	}
	for i, line := range lines {
		if i > 0 && (isSignature(line) || (formal && i >= last)) {
			lines[i] = line[len(strings.TrimRight(line, "\r\n")):]
		}
	}
	return strings.Join(lines, "")
}

// withHeadBlank blanks the head of a session's section.
func withHeadBlank(lines []string) string {
	from, to := HeadLines(lines)
	blank(lines[from:to], func(string) bool { return true })
	return strings.Join(lines, "")
}

// blank blanks the leading lines for which holds is true.
func blank(lines []string, holds func(line string) bool) {
	for i, line := range lines {
		if !holds(line) {
			return
		}
		lines[i] = line[len(strings.TrimRight(line, "\r\n")):]
	}
}

// withoutAlternatives blanks the alternatives of a decision, which would mean the opposite if quoted alone.
func withoutAlternatives(lines []string) string {
	for i, line := range lines {
		if strings.TrimSpace(line) == "## Alternatives" {
			blank(lines[i+1:], func(line string) bool { return !strings.HasPrefix(line, "## ") })
		}
	}
	return strings.Join(lines, "")
}

// lastParagraph returns the index of the first line of the last paragraph, 0 if there is only one.
func lastParagraph(lines []string) int {
	text := false
	for i := len(lines) - 1; i >= 0; i-- {
		blank := strings.TrimSpace(lines[i]) == ""
		if blank && text {
			return i + 1
		}
		text = text || !blank
	}
	return 0
}

// isSignature reports whether a line was added by a tool: a sign-off, another -by line, a cherry-pick note, or the
// change id of a review.
func isSignature(line string) bool {
	lower := strings.ToLower(strings.TrimSpace(line))
	if strings.HasPrefix(lower, "(cherry picked from ") {
		return true
	}
	key, _, ok := strings.Cut(lower, ":")
	return ok && isKey(key) && (strings.HasSuffix(key, "-by") || key == "change-id")
}

// isTrailer reports whether a line is "Key: value" and not a sentence. A key of two words is a trailer; after a single
// word a long value may be prose.
func isTrailer(line string) bool {
	key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
	if !ok || !isKey(key) {
		return false
	}
	return strings.Contains(key, "-") || strings.ContainsAny(value, "@<#") || len(strings.Fields(value)) <= 4
}

// isContinuation reports whether a line continues a trailer.
func isContinuation(line string) bool { return line[0] == ' ' || line[0] == '\t' }

func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
