package cite

import (
	"strings"
)

// Quotable is the text of a source without the lines that say nothing of its subject, line for
// line: the trailers of a commit, the lines of a session's section that say where it took
// place, and what a decision did not choose. They become blank lines, so that passages keep their line
// numbers and do not run into their neighbours.
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

// withHeadBlank blanks the lines of a session's section that are its head.
func withHeadBlank(lines []string) string {
	from, to := HeadLines(lines)
	blank(lines[from:to], func(string) bool { return true })
	return strings.Join(lines, "")
}

// blank blanks lines as long as some hold.
func blank(lines []string, holds func(line string) bool) {
	for i, line := range lines {
		if !holds(line) {
			return
		}
		lines[i] = line[len(strings.TrimRight(line, "\r\n")):]
	}
}

// withoutAlternatives blanks what a decision says of what was not chosen: quoted alone it
// would say the opposite.
func withoutAlternatives(lines []string) string {
	for i, line := range lines {
		if strings.TrimSpace(line) == "## Alternatives" {
			blank(lines[i+1:], func(line string) bool { return !strings.HasPrefix(line, "## ") })
		}
	}
	return strings.Join(lines, "")
}

// lastParagraph is the index of the first line behind the last blank one that has
// text behind it, 0 when there is one paragraph only.
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

// isSignature reports whether a line is one that tools write wherever a message ends or several
// were joined: who signed, wrote, read or picked a change, and its number in a review.
func isSignature(line string) bool {
	lower := strings.ToLower(strings.TrimSpace(line))
	if strings.HasPrefix(lower, "(cherry picked from ") {
		return true
	}
	key, _, ok := strings.Cut(lower, ":")
	return ok && isKey(key) && (strings.HasSuffix(key, "-by") || key == "change-id")
}

// isTrailer reports whether a line is "Key: value" and no sentence. A key of two words is
// made for machines; behind a single word a long text may well be prose.
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
