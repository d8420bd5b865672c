package curate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// LintFinding is a problem in memory that a person should review. The JSON form is a public contract.
type LintFinding = lint.Finding

// Linted lists the checked files and the findings. The JSON form is a public contract.
type Linted struct {
	Files    []string      `json:"files"`
	Bare     []string      `json:"bare"` // files that FixLint adds frontmatter to
	Findings []LintFinding `json:"findings"`
	Caveats  []string      `json:"caveats"`
}

// Lint checks the current project's memory files: whether the client loads them completely, whether they repeat or
// contradict themselves or the rules, and whether they name deleted files. It changes nothing.
func (ed *Editor) Lint(ctx context.Context) (Linted, error) {
	p, err := ed.ws.Place(ctx)
	if err == nil {
		err = ed.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID)
	}
	if err != nil {
		return Linted{}, err
	}
	in := lint.Input{Exclusive: templates.Rivals()}
	out := Linted{Files: []string{}, Bare: []string{}, Findings: []LintFinding{}}
	dir := workspace.MemoryDir(p)
	in.Memory = ed.readAll(ed.src.MemoryTree(), func(f cite.File) (string, bool) {
		return ed.ws.Path(f.Path), f.Area == cite.AreaMemory && strings.HasPrefix(f.Path, dir+"/")
	})
	rules := []ingest.FolderTree{ed.src.UserRules()}
	if t, ok := ed.src.RepositoryRules(p); ok {
		rules = append(rules, t)
	}
	for _, t := range rules {
		in.Rules = append(in.Rules, ed.readAll(t, func(f cite.File) (string, bool) { return f.Path, true })...)
	}
	for _, f := range in.Memory {
		out.Files = append(out.Files, f.Path)
		info, err := os.Lstat(f.Path)
		if err == nil && info.Mode().IsRegular() &&
			!bytes.Equal(withHead(f.Text, filepath.Base(f.Path), p.Project.ID), f.Text) {
			out.Bare = append(out.Bare, f.Path)
		}
	}
	out.Findings = append(out.Findings, lint.Check(in, ed.existing(p))...)
	out.Caveats = append([]string{}, ed.ws.Caveats...)
	return out, nil
}

// FixLint adds the missing frontmatter to files of memory and commits the change.
func (ed *Editor) FixLint(ctx context.Context) (Linted, error) {
	l, err := ed.Lint(ctx)
	if err != nil || len(l.Bare) == 0 {
		return l, err
	}
	p, err := ed.notePlace(ctx)
	if err != nil {
		return l, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return l, err
	}
	defer release()
	var files []string
	for _, name := range l.Bare {
		files = append(files, ed.ws.MemoryPaths(ctx, name)...)
	}
	if err := ed.src.KeepEdits(ctx, files); err != nil {
		return l, err
	}
	var failed error
	files = slices.DeleteFunc(files, func(rel string) bool {
		changed, err := ed.ws.RewriteText(ctx, rel, func(old []byte) ([]byte, error) {
			return withHead(old, path.Base(rel), p.Project.ID), nil
		})
		failed = errors.Join(failed, err)
		return !changed
	})
	if len(files) > 0 {
		_, err = ed.commit(ctx, append(files, p.Project.Files()...), "lint: add frontmatter to "+
			messages.Plural(len(files), "file"), "the frontmatter is written but is", "lint")
	}
	if err := errors.Join(failed, err); err != nil {
		return l, err
	}
	return ed.Lint(ctx)
}

// withHead adds the frontmatter of new files to a text and keeps existing fields. It returns the text unchanged if it
// names its format; if it is MEMORY.md, to which the client gives no frontmatter; if its frontmatter has the client's
// metadata field, below which the client would move all other fields; or if its frontmatter cannot be edited.
func withHead(text []byte, name, project string) []byte {
	d, head := markdown.Parse(text), markdown.Parse([]byte(headOf(name, project)))
	if name == "MEMORY.md" || d.Front.Field("format")+d.Front.Field("metadata") != "" {
		return text
	}
	var missing []markdown.FieldChange
	for _, field := range []string{"format", "kind", "project"} {
		if d.Front.Field(field) == "" {
			missing = append(missing, markdown.FieldChange{Path: []string{field}, Value: head.Front.Field(field),
				Raw: field == "format"})
		}
	}
	out, err := withFields(missing...)(text)
	if err != nil {
		return text
	}
	return out
}

// readAll reads the accepted files of a tree with secrets redacted, since findings quote them. It adds a caveat for
// files that cannot be read.
func (ed *Editor) readAll(t ingest.FolderTree, take func(cite.File) (string, bool)) []lint.File {
	files, err := t.Files()
	if err != nil {
		ed.ws.Caveat("%s can't be read: %v", t.Dir, err)
	}
	var out []lint.File
	for _, f := range files {
		name, ok := take(f)
		if !ok {
			continue
		}
		b, err := t.Read(f)
		if err != nil {
			ed.ws.Caveat("%s can't be read and was not looked over: %v", f.Path, err)
			continue
		}
		out = append(out, lint.File{Path: name, Text: []byte(ed.ws.Redactor.Lines(string(b))),
			Loaded: path.Base(f.Path) == "MEMORY.md"})
	}
	return out
}

// existing returns a function that looks up a path named in a memory file: next to that file, in the repository, or as
// an absolute path or one below the user's home. Outside of a repository only paths next to the file can be judged.
func (ed *Editor) existing(p *workspace.Place) func(from, name string) (exists, known bool) {
	return func(from, name string) (bool, bool) {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			return onDisk(filepath.Join(ed.ws.Options.Home, filepath.FromSlash(rest)))
		}
		if path.IsAbs(name) {
			exists, known := onDisk(filepath.FromSlash(name))
			return exists, known && !isTemporary(name)
		}
		if there, _ := onDisk(filepath.Join(filepath.Dir(from), filepath.FromSlash(name))); there {
			return true, true
		}
		if p.Loc.WorkTree == "" {
			return false, false
		}
		if there, _ := onDisk(filepath.Join(p.Loc.WorkTree, filepath.FromSlash(name))); there {
			return true, true
		}
		return ed.tracked(p, name)
	}
}

// tracked looks up a path anywhere in the repository, since people omit well-known folders. A name with neither an
// extension nor a known first folder may not be a path, and build outputs exist only after a build.
func (ed *Editor) tracked(p *workspace.Place, name string) (exists, known bool) {
	repo, err := ed.ws.Repository(p)
	if err != nil || repo == nil {
		return false, false
	}
	entries, err := repo.List("HEAD", "")
	if err != nil {
		return false, false
	}
	first, _, nested := strings.Cut(name, "/")
	known = lint.KnownExtension(name) && !isBuilt(first) || !nested
	for _, e := range entries {
		if e.Path == name || strings.HasSuffix(e.Path, "/"+name) || strings.Contains("/"+e.Path, "/"+name+"/") {
			return true, true
		}
		known = known || strings.HasPrefix(e.Path, first+"/")
	}
	return false, known
}

// isTemporary reports whether a path is in a folder that is emptied at every boot.
func isTemporary(name string) bool {
	return slices.ContainsFunc([]string{"/tmp/", "/var/tmp/", "/proc/", "/dev/", "/run/"}, func(dir string) bool {
		return strings.HasPrefix(name, dir)
	})
}

// isBuilt reports whether a folder has a common name for build outputs.
func isBuilt(folder string) bool {
	return slices.Contains([]string{"build", "dist", "out", "target", "bin", "obj", "coverage", "node_modules", "vendor",
		"tmp", "__pycache__", ".venv", "venv", ".next"}, folder)
}

// onDisk looks up a path on this machine. If not even its first folder exists, it belongs to another machine or is not
// a path.
func onDisk(p string) (exists, known bool) {
	if _, err := os.Lstat(p); err == nil {
		return true, true
	}
	rest := strings.TrimPrefix(p, filepath.VolumeName(p))
	parts := strings.Split(strings.Trim(filepath.ToSlash(rest), "/"), "/")
	if len(parts) < 2 {
		return false, false
	}
	_, err := os.Lstat(filepath.VolumeName(p) + string(filepath.Separator) + parts[0])
	return false, err == nil
}
