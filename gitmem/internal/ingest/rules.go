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

// maxImports is the number of levels of imports that the client follows.
const maxImports = 4

// RulePlaces returns the files and folders in the root of a repository that contain its rules. Subfolders may contain
// further rule files, whose names [docs.Rules] knows.
func RulePlaces() []string {
	return []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md", ".claude/rules"}
}

// RepositoryRules returns the rules in a repository's work tree. A bare repository has none.
func (src *Sources) RepositoryRules(p *workspace.Place) (FolderTree, bool) {
	file := func(rel string) (cite.File, bool) {
		return cite.File{Path: rel, Area: cite.AreaRules, Project: p.Project.ID}, true
	}
	return FolderTree{m: src, Dir: p.Loc.WorkTree, places: RulePlaces(), place: p, file: file}, p.InRepo &&
		p.Loc.WorkTree != ""
}

// ruleFiles lists the rule files of a work tree. Below the root these are the tracked ones and those on the path to the
// working folder.
func (t FolderTree) ruleFiles() ([]cite.File, error) {
	places := t.places
	// Indexes are refreshed in parallel, and each needs its own repository.
	if repo, err := t.m.ws.OpenRepository(t.place); err == nil {
		places = t.placesAt(repo, "HEAD")
		_ = repo.Close() // read-only, so errors do not matter
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

// placesAt returns the places of a tree, and for a repository's rules also the rule files below its root in a commit.
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

// withoutLinks drops links to other files in the list.
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

// WithImports adds to rule files the Markdown files of the repository that they import, each once. read returns false
// for a missing file.
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

// imports lists the Markdown files that a rule file imports with @path, relative to the file. A path outside of the
// repository or within code is not an import. As in the client, a mark directly after the path belongs to it.
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
