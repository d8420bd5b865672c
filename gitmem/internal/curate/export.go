package curate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/interchange"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Exported is the result of an export. Its JSON is a public contract.
type Exported struct {
	Path    string         `json:"path"`
	Files   int            `json:"files"`
	Entries map[string]int `json:"entries"` // by kind
	Caveats []string       `json:"caveats"`
}

// Export writes the memory of the current or the named project in the format of a tool: to a folder, or for jsonl to
// a file. A folder must be empty, or contain an earlier export.
func (ed *Editor) Export(ctx context.Context, to, name, project string) (Exported, error) {
	out := Exported{Path: name, Entries: map[string]int{}}
	list, caveats, err := ed.entries(ctx, project)
	if err != nil {
		return out, err
	}
	for _, e := range list {
		out.Entries[e.Kind]++
	}
	if out.Caveats = messages.Filled(caveats); to == interchange.JSONLines {
		out.Files = 1
		return out, writeNew(name, list)
	}
	files, err := interchange.Files(to, list)
	if err == nil {
		out.Files = len(files)
		err = writeFolder(name, files)
	}
	return out, err
}

// entries returns the pieces of memory of a project, in the order of an export.
func (ed *Editor) entries(ctx context.Context, project string) ([]interchange.Entry, []string, error) {
	kinds := []string{"memory", "decisions", "tasks", "archive", "profile", "orders"}
	wanted := func(f query.File) bool { return slices.Contains(kinds, f.Kind) && !strings.HasPrefix(f.Path, "~/") }
	files, err := ed.reader.FilesOf(ctx, "", project, wanted)
	if err != nil {
		return nil, nil, err
	}
	list := slice.Filter(files.List, wanted)
	written, err := ed.written(ctx, list)
	var out []interchange.Entry
	for _, f := range list {
		for _, e := range ed.entriesOf(f, written[f.Path]) {
			e.Title, e.Tags = ed.ws.Clean(e.Title), messages.Filled(e.Tags)
			out = append(out, e)
		}
	}
	interchange.Sort(out)
	return out, files.Caveats, err
}

// written returns the times of the last changes of files, found by one walk through the history.
func (ed *Editor) written(ctx context.Context, files []query.File) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	if !ed.ws.HasStore() {
		return out, nil
	}
	missing := slice.Set(slice.Map(files, func(f query.File) string { return f.Path }))
	for c, err := range ed.ws.Store.Log(ctx, 0, "") {
		if err != nil || len(missing) == 0 {
			return out, err
		}
		for _, p := range c.Paths {
			if missing[p] {
				out[p] = c.Time
				delete(missing, p)
			}
		}
	}
	return out, nil
}

// entriesOf returns the pieces of one file.
func (ed *Editor) entriesOf(f query.File, written time.Time) []interchange.Entry {
	at := cite.File{Path: f.Path, Area: cite.AreaOf(f.Path), Project: f.Project}
	src := []byte(f.Text)
	d := markdown.Parse(src)
	units, _ := cite.Units(at, src)
	switch f.Kind {
	case "memory", "decisions":
		return fileEntry(f, d, units, written)
	case "tasks":
		return taskEntries(f, d, written)
	case "archive":
		return sessionEntries(f, d, units)
	}
	p, err := profile.Read(src)
	if err != nil {
		ed.ws.Options.Warn(f.Path + " can't be read and is left out: " + err.Error())
		return nil
	}
	return profileEntries(f, p, units, written)
}

// fileEntry returns the entry of a file of notes or a decision.
func fileEntry(f query.File, d *markdown.Doc, units []cite.Unit, written time.Time) []interchange.Entry {
	text := string(d.Body.Of(d.Source))
	if strings.TrimSpace(text) == "" || len(units) == 0 {
		return nil
	}
	e := interchange.Entry{Kind: interchange.KindNote, ID: units[0].ID, Project: f.Project, Text: text,
		Title: cmp.Or(d.Front.Field("title"), d.Front.Field("name"), strings.TrimSuffix(path.Base(f.Path), ".md")),
		Time:  dayOr(units[0].Time, written), Trust: string(units[0].Trust()), Path: path.Base(f.Path)}
	if slices.ContainsFunc(units, func(u cite.Unit) bool { return u.Trust() == answer.Model }) {
		e.Trust = string(answer.Model)
	}
	if d.Front != nil && d.Front.Field("format") == "" { // the client's own
		e.Properties = strings.Trim(string(d.Front.Span.Of(d.Source)), "-\n") + "\n"
		e.Tags = interchange.List(d.Front.Fields["tags"])
	}
	if d.Front != nil {
		restore(&e, d.Front)
	}
	if f.Kind == "decisions" {
		e.Kind, e.Path, e.Properties = interchange.KindDecision, "", ""
		e.Title, e.State = cite.DecidedTitle(units[0].Title), cmp.Or(units[0].State, accepted)
		e.Supersedes, e.Evidence = interchange.List(d.Front.Fields["supersedes"]),
			interchange.List(d.Front.Fields["evidence"])
	}
	return []interchange.Entry{e}
}

// restore sets the fields of an entry from the origin in the frontmatter of an imported file.
func restore(e *interchange.Entry, front *markdown.Frontmatter) {
	origin, ok := front.Fields[importedField].(map[string]any)
	if !ok {
		return
	}
	text := func(key string) string { s, _ := origin[key].(string); return s }
	e.Imported = front.Field("by") == string(answer.Imported)
	e.Source, e.Path, e.Properties = text("from"), text("path"), text("properties")
	e.Tags = interchange.List(origin["tags"])
	for key, field := range map[string]*string{"kind": &e.Kind, "id": &e.ID, "title": &e.Title} {
		*field = cmp.Or(text(key), *field)
	}
	if e.Imported {
		e.Trust = cmp.Or(text("trust"), string(answer.Imported))
	}
	if e.Time = text("time"); text("kind") != interchange.KindNote || text("id") != "" { // of a memory, not of a tool
		e.Project = text("project")
	}
}

// dayOr returns a day in the format of entries, or else the time of a commit.
func dayOr(day, written time.Time) string {
	if !day.IsZero() {
		return day.Format(time.DateOnly)
	}
	return messages.Instant(written)
}

// taskEntries returns the tasks of a list. The frontmatter of the list contains the origins of imported tasks.
func taskEntries(f query.File, d *markdown.Doc, written time.Time) (out []interchange.Entry) {
	var origins map[string]any
	if d.Front != nil {
		origins, _ = d.Front.Fields[importedField].(map[string]any)
	}
	for _, t := range tasks.Read(d) {
		e := interchange.Entry{Kind: interchange.KindTask, ID: cite.ID{Kind: cite.KindTask, Name: t.ID}.String(),
			Title: t.Title, Project: f.Project, Time: messages.Instant(written), Trust: string(cmp.Or(t.By, answer.Mine)),
			State: t.State, Reason: t.Reason, Imported: t.By == answer.Imported}
		if origin, ok := origins[t.ID].(map[string]any); ok && e.Imported {
			for key, field := range map[string]*string{"trust": &e.Trust, "time": &e.Time, "project": &e.Project} {
				*field, _ = origin[key].(string)
			}
		}
		out = append(out, e)
	}
	return out
}

// sessionEntries returns the sections of sessions in an archive file.
func sessionEntries(f query.File, d *markdown.Doc, units []cite.Unit) (out []interchange.Entry) {
	for _, s := range d.Sections {
		i := slices.IndexFunc(units, func(u cite.Unit) bool { return s.ID != "" && u.BlockID() == s.ID })
		if i < 0 || units[i].Source != string(cite.KindSession) {
			continue
		}
		u := units[i]
		e := interchange.Entry{Kind: interchange.KindSession, ID: u.ID, Title: s.Title, Project: f.Project,
			Time: messages.Instant(u.Time), Trust: string(u.Trust()), Text: string(s.Span.Of(d.Source))}
		for _, idea := range d.Ideas {
			if idea.Span.Start >= s.Span.Start && idea.Span.End <= s.Span.End {
				e.Tags = append(e.Tags, idea.Tags...)
			}
		}
		slices.Sort(e.Tags)
		e.Tags = slices.Compact(e.Tags)
		out = append(out, e)
	}
	return out
}

// profileEntries returns the values of a profile or the orders of a project, and the text below them.
func profileEntries(f query.File, p *profile.Profile, units []cite.Unit, written time.Time) (out []interchange.Entry) {
	kind := map[string]string{"profile": interchange.KindProfile, "orders": interchange.KindOrder}[f.Kind]
	for i, v := range p.Entries {
		out = append(out, interchange.Entry{Kind: kind, ID: units[i].ID, Title: v.Path, Project: f.Project,
			Time: messages.Instant(v.LastSeen), Trust: string(cmp.Or(v.By, answer.Mine)), Text: v.Value})
	}
	if p.Words != "" {
		out = append(out, interchange.Entry{Kind: kind, Title: "in your own words", Project: f.Project,
			Time: messages.Instant(written), Trust: string(answer.Mine), Text: p.Words})
	}
	return out
}

// writeNew writes a file of JSON lines that must not exist.
func writeNew(name string, list []interchange.Entry) error {
	b, err := interchange.Lines(list)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return &messages.Refusal{Reason: name + " is there already, and no file is overwritten", Err: messages.ErrUsage,
			Advice: "name another file, or remove this one first"}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// writeFolder writes files to a folder that is empty or contains an earlier export. It never overwrites files that
// are not from an export or that were changed since.
func writeFolder(name string, files map[string][]byte) error {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	earlier, err := exportedBefore(root)
	if err != nil {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		b, err := root.ReadFile(filepath.FromSlash(p))
		if err == nil && !slices.Contains(earlier[p], ingest.HashOf(b)) && !bytes.Equal(files[p], b) {
			return &messages.Refusal{Reason: filepath.Join(name, filepath.FromSlash(p)) +
				" was changed since it was exported, " +
				"or is no file of an export", Advice: "move it away, or export to another folder", Err: store.ErrConflict}
		}
	}
	now, both := map[string][]string{}, maps.Clone(earlier)
	if both == nil {
		both = map[string][]string{}
	}
	for p, b := range files {
		now[p] = []string{ingest.HashOf(b)}
		both[p] = append(slices.Clone(both[p]), ingest.HashOf(b))
	}
	err = writeMark(root, both) // before the files, so that the next export recognizes those of an interrupted one
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if err != nil {
			return err
		}
		local := filepath.FromSlash(p)
		if err = root.MkdirAll(filepath.Dir(local), 0o700); err == nil {
			err = root.WriteFile(local, files[p], 0o600)
		}
	}
	for p, hashes := range earlier {
		b, readErr := root.ReadFile(filepath.FromSlash(p))
		if readErr == nil && files[p] == nil && slices.Contains(hashes, ingest.HashOf(b)) {
			err = errors.Join(err, root.Remove(filepath.FromSlash(p)))
		}
	}
	return errors.Join(err, writeMark(root, now))
}

// writeMark writes the list of the files of an export.
func writeMark(root *os.Root, files map[string][]string) error {
	b, err := json.MarshalIndent(files, "", " ")
	if err != nil {
		return err
	}
	return root.WriteFile(interchange.Mark, append(b, '\n'), 0o600)
}

// exportedBefore returns the files of an earlier export in a folder with their hashes, or none if the folder is
// empty. It refuses any other folder.
func exportedBefore(root *os.Root) (earlier map[string][]string, err error) {
	b, err := root.ReadFile(interchange.Mark)
	if err == nil {
		if err = json.Unmarshal(b, &earlier); err == nil {
			return earlier, nil
		}
		return nil, fmt.Errorf("%s: %w", filepath.Join(root.Name(), interchange.Mark), err)
	}
	there, err := fs.ReadDir(root.FS(), ".")
	if err == nil && len(there) > 0 {
		err = &messages.Refusal{Reason: root.Name() + " is not empty and holds no export of gitmem", Err: messages.ErrUsage,
			Advice: "name a new folder"}
	}
	return nil, err
}
