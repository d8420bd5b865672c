package git

import (
	"container/heap"
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// maxVisits limits the visits of commits per query about a path.
const maxVisits = 1 << 20

// pathAt is a file or a folder in a commit.
type pathAt struct {
	id plumbing.Hash
	*metadata
	path string
	// objects are the ids of the folders on the way down to it, the root first, and its own.
	objects []plumbing.Hash
	mode    uint32
}

func (s *pathAt) object() plumbing.Hash { return s.objects[len(s.objects)-1] }

// findPath looks up a path in a commit, and returns nil if it does not exist. It does not read objects that
// it shares with near, the same path in a neighbouring commit.
func (r *Repository) findPath(id plumbing.Hash, l *metadata, path string, near *pathAt) (*pathAt, error) {
	s := &pathAt{id: id, metadata: l, path: path, objects: make([]plumbing.Hash, 0, strings.Count(path, "/")+2),
		mode: modeDir}
	at := l.tree
	for rest := path; ; {
		s.objects = append(s.objects, at)
		if n := len(s.objects); near != nil && near.path == path && near.objects[n-1] == at {
			s.objects, s.mode = near.objects, near.mode
			return s, nil
		}
		if rest == "" {
			return s, nil
		}
		if s.mode&modeMask != modeDir {
			return nil, nil
		}
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		b, err := r.readTree(at)
		if err != nil {
			return nil, err
		}
		entry, ok, err := entryNamed(b, name)
		if !ok {
			return nil, err
		}
		at, s.mode = entry.Hash(), entry.Mode
	}
}

// visit is a queued path with the work to do there.
type visit[T any] struct {
	*pathAt
	work  T
	order int
}

type visitKey struct {
	id   plumbing.Hash
	path string
}

func (v *visit[T]) age() (int64, int) { return v.seconds, v.order }

// visits is a queue of paths in commits. It merges work that reaches a commit through several children.
type visits[T any] struct {
	queue   newest[*visit[T]]
	waiting map[visitKey]*visit[T]
	count   int
	taken   int
}

// add queues a path, or joins its work with that of an equal queued path.
func (q *visits[T]) add(s *pathAt, work T, join func(a, b T) T) {
	key := visitKey{s.id, s.path}
	if v := q.waiting[key]; v != nil {
		v.work = join(v.work, work)
		return
	}
	if q.waiting == nil {
		q.waiting = map[visitKey]*visit[T]{}
	}
	q.count++
	v := &visit[T]{pathAt: s, work: work, order: q.count}
	q.waiting[key] = v
	heap.Push(&q.queue, v)
}

// next removes the newest path from the queue.
func (q *visits[T]) next(ctx context.Context) (*visit[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.taken++; q.taken > maxVisits {
		return nil, fmt.Errorf("more than %d commits: %w", maxVisits, ErrTooLarge)
	}
	v := heap.Pop(&q.queue).(*visit[T])
	delete(q.waiting, visitKey{v.id, v.path})
	return v, nil
}

// start returns a path at a revision, or [ErrNotFound] if it does not exist.
func (r *Repository) start(rev, path string) (*pathAt, error) {
	id, l, err := r.revision(rev)
	if err != nil {
		return nil, err
	}
	s, err := r.findPath(id, l, strings.Trim(path, "/"), nil)
	if err == nil && s == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	return s, nil
}

// revision returns the commit of a revision.
func (r *Repository) revision(rev string) (id plumbing.Hash, l *metadata, err error) {
	if id, err = r.resolve(rev); err == nil {
		l, err = r.metadataOf(id)
	}
	return id, l, err
}

// before returns the same file in the parents of a commit, under its own name or under the name that it was
// renamed from; nil for parents without it. If a parent has the same content under the same name, it is the
// only one. [Repository.Skipped] lists a parent that can't be read; it counts as one without the file.
func (r *Repository) before(ctx context.Context, s *pathAt) ([]*pathAt, error) {
	parents := make([]*pathAt, len(s.parents))
	known := make([]*metadata, len(parents))
	for i, id := range s.parents {
		l, err := r.metadataOf(id)
		if err == nil {
			known[i] = l
			parents[i], err = r.findPath(id, l, s.path, s)
		}
		switch p := parents[i]; {
		case isDamage(err):
			r.skipParent(id, err)
		case err != nil:
			return nil, err
		case p != nil && p.object() == s.object():
			return []*pathAt{p}, nil
		case p != nil && (p.mode&modeMask == modeDir) != (s.mode&modeMask == modeDir):
			parents[i] = nil // a folder that became a file is not the same file
		}
	}
	if s.mode&modeMask == modeDir || r.keepNames {
		return parents, nil
	}
	for i, id := range s.parents {
		if parents[i] != nil || known[i] == nil {
			continue
		}
		from, err := r.otherName(ctx, known[i].tree, s.tree, "", s.path)
		if err == nil && from != "" {
			parents[i], err = r.findPath(id, known[i], from, nil)
		}
		if isDamage(err) {
			r.skipParent(id, err)
		} else if err != nil {
			return nil, err
		}
	}
	return parents, nil
}

// skipParent skips a parent that can't be read, or one of its files.
func (r *Repository) skipParent(id plumbing.Hash, err error) {
	r.skip(id.String(), err.Error())
	r.lostParents++
}

// IgnoreRenames turns off rename detection in Blame, LineLog and FollowPath: a file with another name is
// another file.
func (r *Repository) IgnoreRenames() { r.keepNames = true }

// PathChange is a commit that changed a path.
type PathChange struct {
	// Commit has no Changes.
	Commit Commit
	// Path is the name of the file in this commit, and From its former name, if that was different.
	Path, From string
	// Op is 'A' for added, 'M' for modified and 'R' for renamed, whether or not the
	// content changed as well.
	Op byte
	// Added and Removed count the changed lines of a file, if requested, against its first parent that has the
	// file; 0 for folders, binary files and unreadable content.
	Added, Removed int
}

// FollowPath yields the commits that changed a file or folder up to rev, newest first. It follows renames of
// files, so that Path changes on the way back. A merge counts if it differs from all its parents; lines of
// history that contributed nothing are not followed, as in "git log <path>". With counts, lines are counted,
// which reads every version of the file. The walk ends at the first error, which comes with an empty change.
func (r *Repository) FollowPath(ctx context.Context, rev, path string, counts bool) iter.Seq2[PathChange, error] {
	return func(yield func(PathChange, error) bool) {
		if err := r.followPath(ctx, rev, path, counts, yield); err != nil {
			yield(PathChange{}, fmt.Errorf("history of %s: %w", path, err))
		}
	}
}

func (r *Repository) followPath(ctx context.Context, rev, path string, counts bool,
	yield func(PathChange, error) bool) error {
	s, err := r.start(rev, path)
	if err != nil {
		return err
	}
	var q visits[struct{}]
	join := func(a, _ struct{}) struct{} { return a }
	done := map[visitKey]bool{}
	q.add(s, struct{}{}, join)
	mm, t := r.Mailmap(), newTexts(r)
	for len(q.queue) > 0 {
		v, err := q.next(ctx)
		if err != nil {
			return err
		}
		if key := (visitKey{v.id, v.path}); done[key] {
			continue
		} else {
			done[key] = true
		}
		parents, err := r.before(ctx, v.pathAt)
		if err != nil {
			return err
		}
		for _, p := range parents {
			if p != nil {
				q.add(p, struct{}{}, join)
			}
		}
		change, ok := changeOf(v.pathAt, parents)
		if !ok {
			continue
		}
		if change.Commit, err = r.presentAt(v.id, mm); err != nil {
			return err
		}
		if counts {
			err = t.count(&change, v.pathAt, parents)
		}
		if err != nil {
			return err
		}
		if !yield(change, nil) {
			return nil
		}
	}
	return nil
}

// count counts the changed lines.
func (t *texts) count(c *PathChange, s *pathAt, parents []*pathAt) error {
	if s.mode&modeMask == modeDir || s.mode&modeMask == 0o160000 {
		return nil
	}
	now, err := t.get(s.object())
	if err != nil || linediff.Binary(now) {
		return pastDamage(err)
	}
	var was []byte
	for _, p := range parents {
		if p != nil {
			if was, err = t.get(p.object()); err != nil {
				return pastDamage(err)
			}
			break
		}
	}
	c.Added, c.Removed = linediff.Counts(t.differ.Diff(was, now))
	return nil
}

// pastDamage drops an error that only concerns one object.
func pastDamage(err error) error {
	if isDamage(err) {
		return nil
	}
	return err
}

// changeOf returns the change of a commit to a path, given the same path in its parents.
func changeOf(s *pathAt, parents []*pathAt) (PathChange, bool) {
	c := PathChange{Path: s.path, Op: 'A'}
	for _, p := range parents {
		switch {
		case p == nil:
		case p.path == s.path && p.object() == s.object() && p.mode == s.mode:
			return c, false
		case p.path != s.path:
			c.From, c.Op = p.path, 'R'
		case c.Op == 'A':
			c.Op = 'M'
		}
	}
	return c, true
}
