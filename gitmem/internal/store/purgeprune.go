package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// purgeFile lies beside the journal of commits while old objects are to be removed.
// Until the references have moved, it names the packed-refs by which they have not.
const purgeFile = recordsDir + "/purge"

func (s *Store) markPurge(before string) error {
	temp, err := s.disk.temp(recordsDir, []byte(before), filePerm, true)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if err := s.disk.rename(temp, purgeFile); err != nil {
		return fmt.Errorf("write journal: %w", errors.Join(err, s.disk.remove(temp)))
	}
	return s.disk.syncDir(recordsDir)
}

// resumePurge removes the old objects where a process died that had moved the
// references. The flock is held.
func (s *Store) resumePurge(ctx context.Context) error {
	before, err := s.disk.readFile(purgeFile)
	if errors.Is(err, fs.ErrNotExist) || s.repository() != nil {
		return nil
	}
	packed, packedErr := s.disk.readFile(s.gitPath("packed-refs"))
	if err != nil || packedErr == nil && string(before) == hashObject("blob", packed).String() {
		return errors.Join(err, s.removeIfThere(purgeFile)) // it died before
	}
	if _, _, err := s.prune(ctx); err != nil {
		return fmt.Errorf("finish forgetting: %w", err)
	}
	return nil
}

// dropTraces removes what else tells of the old history: reflogs, and files that
// git leaves behind of commands that are done.
func (s *Store) dropTraces() error {
	for _, name := range [...]string{
		"ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "REBASE_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "NOTES_EDITMSG",
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
	var stays strings.Builder
	moves := map[string]bool{}
	for _, m := range plan.refs {
		moves[m.name] = true
		if m.new.IsZero() {
			continue
		}
		id, err := r.store.peeled(m.old)
		if err != nil {
			return 0, 0, err
		}
		fmt.Fprintln(&stays, r.commits[id])
	}
	refs, err := r.store.refs()
	if err != nil {
		return 0, 0, err
	}
	for _, ref := range refs {
		if !moves[ref.name] {
			fmt.Fprintln(&stays, ref.old)
		}
	}
	for _, id := range plan.staged {
		fmt.Fprintln(&stays, id)
	}
	out, err := r.in.git(ctx, []byte(stays.String()), "rev-list", "--objects", "--no-object-names", "--ignore-missing", "--stdin")
	for line := range strings.Lines(string(out)) {
		id, _ := parseHash(strings.TrimSpace(line))
		delete(all, id)
	}
	for _, bytes := range all {
		size += bytes
	}
	return len(all), size, err
}

// prune removes every object that nothing reaches, with what else tells of the old
// history, and says how many. The flock is held. Objects that others write meanwhile
// stay: only what was there before can go.
func (s *Store) prune(ctx context.Context) (n int, size int64, err error) {
	lock, err := s.lockSoon(ctx, "index") // git add and commit write their objects under it
	if err != nil {
		return 0, 0, fmt.Errorf("the old objects are still there, gitmem doctor --fix removes them: %w", err)
	}
	defer lock.rollback()
	if err := s.markPurge(""); err != nil {
		return 0, 0, err
	}
	if err := s.dropTraces(); err != nil {
		return 0, 0, err
	}
	before, err := s.objectSizes(ctx)
	if err != nil {
		return 0, 0, err
	}
	if err := s.dropObjects(ctx); err != nil {
		return 0, 0, err
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

// dropObjects lets git pack what is reachable, and removes what was there before and
// is not packed now: objects, and what they are written to before they have their
// names, whatever its age, as git prune does. A git that is at work on one fails
// before it changes anything.
func (s *Store) dropObjects(ctx context.Context) error {
	var old []string
	err := s.eachObjectFile(func(rel string, _ fs.FileInfo) {
		if isObjectTemp(path.Base(rel)) || isFanout(strings.TrimPrefix(path.Dir(rel), s.gitDir+"/")) {
			old = append(old, rel)
		}
	})
	if err := errors.Join(err, s.objects.close()); err != nil { // Windows removes no open file
		return err
	}
	if _, err := s.ourGit(ctx, nil, "repack", "-a", "-d", "-q"); err != nil {
		return err
	}
	// A reference may have come to lead to what was not packed.
	out, err := s.ourGit(ctx, nil, "rev-list", "--objects", "--no-object-names", "--all", "--reflog", "--indexed-objects", "--ignore-missing")
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for id := range strings.Lines(string(out)) {
		needed[strings.TrimSpace(id)] = true
	}
	for _, rel := range old {
		if !needed[path.Base(path.Dir(rel))+path.Base(rel)] {
			err = errors.Join(err, s.disk.root.RemoveAll(rel))
		}
	}
	return errors.Join(err, s.objects.close())
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
