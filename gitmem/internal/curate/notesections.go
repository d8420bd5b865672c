package curate

import (
	"bytes"
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// noteSection is a section that may contain notes.
type noteSection struct {
	title string   // of a new section
	heads []string // words in an existing heading that match the section
	cues  []string // words in a note that select the section
}

// noteSections returns the sections of a memory file in the order in which they are tried: a warning stays a warning
// even if it also contains words of a convention.
func noteSections() []noteSection {
	return []noteSection{
		{"Warnings", []string{"warning", "gotcha", "pitfall", "caveat", "trap", "known issue", "avoid", "careful", "don't"},
			[]string{"never", "don't", "do not", "careful", "beware", "avoid", "breaks", "pitfall", "gotcha", "warning",
				"watch out"}},
		{"Conventions", []string{"convention", "style", "standard", "guideline", "preference", "rule"},
			[]string{"always", "convention", "we use", "prefer", "naming", "must", "should"}},
		{"Proven approaches", []string{"approach", "solution", "what works", "proven", "lesson", "learned", "fixes"},
			[]string{"works well", "worked", "solved by", "the fix", "turned out", "the way to"}},
		{"Key patterns", []string{"pattern", "architecture", "structure", "layout", "overview", "design"},
			[]string{"pattern", "structure", "architecture", "lives in", "is in", "flows"}},
	}
}

// kind selects the section by the words of the note.
func (n *note) kind() noteSection {
	lower := " " + strings.ToLower(strings.ReplaceAll(n.text, "’", "'")) + " "
	for _, s := range noteSections() {
		for _, cue := range s.cues {
			if strings.Contains(lower, " "+cue+" ") {
				return s
			}
		}
	}
	return noteSection{"Notes", []string{"note"}, nil}
}

// fitting returns the section of a file for the note: the section with its title, otherwise a person's section for the
// same purpose. ok is false if there is neither.
func (n *note) fitting(d *markdown.Doc) (i int, ok bool) {
	kind := n.kind()
	n.section = kind.title
	if i, ok := d.Section(kind.title); ok {
		return i, true
	}
	for i, s := range d.Sections {
		if s.Level == 1 { // the file's title
			continue
		}
		lower := strings.ToLower(s.Title)
		for _, head := range kind.heads {
			if strings.Contains(lower, head) {
				n.section = s.Title
				return i, true
			}
		}
	}
	return 0, false
}

// pointer inserts a line that names a topic file below the title of MEMORY.md, where the client always loads it. Nobody
// reads a file that no loaded file names. It inserts nothing if the file is already named.
func pointer(redactor *redact.Redactor, old []byte, topic string) []store.Insertion {
	base := path.Base(topic)
	if bytes.Contains(old, []byte(base)) {
		return nil
	}
	d := markdown.Parse(old)
	at, line := d.Body.Start, "More notes: ["+base+"]("+base+")"
	text := line + d.EOL + d.EOL
	if len(d.Sections) > 0 && d.Sections[0].Level == 1 {
		at = d.Sections[0].Heading.End
		text = d.EOL + line + d.EOL
	}
	return []store.Insertion{{At: at, Text: redactor.Clean(text)}}
}
