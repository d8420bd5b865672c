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

// purgeFile lies beside the records of locks while old objects are to be removed.
const purgeFile = recordsDir + "/purge"

func (s *Store) markPurge() error {
	if err := s.createExclusive(purgeFile, nil, true); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("mark what is to be forgotten: %w", err)
	}
	return s.disk.syncDir(recordsDir)
}

// resumePurge removes the old objects where a process died that was about to. The
// flock is held.
func (s *Store) resumePurge(ctx context.Context) error {
	if !s.exists(purgeFile) || s.repository() != nil {
		return nil
	}
	if _, _, err := s.prune(ctx); err != nil {
		return fmt.Errorf("finish forgetting: %w", err)
	}
	return nil
}

// dropTraces removes what else shows the old history: reflogs, and files that
// git leaves behind of commands that are done.
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
	keep := "" // all of a stash but its newest entry is known by its reflog only
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

// doomed says how many objects a purge would remove, and what they take on disk.
func (r *rewriter) doomed(ctx context.Context, plan *purgePlan) (n int, size int64, err error) {
	all, err := r.store.objectSizes(ctx)
	if err != nil {
		return 0, 0, err
	}
	var stays strings.Builder // what the references will need
	seen := map[hash]bool{}
	var need func(id hash)
	need = func(id hash) {
		if seen[id] {
			return
		}
		seen[id] = true
		fmt.Fprintln(&stays, id) // a new one may be like an old one
		it := r.batch.items[id]
		switch head, _, _ := strings.Cut(string(it.body), "\n\n"); it.kind {
		case "tree":
			entries, _ := parseTree(it.body) // we have just made it
			for _, e := range entries {
				need(e.Hash())
			}
		case "commit", "tag":
			for line := range strings.SplitSeq(head, "\n") {
				_, name, _ := strings.Cut(line, " ")
				if id, ok := parseHash(name); ok { // a tree, a parent or what a tag is of
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

// prune removes every object that nothing reaches, with what else shows the old
// history, and says how many. The flock is held.
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

// dropObjects lets git pack what is reachable and remove everything else that is as old
// as the mark of the purge: another git may be writing objects that nothing reaches yet.
// It removes what objects are written to before they have their names, whatever its age.
func (s *Store) dropObjects(ctx context.Context) error {
	mark, err := s.disk.root.Stat(purgeFile)
	if err != nil {
		return err
	}
	s.objects.close() // Windows removes no open file
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

// freePacks removes marks by which git would keep a pack for ever, and halves of
// packs. A pack and its index come a moment after each other, so that one alone is left
// for as long as that may take.
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
