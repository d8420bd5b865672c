package curate

import (
	"bytes"
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// noteSection is a section that a note can go to.
type noteSection struct {
	title string   // where the file has none that fits
	heads []string // words by which a person's own heading is taken for it
	cues  []string // words of a note that send it there
}

// noteSections are the sections of a memory file, in the order in which a note is
// tried for them: a warning counts as one even where it also says what is always done.
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

// kind chooses the section by the note's words.
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

// fitting finds the section of a file that the note goes to: the one of that name,
// else one that a person made for the same under a name of their own. ok is false
// when there is neither.
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

// pointer inserts a line that names a topic file behind the title of MEMORY.md,
// where the client loads it for sure: what nothing names is never read. It is
// nothing when the file is named already.
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
