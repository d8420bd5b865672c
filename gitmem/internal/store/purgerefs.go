package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/gitmem/gitmem/providers/git"
)

// refMove is the change of a reference; new is zero if it is removed.
type refMove struct {
	name     string
	old, new hash
}

// purgePlan contains the steps that follow once all new objects exist.
type purgePlan struct {
	refs   []refMove // all references
	index  bool      // git's index changes
	staged []hash    // objects that remain in the index
}

// moves returns the references that change.
func (p *purgePlan) moves() []refMove {
	return slices.DeleteFunc(slices.Clone(p.refs), func(m refMove) bool { return m.old == m.new })
}

const stashRef = "refs/stash"

// notesDir is the prefix of the references of git notes.
const notesDir = "refs/notes/"

// histories rewrites the histories of the references and the stash, and returns both.
func (r *rewriter) histories(ctx context.Context) (refs []refMove, stashed []hash, err error) {
	if refs, err = r.store.refs(); err == nil {
		stashed, err = r.store.logged(stashRef)
	}
	var tips [2]strings.Builder // notes come last: they name commits that the other tips reach
	for _, id := range stashed {
		fmt.Fprintln(&tips[0], id)
	}
	for _, ref := range refs {
		id, peelErr := r.store.peeled(ref.old)
		if peelErr != nil {
			return nil, nil, fmt.Errorf("%s: %w", ref.name, peelErr)
		}
		i := 0
		if strings.HasPrefix(ref.name, notesDir) {
			i = 1
		}
		fmt.Fprintln(&tips[i], id)
	}
	for i := range tips {
		if r.notes = i == 1; tips[i].Len() > 0 && err == nil {
			err = r.history(ctx, tips[i].String())
		}
	}
	return refs, stashed, err
}

// run rewrites the objects that the references, the stash and the index name.
func (r *rewriter) run(ctx context.Context) (*purgePlan, error) {
	refs, stashed, err := r.histories(ctx)
	if err != nil {
		return nil, err
	}
	plan := &purgePlan{}
	for _, ref := range refs {
		if ref.new, err = r.object(ref.old); err != nil {
			return nil, fmt.Errorf("%s: %w", ref.name, err)
		}
		if ref.name == stashRef && slices.ContainsFunc(append(stashed, ref.old), func(id hash) bool {
			return r.commits[id] != id
		}) {
			ref.new, r.stashed = hash{}, max(1, len(stashed)) // all stash entries are removed together
		}
		if ref.new != ref.old && borrowed(ref.name) {
			ref.new = hash{}
		} else {
			r.name(ref.name, ref.name)
		}
		if ref.new != ref.old {
			r.noteRef(ref)
		}
		plan.refs = append(plan.refs, ref)
	}
	ix, err := r.store.readIndex()
	if isMissing(err) {
		return plan, nil
	}
	if err == nil {
		plan.staged, err = r.index(ix)
		plan.index = err == nil && ix.changed
	}
	return plan, err
}

// noteRef records the change of a reference, which may move more than once.
func (r *rewriter) noteRef(ref refMove) {
	p := PurgedRef{Name: ref.name, Old: ref.old.String()}
	if before, ok := r.refs[ref.name]; ok {
		p.Old = before.Old
	}
	if !ref.new.IsZero() {
		p.New = ref.new.String()
	}
	r.refs[ref.name] = p
}

// peeled returns the commit that an object is or, for a tag, points to.
func (s *Store) peeled(id hash) (hash, error) {
	for {
		kind, body, err := s.objects.read(id)
		if err != nil || kind == "commit" {
			return id, err
		}
		line, _, _ := strings.Cut(string(body), "\n")
		to, ok := parseHash(strings.TrimPrefix(line, "object "))
		if kind != "tag" || !ok {
			return id, fmt.Errorf("%w: it leads to a %s and not to a commit: git update-ref -d removes it", ErrUnsupported, kind)
		}
		id = to
	}
}

// borrowed reports whether a reference only reflects a history elsewhere or an earlier one: after a rewrite it would be
// wrong.
func borrowed(name string) bool {
	return name == stashRef ||
		slices.ContainsFunc([]string{"refs/remotes/", "refs/original/", "refs/replace/", "refs/prefetch/"},
			func(dir string) bool {
				return strings.HasPrefix(name, dir)
			})
}

// logged returns the ids in the entries of a reflog.
func (s *Store) logged(ref string) (ids []hash, err error) {
	b, err := s.disk.readFile(s.gitPath("logs/" + ref))
	if isMissing(err) {
		return nil, nil
	}
	for line := range strings.Lines(string(b)) {
		_, rest, _ := strings.Cut(line, " ")
		name, _, _ := strings.Cut(rest, " ")
		if id, ok := parseHash(name); ok && !id.IsZero() {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// index rewrites the staged entries, which may be in no commit yet, and returns the objects that remain. The rewritten
// index also drops the record of resolved merges.
func (r *rewriter) index(ix *indexFile) (stays []hash, err error) {
	entries := ix.entries
	ix.entries, ix.changed = nil, bytes.Contains(ix.raw, []byte("REUC"))
	for _, e := range entries {
		name := string(e.name)
		if e.stage() != 0 {
			return nil, fmt.Errorf("%w: %s is unmerged; gitmem doctor --fix settles it", ErrConflict, name)
		}
		content, err := r.file(e.mode(), e.id(), name)
		switch {
		case errors.Is(err, ErrNotFound) && e.id() == hashObject("blob", nil):
			// git add --intent-to-add names the empty blob, which need not exist
		case err != nil:
			return nil, fmt.Errorf("index: %w", err)
		case content != nil:
			e, ix.changed = newEntry(name, e.mode(), r.batch.add("blob", content), nil), true
		case r.same[blobAt{e.id(), name}]:
			stays = append(stays, e.id())
		default:
			ix.changed = true
			continue
		}
		ix.entries = append(ix.entries, e)
	}
	return stays, nil
}

// moveIndex writes the new objects, and the index if it changes.
func (r *rewriter) moveIndex(ctx context.Context) error {
	s := r.store
	lock, err := s.lockSoon(ctx, "index")
	if err != nil {
		return err
	}
	defer lock.rollback()
	ix, err := s.readIndex()
	if err == nil {
		ix.smudge(ix.written)
		_, err = r.index(ix)
	}
	if err == nil || isMissing(err) {
		err = r.writeObjects(ctx)
	}
	if err != nil || ix == nil || !ix.changed {
		return err
	}
	return s.placeLocked(lock, ix.bytes())
}

// writeObjects writes the new objects durably, as a pack, because there may be many.
func (r *rewriter) writeObjects(ctx context.Context) error {
	if len(r.batch.order) == 0 {
		return nil
	}
	var pack bytes.Buffer
	if _, err := packfile.NewEncoder(&pack, batchStorer{r.store.objects.stored, r.batch}, false).Encode(r.batch.order,
		0); err != nil {
		return err
	}
	s := r.store
	if _, err := s.ourGit(ctx, pack.Bytes(), "index-pack", "--stdin"); err != nil {
		return err
	}
	s.objects.close()
	return s.disk.syncDir(s.gitPath("objects/pack"))
}

// batchStorer exposes the objects of a batch to go-git's pack encoder.
type batchStorer struct {
	storer.EncodedObjectStorer
	batch *batch
}

// EncodedObject returns an object of the batch.
func (b batchStorer) EncodedObject(_ plumbing.ObjectType, id hash) (plumbing.EncodedObject, error) {
	kind, err := plumbing.ParseObjectType(b.batch.items[id].kind)
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, writeErr := o.Write(b.batch.items[id].body)
	return o, errors.Join(err, writeErr)
}

// refs returns all references that hold an object id, by name, including HEAD if it is detached.
func (s *Store) refs() (out []refMove, err error) {
	if id, target, err := s.readRef("HEAD"); err != nil {
		return nil, err
	} else if target == "" && !id.IsZero() {
		out = append(out, refMove{name: "HEAD", old: id})
	}
	refs, bad, err := git.ReadRefs(s.GitDir(), "refs/")
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("reference %s: %s", bad[0].Object, bad[0].Reason)
	}
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		if id := ref.Hash(); !id.IsZero() {
			out = append(out, refMove{name: ref.Name().String(), old: id})
		}
	}
	return out, nil
}

// moveRefs moves all references atomically: it writes them to packed-refs, which a rename replaces. A reference that no
// longer has the expected id is not changed.
func (s *Store) moveRefs(ctx context.Context, moves []refMove) error {
	if err := s.packRefs(ctx, nil); err != nil {
		return err
	}
	for _, m := range moves {
		if err := s.dropLoose(ctx, m); err != nil {
			return err
		}
	}
	if err := s.markPurge(); err != nil {
		return err
	}
	return s.packRefs(ctx, moves)
}

// dropLoose removes the file of a reference that is also in packed-refs.
func (s *Store) dropLoose(ctx context.Context, m refMove) error {
	if !s.exists(s.gitPath(m.name)) {
		return nil
	}
	lock, err := s.lockSoon(ctx, m.name)
	if err != nil {
		return err
	}
	defer lock.rollback()
	if now, _, err := s.readRef(m.name); err != nil || now != m.old {
		return err
	}
	return s.removeIfThere(s.gitPath(m.name))
}

// lockSoon is lockGit with the usual deadline.
func (s *Store) lockSoon(ctx context.Context, name string) (*gitLock, error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	return s.lockGit(wait, name)
}

func (s *Store) removeIfThere(name string) error {
	if err := s.disk.remove(name); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// packRefs writes packed-refs with all current references, changed by moves.
func (s *Store) packRefs(ctx context.Context, moves []refMove) error {
	lock, err := s.lockSoon(ctx, "packed-refs")
	if err != nil {
		return err
	}
	defer lock.rollback()
	refs, err := s.refs()
	if err != nil {
		return err
	}
	text := "# pack-refs with: sorted \n" // git looks up the targets of tags itself
	for _, ref := range refs {
		if i := slices.IndexFunc(moves, func(m refMove) bool { return m.name == ref.name && m.old == ref.old }); i >= 0 {
			ref.old = moves[i].new
		}
		if ref.name != "HEAD" && !ref.old.IsZero() {
			text += ref.old.String() + " " + ref.name + "\n"
		}
	}
	return s.placeLocked(lock, []byte(text))
}

// placeLocked durably replaces a file of git's with content.
func (s *Store) placeLocked(lock *gitLock, content []byte) error {
	if err := lock.write(content); err != nil {
		return err
	}
	if err := s.disk.fsync(lock.f); err != nil {
		return err
	}
	if err := lock.commit(); err != nil {
		return err
	}
	return s.disk.syncDir(s.gitDir)
}
