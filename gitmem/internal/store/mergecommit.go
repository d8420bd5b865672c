package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// ErrForeign means that a commit from elsewhere contains something that is not a file of memory.
var ErrForeign = errors.New("not a file of memory")

// MergePlan is a merge of HEAD and another commit: the files that differ between the two.
type MergePlan struct {
	Ours, Theirs string // commits, 40 hex digits; Ours is "" if HEAD has no commit
	// parents of the new commit; only Theirs if HEAD adds nothing, nil if HEAD contains Theirs
	Parents []string
	Files   []MergePath
}

// MergePath is a file that differs between two commits. Nil means no file.
type MergePath struct {
	Path         string
	Bases        [][]byte // the file in each common ancestor
	Ours, Theirs []byte
}

// Merged is the merge result for a file. Nil means no file.
type Merged struct {
	Path string
	Was  []byte // current content on disk
	Disk []byte // new content on disk
	Tree []byte // content in the commit; differs from Disk if the file has changes that can't be committed
}

// PlanMerge lists the files that differ between HEAD and another commit, with their contents in the merge bases. bases
// are these commits; nil computes them. It returns ErrForeign for a commit that contains anything but regular files
// that are [Allowed], and for one that contains files but not MarkFile.
func (s *Store) PlanMerge(ctx context.Context, theirs string, bases []string) (*MergePlan, error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	p := &MergePlan{Theirs: theirs, Parents: []string{theirs}}
	if !snap.head.id.IsZero() {
		p.Ours = snap.head.id.String()
	}
	if bases == nil {
		if bases, err = s.MergeBases(ctx, p.Ours, theirs); err != nil {
			return nil, err
		}
		switch {
		case slices.Contains(bases, theirs):
			return &MergePlan{Ours: p.Ours, Theirs: theirs}, nil
		case p.Ours != "" && !slices.Contains(bases, p.Ours):
			p.Parents = []string{p.Ours, theirs}
		}
	}
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	found, err := repo.Differences(ctx, p.Ours, theirs)
	if err != nil {
		return nil, fmt.Errorf("compare with %s: %w", theirs, err)
	}
	if err := s.refuseForeign(theirs, found); err != nil {
		return nil, err
	}
	var trees []hash
	for _, b := range bases {
		id, _ := parseHash(b)
		tree, err := s.commitTree(id)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	for _, d := range found {
		m, err := s.mergePath(d, trees)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Before.Path, err)
		}
		p.Files = append(p.Files, m)
	}
	return p, nil
}

// refuseForeign returns ErrForeign if a commit adds something that memory does not contain, or has no MarkFile.
func (s *Store) refuseForeign(theirs string, found []git.Difference) error {
	for _, d := range found {
		name := d.After.Path
		if d.After.Mode == 0 {
			continue
		}
		if !isRegularMode(d.After.Mode) || !Allowed(name) {
			return fmt.Errorf("%w: commit %.10s holds %q: remove it there with git, and synchronise again",
				ErrForeign, theirs, name)
		}
	}
	id, _ := parseHash(theirs)
	tree, err := s.commitTree(id)
	if err != nil {
		return fmt.Errorf("commit %s can't be read: %w", theirs, err)
	}
	mark, err := s.objects.lookup(tree, MarkFile)
	if err == nil && mark.mode == 0 {
		err = fmt.Errorf("%w: commit %.10s has no %s: it is not a memory that gitmem keeps", ErrForeign, theirs,
			MarkFile)
	}
	return err
}

func (s *Store) mergePath(d git.Difference, bases []hash) (m MergePath, err error) {
	m.Path = d.Before.Path
	ours, _ := parseHash(d.Before.Hash) // zero if there is no file
	theirs, _ := parseHash(d.After.Hash)
	if m.Ours, err = s.blobOf(file{d.Before.Mode, ours}); err != nil {
		return m, err
	}
	if m.Theirs, err = s.blobOf(file{d.After.Mode, theirs}); err != nil {
		return m, err
	}
	for _, tree := range bases {
		f, err := s.objects.lookup(tree, m.Path)
		if err != nil {
			return m, err
		}
		content, err := s.blobOf(f)
		if err != nil {
			return m, err
		}
		m.Bases = append(m.Bases, content)
	}
	return m, nil
}

// blobOf reads a tracked file, nil if there is none.
func (s *Store) blobOf(f file) ([]byte, error) {
	if !isRegularMode(f.mode) {
		return nil, nil
	}
	b, err := s.objects.get(f.id, "blob")
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// MergeBases returns the best common ancestors of two commits, none if their histories are unrelated.
func (s *Store) MergeBases(ctx context.Context, a, b string) ([]string, error) {
	if a == "" || b == "" {
		return []string{}, nil
	}
	out, err := s.ourGit(ctx, nil, "merge-base", "--all", a, b)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return []string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("common ancestors: %w", err)
	}
	bases := strings.Fields(string(out))
	slices.Sort(bases)
	return bases, nil
}

// CommitMerge writes the files of a merge and commits it. Each file on disk must match Merged.Was, and HEAD must be
// where the plan found it; otherwise CommitMerge returns ErrMoved and changes nothing. A crash in between leaves merged
// files and an old HEAD: merging again gives the same result. Errors are those of [Store.Commit]; no file is held back,
// since its content is already in a history.
func (s *Store) CommitMerge(ctx context.Context, p *MergePlan, files []Merged, c Change) (string, error) {
	if err := s.repository(); err != nil {
		return "", err
	}
	lock, release, _, err := s.lockIndex(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := s.Busy(); err != nil {
		return "", err
	}
	if c.Time.IsZero() {
		c.Time = s.o.Now()
	}
	w := &commitWriter{store: s, change: c, indexLock: lock, verb: "sync"}
	if w.snap, err = s.snapshot(); err != nil {
		return "", err
	}
	if ours := w.snap.head.id; p.Ours != "" && ours.String() != p.Ours || p.Ours == "" && !ours.IsZero() {
		return "", ErrMoved
	}
	for _, parent := range p.Parents {
		id, ok := parseHash(parent)
		if !ok {
			return "", fmt.Errorf("commit %q: %w", parent, ErrNotFound)
		}
		w.parents = append(w.parents, id)
	}
	if err := s.refuseShadowed(files); err != nil {
		return "", err
	}
	done, err := s.writeMerged(ctx, files)
	if err == nil {
		w.targets, err = s.mergeTargets(w.snap, files)
	}
	id := ""
	if err == nil {
		id, err = w.write(ctx)
	}
	if err != nil && id == "" {
		return "", errors.Join(err, s.putBack(done))
	}
	return id, err
}

// refuseShadowed returns ErrConflict if a new file has the name of a folder, or is in a folder with the name of a file
// that remains.
func (s *Store) refuseShadowed(files []Merged) error {
	for _, f := range files {
		if f.Disk == nil || f.Was != nil {
			continue
		}
		refused := fmt.Errorf("%w: %s can't be written, since ", ErrConflict, f.Path)
		const wayOut = "rename one of them, and synchronise again"
		if fi, err := s.disk.root.Lstat(f.Path); err == nil && fi.IsDir() {
			return fmt.Errorf("%wit is a folder here: %s", refused, wayOut)
		}
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if !isMarkdown(dir) { // not the name of a file
				continue
			}
			goes := slices.ContainsFunc(files, func(o Merged) bool { return o.Path == dir && o.Disk == nil })
			if fi, err := s.disk.root.Lstat(dir); err == nil && !fi.IsDir() && !goes {
				return fmt.Errorf("%w%s is a file here: %s", refused, dir, wayOut)
			}
		}
	}
	return nil
}

// writeMerged writes the merged files to disk.
func (s *Store) writeMerged(ctx context.Context, files []Merged) (done []undoneEdit, err error) {
	for _, f := range files {
		if SameContent(f.Was, f.Disk) {
			continue
		}
		u, err := s.rewriteFile(ctx, f.Path, func(old []byte) ([]byte, error) {
			if !SameContent(old, f.Was) {
				return nil, fmt.Errorf("%s: %w", f.Path, ErrMoved)
			}
			return f.Disk, nil
		})
		if err != nil {
			return done, fmt.Errorf("write %s: %w", f.Path, err)
		}
		done = append(done, u)
	}
	return done, nil
}

// mergeTargets returns the changes of the merge commit.
func (s *Store) mergeTargets(snap *snapshot, files []Merged) (targets []target, err error) {
	for _, f := range files {
		old, err := s.objects.lookup(snap.tree, f.Path)
		if err != nil {
			return nil, err
		}
		t := target{change: change{path: f.Path}, tree: true, index: true, fresh: true}
		if f.Tree != nil {
			t.mode, t.id, t.body = modeFile, hashObject("blob", f.Tree), f.Tree
			if old.mode != 0 {
				t.mode = old.mode
			}
		}
		if snap.index != nil {
			if _, _, unmerged := snap.index.find(f.Path); unmerged {
				return nil, fmt.Errorf("%w: %s is unmerged", ErrConflict, f.Path)
			}
		}
		if f.Tree != nil && SameContent(f.Tree, f.Disk) {
			if t.info, err = s.disk.root.Lstat(f.Path); err != nil {
				return nil, err
			}
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// Between returns the commits reachable from one commit and not from another, newest first. "" means no commit.
func (s *Store) Between(ctx context.Context, not, to string) ([]string, error) {
	if to == "" {
		return nil, nil
	}
	args := []string{"rev-list", to}
	if not != "" {
		args = append(args, "^"+not)
	}
	out, err := s.ourGit(ctx, nil, args...)
	return strings.Fields(string(out)), err
}
