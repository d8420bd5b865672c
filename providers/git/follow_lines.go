package git

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// LineChange is a commit that wrote, changed or removed lines of a range.
type LineChange struct {
	// Commit has no Changes.
	Commit Commit
	// Path is the name of the file in this commit; From and To are the range at that time, counted from 1 and
	// both inclusive. To is From-1 if the range was empty.
	Path     string
	From, To int
}

// LineLog yields the commits that changed the lines from to to of a file, counted from 1 and both inclusive,
// newest first: commits that wrote one of them, or changed or removed one in the range. It follows renames.
// It ends where the lines were first written. It does not yield a merge that took the lines from one parent,
// nor commits that are reachable from the revisions in not.
func (r *Repository) LineLog(ctx context.Context, rev, path string, from, to int,
	not ...string) iter.Seq2[LineChange, error] {
	return func(yield func(LineChange, error) bool) {
		if err := r.lineLog(ctx, rev, path, linediff.Range{Start: from - 1, End: to}, not, yield); err != nil {
			yield(LineChange{}, fmt.Errorf("history of %s: %w", path, err))
		}
	}
}

func (r *Repository) lineLog(ctx context.Context, rev, path string, lines linediff.Range, not []string,
	yield func(LineChange, error) bool) error {
	s, err := r.start(rev, path)
	if err != nil {
		return err
	}
	l := lineLog{texts: newTexts(r)}
	body, err := l.get(s.object())
	if err != nil {
		return err
	}
	if lines.Start < 0 || lines.Len() < 1 || lines.End > linediff.CountLines(body) {
		return fmt.Errorf("%s at %s has %d lines and not %d to %d: %w", path, rev, linediff.CountLines(body), lines.Start+1,
			lines.End, ErrNotFound)
	}
	if l.within, err = r.only(ctx, s.id, not); err != nil {
		return err
	}
	l.add(s, lines)
	mm := r.Mailmap()
	for len(l.queue.queue) > 0 {
		v, err := l.queue.next(ctx)
		if err != nil {
			return err
		}
		changed, err := l.pass(ctx, v)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		c, err := r.presentAt(v.id, mm)
		if err != nil {
			return err
		}
		if !yield(LineChange{Commit: c, Path: v.path, From: v.work.Start + 1, To: v.work.End}, nil) {
			return nil
		}
	}
	return nil
}

// only returns the set of commits that are reachable from id and not from not; nil for all.
func (r *Repository) only(ctx context.Context, id plumbing.Hash, not []string) (map[plumbing.Hash]bool, error) {
	if len(not) == 0 {
		return nil, nil
	}
	ids, err := r.resolveAll(not)
	if err != nil {
		return nil, err
	}
	nodes, err := newBriefWalker(r).between(ctx, []plumbing.Hash{id}, ids, usual())
	if err != nil {
		return nil, err
	}
	return slice.Set(slice.Map(nodes, func(n *node) plumbing.Hash { return n.id })), nil
}

// lineLog walks back through the history of a range of lines.
type lineLog struct {
	texts
	queue  visits[linediff.Range]
	within map[plumbing.Hash]bool // nil for all commits
}

func (l *lineLog) add(s *pathAt, lines linediff.Range) {
	if l.within == nil || l.within[s.id] {
		l.queue.add(s, lines, func(a, b linediff.Range) linediff.Range {
			return linediff.Range{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
		})
	}
}

// pass passes a range to the parents, and reports whether the commit changed it: whether no parent has
// exactly the same lines.
func (l *lineLog) pass(ctx context.Context, v *visit[linediff.Range]) (bool, error) {
	parents, err := l.r.before(ctx, v.pathAt)
	if err != nil {
		return false, err
	}
	old := make([]linediff.Range, len(parents))
	for i, p := range parents {
		if p == nil {
			continue
		}
		var hunks []linediff.Hunk
		if p.object() != v.object() {
			if hunks, err = l.hunks(p.object(), v.object()); isDamage(err) {
				l.r.skip(p.id.String(), err.Error())
				continue
			} else if err != nil {
				return false, err
			}
		}
		was, touched := linediff.Before(v.work, hunks)
		if !touched {
			l.add(p, was)
			return false, nil
		}
		old[i] = was
	}
	for i, p := range parents {
		if old[i].Len() > 0 {
			l.add(p, old[i])
		}
	}
	return true, nil
}

// LineTrace is the fate of lines of a file.
type LineTrace struct {
	// Path is the current name of the file; "" if it was deleted.
	Path string
	// From and To are the current line numbers, counted from 1 and both inclusive: of the same lines, or of
	// those that replaced them. Both are 0 if the lines were deleted without a replacement.
	From, To int
	// Same is set if every line still exists, in order and with nothing in between.
	Same bool
	// Since is how many commits changed them; 0 if they are unchanged or deleted.
	Since int
}

// TraceLines returns the fate, up to the revision now, of the lines from to to of a file at an earlier
// revision, counted from 1 and both inclusive. It follows renames. It returns [ErrNotFound] if these lines
// did not exist.
func (r *Repository) TraceLines(ctx context.Context, then, path string, from, to int, now string) (LineTrace, error) {
	old, err := r.start(then, path)
	if err != nil {
		return LineTrace{}, err
	}
	t := newTexts(r)
	a, err := t.get(old.object())
	if err != nil {
		return LineTrace{}, fmt.Errorf("%s at %s: %w", path, then, err)
	}
	lines := linediff.Range{Start: from - 1, End: to}
	if lines.Start < 0 || lines.Len() < 1 || lines.End > linediff.CountLines(a) {
		return LineTrace{}, fmt.Errorf("%s at %s has %d lines and not %d to %d: %w", path, then, linediff.CountLines(a), from,
			to, ErrNotFound)
	}
	cur, err := r.successor(ctx, old, now)
	if err != nil || cur == nil {
		return LineTrace{}, err
	}
	b, err := t.get(cur.object())
	if err != nil {
		return LineTrace{}, fmt.Errorf("%s at %s: %w", cur.path, now, err)
	}
	is, touched := rangeAfter(lines, t.differ.Diff(a, b))
	if touched {
		if at, ok := findLines(a, b, lines); ok { // moved past other lines, which an ordered comparison does not detect
			is, touched = linediff.Range{Start: at, End: at + lines.Len()}, false
		}
	}
	f := LineTrace{Path: cur.path, Same: !touched}
	if is.Len() == 0 {
		return f, nil
	}
	f.From, f.To = is.Start+1, is.End
	if touched {
		f.Since, err = r.touches(ctx, old, cur, is)
	}
	return f, err
}

// rangeAfter is the inverse of [linediff.Before].
func rangeAfter(r linediff.Range, hunks []linediff.Hunk) (after linediff.Range, touched bool) {
	turned := slice.Map(hunks, func(h linediff.Hunk) linediff.Hunk { return linediff.Hunk{Old: h.New, New: h.Old} })
	return linediff.Before(r, turned)
}

// findLines looks for the lines of a text in another one, as whole lines. Lines that only contain space and
// brackets occur anywhere, so they count as not found.
func findLines(a, b []byte, lines linediff.Range) (int, bool) {
	want := linesOf(a, lines)
	if len(bytes.Trim(want, " \t\r\n{}()[];,")) == 0 {
		return 0, false
	}
	for from := 0; ; {
		i := bytes.Index(b[from:], want)
		if i < 0 {
			return 0, false
		}
		if i += from; i == 0 || b[i-1] == '\n' {
			return linediff.CountLines(b[:i]), true
		}
		from = i + 1
	}
}

// linesOf returns the bytes of a range of lines.
func linesOf(b []byte, lines linediff.Range) []byte {
	n, start, end := 0, 0, 0
	for line := range bytes.Lines(b) {
		if n < lines.Start {
			start += len(line)
		}
		if n < lines.End {
			end += len(line)
		}
		n++
	}
	return b[start:end]
}

// maxRenames limits how often one file is followed to another name.
const maxRenames = 32

// successor returns the same file at a later revision: under its own name, or under one that it was renamed
// to. It returns nil if the file was deleted.
func (r *Repository) successor(ctx context.Context, old *pathAt, rev string) (*pathAt, error) {
	id, l, err := r.revision(rev)
	if err != nil {
		return nil, err
	}
	cur, err := r.findPath(id, l, old.path, old)
	if err != nil || cur != nil && cur.mode&modeMask == old.mode&modeMask {
		return cur, err
	}
	name := old.path
	for range maxRenames {
		gone, before, err := r.removal(ctx, id, []string{old.id.String()}, name)
		if err != nil || gone == nil {
			return nil, err
		}
		if name, err = r.otherName(ctx, before, gone.tree, name, ""); err != nil || name == "" {
			return nil, err
		}
		if cur, err = r.findPath(id, l, name, nil); err != nil || cur != nil {
			return cur, err
		}
	}
	return nil, nil
}

// RemovedBy returns the newest commit up to a revision that removed a path, 40 hex digits, or "". If a merge
// brought the removal, it is the commit of the merged branch.
func (r *Repository) RemovedBy(ctx context.Context, rev, path string) (commit string, err error) {
	id, err := r.resolve(rev)
	var not []string
	for err == nil {
		gone, _, e := r.removal(ctx, id, not, path)
		if e != nil || gone == nil {
			return commit, e
		}
		commit = gone.id.String()
		if len(gone.raw.parents) < 2 {
			return commit, nil
		}
		id, not = gone.raw.parents[1], []string{gone.raw.parents[0].String()}
	}
	return commit, err
}

// removal returns the newest commit that removed a path against its first parent, among those that are
// reachable from id and not from not, with the tree of that parent; nil for none.
func (r *Repository) removal(ctx context.Context, id plumbing.Hash, not []string,
	path string) (gone *node, before plumbing.Hash, err error) {
	w := newBriefWalker(r)
	err = w.run(ctx, []string{id.String()}, not, func(n *node) (bool, error) {
		if len(n.raw.parents) == 0 {
			return true, nil
		}
		tree, err := w.treeOf(n.raw.parents[0])
		if err == nil && tree != n.tree {
			var is bool
			if is, err = r.without(&metadata{tree: tree}, n.raw.metadata(), path); is {
				gone, before = n, tree
			}
		}
		if isDamage(err) {
			r.skip(n.id.String(), err.Error())
			err = nil
		}
		return gone == nil, err
	})
	return gone, before, err
}

// without reports whether a commit does not have a file that its parent has.
func (r *Repository) without(parent, commit *metadata, name string) (bool, error) {
	was, err := r.findPath(plumbing.ZeroHash, parent, name, nil)
	if err != nil || was == nil {
		return false, err
	}
	is, err := r.findPath(plumbing.ZeroHash, commit, name, was)
	return err == nil && is == nil, err
}

// touches counts the commits since old that changed lines of cur.
func (r *Repository) touches(ctx context.Context, old, cur *pathAt, lines linediff.Range) (int, error) {
	n := 0
	for _, err := range r.LineLog(ctx, cur.id.String(), cur.path, lines.Start+1, lines.End, old.id.String()) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return max(n, 1), nil // a merge may have replaced them
}
