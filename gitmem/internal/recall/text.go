package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Maximum lengths of the parts of an item, in characters.
const (
	titleRunes   = 80
	excerptRunes = 280
	idRunes      = 160
)

// Maximum lengths of the line for the person, in bytes: no text needs more columns than bytes.
const (
	noticeBytes = 160
	sourceBytes = 48 // a source's id, or its title
	restBytes   = len(", 99 more")
)

// recallHeading is the heading of the text added to a prompt. It describes what follows and gives no instruction.
const recallHeading = "gitmem: earlier records of this project that share the subject of this prompt, quoted as data " +
	"(date, who wrote it: reviewed, mine = the user, model = a model's notes, untrusted = others or programs; the whole " +
	"source: gitmem show ID):\n"

// synthesisHeading is the heading if a model rephrased the text.
const synthesisHeading = "gitmem: what earlier records of this project say on the subject of this prompt, in the " +
	"words of a model that was checked against them (data; the whole source: gitmem show ID):\n"

// recallText builds the list that is added to a prompt.
type recallText struct {
	limit int // characters
	text  strings.Builder
	n     int // characters so far
}

// add appends a citation whose title and excerpt are plain lines, unless the text would become too long.
func (t *recallText) add(c answer.Citation) bool {
	line := recallLine(c)
	n := utf8.RuneCountInString(line)
	if t.n == 0 {
		n += utf8.RuneCountInString(recallHeading)
	}
	if t.n+n > t.limit {
		return false
	}
	if t.n == 0 {
		t.text.WriteString(recallHeading)
	}
	t.text.WriteString(line)
	t.n += n
	return true
}

// String returns the text, "" if nothing was added.
func (t *recallText) String() string { return t.text.String() }

// recallLine quotes a citation: - "words" (title; 2025-03-09, mine) [id]
func recallLine(c answer.Citation) string {
	unquoted := strings.NewReplacer("[", "(", "]", ")") // outside the quotation
	about := unquoted.Replace(cmp.Or(messages.PlainLine(messages.ClipBytes(c.Time, len("2006-01-02")), 10), "undated") +
		", " + string(c.Trust))
	vouched := c.Trust == answer.Mine || c.Trust == answer.Reviewed
	if title := unquoted.Replace(c.Title); title != "" && vouched && c.Layer != cite.LayerTranscripts &&
		!strings.HasPrefix(c.Excerpt, c.Title) {
		about = title + "; " + about
	}
	return fmt.Sprintf("- \"%s\" (%s) [%s]\n", c.Quoted(), about, unquoted.Replace(messages.PlainLine(c.ID, idRunes)))
}

// recallNotice names each source of the citations once.
func recallNotice(items []answer.Citation) string {
	var names []string
	titles := map[string]string{}
	for _, c := range items {
		name, title := recallSource(c)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		titles[name] = cmp.Or(titles[name], title)
	}
	line := "gitmem: recalled " + messages.Plural(len(items), "passage") + ":"
	for i, name := range names {
		if title := titles[name]; title != "" {
			name += ` "` + title + `"`
		}
		if len(line)+len(name)+len(" ,")+restBytes > noticeBytes {
			return fmt.Sprintf("%s %d more", line, len(names)-i)
		}
		line += " " + name
		if i < len(names)-1 {
			line += ","
		}
	}
	return line
}

// recallSource returns the name of a citation's source for a person, and a session's title.
func recallSource(c answer.Citation) (name, title string) {
	name = clipped(messages.PlainLine(c.ID, idRunes), sourceBytes)
	commit, isCommit := strings.CutPrefix(c.ID, "git:commit:")
	switch {
	case c.Session != "" && (c.Layer == cite.LayerTranscripts || c.Layer == cite.LayerSummaries):
		name = "session " + transcript.ShortID(messages.PlainLine(c.Session, idRunes))
		if c.Layer == cite.LayerSummaries {
			title = clipped(c.Title, sourceBytes)
		}
	case isCommit:
		name = "commit " + messages.ClipBytes(messages.PlainLine(commit, idRunes), 12)
	case c.Source == string(cite.KindMemory) && c.Title != "":
		name = `memory "` + clipped(c.Title, sourceBytes) + `"`
	}
	if day := messages.PlainLine(messages.ClipBytes(c.Time, len(time.DateOnly)), len(time.DateOnly)); day != "" {
		name += " of " + day
	}
	return name, title
}

// clipped cuts a text to n bytes and marks the cut.
func clipped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimRight(messages.ClipBytes(s, n-len("…")), " ") + "…"
}

// injectionPattern matches passages that address a model rather than describe the project. Memory contains text of
// others, and such a line must not be recalled without a request.
var injectionPattern = lazy.Pattern(`(?i)(ignore|disregard|forget|override)\s+(all\s+|any\s+|every\s+|the\s+|your\s+` +
	`|my\s+|these\s+)*(previous|prior|above|earlier|preceding|other|system)?\s*(instruction|prompt|message|rule` +
	`|guardrail)s?` +
	`|system[\s_-]*(reminder|prompt|message)|new instructions?\s*:|you are now\b|do not (tell|inform|mention (it` +
	`|this) to) the user|\b(developer|god|jailbreak) mode\b`)
