package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

// snapshot is the state on which a commit is based.
type snapshot struct {
	head   head
	tree   hash // of head
	index  *indexFile
	broken error // why index is nil: missing, damaged, or a form that only git writes
}

// snapshot reads HEAD and the index of a usable repository. A missing, damaged or unsupported index is recorded in
// broken; only an index that can't be read at all is an error.
func (s *Store) snapshot() (*snapshot, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	h, err := s.head()
	if err != nil {
		return nil, err
	}
	tree, err := s.commitTree(h.id)
	if err != nil {
		return nil, fmt.Errorf("HEAD: %w", err)
	}
	snap := &snapshot{head: h, tree: tree}
	snap.index, err = s.readIndex()
	switch {
	case err == nil:
		return snap, nil
	case errors.Is(err, errIndexForm) && s.exists(s.gitPath("MERGE_HEAD")):
		return nil, fmt.Errorf("%w: a merge is not finished, in an index that only git reads: finish it with git",
			ErrConflict)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errIndexDamaged), errors.Is(err, errIndexForm):
		snap.broken = err
		return snap, nil
	}
	return nil, fmt.Errorf("read index: %w", err)
}

// readIndex reads git's index.
func (s *Store) readIndex() (*indexFile, error) {
	name := s.gitPath("index")
	b, err := s.disk.readFile(name)
	if err != nil {
		return nil, err
	}
	fi, err := s.disk.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	ix, err := parseIndex(b)
	if err != nil {
		return nil, err
	}
	ix.written = fi.ModTime()
	return ix, nil
}

// target is the new state of a path: its state on disk.
type target struct {
	change  // mode 0: deleted
	info    fs.FileInfo
	body    []byte // nil if HEAD has the same file
	fresh   bool   // HEAD has other content or no such file
	tree    bool   // HEAD's tree must change
	index   bool   // the index must change
	refresh bool   // only the stat data of the index entry are old
}

// needsCommit reports whether the target requires a write.
func (t target) needsCommit() bool { return t.tree || t.index }

// examine compares one path on disk with HEAD and the index.
func (s *Store) examine(snap *snapshot, path string) (target, error) {
	old, err := s.objects.lookup(snap.tree, path)
	if err != nil {
		return target{}, err
	}
	return s.compare(snap, path, old)
}

func (s *Store) compare(snap *snapshot, path string, old file) (target, error) {
	t := target{change: change{path: path}}
	var entry indexEntry
	var staged, unmerged bool
	if snap.index != nil {
		entry, staged, unmerged = snap.index.find(path)
	}
	if unmerged {
		return t, fmt.Errorf("%w: %s is unmerged; gitmem doctor --fix settles it", ErrConflict, path)
	}
	body, info, err := s.disk.readPlain(path)
	if isMissing(err) && staged && entry.isSkipped() {
		return t, nil // skipped in the work tree, not deleted
	}
	if isMissing(err) {
		t.tree = old.mode != 0
		t.index = staged
		return t, nil
	}
	if err != nil {
		return t, fmt.Errorf("read %s: %w", path, err)
	}
	t.mode, t.id, t.info = fileMode(info, old.mode), hashObject("blob", body), info
	if t.tree = old.id != t.id || old.mode != t.mode; t.tree {
		t.body, t.fresh = body, old.id != t.id
	}
	t.index = snap.index == nil || !staged || entry.id() != t.id || entry.mode() != t.mode
	t.refresh = !t.tree && !t.index && !entry.sameStat(info)
	return t, nil
}

// targets returns what differs from HEAD or the index, sorted by path: of the given paths, or of everything of ours if
// paths is nil. It includes entries with old stat data, but these alone do not require a write.
func (s *Store) targets(ctx context.Context, snap *snapshot, paths []string) ([]target, error) {
	look := func(p string) (target, error) { return s.examine(snap, p) }
	named := paths != nil
	if !named {
		differing, known, err := s.differing(ctx, snap)
		if err != nil {
			return nil, err
		}
		paths = differing
		look = func(p string) (target, error) { return s.compare(snap, p, known[p]) }
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	var out []target
	for _, p := range paths {
		t, err := look(p)
		switch {
		case err == nil:
		case !named && postponable(err):
			s.o.Warn("not committed: " + plain.Text(err))
			continue
		default:
			return nil, err
		}
		if t.needsCommit() || t.refresh {
			out = append(out, t)
		}
	}
	if !slices.ContainsFunc(out, target.needsCommit) {
		out = nil
	}
	return out, ctx.Err()
}

// postponable reports whether a file with this error is left out of a commit of everything, so that the others need not
// wait.
func postponable(err error) bool {
	return errors.Is(err, ErrConflict) || errors.Is(err, ErrNotAllowed) || errors.Is(err, fs.ErrPermission)
}

// differing returns the allowed paths, on disk or in HEAD, that may differ between disk, HEAD and index, and the files
// of HEAD.
func (s *Store) differing(ctx context.Context, snap *snapshot) ([]string, map[string]file, error) {
	files, err := s.onDisk()
	if errors.Is(err, fs.ErrPermission) {
		s.o.Warn("not committed: " + plain.Text(err))
		err = nil
	}
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, nil, err
	}
	known, err := s.headFiles(snap)
	if err != nil {
		return nil, nil, err
	}
	var paths []string
	seen := make(map[string]bool, len(known))
	for _, f := range files {
		seen[f.Path] = true
		if e, staged := snap.staged(f.Path); !staged || (file{e.mode(), e.id()}) != known[f.Path] || !snap.looksSame(f, e) {
			paths = append(paths, f.Path)
		}
	}
	for p := range known {
		if !seen[p] {
			paths = append(paths, p)
		}
	}
	return append(paths, s.onlyStaged(snap, known, seen)...), known, nil
}

// onlyStaged returns the allowed paths that are only in the index.
func (s *Store) onlyStaged(snap *snapshot, known map[string]file, seen map[string]bool) []string {
	var paths []string
	if snap.index == nil {
		return nil
	}
	for _, e := range snap.index.entries {
		name := string(e.name)
		if _, ok := known[name]; !ok && !seen[name] && s.allowed(name) {
			paths = append(paths, name)
		}
	}
	return paths
}

// staged returns the index entry of a path, if there is one at stage 0.
func (snap *snapshot) staged(path string) (indexEntry, bool) {
	if snap.index == nil {
		return indexEntry{}, false
	}
	e, staged, _ := snap.index.find(path)
	return e, staged
}

// looksSame reports whether the stat data alone show that a file matches its entry, which matches HEAD.
func (snap *snapshot) looksSame(f FileInfo, e indexEntry) bool {
	return isRegularMode(e.mode()) && fileMode(f.Info, e.mode()) == e.mode() &&
		e.sameStat(f.Info) && f.Info.ModTime().Before(snap.index.written)
}

// headFiles returns the allowed files of HEAD.
func (s *Store) headFiles(snap *snapshot) (map[string]file, error) {
	files := map[string]file{}
	err := flatten(s.objects.get, snap.tree, mayHold, func(path string, f file) error {
		if isRegularMode(f.mode) && s.allowed(path) {
			files[path] = f
		}
		return nil
	})
	return files, err
}

// Differing returns those of the paths whose files differ from HEAD. It takes no lock.
func (s *Store) Differing(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, s.repository()
	}
	return s.unlikeHead(ctx, paths)
}

// Pending returns the allowed paths whose files differ from HEAD, sorted.
// Unmerged and unreadable ones are reported through Options.Warn.
func (s *Store) Pending(ctx context.Context) ([]string, error) { return s.unlikeHead(ctx, nil) }

// unlikeHead is Differing for paths, or for all of our paths if nil.
func (s *Store) unlikeHead(ctx context.Context, paths []string) (out []string, err error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	targets, err := s.targets(ctx, snap, paths)
	for _, t := range targets {
		if t.tree {
			out = append(out, t.path)
		}
	}
	return out, err
}
