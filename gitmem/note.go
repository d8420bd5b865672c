package gitmem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

const (
	// indexLines is how long MEMORY.md may grow by notes: the client loads 200
	// lines of it, and some are kept for hand-written ones.
	indexLines = 180
	// noteBytes is how long a note may be: the client loads all of MEMORY.md.
	noteBytes = 8 << 10
	// alike is the share of common words from which two notes say the same.
	alike = 0.8
)

// Noted is where a note was written. The JSON form is a public contract.
type Noted struct {
	ID     string `json:"id"`   // citation id of the section
	File   string `json:"file"` // path on disk
	Line   int    `json:"line"` // 1-based line of the note
	Commit string `json:"commit"`
	Text   string `json:"text"` // as it was written: redacted
}

// Duplicate is the error for a note that another one says already. It wraps ErrDuplicate.
type Duplicate struct {
	File string
	Line int
	Text string
}

func (d *Duplicate) Error() string {
	return fmt.Sprintf("%s line %d says this already: %s", d.File, d.Line, d.Text)
}

func (d *Duplicate) Unwrap() error { return ErrDuplicate }

// Note writes a line to the memory of the current project and commits it: to the
// fitting section of MEMORY.md, or to a topic file of the month once MEMORY.md is
// as long as the client loads it. Without force a near-duplicate is refused.
func (m *Memory) Note(ctx context.Context, text string, force bool) (Noted, error) {
	text = strings.TrimSpace(plain(strings.ReplaceAll(text, "\r\n", "\n")))
	if text == "" {
		return Noted{}, fmt.Errorf("%w: the note is empty", ErrUsage)
	}
	if len(text) > noteBytes {
		return Noted{}, fmt.Errorf("%w: the note has %d bytes, more than %d: write it as a file and note where it lies", ErrUsage, len(text), noteBytes)
	}
	if err := m.writable(ctx); err != nil {
		return Noted{}, err
	}
	p, err := m.here(ctx)
	if err != nil {
		return Noted{}, err
	}
	if p.inRepo {
		if p.project, err = m.project(ctx, p.identity, m.holds(ctx, p), true); err != nil {
			return Noted{}, err
		}
	}
	dir := memoryDir(p)
	clean := m.redactor.Clean(text)
	if !force { // a first look over all files; the one that is written is looked at again under its lock
		if err := m.unlikeOthers(dir, clean.String()); err != nil {
			return Noted{}, err
		}
	}
	n := note{text: clean.String(), force: force, month: m.o.Now().UTC().Format("2006-01")}
	rel, err := m.writeNote(ctx, dir, &n)
	var twin *Duplicate
	if errors.As(err, &twin) {
		return Noted{}, twin
	}
	if err != nil {
		return Noted{}, err
	}
	commit, err := m.store.Commit(ctx, store.Change{
		Paths: append([]string{rel}, p.project.Files()...), Subject: "note: " + subject(n.text), Time: m.o.Now(), Fsync: true,
		Trailers: []string{"Gitmem-Op: note " + n.section},
	})
	if err != nil {
		return Noted{}, fmt.Errorf("the note is in %s but is not committed yet: %w", rel, err)
	}
	f := cite.File{Path: rel, Area: cite.AreaMemory, Project: m.projectOf(m.folders(), rel)}
	return Noted{ID: cite.SectionID(f, markdown.Slug(n.section)), File: filepath.Join(m.root, filepath.FromSlash(rel)), Line: n.line, Commit: commit, Text: n.text}, nil
}

// memoryDir is the client's memory folder of a place, below the root.
func memoryDir(p *place) string { return path.Join("projects", transcript.Munge(p.folder), "memory") }

// errFull says that MEMORY.md is as long as it may grow by notes.
var errFull = errors.New("memory file is full")

// writeNote inserts the note and returns the file it went to.
func (m *Memory) writeNote(ctx context.Context, dir string, n *note) (string, error) {
	rel := path.Join(dir, "MEMORY.md")
	err := m.insert(ctx, rel, n, indexLines)
	if errors.Is(err, errFull) {
		rel = path.Join(dir, "notes-"+n.month+".md")
		err = m.insert(ctx, rel, n, 0)
	}
	return rel, err
}

func (m *Memory) insert(ctx context.Context, rel string, n *note, limit int) error {
	return m.store.Rewrite(ctx, rel, func(old []byte) ([]store.Insertion, error) {
		if limit > 0 && strings.Count(string(old), "\n") >= limit {
			return nil, errFull
		}
		if !n.force {
			if err := n.unlike(filepath.Join(m.root, filepath.FromSlash(rel)), []byte(m.redactor.Lines(string(old)))); err != nil {
				return nil, err
			}
		}
		at, text := n.place(old)
		return []store.Insertion{{At: at, Text: m.redactor.Clean(text)}}, nil
	})
}

// note is a line on its way into a Markdown file.
type note struct {
	text    string
	force   bool // write even what is there already
	month   string
	section string // chosen by place
	line    int    // set by place
}

// place says where in a file the note goes, and as what text. It is pure, and may
// be asked again when the file changed in between.
func (n *note) place(old []byte) (at int, text string) {
	d := markdown.Parse(old)
	i, ok := n.fitting(d)
	eol := d.EOL
	if eol == "" {
		eol = "\n"
	}
	bullet := "- " + strings.Join(strings.Split(n.text, "\n"), eol+"  ")
	var e markdown.Edit
	if ok {
		e = d.AppendTo(i, bullet)
	} else {
		e = d.AppendSection(2, n.section, bullet)
		if len(strings.TrimSpace(string(old))) == 0 {
			e.Text = "# Memory" + eol + eol + strings.TrimLeft(e.Text, "\r\n")
		}
	}
	before, _, _ := strings.Cut(e.Text, bullet)
	n.line = strings.Count(string(old[:e.Span.Start])+before, "\n") + 1
	return e.Span.Start, e.Text
}

// noteSections are the sections a note can go to, with the words that send it there.
func noteSections() []struct {
	title string
	cues  []string
} {
	return []struct {
		title string
		cues  []string
	}{
		{"Warnings", []string{"never", "don't", "do not", "careful", "beware", "avoid", "breaks", "pitfall", "gotcha", "warning"}},
		{"Conventions", []string{"always", "convention", "we use", "prefer", "naming", "must", "should"}},
		{"Proven approaches", []string{"works well", "worked", "solved by", "the fix", "turned out", "the way to"}},
		{"Key patterns", []string{"pattern", "structure", "architecture", "lives in", "is in", "flows"}},
	}
}

// fitting chooses the section by the note's words; a note without such a word goes
// to Notes. ok is false when the file has no such section yet.
func (n *note) fitting(d *markdown.Doc) (i int, ok bool) {
	n.section = "Notes"
	lower := " " + strings.ToLower(n.text) + " "
	for _, s := range noteSections() {
		for _, cue := range s.cues {
			if strings.Contains(lower, " "+cue+" ") {
				n.section = s.title
				return d.Section(s.title)
			}
		}
	}
	return d.Section(n.section)
}

// unlikeOthers refuses a note whose words are those of a line that is there.
func (m *Memory) unlikeOthers(dir, text string) error {
	n := note{text: text}
	var found error
	err := m.walkMarkdown(m.root, []string{dir}, func(rel string) {
		b, err := m.store.Read("", rel)
		if err == nil && found == nil {
			found = n.unlike(filepath.Join(m.root, filepath.FromSlash(rel)), []byte(m.redactor.Lines(string(b))))
		}
	})
	if err != nil {
		return err
	}
	return found
}

// unlike refuses the note when a line of a file says the same.
func (n *note) unlike(file string, content []byte) error {
	words, negated := wordSet(n.text), negates(n.text)
	line := 0
	for raw := range bytes.Lines(content) {
		line++
		item, ok := strings.CutPrefix(strings.TrimSpace(string(raw)), "- ")
		if ok && negates(item) == negated && similarity(words, wordSet(item)) >= alike {
			return &Duplicate{File: file, Line: line, Text: item}
		}
	}
	return nil
}

// negates tells whether a line says the opposite of its other words.
func negates(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		switch strings.Trim(w, ".,;:!?\"'()") {
		case "not", "no", "never", "don't", "dont", "doesn't", "without", "avoid", "stop", "isn't", "can't", "cannot", "won't", "nor", "neither":
			return true
		}
	}
	return false
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range index.QueryTerms(text) {
		set[t] = true
	}
	return set
}

// similarity is the Jaccard index: common words by all words.
func similarity(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// subject is the first line of a note as a commit's subject takes it.
func subject(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	const limit = 60
	if r := []rune(line); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return line
}
