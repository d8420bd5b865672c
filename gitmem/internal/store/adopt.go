package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// MarkFile distinguishes a clone of memory from any other repository: a clone lacks our configuration and has only
// tracked files.
const MarkFile = "gitmem/store.md"

// markHead is the start of MarkFile in every version.
const markHead = "---\nformat: 1\nkind: store\n---\n"

const markText = markHead + `
# Memory

The repository that holds this file is kept by gitmem and has nothing but memory in
it. After a git clone of it, gitmem init --adopt lets another machine go on with it.
`

// ErrNotAdopted means that the root contains a clone of memory to which this machine may not commit yet.
var ErrNotAdopted = errors.New("clone of memory that this machine has not adopted")

// withMark adds MarkFile to a commit in a repository that lacks it. The caller holds the flock.
func (w *commitWriter) withMark(ctx context.Context) error {
	s := w.store
	old, err := s.objects.lookup(w.snap.tree, MarkFile)
	asked := slices.Contains(w.change.Paths, MarkFile)
	if err != nil || old.mode != 0 || !asked && !slices.ContainsFunc(w.targets, func(t target) bool { return t.tree }) {
		return err
	}
	err = s.rewriteLocked(ctx, MarkFile, func(old []byte) ([]Insertion, error) {
		if bytes.HasPrefix(old, []byte(markHead)) {
			return nil, nil
		}
		return []Insertion{{Text: s.o.Redactor.Clean(markText)}}, nil
	})
	if err != nil {
		return err
	}
	t, err := s.examine(w.snap, MarkFile)
	if err != nil {
		return err
	}
	w.targets = slices.DeleteFunc(w.targets, func(t target) bool { return t.path == MarkFile })
	w.targets = append(w.targets, t)
	slices.SortFunc(w.targets, func(a, b target) int { return strings.Compare(a.path, b.path) })
	return nil
}

// Unadopted returns the git directory, relative to the root, of a clone of memory that is not adopted, or "" if there
// is none. Its HEAD contains MarkFile and only files that memory may contain. A repository that also contains other
// files belongs to its owner, and so does a git directory in any other location than ours.
func (s *Store) Unadopted() string {
	for _, dir := range []string{innerGitDir, rootGitDir} {
		if fi, err := os.Lstat(s.abs(dir)); err != nil || !fi.IsDir() || s.markedOurs(dir) {
			continue
		}
		probe := &Store{o: s.o, disk: s.disk}
		probe.use(dir)
		ours := probe.problem == "" && probe.onlyMemory()
		probe.objects.close()
		if ours {
			return dir
		}
	}
	return ""
}

// onlyMemory reports whether HEAD contains MarkFile and only files of memory.
func (s *Store) onlyMemory() bool {
	snap, err := s.snapshot()
	if err != nil {
		return false
	}
	mark, err := s.objects.lookup(snap.tree, MarkFile)
	if err != nil || mark.mode == 0 {
		return false
	}
	text, err := s.objects.get(mark.id, "blob")
	if err != nil || !bytes.HasPrefix(text, []byte(markHead)) {
		return false
	}
	return flatten(s.objects.get, snap.tree, everywhere, func(path string, f file) error {
		if !isRegularMode(f.mode) || !Allowed(path) {
			return ErrNotAllowed
		}
		return nil
	}) == nil
}

// adopt makes a clone of memory a repository of ours. It writes our settings and ignore lists, and the files of HEAD
// that are missing or differ only in line ends. The mark in the configuration comes last, so an interrupted adopt can
// be repeated. The caller holds the flock.
func (s *Store) adopt(ctx context.Context, dir string) error {
	s.use(dir)
	conf, err := s.disk.readFile(s.gitPath("config"))
	if err != nil {
		return err
	}
	elsewhere := dir == innerGitDir && s.wrongWorktree(git.Settings(conf)["core.worktree"]) != ""
	same, err := s.fillIn(elsewhere)
	if err != nil {
		return err
	}
	if err := s.FixConfig(ctx); err != nil {
		return err
	}
	if err := errors.Join(s.setConfig(ctx, "core.splitIndex", "false"),
		s.setConfig(ctx, "index.version", "2")); err != nil {
		return err
	}
	if err := s.extendOwn(s.gitPath("info/exclude"), s.rules()); err != nil {
		return err
	}
	// git treats a file as changed, without reading it, if its size differs from the index.
	if err := s.git(ctx, []byte(strings.Join(same, "\x00")), "--git-dir="+s.GitDir(), "--work-tree="+s.o.Root,
		"update-index", "--add", "-z", "--stdin"); err != nil {
		return err
	}
	if err := s.FixMergeSetup(ctx); err != nil {
		return err
	}
	if err := s.writeSeenMoves(0, hash{}); err != nil {
		return err
	}
	return s.setConfig(ctx, "gitmem.owned", "true")
}

// fillIn writes the files of HEAD that are missing or differ only in line ends, and returns all paths that then match
// HEAD. If the repository had another work tree, files with other content do not descend from HEAD, and committing them
// would revert what HEAD contains.
func (s *Store) fillIn(elsewhere bool) (same []string, err error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	files, err := s.headFiles(snap)
	if err != nil {
		return nil, err
	}
	var put []undoneEdit
	for path, f := range files {
		want, err := s.objects.get(f.id, "blob")
		if err != nil {
			return nil, err
		}
		same = append(same, path)
		now, _, err := s.disk.readPlain(path)
		switch {
		case isMissing(err):
			put = append(put, undoneEdit{path: path, was: want})
		case err != nil:
			return nil, err
		case bytes.Equal(now, want):
		case bytes.Equal(bytes.ReplaceAll(now, []byte("\r\n"), []byte("\n")), want):
			put = append(put, undoneEdit{path: path, was: want, wrote: now})
		case elsewhere:
			return nil, fmt.Errorf("%w: %s is not what %s has: move it away, adopt, and put back what is missing", ErrConflict,
				path, s.gitDir)
		default:
			same = same[:len(same)-1]
		}
	}
	return same, s.putBack(put)
}

// adoptIfAsked adopts a clone if the user agrees.
func (s *Store) adoptIfAsked(ctx context.Context, dir string, adopt func(dir, from string) bool) error {
	b, _ := s.disk.readFile(dir + "/config") // without it the origin stays empty
	from := s.o.Redactor.Clean(git.Settings(b)["remote.origin.url"]).String()
	if adopt == nil || !adopt(s.abs(dir), from) {
		return fmt.Errorf("%s is a %w", s.abs(dir), ErrNotAdopted)
	}
	err := s.adopt(ctx, dir)
	if s.findRepository(); err != nil {
		return fmt.Errorf("adopt %s: %w", s.abs(dir), err)
	}
	return nil
}
