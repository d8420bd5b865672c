package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// purgeFile is in recordsDir while old objects are still to be removed.
const purgeFile = recordsDir + "/purge"

func (s *Store) markPurge() error {
	if err := s.createExclusive(purgeFile, nil, true); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("mark what is to be forgotten: %w", err)
	}
	return s.disk.syncDir(recordsDir)
}

// resumePurge removes the old objects if a process died before it did so. The caller holds the flock.
func (s *Store) resumePurge(ctx context.Context) error {
	if !s.exists(purgeFile) || s.repository() != nil {
		return nil
	}
	if _, _, err := s.prune(ctx); err != nil {
		return fmt.Errorf("finish forgetting: %w", err)
	}
	return nil
}

// dropTraces removes other traces of the old history: reflogs, and files that finished git commands leave behind.
func (s *Store) dropTraces() error {
	if err := s.forgetMoves(); err != nil {
		return err
	}
	for _, name := range [...]string{
		"ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "REBASE_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG",
		"NOTES_EDITMSG",
		"MERGE_RR", "ADD_EDIT.patch", "addp-hunk-edit.diff",
		"gc.log", "objects/info/commit-graph", "objects/pack/multi-pack-index",
	} {
		if err := s.removeIfThere(s.gitPath(name)); err != nil {
			return err
		}
	}
	var errs []error
	for _, dir := range [...]string{"objects/info/commit-graphs", "rr-cache", "lost-found"} {
		errs = append(errs, s.disk.root.RemoveAll(s.gitPath(dir)))
	}
	keep := "" // only the reflog names the older entries of a stash
	if id, _, err := s.readRef(stashRef); err != nil || !id.IsZero() {
		keep = s.gitPath("logs/" + stashRef)
	}
	errs = append(errs, s.eachGitFile(func(rel string, _ fs.DirEntry) error {
		if !strings.HasPrefix(rel, s.gitPath("logs/")) || rel == keep {
			return nil
		}
		return s.removeIfThere(rel)
	}))
	refs, _, err := git.ReadRefs(s.GitDir(), "refs/remotes/")
	for _, ref := range refs {
		if id, next, err := s.readRef(ref.Target().String()); ref.Target() != "" && err == nil && next == "" && id.IsZero() {
			errs = append(errs, s.removeIfThere(s.gitPath(ref.Name().String()))) // such as refs/remotes/origin/HEAD
		}
	}
	return errors.Join(append(errs, err)...)
}

// doomed returns how many objects a purge would remove, and their size on disk.
func (r *rewriter) doomed(ctx context.Context, plan *purgePlan) (n int, size int64, err error) {
	all, err := r.store.objectSizes(ctx)
	if err != nil {
		return 0, 0, err
	}
	var stays strings.Builder // the objects that the references will need
	seen := map[hash]bool{}
	var need func(id hash)
	need = func(id hash) {
		if seen[id] {
			return
		}
		seen[id] = true
		fmt.Fprintln(&stays, id) // a new object may equal an old one
		it := r.batch.items[id]
		switch head, _, _ := strings.Cut(string(it.body), "\n\n"); it.kind {
		case "tree":
			entries, _ := parseTree(it.body) // the tree is our own and valid
			for _, e := range entries {
				need(e.Hash())
			}
		case "commit", "tag":
			for line := range strings.SplitSeq(head, "\n") {
				_, name, _ := strings.Cut(line, " ")
				if id, ok := parseHash(name); ok { // a tree, a parent or the target of a tag
					need(id)
				}
			}
		}
	}
	for _, id := range plan.staged {
		need(id)
	}
	for _, m := range plan.refs {
		if !m.new.IsZero() {
			need(m.new)
		}
	}
	out, err := r.store.ourGit(ctx, []byte(stays.String()), "rev-list", "--objects", "--no-object-names",
		"--ignore-missing", "--stdin")
	for line := range strings.Lines(string(out)) {
		id, _ := parseHash(strings.TrimSpace(line))
		delete(all, id)
	}
	for _, bytes := range all {
		size += bytes
	}
	return len(all), size, err
}

// prune removes every unreachable object and other traces of the old history, and returns the number and size of the
// objects. The caller holds the flock.
func (s *Store) prune(ctx context.Context) (n int, size int64, err error) {
	lock, err := s.lockSoon(ctx, "index") // git add and commit write their objects under it
	if err != nil {
		return 0, 0, fmt.Errorf("the old objects are still there, gitmem doctor --fix removes them: %w", err)
	}
	defer lock.rollback()
	before, err := s.objectSizes(ctx)
	if err != nil {
		return 0, 0, err
	}
	for _, step := range []func() error{s.markPurge, s.dropTraces, s.freePacks, func() error {
		return s.dropObjects(ctx)
	}} {
		if err := step(); err != nil {
			return 0, 0, err
		}
	}
	after, err := s.objectSizes(ctx)
	if err != nil {
		return 0, 0, err
	}
	for id, bytes := range before {
		if _, stays := after[id]; !stays {
			n, size = n+1, size+bytes
		}
	}
	return n, size, s.removeIfThere(purgeFile)
}

// dropObjects has git pack reachable objects and removes all others that are as old as the mark of the purge: another
// git may be writing objects that are still unreachable. It removes temporary object files whatever their age.
func (s *Store) dropObjects(ctx context.Context) error {
	mark, err := s.disk.root.Stat(purgeFile)
	if err != nil {
		return err
	}
	s.objects.close() // Windows can't remove open files
	for _, args := range [][]string{{"repack", "-a", "-d", "-q"},
		{"prune", "--expire=" + mark.ModTime().UTC().Format(time.RFC3339)}} {
		if err == nil {
			_, err = s.ourGit(ctx, nil, args...)
		}
	}
	if err != nil {
		return err
	}
	var errs []error
	err = s.eachObjectFile(func(rel string, _ fs.FileInfo) {
		if isObjectTemp(path.Base(rel)) {
			errs = append(errs, s.disk.root.RemoveAll(rel))
		}
	})
	s.objects.close()
	return errors.Join(append(errs, err)...)
}

// freePacks removes .keep files, by which git would keep a pack for ever, and incomplete packs. A pack and its index
// are created one after the other, so that one alone is kept for as long as that may take.
func (s *Store) freePacks() error {
	limit := s.o.Now().Add(-workTime)
	var errs []error
	err := s.eachObjectFile(func(rel string, fi fs.FileInfo) {
		ext := path.Ext(rel)
		other := map[string]string{".pack": ".idx", ".idx": ".pack"}[ext]
		if ext == ".keep" || other != "" && fi.ModTime().Before(limit) && !s.exists(strings.TrimSuffix(rel, ext)+other) {
			errs = append(errs, s.removeIfThere(rel))
		}
	})
	return errors.Join(append(errs, err)...)
}
