package archive

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Header returns the head of a day's archive file.
func Header(project, date string) string {
	return templates.Fill(templates.Sessions(), map[string]string{"project": markdown.QuoteYAML(project), "date": date})
}

// Session summarises a session in an archive file: the number of its sections, the last transcript line that they
// cover, and the injections up to that line.
type Session struct {
	Sections int
	ids      int // largest number in a block id, also of sessions with the same short id
	Through  int
	Mark     string // of the message at that line
	traces.Injection
}

// Find reads a session's sections from an archive file. It counts only sections that have the session's block id and
// name the session.
func Find(src []byte, session string) Session {
	var a Session
	for heading, text := range cite.ArchiveSections(src) {
		number := numberOf(heading, "^s-"+transcript.ShortID(session))
		a.ids = max(a.ids, number)
		h := cite.ReadHead(time.Time{}, text)
		if number == 0 || h.Session != session { // a block id contains only a prefix of the session id
			continue
		}
		a.add(h)
	}
	return a
}

// numberOf returns the number of the session's block id at the end of a heading, or 0. It ignores similar text
// elsewhere in the title.
func numberOf(heading, mark string) int {
	suffix, ok := strings.CutPrefix(heading[strings.LastIndex(heading, " ")+1:], mark)
	if !ok || suffix != "" && suffix[0] != '-' {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(suffix, "-"))
	return max(n, 1)
}

// BlockID returns the block id of a session's next section.
func (a Session) BlockID(session string) string {
	id := "s-" + transcript.ShortID(session)
	if a.ids > 0 {
		id += "-" + strconv.Itoa(a.ids+1)
	}
	return id
}

// SkipID skips the next block id, such as that of a forgotten section.
func (a *Session) SkipID() { a.ids++ }

// Continued is the suffix of the titles of a session's further sections.
const Continued = " (continued)"

// Section returns a session's section of the archive: what a reader needs after the transcript was deleted, each line
// with its transcript line. Text for people comes first, metadata for programs last. The ideas come from [Ideas] with
// the found relations. told contains further parts of the head and may be empty; day is the day of the file.
func Section(d transcript.Digest, ideas []Idea, before Session, told, mark, day string) string {
	var b strings.Builder
	more := ""
	if before.Sections > 0 {
		more = Continued
	}
	id := before.BlockID(d.Session)
	begin(&b, d, more, id)
	writeTopics(&b, d, ideas, id, day)
	b.WriteString(head(d, told, mark, day))
	return b.String()
}

// begin writes the heading of a section, with the suffix more, and the last statement of the session.
func begin(b *strings.Builder, d transcript.Digest, more, id string) {
	fmt.Fprintf(b, "\n## %s%s ^%s\n\n", headline(cmp.Or(d.FirstPrompt, d.Outcome.Text)), more, id)
	if d.Outcome.Text != "" {
		fmt.Fprintf(b, "%s\n\n", sentences(d.Outcome.Text))
	}
}

// Appended returns what to append to a day's file to add a section.
func Appended(old []byte, project, date, section string) string {
	switch {
	case len(old) == 0:
		return Header(project, date) + section
	case old[len(old)-1] != '\n':
		return "\n" + section
	}
	return section
}

// sentences returns a paragraph that cannot be mistaken for the head.
func sentences(text string) string {
	text = messages.Paragraph(text)
	if strings.HasPrefix(text, cite.HeadStart) {
		text = "The " + text
	}
	return text
}

// head returns the machine-readable lines of a section, see [cite.ReadHead].
func head(d transcript.Digest, told, mark, day string) string {
	by := ""
	if d.Program {
		by = cite.ByProgram
	}
	did := []string{touched(d), fmt.Sprintf("messages: %d", d.Messages), by,
		cite.LastPromptPart(d.LastPrompt, !d.Unanswered), "branch " + cmp.Or(field(d.Branch), "none"),
		span(day, d.Start, d.End)}
	where := []string{cite.HeadStart + d.Session, told, fmt.Sprintf("through: line %d %s", d.LastLine, mark)}
	return Parts(did...) + "\n" + Parts(where...) + "\n"
}

// Parts joins the non-empty parts of a line of the head.
func Parts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// Summarised inserts a summary at the start of a section and records it in the head.
func Summarised(section, summary, mark string) string {
	heading, rest, _ := strings.Cut(section, "\n\n")
	return heading + "\n\n" + sentences(summary) + "\n\n" + strings.TrimSuffix(rest, "\n") + " · " + field(mark) + "\n"
}

// span returns the time range of a session in UTC. It includes the start's date if that differs from the file's day,
// and the end's date if that differs from the start's.
func span(day string, start, end time.Time) string {
	const withDay = time.DateOnly + " 15:04"
	start, end = start.UTC(), end.UTC()
	from, to := "15:04", "15:04"
	if start.Format(time.DateOnly) != day {
		from = withDay
	}
	if start.Format(time.DateOnly) != end.Format(time.DateOnly) {
		to = withDay
	}
	return start.Format(from) + "–" + end.Format(to) + " UTC"
}

// field formats a text as one part of a line whose parts are separated by " · ". The result cannot be read as another
// part.
func field(text string) string { return inPart(messages.Paragraph(text)) }

// names formats the first twelve names of a list as one part of a line. File names may contain anything; leading list
// marks are kept.
func names(list []string) string {
	out := make([]string, len(list))
	for i, name := range list {
		_, folded, _ := strings.Cut(messages.Paragraph("name: "+name), " ")
		out[i] = inPart(folded)
	}
	return strings.Join(messages.Capped(out, 12), ", ")
}

// inPart removes separators and the prefixes of known parts from a folded text.
func inPart(text string) string {
	words := strings.Fields(text)
	kept := words[:0]
	for _, word := range words {
		switch {
		case word != "·":
			kept = append(kept, word)
		case len(kept) > 0:
			kept[len(kept)-1] = strings.TrimSuffix(kept[len(kept)-1], ",") + ","
		}
	}
	return strings.NewReplacer("through: line ", "through line ", "injected: ", "injected ", "last prompt: ",
		"last prompt ").Replace(strings.Join(kept, " "))
}

// touched returns the line of files and tools, or "" if the session used none.
func touched(d transcript.Digest) string {
	var parts []string
	if len(d.Reads) > 0 {
		parts = append(parts, "read: "+names(d.Reads))
	}
	if len(d.Writes) > 0 {
		parts = append(parts, "wrote: "+names(d.Writes))
	}
	tools := slice.Map(d.Tools, func(t transcript.Count) string { return fmt.Sprintf("%s %d", t.Name, t.N) })
	if len(tools) > 0 {
		parts = append(parts, "tools: "+names(tools))
	}
	return strings.Join(parts, " · ")
}

// headline returns a text as a heading on one line, without marks that would change its meaning.
func headline(text string) string {
	line := strings.Trim(messages.Paragraph(text), "#^ ")
	const limit = 72
	return strings.ReplaceAll(cmp.Or(clip.Within(line, limit), "Session"), " ^", " ")
}

// File returns the path of the archive file for a session that began at start.
func File(projectDir string, start time.Time) string {
	day := start.UTC()
	return fmt.Sprintf("%s/sessions/%s/%s.md", projectDir, day.Format("2006"), day.Format(time.DateOnly))
}
