// Package interchange knows the formats of other note-taking tools: vaults of Obsidian, exports of
// Notion and of Confluence, and its own JSON lines. It converts files to entries and entries to files.
// It must not know memory: the caller redacts, decides what is imported, and assigns the trust.
package interchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// The kinds of entries.
const (
	KindNote     = "note"
	KindDecision = "decision"
	KindTask     = "task"
	KindSession  = "session"
	KindProfile  = "profile"
	KindOrder    = "order"
)

// The formats of entries: those of three tools, and JSON lines.
const (
	Obsidian   = "obsidian"
	Notion     = "notion"
	Confluence = "confluence"
	JSONLines  = "jsonl"
)

// Forms returns all formats.
func Forms() []string { return []string{Obsidian, Notion, Confluence, JSONLines} }

// Entry is one piece of memory, or one page of another tool. Its JSON is a public contract: a line of an export.
type Entry struct {
	Kind       string   `json:"kind"`
	ID         string   `json:"id"` // the citation where it was first written, "" for a page of another tool
	Title      string   `json:"title"`
	Project    string   `json:"project"`
	Time       string   `json:"time"` // RFC 3339 or a day, "" if unknown
	Tags       []string `json:"tags"`
	Trust      string   `json:"trust"`            // the trust where it was first written
	State      string   `json:"state,omitempty"`  // of a task or a decision
	Reason     string   `json:"reason,omitempty"` // of a task's state
	Supersedes []string `json:"supersedes,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Path       string   `json:"path,omitempty"`       // of the page in the other tool, with slashes
	Properties string   `json:"properties,omitempty"` // the fields of the page, in YAML
	Text       string   `json:"text"`                 // Markdown
	// Source identifies the entry, so that a second import recognizes it.
	Source string `json:"-"`
	// Cites are the citations from which a page was exported, according to the page.
	Cites []string `json:"-"`
	// Imported reports whether the entry was imported.
	Imported bool `json:"-"`
}

// trust returns the trust of the entry in the exported memory.
func (e Entry) trust() string {
	if e.Imported {
		return "imported"
	}
	return e.Trust
}

// Sort sorts entries in the order of an export.
func Sort(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Project, b.Project), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Text, b.Text))
	})
}

// Lines returns entries as JSON, one per line.
func Lines(list []Entry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range list {
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Read converts the files of a tool to entries. skipped lists what is not an entry, and why.
func Read(from string, files []File) (entries []Entry, skipped []string) {
	r := &reader{files: files}
	switch from {
	case JSONLines:
		for _, f := range files {
			r.lines(f)
		}
	case Obsidian:
		r.vault()
	case Notion:
		r.readNotion()
	case Confluence:
		r.readConfluence()
	}
	return r.entries, r.skipped
}

// reader reads the files of one import.
type reader struct {
	files   []File
	entries []Entry
	skipped []string
}

func (r *reader) skip(what string, why any) {
	r.skipped = append(r.skipped, fmt.Sprintf("%s: %v", what, why))
}

// lines reads a file of JSON lines.
func (r *reader) lines(f File) {
	if text, _ := wanted(f.Path); text && !strings.HasSuffix(strings.ToLower(f.Path), ".jsonl") {
		r.skip(f.Path, "no file of JSON lines")
		return
	}
	n := 0
	for line := range bytes.Lines(f.Data) {
		n++
		where := fmt.Sprintf("%s line %d", f.Path, n)
		line = bytes.TrimSpace(line)
		e := Entry{}
		switch err := json.Unmarshal(line, &e); {
		case len(line) == 0:
			continue
		case len(line) > 2*maxText:
			r.skip(where, fmt.Sprintf("it has more than %d MB", 2*maxText>>20))
		case err != nil:
			r.skip(where, err)
		case !utf8.Valid(line):
			r.skip(where, "no UTF-8 text")
		case e.Kind == "" || e.Title == "" && e.Text == "":
			r.skip(where, "it has no kind, or neither title nor text")
		default:
			e.Source = strings.Join([]string{JSONLines, e.Kind, e.Project, cmp.Or(e.ID, e.Path, e.Title)}, " ")
			r.entries = append(r.entries, e)
		}
	}
}

// titleOf returns the name of a page from its path.
func titleOf(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
