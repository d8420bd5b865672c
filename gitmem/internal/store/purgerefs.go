package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// refMove is what becomes of a reference; new is zero where it goes.
type refMove struct {
	name     string
	old, new hash
}

// blobMove is what becomes of an index entry; new is zero where it goes.
type blobMove struct {
	path     string
	old, new hash
	mode     string // 0 where it goes
}

// purgePlan is what is to be done once all new objects are there.
type purgePlan struct {
	refs   []refMove
	index  []blobMove
	staged []hash // what stays in the index
}

const stashRef = "refs/stash"

// notesDir is where the references of git notes lie.
const notesDir = "refs/notes/"

// run rewrites what the references, the stash and the index name.
func (r *rewriter) run(ctx context.Context) (*purgePlan, error) {
	refs, err := r.store.refs()
	if err != nil {
		return nil, err
	}
	stashed, err := r.store.logged(stashRef)
	if err != nil {
		return nil, err
	}
	var tips [2]strings.Builder // those of notes come last: they name the commits that the others reach
	for _, id := range stashed {
		fmt.Fprintln(&tips[0], id)
	}
	for _, ref := range refs {
		id, err := r.store.peeled(ref.old)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref.name, err)
		}
		if strings.HasPrefix(ref.name, notesDir) {
			fmt.Fprintln(&tips[1], id)
		} else {
			fmt.Fprintln(&tips[0], id)
		}
	}
	for i := range tips {
		if r.notes = i == 1; tips[i].Len() > 0 {
			if err := r.history(ctx, tips[i].String()); err != nil {
				return nil, err
			}
		}
	}
	plan := &purgePlan{}
	for _, ref := range refs {
		if ref.new, err = r.object(ref.old); err != nil {
			return nil, fmt.Errorf("%s: %w", ref.name, err)
		}
		if ref.name == stashRef && slices.ContainsFunc(append(stashed, ref.old), func(id hash) bool { return r.commits[id] != id }) {
			ref.new, r.stashed = hash{}, max(1, len(stashed)) // its entries go together
		}
		moves := ref.new != ref.old
		if moves && borrowed(ref.name) {
			ref.new = hash{}
		} else {
			r.name(ref.name, ref.name)
		}
		if moves {
			plan.refs = append(plan.refs, ref)
			r.noteRef(ref)
		}
	}
	return plan, r.index(ctx, plan)
}

// noteRef keeps what becomes of a reference, which may move more than once.
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

// peeled returns the commit that an object is or is a tag of.
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
		if id, ok := parseHash(fields[1]); ok && !id.IsZero() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// index rewrites what is staged, which may be what no commit has yet.
func (r *rewriter) index(ctx context.Context, plan *purgePlan) error {
	out, err := r.store.ourGit(ctx, nil, "ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		f := strings.Fields(head) // mode id stage
		if len(f) != 3 {
			continue
		}
		if f[2] != "0" && r.in != nil {
			return fmt.Errorf("%w: %s is unmerged; resolve it and git add it", ErrConflict, name)
		}
		m := blobMove{path: name, mode: f[0]}
		m.old, _ = parseHash(f[1])
		content, err := r.file(m.mode, m.old, name)
		if errors.Is(err, ErrNotFound) && m.old == hashObject("blob", nil) {
			continue // git add --intent-to-add names the empty blob, which need not be there
		}
		switch {
		case err != nil:
			return fmt.Errorf("index: %w", err)
		case content != nil:
			m.new = r.batch.add("blob", content)
		case r.same[blobAt{m.old, name}]:
			plan.staged = append(plan.staged, m.old)
			continue
		default:
			m.mode = "0"
		}
		plan.index = append(plan.index, m)
	}
	return nil
}

// refs returns all references that name an object themselves, by name, HEAD among
// them if it is detached.
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

// moveRefs moves references all at once: they come to lie in packed-refs, which a
// rename replaces. One that has another id than expected by now stays as it is.
func (s *Store) moveRefs(ctx context.Context, moves []refMove) error {
	if err := s.packRefs(ctx, nil); err != nil {
		return err
	}
	for _, m := range moves {
		if err := s.dropLoose(ctx, m); err != nil {
			return err
		}
	}
	return s.packRefs(ctx, moves)
}

// dropLoose removes the file of a reference that packed-refs has as well.
func (s *Store) dropLoose(ctx context.Context, m refMove) error {
	if !s.hasGit(m.name) {
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

// packRefs writes packed-refs anew, with all references as they are but for moves.
// By what stood there before, a repair knows whether they have moved.
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
	text := "# pack-refs with: sorted \n" // what tags lead to, git looks up
	for _, ref := range refs {
		if i := slices.IndexFunc(moves, func(m refMove) bool { return m.name == ref.name && m.old == ref.old }); i >= 0 {
			ref.old = moves[i].new
		}
		if ref.name != "HEAD" && !ref.old.IsZero() {
			text += ref.old.String() + " " + ref.name + "\n"
		}
	}
	if moves != nil {
		before, err := s.disk.readFile(s.gitPath("packed-refs"))
		if err == nil {
			err = s.markPurge(hashObject("blob", before).String())
		}
		if err != nil {
			return err
		}
	}
	return s.placeLocked(lock, []byte(text))
}

// placeLocked makes durable what a file of git's becomes.
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

// moveIndex lets the index follow, by git, which knows its forms. A copy of it lies
// in dir meanwhile.
func (s *Store) moveIndex(ctx context.Context, moves []blobMove, dir string) error {
	old, err := s.disk.readFile(s.gitPath("index"))
	if isMissing(err) || err == nil && len(moves) == 0 && !bytes.Contains(old, []byte("REUC")) { // what a merge resolved
		return nil
	}
	lock, err := s.lockSoon(ctx, "index")
	if err != nil {
		return err
	}
	defer lock.rollback()
	old, info, err := s.disk.readPlain(s.gitPath("index"))
	if err != nil {
		return err
	}
	temp, err := s.disk.temp(dir, old, filePerm, false)
	if err != nil {
		return err
	}
	if err := s.disk.root.Chtimes(temp, info.ModTime(), info.ModTime()); err != nil { // by which git knows whose stat proves nothing
		return err
	}
	var in bytes.Buffer
	for _, m := range moves {
		fmt.Fprintf(&in, "%s %s\t%s\x00", m.mode, m.new, m.path)
	}
	cmd := s.gitOn(ctx, s.GitDir(), "--work-tree="+s.o.Root, "update-index", "-z", "--clear-resolve-undo", "--index-info")
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+s.abs(temp))
	if _, err := runGit(cmd, in.Bytes()); err != nil {
		return err
	}
	now, err := s.disk.readFile(temp)
	if err != nil {
		return err
	}
	return s.placeLocked(lock, now)
}
