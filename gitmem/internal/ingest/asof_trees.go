package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// frozenFiles replaces files on disk: memory, the user's rules and the transcripts at the reference time, and the rules
// of a frozen repository.
type frozenFiles struct {
	memory, user, repository *commitTree
	sessions                 map[string][]string // transcripts on disk by short session id
}

// commitTree is a list of Markdown files in a commit. It implements cite.Tree.
type commitTree struct {
	repo    *git.Repository
	files   []cite.File
	entries map[string]git.Entry // the entry of each file, by path
	src     *Sources
}

func (src *Sources) newCommitTree(repo *git.Repository) *commitTree {
	return &commitTree{repo: repo, entries: map[string]git.Entry{}, src: src}
}

func (t *commitTree) add(f cite.File, e git.Entry) {
	t.files = append(t.files, f)
	t.entries[f.Path] = e
}

// Files lists the files of the commit.
func (t *commitTree) Files() ([]cite.File, error) { return t.files, nil }

// Read returns the committed content of a file, without content that was forgotten since.
func (t *commitTree) Read(f cite.File) ([]byte, error) {
	e, ok := t.entries[f.Path]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: fs.ErrNotExist}
	}
	b, err := t.repo.Content(e)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return t.src.Mask(f, b), nil
}

// ReadTrees lists the files of memory and of the rules in the requested state, unless that is the state on disk.
func (src *Sources) ReadTrees(p *workspace.Place) error {
	w := &src.files
	w.memory, w.user, w.repository = src.newCommitTree(nil), src.newCommitTree(nil), src.newCommitTree(nil)
	if !src.ws.Present() {
		if err := src.pastMemory(); err != nil {
			return err
		}
		src.pastUserRules()
	}
	if src.ws.AtHead() {
		return nil
	}
	return src.frozenRules(p)
}

// pastMemory lists the files of memory in the store's revision.
func (src *Sources) pastMemory() error {
	if src.ws.Past.Revision == nil {
		return nil
	}
	entries, err := src.ws.Past.Revision.Files()
	if err != nil {
		return err
	}
	slices.SortFunc(entries, byFolder)
	t, known := src.newCommitTree(src.ws.Past.Revision.Repository()), src.ws.Folders()
	for _, e := range entries {
		if area := cite.AreaOf(e.Path); area != cite.AreaNone {
			t.add(cite.File{Path: e.Path, Area: area, Project: src.ws.ProjectOf(known, e.Path)}, e)
		}
	}
	src.files.memory = t
	return nil
}

// byFolder compares entries in the order of a directory walk: the first of several entries with the same id counts.
func byFolder(a, b git.Entry) int {
	return slices.Compare(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"))
}

// pastUserRules lists the user's own rules if memory's repository tracks them. Otherwise their past state is unknown.
func (src *Sources) pastUserRules() {
	if r := src.ws.Past.Revision; r != nil && src.ws.ClientDir == src.ws.Root {
		src.files.user = src.rulesAt(r.Repository(), r.Commit(), src.UserRules())
	}
	if len(src.files.user.files) > 0 {
		return
	}
	if now, err := src.UserRules().Files(); err == nil && len(now) > 0 {
		src.ws.Caveat("Your own rules in %s have no history here, so they were not used.", src.ws.ClientDir)
	}
}

// frozenRules lists the rules in the HEAD commit of a frozen repository. It adds a caveat for untracked rules in the
// work tree.
func (src *Sources) frozenRules(p *workspace.Place) error {
	now, ok := src.RepositoryRules(p)
	repo, err := src.ws.Repository(p)
	if !ok || repo == nil || err != nil {
		return err
	}
	if head := src.ws.Frozen.Head; head != "" {
		src.files.repository = src.rulesAt(repo, head, now)
	}
	files, err := now.Files()
	if err != nil || len(files) == 0 {
		return err
	}
	return src.reportUntracked(p, files)
}

// reportUntracked adds a caveat for rules of the work tree that today's HEAD does not contain.
func (src *Sources) reportUntracked(p *workspace.Place, files []cite.File) error {
	repo, err := git.Open(p.Loc)
	if err != nil {
		return err
	}
	defer repo.Close()
	var untracked []string
	for _, f := range files {
		if _, err := repo.Follow("HEAD", f.Path); errors.Is(err, git.ErrNotFound) {
			untracked = append(untracked, f.Path)
		}
	}
	if len(untracked) > 0 {
		src.ws.Caveat("%s not in the repository's history and so not used: %s.",
			messages.Plural(len(untracked), "rules file"), strings.Join(untracked, ", "))
	}
	return nil
}

// rulesAt lists the files of a tree in a commit like a walk over its places on disk: it skips dot folders and follows
// links inside the tree. It adds a caveat for unreadable files.
func (src *Sources) rulesAt(repo *git.Repository, commit string, now FolderTree) *commitTree {
	t := src.newCommitTree(repo)
	for _, place := range now.placesAt(repo, commit) {
		found, err := filesAt(repo, commit, place)
		if err != nil {
			src.ws.Caveat("%s can't be read as it was and is not searched: %v", place, err)
		}
		for _, e := range found {
			rel := e.Path
			if e, err = repo.Follow(commit, rel); err != nil {
				src.ws.Caveat("%s can't be read as it was and is not searched: %v", rel, err)
				continue
			}
			if f, ok := now.file(rel); ok {
				t.add(f, e)
			}
		}
	}
	if now.place != nil {
		t.finish(commit, now)
	}
	return t
}

// finish processes rules in a commit like [FolderTree.Files] those on disk: it drops links to other listed files, and
// adds imported files.
func (t *commitTree) finish(commit string, now FolderTree) {
	t.files = slices.DeleteFunc(t.files, func(f cite.File) bool {
		real := t.entries[f.Path].Path
		_, listed := t.entries[real]
		return listed && real != f.Path
	})
	t.files = WithImports(t.files, now.file, func(f cite.File) ([]byte, bool) {
		if _, known := t.entries[f.Path]; !known {
			e, err := t.repo.Follow(commit, f.Path)
			if err != nil {
				return nil, false
			}
			t.entries[f.Path] = e
		}
		b, err := t.Read(f)
		return b, err == nil
	})
}

// filesAt lists the Markdown files at or below a place, with their paths relative to it.
func filesAt(repo *git.Repository, commit, place string) ([]git.Entry, error) {
	top, err := repo.Follow(commit, place)
	if errors.Is(err, git.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := repo.List(commit, top.Path)
	var out []git.Entry
	for _, e := range entries {
		below := strings.TrimPrefix(e.Path, top.Path)
		e.Path = place + below
		if strings.HasSuffix(e.Path, ".md") && !hidden(below) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, byFolder)
	return out, err
}

// hidden reports whether a path contains a folder whose name begins with a dot.
func hidden(below string) bool {
	folders := strings.Split(below, "/")
	return slices.ContainsFunc(folders[:len(folders)-1], func(s string) bool { return strings.HasPrefix(s, ".") })
}
