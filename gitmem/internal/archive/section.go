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

// Header is the head of a day's archive file.
func Header(project, date string) string {
	return templates.Fill(templates.Sessions(), map[string]string{"project": markdown.QuoteYAML(project), "date": date})
}

// Session is what an archive file says of a session: how many sections it has,
// through which transcript line they reach, and what hooks had added to it by then.
type Session struct {
	Sections int
	ids      int // largest number of a section's block id, also of a session named alike
	Through  int
	Mark     string // of the message there
	traces.Injection
}

// Find reads a session's sections of an archive file. Only sections that
// carry the session's block id count, whatever else a person wrote there.
func Find(src []byte, session string) Session {
	var a Session
	for heading, text := range cite.ArchiveSections(src) {
		number := numberOf(heading, "^s-"+transcript.ShortID(session))
		a.ids = max(a.ids, number)
		h := cite.ReadHead(time.Time{}, text)
		if number == 0 || h.Session != session { // a block id holds the beginning of a session's id only
			continue
		}
		a.add(h)
	}
	return a
}

// numberOf is which block id of a session a heading ends in, 0 where it is none: a title
// may hold anything that looks like one.
func numberOf(heading, mark string) int {
	suffix, ok := strings.CutPrefix(heading[strings.LastIndex(heading, " ")+1:], mark)
	if !ok || suffix != "" && suffix[0] != '-' {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(suffix, "-"))
	return max(n, 1)
}

// BlockID is the block id of a session's next section.
func (a Session) BlockID(session string) string {
	id := "s-" + transcript.ShortID(session)
	if a.ids > 0 {
		id += "-" + strconv.Itoa(a.ids+1)
	}
	return id
}

// SkipID passes over the next block id, as over that of a section that was forgotten.
func (a *Session) SkipID() { a.ids++ }

// Continued ends the titles of a session's further sections.
const Continued = " (continued)"

// Section writes a session's section of the archive: what a later reader needs
// when the transcript is gone, each line with the transcript line it comes from. What a
// person reads comes first, what programs read last.
// The ideas are those of [Ideas] with what was found of them; told are further parts of the head,
// and may be empty; day is the file's.
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

// begin writes the heading of a section, which ends in more, and what was said last.
func begin(b *strings.Builder, d transcript.Digest, more, id string) {
	fmt.Fprintf(b, "\n## %s%s ^%s\n\n", headline(cmp.Or(d.FirstPrompt, d.Outcome.Text)), more, id)
	if d.Outcome.Text != "" {
		fmt.Fprintf(b, "%s\n\n", sentences(d.Outcome.Text))
	}
}

// Appended is what a section adds to a day's file.
func Appended(old []byte, project, date, section string) string {
	switch {
	case len(old) == 0:
		return Header(project, date) + section
	case old[len(old)-1] != '\n':
		return "\n" + section
	}
	return section
}

// sentences are a paragraph that no reader takes for the head.
func sentences(text string) string {
	text = messages.Paragraph(text)
	if strings.HasPrefix(text, cite.HeadStart) {
		text = "The " + text
	}
	return text
}

// head are the lines of a section that programs read, see [cite.ReadHead].
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

// Parts are those parts of a line of the head that are not empty.
func Parts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// Summarised is a section that begins with the sentences of a summary, marked in its head.
func Summarised(section, summary, mark string) string {
	heading, rest, _ := strings.Cut(section, "\n\n")
	return heading + "\n\n" + sentences(summary) + "\n\n" + strings.TrimSuffix(rest, "\n") + " · " + field(mark) + "\n"
}

// span is when a session was, in UTC. A day is named where it is another one than
// the file's, or than the start's.
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

// field is text as one part of a line whose parts " · " separates, and nothing that such
// a line says by itself.
func field(text string) string { return inPart(messages.Paragraph(text)) }

// names are the names in a list within a part, the first twelve: a file may be called
// like anything, and one that begins with a mark keeps it.
func names(list []string) string {
	out := make([]string, len(list))
	for i, name := range list {
		_, folded, _ := strings.Cut(messages.Paragraph("name: "+name), " ")
		out[i] = inPart(folded)
	}
	return strings.Join(messages.Capped(out, 12), ", ")
}

// inPart takes out of a folded text what separates parts, and what begins one that is
// read again.
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

// touched is the line of files and tools, "" when the session touched nothing.
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

// headline is text as one heading: a line without marks that would change its meaning.
func headline(text string) string {
	line := strings.Trim(messages.Paragraph(text), "#^ ")
	const limit = 72
	return strings.ReplaceAll(cmp.Or(clip.Within(line, limit), "Session"), " ^", " ")
}

// File is where a session that began at start is archived.
func File(projectDir string, start time.Time) string {
	day := start.UTC()
	return fmt.Sprintf("%s/sessions/%s/%s.md", projectDir, day.Format("2006"), day.Format(time.DateOnly))
}
