package cite

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SessionHead is what the head of a session's section in the archive says: the lines
// that package archive writes for programs.
type SessionHead struct {
	Session           string
	Start, End        time.Time // the file's day where the head names no time
	Wrote             []string  // files
	Through           int       // line of the transcript that the section reaches, 0 where it is not known
	Mark              string    // of the message there
	LastPrompt        int       // line of the transcript, 0 where it is not known
	Unanswered        bool      // the last prompt has no answer
	Program           bool      // no person had part in the session
	Injections, Chars int       // what hooks added to the session
	Log               string    // file of the log that the section takes the place of, "" for none
	LogLines          int       // lines of it that the section covers
	Ideas             string    // which model found the ideas, "" for none
	Outcome           string    // the first line that is not of the head, "" where that is an idea
}

// Compacted ends the title of a section that takes the place of a session's log.
const Compacted = " (compacted)"

// ByProgram is the part of a head that says that a program sent all prompts.
const ByProgram = "by a program"

// unanswered ends the part of a head about a last prompt that has no answer.
const unanswered = " without an answer"

// LastPromptPart is the part of a head about the last prompt, "" where there is none.
func LastPromptPart(line int, answered bool) string {
	switch {
	case line == 0:
		return ""
	case answered:
		return fmt.Sprintf("last prompt: line %d", line)
	}
	return fmt.Sprintf("last prompt: line %d%s", line, unanswered)
}

// HeadStart begins the line of a section's head that names the session.
const HeadStart = "session: "

// ArchiveSections yields the headings of an archive's sections of the second level and
// the text below each.
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

// IsHeadField reports whether a line is one of the head of a section.
func IsHeadField(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && slices.Contains([]string{"session", "read", "wrote", "tools", "messages", "injected", "through"}, name)
}

// HeadLines are the lines of a section that are its head: the line that names the session
// with the fields right above it and what stands right below. Sections of the older form
// begin with it. Of others the last one counts: what anybody said stands before it.
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

// namesSession reports whether a line is the one of the head that names the session: a
// sentence that begins alike goes on with a word.
func namesSession(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), HeadStart)
	id, more, _ := strings.Cut(rest, " ")
	return ok && id != "" && (more == "" || strings.HasPrefix(more, "· "))
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// isItem reports whether a line is a heading or begins an idea.
func isItem(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(strings.TrimSpace(line), "- ")
}

// ReadHead reads the head of a section of a day's file, and what stands before all ideas.
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

// read takes the parts of a line.
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

// span reads when a session was, as in "14:02–15:40", each end on the day before it
// unless it names one of its own: a session that was resumed goes on in the file of its
// first day.
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

// timeOn reads a time of a day, or one that names its own.
func timeOn(day time.Time, text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if t, err := time.Parse(time.DateOnly+" 15:04", text); err == nil {
		return t, true
	}
	t, err := time.Parse("15:04", text)
	return day.Truncate(24 * time.Hour).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute),
		err == nil
}
