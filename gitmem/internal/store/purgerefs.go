package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// compacted sorts names and drops those that come twice.
func compacted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// refMove is what becomes of a reference; new is zero where it goes.
type refMove struct {
	name     string
	old, new hash
}

// blobMove is what becomes of an index entry; new is zero where it goes.
type blobMove struct {
	path     string
	old, new hash
}

// purgePlan is what is to be done once all new objects are there.
type purgePlan struct {
	refs    []refMove
	index   []blobMove
	stashed int
}

const stashRef = "refs/stash"

// run rewrites what the references, HEAD and the index name.
func (r *rewriter) run(ctx context.Context) (*purgePlan, error) {
	refs, err := r.store.refs()
	if err != nil {
		return nil, err
	}
	plan := &purgePlan{}
	slices.SortStableFunc(refs, func(a, b refMove) int { // notes name the commits that the others reach
		return cmp.Compare(strings.Index(a.name, notesDir), strings.Index(b.name, notesDir))
	})
	for _, ref := range refs {
		r.notes = strings.HasPrefix(ref.name, notesDir)
		to, err := r.object(ctx, ref.old)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref.name, err)
		}
		ref.new = to
		if ref.name == stashRef {
			if err := r.stash(ctx, &ref, plan); err != nil {
				return nil, err
			}
		}
		if !borrowed(ref.name) || ref.new == ref.old {
			r.name(ref.name, ref.name)
		}
		if ref.new == ref.old {
			continue
		}
		if borrowed(ref.name) {
			ref.new = hash{}
		}
		plan.refs = append(plan.refs, ref)
	}
	slices.SortFunc(plan.refs, func(a, b refMove) int { return strings.Compare(a.name, b.name) })
	return plan, r.index(plan)
}

// borrowed says whether a reference only tells of history that lies elsewhere or
// was before: after a rewrite it would say what is not so.
func borrowed(name string) bool {
	for _, dir := range [...]string{"refs/remotes/", "refs/original/", "refs/replace/", "refs/prefetch/"} {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return name == stashRef
}

// stash looks at all entries of the stash, which are known by its reflog only.
// They go together if one of them would change.
func (r *rewriter) stash(ctx context.Context, ref *refMove, plan *purgePlan) error {
	entries, err := r.store.logged(stashRef)
	if err != nil {
		return err
	}
	for _, id := range entries {
		to, err := r.object(ctx, id)
		if err != nil {
			return fmt.Errorf("stash: %w", err)
		}
		if to != id {
			ref.new = hash{}
		}
	}
	if ref.new != ref.old {
		plan.stashed = max(1, len(entries))
	}
	return nil
}

// logged returns the ids that the entries of a reflog lead to.
func (s *Store) logged(ref string) ([]hash, error) {
	b, err := s.disk.readFile(s.gitPath("logs/" + ref))
	if err != nil {
		if isMissing(err) {
			err = nil
		}
		return nil, err
	}
	var ids []hash
	for line := range bytes.Lines(b) {
		fields := strings.Fields(string(line))
		if len(fields) < 2 {
			continue
		}
		if id, ok := parseHash(fields[1]); ok && !id.isZero() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// index rewrites what is staged, which may be what no commit has yet.
func (r *rewriter) index(plan *purgePlan) error {
	snap, err := r.store.snapshot()
	if err != nil || snap.index == nil {
		return err
	}
	for _, e := range snap.index.entries {
		to, err := r.file(e.mode(), e.id(), string(e.name))
		if errors.Is(err, ErrNotFound) && e.flags()&flagExtended != 0 {
			continue // git add --intent-to-add names the empty blob, which need not be there
		}
		if err != nil {
			return fmt.Errorf("index: %w", err)
		}
		if to != e.id() {
			plan.index = append(plan.index, blobMove{string(e.name), e.id(), to})
		}
	}
	return nil
}

// refs returns all references that name an object themselves, HEAD among them if
// it is detached, sorted by name.
func (s *Store) refs() ([]refMove, error) {
	found := map[string]hash{}
	if err := s.packedRefs(func(name string, id hash, _ []byte) { found[name] = id }); err != nil {
		return nil, err
	}
	err := s.eachLoose("refs", func(name string, id hash, target string) error {
		if target == "" && !id.isZero() {
			found[name] = id
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	id, target, err := s.readRef("HEAD")
	if err != nil {
		return nil, err
	}
	if target == "" && !id.isZero() {
		found["HEAD"] = id
	}
	var out []refMove
	for _, name := range mapNames(found) {
		out = append(out, refMove{name: name, old: found[name]})
	}
	return out, nil
}

func mapNames(m map[string]hash) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// eachLoose calls f for each reference that is a file: with its id, or with the
// name of another one.
func (s *Store) eachLoose(dir string, f func(name string, id hash, target string) error) error {
	entries, err := s.readDir(s.gitPath(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := dir + "/" + e.Name()
		switch {
		case e.IsDir():
			err = s.eachLoose(name, f)
		case safeRef(name): // no lock
			var id hash
			var target string
			if id, target, err = s.readRef(name); err == nil {
				err = f(name, id, target)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packedRefs calls f for each line of packed-refs that names a reference. A line
// below it that begins with ^ tells what a tag leads to; raw has both.
func (s *Store) packedRefs(f func(name string, id hash, raw []byte)) error {
	b, err := s.disk.readFile(s.gitPath("packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read packed-refs: %w", err)
	}
	for len(b) > 0 {
		n := lineEnd(b)
		for n < len(b) && b[n] == '^' {
			n += lineEnd(b[n:])
		}
		first, _, _ := strings.Cut(string(b[:n]), "\n")
		hex, name, ok := strings.Cut(strings.TrimSpace(first), " ")
		if id, ok2 := parseHash(hex); ok && ok2 {
			f(name, id, b[:n])
		}
		b = b[n:]
	}
	return nil
}

func lineEnd(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// moveRefs carries out what a journal says of references. What is done already is
// passed over; moved says that one holds neither its old nor its new id.
func (s *Store) moveRefs(ctx context.Context, refs []refMove) (moved bool, err error) {
	for _, ref := range refs {
		if ref.new.isZero() {
			continue
		}
		ok, err := s.moveOne(ctx, ref)
		if err != nil {
			return moved, err
		}
		moved = moved || !ok
	}
	ok, err := s.dropRefs(ctx, refs)
	return moved || !ok, err
}

// moveOne sets a loose reference, and tells whether it now has its new id.
func (s *Store) moveOne(ctx context.Context, ref refMove) (bool, error) {
	lock, now, err := s.lockRef(ctx, ref.name)
	if err != nil {
		return false, err
	}
	defer lock.rollback()
	if now != ref.old {
		return now == ref.new, nil
	}
	if err := lock.write([]byte(ref.new.String() + "\n")); err != nil {
		return false, err
	}
	if err := s.disk.fsync(lock.f); err != nil {
		return false, err
	}
	if err := lock.commit(); err != nil {
		return false, err
	}
	return true, s.disk.syncDir(path.Dir(s.gitPath(ref.name)))
}

// lockRef takes the lock of a reference and reads what it holds then.
func (s *Store) lockRef(ctx context.Context, name string) (*gitLock, hash, error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	lock, err := s.lockGit(wait, name)
	if err != nil {
		return nil, hash{}, err
	}
	id, target, err := s.readRef(name)
	if err == nil && target != "" {
		id = hash{} // somebody made it symbolic meanwhile: it has moved
	}
	if err != nil {
		lock.rollback()
	}
	return lock, id, err
}

// dropRefs removes references, from packed-refs first: else the old one there
// would come to light. It also takes those out of packed-refs that are loose now.
func (s *Store) dropRefs(ctx context.Context, refs []refMove) (bool, error) {
	all := true
	gone := map[string]bool{}
	for _, ref := range refs {
		now, target, err := s.readRef(ref.name)
		if err != nil {
			return false, err
		}
		switch {
		case target == "" && (now == ref.old || now == ref.new):
			gone[ref.name] = true
		case ref.new.isZero():
			all = false
		}
	}
	if err := s.unpackRefs(ctx, gone); err != nil {
		return false, err
	}
	for _, ref := range refs {
		if !ref.new.isZero() || !gone[ref.name] {
			continue
		}
		if err := s.dropLoose(ctx, ref); err != nil {
			return false, err
		}
	}
	return all, s.eachLoose("refs", func(name string, _ hash, target string) error {
		if target == "" || !gone[target] || s.hasGit(target) {
			return nil
		}
		return s.removeIfThere(s.gitPath(name)) // such as refs/remotes/origin/HEAD
	})
}

func (s *Store) dropLoose(ctx context.Context, ref refMove) error {
	lock, now, err := s.lockRef(ctx, ref.name)
	if err != nil {
		return err
	}
	defer lock.rollback()
	if now != ref.old {
		return nil
	}
	return s.removeIfThere(s.gitPath(ref.name))
}

func (s *Store) removeIfThere(name string) error {
	if err := s.disk.remove(name); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// unpackRefs takes references out of packed-refs.
func (s *Store) unpackRefs(ctx context.Context, gone map[string]bool) error {
	if !s.hasGit("packed-refs") {
		return nil
	}
	wait, cancel := s.deadline(ctx)
	defer cancel()
	lock, err := s.lockGit(wait, "packed-refs")
	if err != nil {
		return err
	}
	defer lock.rollback()
	old, err := s.disk.readFile(s.gitPath("packed-refs"))
	if err != nil {
		return fmt.Errorf("read packed-refs: %w", err)
	}
	var kept []byte
	for line := range bytes.Lines(old) { // the header, which packedRefs passes over
		if line[0] != '#' {
			break
		}
		kept = append(kept, line...)
	}
	err = s.packedRefs(func(name string, _ hash, raw []byte) {
		if !gone[name] && !s.hasGit(name) { // a loose one goes before the packed one, which may be older
			kept = append(kept, raw...)
		}
	})
	if err != nil || bytes.Equal(kept, old) {
		return err
	}
	if err := lock.write(kept); err != nil {
		return err
	}
	if err := s.disk.syncFiles([]*os.File{lock.f}); err != nil {
		return err
	}
	if err := lock.commit(); err != nil {
		return err
	}
	return s.disk.syncDir(s.gitDir)
}
