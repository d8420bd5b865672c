package cite

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SessionHead is the parsed head of a session's section in the archive: the lines that package archive writes for
// programs.
type SessionHead struct {
	Session           string
	Start, End        time.Time // the file's day if the head has no time
	Wrote             []string  // file names
	Through           int       // last transcript line that the section covers, 0 if unknown
	Mark              string    // of the message at that line
	LastPrompt        int       // transcript line, 0 if unknown
	Unanswered        bool      // the last prompt has no answer
	Program           bool      // a program sent all prompts
	Injections, Chars int       // additions by hooks
	Log               string    // file name of the log that the section replaces, or ""
	LogLines          int       // lines of the log that the section covers
	Ideas             string    // the model that found the ideas, or ""
	Outcome           string    // the first line outside the head, or "" if that is an idea
}

// Compacted is the suffix of the title of a section that replaces a session's log.
const Compacted = " (compacted)"

// ByProgram is the part of a head for a session whose prompts all came from a program.
const ByProgram = "by a program"

// unanswered is the suffix of the last prompt's part if it has no answer.
const unanswered = " without an answer"

// LastPromptPart returns the part of a head about the last prompt, or "" if there is none.
func LastPromptPart(line int, answered bool) string {
	switch {
	case line == 0:
		return ""
	case answered:
		return fmt.Sprintf("last prompt: line %d", line)
	}
	return fmt.Sprintf("last prompt: line %d%s", line, unanswered)
}

// HeadStart is the prefix of the head line that names the session.
const HeadStart = "session: "

// ArchiveSections yields the heading and the text of each second-level section of an archive file.
func ArchiveSections(src []byte) iter.Seq2[string, string] {
	return func(yield func(heading, text string) bool) {
		for _, section := range strings.Split("\n"+string(src), "\n## ")[1:] {
			heading, text, _ := strings.Cut(section, "\n")
			if !yield(strings.TrimSpace(heading), text) {
				return
			}
		}
	}
}

// IsHeadField reports whether a line begins with a field of a section's head.
func IsHeadField(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && slices.Contains([]string{"session", "read", "wrote", "tools", "messages", "injected", "through"}, name)
}

// HeadLines returns the range of the head in the lines of a section: the line that names the session, the field lines
// directly above it, and the lines directly below it up to a blank line or an item. Older sections begin with the head.
// In other sections the last match counts, since quoted text precedes the head.
func HeadLines(lines []string) (from, to int) {
	for i, line := range lines {
		if !namesSession(line) {
			continue
		}
		for from = i; from > 0 && IsHeadField(lines[from-1]); {
			from--
		}
		for to = i + 1; to < len(lines) && !isBlank(lines[to]) && !isItem(lines[to]); {
			to++
		}
		if !slices.ContainsFunc(lines[:from], func(line string) bool { return !isBlank(line) }) {
			break
		}
	}
	return from, to
}

// namesSession reports whether a line is the head line that names the session, and not a sentence with the same prefix.
func namesSession(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), HeadStart)
	id, more, _ := strings.Cut(rest, " ")
	return ok && id != "" && (more == "" || strings.HasPrefix(more, "· "))
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// isItem reports whether a line is a heading or a list item.
func isItem(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(strings.TrimSpace(line), "- ")
}

// ReadHead parses the head of a section of a day's file and the outcome, the text before all ideas.
func ReadHead(day time.Time, section string) SessionHead {
	h := SessionHead{Start: day, End: day}
	lines := strings.Split(section, "\n")
	from, to := HeadLines(lines)
	for i, line := range lines[from:to] {
		line = strings.TrimSpace(line)
		if namesSession(line) {
			h.Session, _, _ = strings.Cut(line[len(HeadStart):], " ")
		}
		h.read(line)
		lines[from+i] = ""
	}
	text := slices.IndexFunc(lines, func(line string) bool { return !isBlank(line) })
	if text >= 0 && !isItem(lines[text]) {
		h.Outcome = strings.TrimSpace(lines[text])
	}
	return h
}

// read parses the parts of a head line.
func (h *SessionHead) read(line string) {
	for part := range strings.SplitSeq(line, " · ") {
		name, value, _ := strings.Cut(part, ": ")
		switch name {
		case "wrote":
			h.Wrote = strings.Split(value, ", ")
		case "injected":
			var n, each int
			if _, err := fmt.Sscanf(value, "%d × %d characters", &n, &each); err == nil && n > 0 && n < 1e6 && each > 0 &&
				each < 1e7 {
				h.Injections, h.Chars = n, n*each
			}
		case "log":
			var lines string
			h.Log, lines, _ = strings.Cut(value, ", ")
			_, _ = fmt.Sscanf(lines, "%d line", &h.LogLines)
		case "ideas":
			h.Ideas = value
		case "last prompt":
			_, _ = fmt.Sscanf(value, "line %d", &h.LastPrompt)
			h.Unanswered = strings.HasSuffix(value, unanswered)
		case ByProgram:
			h.Program = true
		case "through":
			if f := strings.Fields(value); len(f) > 1 && len(f) < 4 && f[0] == "line" {
				h.Through, _ = strconv.Atoi(f[1])
				h.Mark = strings.Join(f[2:], "")
			}
		default:
			h.span(strings.TrimSuffix(part, " UTC"))
		}
	}
}

// span parses the time range of a session, as in "14:02–15:40". Each time is on the day of the preceding one unless it
// has a date, since a resumed session continues in the file of its first day.
func (h *SessionHead) span(text string) {
	from, to, _ := strings.Cut(text, "–")
	start, ok := timeOn(h.Start, from)
	if !ok {
		return
	}
	h.Start, h.End = start, start
	if end, ok := timeOn(start, to); ok {
		if h.End = end; end.Before(start) && !strings.Contains(to, "-") {
			h.End = end.AddDate(0, 0, 1)
		}
	}
}

// timeOn parses a time on a day, or a time with a date.
func timeOn(day time.Time, text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if t, err := time.Parse(time.DateOnly+" 15:04", text); err == nil {
		return t, true
	}
	t, err := time.Parse("15:04", text)
	return day.Truncate(24 * time.Hour).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute),
		err == nil
}
