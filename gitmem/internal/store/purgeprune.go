package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// reach marks the objects that references, HEAD and the index lead to.
type reach struct {
	objects *objects
	seen    map[hash]bool
	open    []hash // of unknown kind, yet to be read
}

// reachable walks from what must stay.
func (s *Store) reachable(ctx context.Context, roots []hash) (map[hash]bool, error) {
	w := &reach{objects: s.objects, seen: map[hash]bool{}, open: slices.Clone(roots)}
	for len(w.open) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		if w.seen[h] {
			continue
		}
		if err := w.visit(h); err != nil {
			return nil, err
		}
	}
	return w.seen, nil
}

func (w *reach) visit(h hash) error {
	kind, body, err := w.objects.read(h)
	if err != nil {
		return err
	}
	w.seen[h] = true
	switch kind {
	case "commit":
		c := parseHeaders(body)
		w.open = append(w.open, c.ids("parent")...)
		for _, tree := range c.ids("tree") {
			if err := w.tree(tree); err != nil {
				return err
			}
		}
	case "tag":
		w.open = append(w.open, parseHeaders(body).ids("object")...)
	case "tree":
		delete(w.seen, h)
		return w.tree(h)
	}
	return nil
}

// tree marks a tree and what is below; blobs need not be read.
func (w *reach) tree(h hash) error {
	if w.seen[h] {
		return nil
	}
	body, err := w.objects.get(h, "tree")
	if err != nil {
		return err
	}
	entries, err := parseTree(body)
	if err != nil {
		return fmt.Errorf("tree %s: %w", h, err)
	}
	w.seen[h] = true
	for _, e := range entries {
		switch e.mode & 0o170000 {
		case modeTree:
			if err := w.tree(e.id); err != nil {
				return err
			}
		case 0o160000: // a commit of another repository
		default:
			w.seen[e.id] = true
		}
	}
	return nil
}

// roots are the ids from which everything that must stay is reached.
func (s *Store) roots() ([]hash, error) {
	refs, err := s.refs()
	if err != nil {
		return nil, err
	}
	var ids []hash
	for _, ref := range refs {
		ids = append(ids, ref.old)
		if ref.name != stashRef {
			continue
		}
		entries, err := s.logged(stashRef)
		if err != nil {
			return nil, err
		}
		ids = append(ids, entries...)
	}
	return ids, nil
}

// staged are the blobs that only the index may name.
func (s *Store) staged() ([]hash, error) {
	snap, err := s.snapshot()
	if err != nil || snap.index == nil {
		return nil, err
	}
	var ids []hash
	for _, e := range snap.index.entries {
		ids = append(ids, e.id())
	}
	return ids, nil
}

// stored is where the objects of our repository lie.
type stored struct {
	loose map[hash]int64 // with the sizes of their files
	packs map[string][]hash
	sizes map[string]int64
}

func (s *Store) stored() (*stored, error) {
	st := &stored{loose: map[hash]int64{}, packs: map[string][]hash{}, sizes: map[string]int64{}}
	top := s.gitPath("objects")
	dirs, err := s.readDir(top)
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		if !d.IsDir() || len(d.Name()) != 2 {
			continue
		}
		files, err := s.readDir(top + "/" + d.Name())
		if isMissing(err) {
			continue // a gc has emptied it just now
		}
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			h, ok := parseHash(d.Name() + f.Name())
			if !ok {
				continue
			}
			if fi, err := f.Info(); err == nil {
				st.loose[h] = fi.Size()
			}
		}
	}
	return st, s.listPacks(st)
}

func (s *Store) listPacks(st *stored) error {
	dir := s.gitPath("objects/pack")
	files, err := s.readDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".idx")
		if !ok {
			continue
		}
		ids, err := s.packed(dir + "/" + f.Name())
		if isMissing(err) {
			continue // a gc has replaced it just now
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		st.packs[name] = ids
		if fi, err := s.disk.root.Lstat(dir + "/" + name + ".pack"); err == nil {
			st.sizes[name] = fi.Size()
		}
	}
	return nil
}

// packed lists the objects of a pack by its index.
func (s *Store) packed(name string) ([]hash, error) {
	f, err := s.disk.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	idx := idxfile.NewMemoryIndex()
	if err := idxfile.NewDecoder(f).Decode(idx); err != nil {
		return nil, err
	}
	entries, err := idx.Entries()
	if err != nil {
		return nil, err
	}
	defer entries.Close()
	var out []hash
	for {
		e, err := entries.Next()
		if err != nil {
			break // io.EOF: the index is in memory
		}
		out = append(out, hash(plumbing.Hash(e.Hash)))
	}
	return out, nil
}

// doomed counts what nothing reaches: the objects, and the bytes on disk of the
// loose ones and of the packs that hold others.
func (st *stored) doomed(reached map[hash]bool) (n int, bytes int64) {
	all := map[hash]bool{}
	for h, size := range st.loose {
		if !reached[h] {
			all[h] = true
			bytes += size
		}
	}
	for name, ids := range st.packs {
		bad := false
		for _, h := range ids {
			if !reached[h] {
				all[h], bad = true, true
			}
		}
		if bad {
			bytes += st.sizes[name]
		}
	}
	return len(all), bytes
}

// wouldDoom says what a purge would remove.
func (s *Store) wouldDoom(ctx context.Context, r *rewriter, plan *purgePlan) (int, int64, error) {
	var roots []hash
	refs, err := s.refs()
	if err != nil {
		return 0, 0, err
	}
	for _, ref := range refs {
		i := slices.IndexFunc(plan.refs, func(m refMove) bool { return m.name == ref.name })
		if i < 0 {
			roots = append(roots, ref.old)
		}
	}
	for old, to := range r.commits { // an old commit that stays in the new history
		if old == to {
			roots = append(roots, old)
		}
	}
	reached, err := s.reachable(ctx, roots)
	if err != nil {
		return 0, 0, err
	}
	for at := range r.same {
		reached[at.id] = true
	}
	for at, to := range r.trees {
		if at.id == to {
			reached[to] = true
		}
	}
	st, err := s.stored()
	if err != nil {
		return 0, 0, err
	}
	n, size := st.doomed(reached)
	return n, size, nil
}

// prune removes every object that nothing reaches, and says how many. The flock
// is held. Objects that others write meanwhile stay: only what was there before
// the references were read can go.
func (s *Store) prune(ctx context.Context) (int, int64, error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	lock, err := s.lockGit(wait, "index") // git add and commit write their objects under it
	if err != nil {
		return 0, 0, fmt.Errorf("the old objects are still there, gitmem doctor removes them: %w", err)
	}
	defer lock.rollback()
	st, err := s.stored()
	if err != nil {
		return 0, 0, err
	}
	reached, err := s.mustStay(ctx)
	if err != nil {
		return 0, 0, err
	}
	n, size := st.doomed(reached)
	if err := s.repack(ctx, st, reached); err != nil {
		return 0, 0, err
	}
	if err := s.pruneUnfinished(); err != nil {
		return 0, 0, err
	}
	for h := range st.loose {
		if reached[h] {
			continue
		}
		if err := s.removeIfThere(s.objects.loosePath(h)); err != nil {
			return 0, 0, err
		}
	}
	return n, size, s.removeIfThere(purgeFile)
}

// pruneUnfinished removes what objects are written to before they have their names,
// whatever its age, as git prune does: a git that is at work on one fails before it
// changes anything. A pack has its index a moment after its name, so that one without
// is left alone for as long as that may take; nothing is read from it.
func (s *Store) pruneUnfinished() error {
	var gone, packs, indexed []string
	limit := s.o.Now().Add(-workTime)
	err := s.eachObjectFile(func(rel string, fi fs.FileInfo) {
		switch name := path.Base(rel); {
		case isObjectTemp(name):
			gone = append(gone, rel)
		case strings.HasSuffix(name, ".idx"):
			indexed = append(indexed, strings.TrimSuffix(rel, ".idx"))
		case strings.HasSuffix(name, ".pack") && fi.ModTime().Before(limit):
			packs = append(packs, rel)
		}
	})
	if err != nil {
		return err
	}
	for _, rel := range packs {
		if !slices.Contains(indexed, strings.TrimSuffix(rel, ".pack")) {
			gone = append(gone, rel)
		}
	}
	for _, rel := range gone {
		if err := s.disk.root.RemoveAll(rel); err != nil {
			return err
		}
	}
	return nil
}

// mustStay is what the references, the stash and the index reach.
func (s *Store) mustStay(ctx context.Context) (map[hash]bool, error) {
	roots, err := s.roots()
	if err != nil {
		return nil, err
	}
	reached, err := s.reachable(ctx, roots)
	if err != nil {
		return nil, err
	}
	blobs, err := s.staged()
	for _, h := range blobs {
		reached[h] = true
	}
	return reached, err
}

// repack replaces the packs that hold what must go: by git where it is there, and
// what git leaves, as packs that are marked to be kept, by loose objects.
func (s *Store) repack(ctx context.Context, st *stored, reached map[hash]bool) error {
	bad := st.bad(reached)
	if len(bad) == 0 {
		return nil
	}
	err := s.git(ctx, nil, "--git-dir="+s.GitDir(), "--work-tree="+s.o.Root, "repack", "-a", "-d", "-q")
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		s.o.Warn("git could not pack the history, so that its objects are kept singly: " + err.Error())
	}
	// The packs have changed under the reader.
	if err := s.objects.close(); err != nil {
		return err
	}
	now, err := s.stored()
	if err != nil {
		return err
	}
	for _, name := range now.bad(reached) {
		if _, before := st.packs[name]; !before {
			continue // somebody fetched something just now
		}
		if err := s.unpack(name, now.packs[name], reached); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return s.objects.close()
}

// bad names the packs that hold what nothing reaches, in order.
func (st *stored) bad(reached map[hash]bool) []string {
	var out []string
	for name, ids := range st.packs {
		if slices.ContainsFunc(ids, func(h hash) bool { return !reached[h] }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// unpack writes what must stay of a pack as loose objects and removes the pack.
func (s *Store) unpack(name string, ids []hash, reached map[hash]bool) error {
	w := &objectWriter{objects: s.objects}
	for _, h := range ids {
		if !reached[h] {
			continue
		}
		kind, body, err := s.objects.read(h)
		if err != nil {
			return err
		}
		if got, err := w.add(kind, body); err != nil || got != h {
			return errors.Join(err, fmt.Errorf("object %s was written as %s", h, got))
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	if err := s.objects.close(); err != nil { // Windows removes no open file
		return err
	}
	dir := s.gitPath("objects/pack")
	for _, ext := range [...]string{".idx", ".keep", ".rev", ".bitmap", ".mtimes", ".promisor", ".pack"} { // without its index, a pack is none
		if err := s.removeIfThere(path.Join(dir, name+ext)); err != nil {
			return err
		}
	}
	return s.disk.syncDir(dir)
}
