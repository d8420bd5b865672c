package store

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Look returns one commit of the memory's history: HEAD, a branch, a tag or an
// id of at least 4 digits, each with ~n or ^n behind it if wanted. Like Log it
// lists no paths for a merge. The error is ErrNotFound when there is none.
func (s *Store) Look(rev string) (CommitInfo, error) {
	repo, err := s.openHistory()
	if err != nil {
		return CommitInfo{}, err
	}
	defer repo.Close()
	return look(repo, rev)
}

// LookAll returns several commits by their ids, each read once.
func (s *Store) LookAll(ctx context.Context, ids []string) (map[string]CommitInfo, error) {
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	out := map[string]CommitInfo{}
	for _, id := range ids {
		if _, ok := out[id]; ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[id], err = look(repo, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func look(repo *git.Repository, rev string) (CommitInfo, error) {
	c, err := repo.Commit(rev)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrEmpty) || errors.Is(err, git.ErrAmbiguous) {
		return CommitInfo{}, fmt.Errorf("%w: revision %s: %w", ErrNotFound, rev, err)
	}
	if err != nil {
		return CommitInfo{}, fmt.Errorf("revision %s: %w", rev, err)
	}
	return commitInfo(c), nil
}

// At returns the commit that the branch was at at a time, "" where its history
// begins later.
func (s *Store) At(t time.Time) (string, error) {
	repo, err := s.openHistory()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	id, err := repo.At(t)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrEmpty) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("history at %s: %w", t.Format(time.RFC3339), err)
	}
	return id, nil
}

// past is a commit as the line history needs it.
type past struct {
	id      hash
	tree    hash
	parents []hash
	when    int64 // committer time, in seconds
}

// readPast reads a commit. A missing one, as behind the end of a shallow clone,
// is ErrNotFound.
func (s *Store) readPast(id hash) (past, error) {
	body, err := s.objects.get(id, "commit")
	if err != nil {
		return past{}, fmt.Errorf("commit %s: %w", id, err)
	}
	p := past{id: id}
	if p.tree, err = treeOf(body); err != nil {
		return past{}, fmt.Errorf("commit %s: %w", id, err)
	}
	for line := range strings.Lines(string(body)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "": // the message follows
			return p, nil
		case "parent":
			if parent, ok := parseHash(value); ok {
				p.parents = append(p.parents, parent)
			}
		case "committer":
			if words := strings.Fields(value); len(words) > 1 {
				p.when, _ = strconv.ParseInt(words[len(words)-2], 10, 64)
			}
		}
	}
	return p, nil
}

// chain are the ids of the trees on a file's path, from the root's on, and at
// its end the file's own. It is nil where there is no such file.
type chain []hash

func (c chain) blob() hash { return c[len(c)-1] }

// locate finds a file below a tree. like is the chain of another commit: from
// the first tree that the two share on, nothing is read.
func (s *Store) locate(tree hash, segs []string, like chain) (chain, error) {
	out := chain{tree}
	for i, seg := range segs {
		id := out[i]
		if like != nil && like[i] == id {
			return append(out[:i:i], like[i:]...), nil
		}
		body, err := s.objects.get(id, "tree")
		if err != nil {
			return nil, err
		}
		entries, err := parseTree(body)
		if err != nil {
			return nil, fmt.Errorf("tree %s: %w", id, err)
		}
		at := slices.IndexFunc(entries, func(e treeEntry) bool { return string(e.name) == seg })
		last := i == len(segs)-1
		if at < 0 || last && !isRegularMode(entries[at].mode) || !last && entries[at].mode != modeTree {
			return nil, nil
		}
		out = append(out, entries[at].id)
	}
	return out, nil
}

// visit is a commit on the way back through a file's history, and the lines of
// the file there that are still asked for.
type visit[T any] struct {
	past
	at    chain
	lines T
	order int
}

// visits is a queue of commits, newest first, each of them at most once at a time.
type visits[T any] struct {
	queue []*visit[T]
	count int
}

func (v *visits[T]) Len() int { return len(v.queue) }
func (v *visits[T]) Less(i, j int) bool {
	a, b := v.queue[i], v.queue[j]
	return a.when > b.when || a.when == b.when && a.order < b.order
}
func (v *visits[T]) Swap(i, j int) { v.queue[i], v.queue[j] = v.queue[j], v.queue[i] }
func (v *visits[T]) Push(x any)    { v.queue = append(v.queue, x.(*visit[T])) }
func (v *visits[T]) Pop() any {
	last := v.queue[len(v.queue)-1]
	v.queue = v.queue[:len(v.queue)-1]
	return last
}

// add queues lines of a commit, or joins them to those that wait for it.
func (v *visits[T]) add(p past, at chain, lines T, join func(a, b T) T) {
	for _, w := range v.queue {
		if w.id == p.id {
			w.lines = join(w.lines, lines)
			return
		}
	}
	v.count++
	heap.Push(v, &visit[T]{past: p, at: at, lines: lines, order: v.count})
}

// parent is one parent of a commit, and the file as it was there.
type parent struct {
	past
	at chain // nil: it has no such file
}

// parentsOf reads the parents of a visit. One that is not in the repository is
// left out: the clone is shallow, and its history begins behind it.
func (s *Store) parentsOf(ctx context.Context, p past, at chain, segs []string) ([]parent, error) {
	var out []parent
	for _, id := range p.parents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, err := s.readPast(id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		where, err := s.locate(q.tree, segs, at)
		if err != nil {
			return nil, fmt.Errorf("commit %s: %w", id, err)
		}
		out = append(out, parent{q, where})
	}
	return out, nil
}

// start is the commit and the bytes that a line history begins with. Without a
// revision the bytes are those on disk and the commit is HEAD, which may have no
// such file: then the visit has no chain.
func (s *Store) start(rev, rel string) (visit[struct{}], []byte, error) {
	var v visit[struct{}]
	body, err := s.Read(rev, rel)
	if err != nil {
		return v, nil, err
	}
	if err := s.repository(); err != nil {
		return v, nil, err
	}
	var id hash
	if rev == "" {
		h, err := s.head()
		if err != nil || h.id.isZero() {
			return v, body, err
		}
		id = h.id
	} else {
		c, err := s.Look(rev)
		if err != nil {
			return v, nil, err
		}
		id, _ = parseHash(c.Hash)
	}
	if v.past, err = s.readPast(id); err == nil {
		v.at, err = s.locate(v.tree, strings.Split(rel, "/"), nil)
	}
	return v, body, err
}
