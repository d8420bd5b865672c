package ingest

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

// maxImports is how many imports the client follows from a file to the next.
const maxImports = 4

// RulePlaces are the files and folders of a repository's top folder that hold its rules. Folders
// below it may have files of rules of their own, which [docs.Rules] knows by name.
func RulePlaces() []string {
	return []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md", ".claude/rules"}
}

// RepositoryRules are the rules that a team keeps in its repository, as they are in
// the work tree. A bare repository has none to read here.
func (src *Sources) RepositoryRules(p *workspace.Place) (FolderTree, bool) {
	file := func(rel string) (cite.File, bool) {
		return cite.File{Path: rel, Area: cite.AreaRules, Project: p.Project.ID}, true
	}
	return FolderTree{m: src, Dir: p.Loc.WorkTree, places: RulePlaces(), place: p, file: file}, p.InRepo &&
		p.Loc.WorkTree != ""
}

// ruleFiles lists the files of rules of a work tree. Below the top folder these are the tracked ones
// and those on the way to the working folder.
func (t FolderTree) ruleFiles() ([]cite.File, error) {
	places := t.places
	// Indexes are brought up to date at once, and a repository is for one of them.
	if repo, err := t.m.ws.OpenRepository(t.place); err == nil {
		places = t.placesAt(repo, "HEAD")
		_ = repo.Close() // read-only: nothing can be lost
	}
	below, err := filepath.Rel(workspace.RealPath(t.Dir), workspace.RealPath(t.m.ws.Options.Dir))
	for dir := filepath.ToSlash(below); err == nil && filepath.IsLocal(below) && dir != "."; dir = path.Dir(dir) {
		for _, name := range t.places {
			if name = path.Join(dir, name); docs.Rules(name) && !slices.Contains(places, name) {
				places = append(places, name)
			}
		}
	}
	files, err := t.filesAt(places)
	if err != nil {
		return nil, err
	}
	return WithImports(t.withoutLinks(files), t.file, func(f cite.File) ([]byte, bool) {
		b, err := t.Read(f)
		return b, err == nil
	}), nil
}

// placesAt are the places of a tree, and for a repository's rules the files of that name below its top
// folder at a commit.
func (t FolderTree) placesAt(repo *git.Repository, commit string) []string {
	places := slices.Clone(t.places)
	if t.place == nil {
		return places
	}
	entries, err := repo.List(commit, "")
	if err != nil && !errors.Is(err, git.ErrEmpty) && !errors.Is(err, git.ErrNotFound) { // before the first commit
		t.m.ws.Caveat("Rules in folders of the repository were not looked for: %v", err)
	}
	for _, e := range entries {
		if docs.Rules(e.Path) && !slices.Contains(places, e.Path) {
			places = append(places, e.Path)
		}
	}
	return places
}

// withoutLinks leaves out links to another one of the files.
func (t FolderTree) withoutLinks(files []cite.File) []cite.File {
	top := workspace.RealPath(t.Dir)
	return slices.DeleteFunc(files, func(f cite.File) bool {
		name := filepath.Join(top, filepath.FromSlash(f.Path))
		if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			return false
		}
		target, err := filepath.Rel(top, workspace.RealPath(name))
		listed := func(o cite.File) bool { return o != f && o.Path == filepath.ToSlash(target) }
		return err == nil && slices.ContainsFunc(files, listed)
	})
}

// WithImports adds to files of rules the Markdown files of the repository that they import, each
// once. read returns false for a file that is not there.
func WithImports(
	files []cite.File, file func(rel string) (cite.File, bool), read func(cite.File) ([]byte, bool),
) []cite.File {
	level := files
	for range maxImports {
		var next []cite.File
		for _, f := range level {
			text, _ := read(f)
			for _, name := range imports(f.Path, text) {
				known := func(f cite.File) bool { return f.Path == name }
				if slices.ContainsFunc(files, known) || slices.ContainsFunc(next, known) {
					continue
				}
				imported, ok := file(name)
				if _, there := read(imported); ok && there {
					next = append(next, imported)
				}
			}
		}
		files, level = slices.Concat(files, next), next
	}
	return files
}

var codeSpan = lazy.Pattern("``[^\n]*?``|`[^`\n]*`")

// imports lists the Markdown files that a file of rules imports with @path, which is relative to the
// file. A path outside of the repository, and one within code, is not an import. As for the client, a sign
// behind the path belongs to it.
func imports(name string, text []byte) (out []string) {
	for line := range markdown.ProseLines(string(markdown.WithoutComments(text))) {
		if line.Kind == markdown.LineCode || line.Kind == markdown.LineIndented {
			continue
		}
		for word := range strings.FieldsSeq(codeSpan().ReplaceAllString(line.Text, "`")) {
			to, ok := strings.CutPrefix(word, "@")
			if !ok || path.Ext(to) != ".md" || path.IsAbs(to) || strings.HasPrefix(to, "~") {
				continue
			}
			if to = path.Join(path.Dir(name), to); filepath.IsLocal(to) {
				out = append(out, to)
			}
		}
	}
	return out
}
