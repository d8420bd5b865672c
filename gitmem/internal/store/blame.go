package store

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/linediff"
	"github.com/gitmem/gitmem/markdown"
)

// Origin is where one line of a file comes from.
type Origin struct {
	Line   int    // counted from 1
	Text   string // with its line end, as it is stored: not redacted
	Commit string // the commit that wrote it, 40 hex digits; "" when none has it yet
}

// Blame tells for each line of a file which commit wrote it. The lines are those
// on disk (rev "") or those of a revision. A line of a merge comes from a parent
// that has it, the first that does; a line that none has comes from the merge
// itself. Renames are not followed: files of memory do not move. Errors are
// those of Read; ErrNoStore where there is no repository.
func (s *Store) Blame(ctx context.Context, rev, rel string) ([]Origin, error) {
	v, body, err := s.start(rev, rel)
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", rel, err)
	}
	b := &blame{texts: texts{store: s}, segs: strings.Split(rel, "/")}
	wanted := make([]wantedLine, 0, bytes.Count(body, []byte("\n"))+1)
	for line := range bytes.Lines(body) {
		n := len(b.out)
		b.out = append(b.out, Origin{Line: n + 1, Text: string(line)})
		wanted = append(wanted, wantedLine{n, n})
	}
	if v.at == nil || len(wanted) == 0 {
		return b.out, nil
	}
	old, err := b.get(v.at.blob())
	if err == nil {
		kept, _ := split(wanted, linediff.Diff(old, body))
		b.queue.add(v.past, v.at, kept, nil)
		err = b.run(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", rel, err)
	}
	return b.out, nil
}

// wantedLine is a line of a commit's file whose origin is asked for.
type wantedLine struct {
	at     int // in that file
	result int // in the file that was asked about
}

type blame struct {
	texts
	segs  []string
	queue visits[[]wantedLine]
	out   []Origin
}

func (b *blame) run(ctx context.Context) error {
	for b.queue.Len() > 0 {
		v := heap.Pop(&b.queue).(*visit[[]wantedLine])
		left, err := b.pass(ctx, v)
		if err != nil {
			return err
		}
		for _, w := range left {
			b.out[w.result].Commit = v.id.String()
		}
	}
	return nil
}

// pass hands the lines of a commit on to the parents that have them, and returns
// those that none has.
func (b *blame) pass(ctx context.Context, v *visit[[]wantedLine]) ([]wantedLine, error) {
	parents, err := b.store.parentsOf(ctx, v.past, v.at, b.segs)
	if err != nil {
		return nil, err
	}
	for _, p := range parents { // an equal file needs no comparison, nor do other parents
		if p.at != nil && p.at.blob() == v.at.blob() {
			b.queue.add(p.past, p.at, v.lines, joinLines)
			return nil, nil
		}
	}
	left := v.lines
	for _, p := range parents {
		if p.at == nil || len(left) == 0 {
			continue
		}
		hunks, err := b.hunks(p.at.blob(), v.at.blob())
		if err != nil {
			return nil, err
		}
		var kept []wantedLine
		if kept, left = split(left, hunks); len(kept) > 0 {
			b.queue.add(p.past, p.at, kept, joinLines)
		}
	}
	return left, nil
}

func joinLines(a, b []wantedLine) []wantedLine {
	out := append(a, b...)
	slices.SortFunc(out, func(a, b wantedLine) int { return cmp.Compare(a.at, b.at) })
	return out
}

// texts reads blobs, and keeps the last few: what was a parent's is compared with
// the grandparent's next.
type texts struct {
	store *Store
	ids   [4]hash
	kept  [4][]byte
	next  int
}

func (t *texts) get(id hash) ([]byte, error) {
	if i := slices.Index(t.ids[:], id); i >= 0 && !id.isZero() {
		return t.kept[i], nil
	}
	body, err := t.store.objects.get(id, "blob")
	if err == nil {
		t.ids[t.next], t.kept[t.next] = id, body
		t.next = (t.next + 1) % len(t.ids)
	}
	return body, err
}

// hunks compares two blobs.
func (t *texts) hunks(old, now hash) ([]linediff.Hunk, error) {
	a, err := t.get(old)
	if err != nil {
		return nil, err
	}
	b, err := t.get(now)
	if err != nil {
		return nil, err
	}
	return linediff.Diff(a, b), nil
}

// split tells which lines of a text, in rising order, were there before the
// changes, where they stood then, and which the changes brought.
func split(lines []wantedLine, hunks []linediff.Hunk) (kept, brought []wantedLine) {
	shift := 0 // old minus new line number
	for _, w := range lines {
		for len(hunks) > 0 && hunks[0].New.End <= w.at {
			shift = hunks[0].Old.End - hunks[0].New.End
			hunks = hunks[1:]
		}
		if len(hunks) > 0 && hunks[0].New.Start <= w.at {
			brought = append(brought, w)
		} else {
			kept = append(kept, wantedLine{w.at + shift, w.result})
		}
	}
	return kept, brought
}

// LineLog yields the commits that changed a range of lines of a file, newest
// first: those that wrote one of them, or changed or took away one that stood
// there. The range counts the lines on disk from 0. It ends where the lines were
// first written. A merge that took the lines from one parent is none of them.
func (s *Store) LineLog(ctx context.Context, rel string, lines markdown.Lines) iter.Seq2[CommitInfo, error] {
	return func(yield func(CommitInfo, error) bool) {
		if err := s.lineLog(ctx, rel, lines, yield); err != nil {
			yield(CommitInfo{}, fmt.Errorf("history of %s: %w", rel, err))
		}
	}
}

func (s *Store) lineLog(ctx context.Context, rel string, lines markdown.Lines, yield func(CommitInfo, error) bool) error {
	v, body, err := s.start("", rel)
	if err != nil || v.at == nil {
		return err
	}
	l := lineLog{texts: texts{store: s}, segs: strings.Split(rel, "/")}
	old, err := l.get(v.at.blob())
	if err != nil {
		return err
	}
	repo, err := s.openHistory()
	if err != nil {
		return err
	}
	defer repo.Close()
	if before, _ := linediff.Before(lines, linediff.Diff(old, body)); before.Len() > 0 {
		l.queue.add(v.past, v.at, before, nil)
	}
	for l.queue.Len() > 0 {
		v := heap.Pop(&l.queue).(*visit[markdown.Lines])
		changed, err := l.pass(ctx, v)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		c, err := look(repo, v.id.String())
		if err != nil {
			return err
		}
		if !yield(c, nil) {
			return nil
		}
	}
	return nil
}

// lineLog is the way back through the history of a range of lines.
type lineLog struct {
	texts
	segs  []string
	queue visits[markdown.Lines]
}

// pass hands a range on to the parents, and tells whether the commit changed
// it: whether no parent has the very same lines.
func (l *lineLog) pass(ctx context.Context, v *visit[markdown.Lines]) (bool, error) {
	parents, err := l.store.parentsOf(ctx, v.past, v.at, l.segs)
	if err != nil {
		return false, err
	}
	var before []markdown.Lines
	for _, p := range parents {
		if p.at == nil {
			before = append(before, markdown.Lines{})
			continue
		}
		var hunks []linediff.Hunk
		if p.at.blob() != v.at.blob() {
			if hunks, err = l.hunks(p.at.blob(), v.at.blob()); err != nil {
				return false, err
			}
		}
		was, touched := linediff.Before(v.lines, hunks)
		if !touched {
			l.queue.add(p.past, p.at, was, joinRanges)
			return false, nil
		}
		before = append(before, was)
	}
	for i, p := range parents {
		if before[i].Len() > 0 {
			l.queue.add(p.past, p.at, before[i], joinRanges)
		}
	}
	return true, nil
}

func joinRanges(a, b markdown.Lines) markdown.Lines {
	return markdown.Lines{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}
