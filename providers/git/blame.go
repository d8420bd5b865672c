package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// BlameLine is a line of a file and where it comes from.
type BlameLine struct {
	// Line is its number in the file that was asked about, counted from 1.
	Line int
	// Text is the line without its end, as git stores it: it need not be UTF-8.
	Text string
	// Commit wrote it, 40 hex digits.
	Commit string
	// Path and Original are the file's name and the line's number in that commit.
	Path     string
	Original int
}

// Blame returns for the lines from to to of a file at a revision, counted from 1 and
// both included, which commit wrote them; 0 and 0 mean all lines. Renames are
// followed, of the same and of similar content; white space is not ignored. A line that one of
// the commits to ignore changed comes from the line that it was before, see ignoredRevs. A line
// of a merge comes from the first parent that has it. At the end of
// a shallow clone its last commits count as the ones that wrote what was there.
//
// [ErrNotFound] where there is no such file or line, [ErrTooLarge] for a file from
// 16 MiB on. A commit that can't be read is listed by [Repository.Skipped], and what
// was before it counts as written by the one after it.
func (r *Repository) Blame(ctx context.Context, rev, path string, from, to int) ([]BlameLine, error) {
	s, err := r.start(rev, path)
	if err != nil {
		return nil, err
	}
	if s.mode&modeMask == modeDir || s.mode&modeMask == 0o160000 {
		return nil, fmt.Errorf("%s at %s: %w (not a file)", path, rev, ErrNotFound)
	}
	b := &blamer{texts: newTexts(r), ignored: r.ignoredRevs()}
	body, err := b.get(s.object())
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	lines := slices.Collect(bytes.Lines(body))
	if from == 0 && to == 0 {
		from, to = 1, len(lines)
	}
	if from < 1 || from > to+1 || to > len(lines) {
		return nil, fmt.Errorf("%s at %s has %d lines and not %d to %d: %w", path, rev, len(lines), from, to, ErrNotFound)
	}
	var wanted []wantedLine
	for i := from - 1; i < to; i++ {
		wanted = append(wanted, wantedLine{i, len(b.out)})
		b.out = append(b.out, BlameLine{Line: i + 1, Text: string(bytes.TrimRight(lines[i], "\r\n"))})
	}
	if err := b.run(ctx, s, wanted); err != nil {
		return nil, fmt.Errorf("blame of %s: %w", path, err)
	}
	return b.out, nil
}

// wantedLine is a line whose origin is asked for: its position in a commit's
// file, from 0, and in the result.
type wantedLine struct{ at, result int }

type blamer struct {
	texts
	queue   visits[[]wantedLine]
	out     []BlameLine
	ignored map[plumbing.Hash]bool // commits that keep no line that was there before
}

func (b *blamer) run(ctx context.Context, s *pathAt, wanted []wantedLine) error {
	if len(wanted) > 0 {
		b.queue.add(s, wanted, joinLines)
	}
	for len(b.queue.queue) > 0 {
		v, err := b.queue.next(ctx)
		if err != nil {
			return err
		}
		left, err := b.pass(ctx, v)
		if err != nil {
			return err
		}
		for _, w := range left {
			o := &b.out[w.result]
			o.Commit, o.Path, o.Original = v.id.String(), v.path, w.at+1
		}
	}
	return nil
}

// pass hands the lines of a commit on to the parents that have them, and returns
// those that none has.
func (b *blamer) pass(ctx context.Context, v *visit[[]wantedLine]) ([]wantedLine, error) {
	parents, err := b.r.before(ctx, v.pathAt)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		if p != nil && p.object() == v.object() {
			b.queue.add(p, v.work, joinLines)
			return nil, nil
		}
	}
	left := v.work
	for i, p := range parents {
		if p == nil || len(left) == 0 || hadBefore(parents[:i], p) {
			continue
		}
		var kept []wantedLine
		kept, left, err = b.handOn(p, v, left)
		if isDamage(err) {
			b.r.skipParent(p.id, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(kept) > 0 {
			b.queue.add(p, kept, joinLines)
		}
	}
	return left, nil
}

// handOn parts the lines that a parent has from those that it does not have.
func (b *blamer) handOn(p *pathAt, v *visit[[]wantedLine], lines []wantedLine) (kept, left []wantedLine, err error) {
	old, now, err := b.both(p.object(), v.object())
	if err != nil {
		return nil, lines, err
	}
	if kept = outside(old, now, lines); kept != nil {
		return kept, nil, nil
	}
	hunks := b.differ.Diff(old, now)
	if kept, left = split(lines, hunks); b.ignored[v.id] {
		var were []wantedLine
		if were, left, err = b.formerLines(p, v, left, hunks); err != nil {
			return nil, lines, err
		}
		kept = joinLines(kept, were)
	}
	return kept, left, nil
}

// outside finds where lines were in an earlier version of a text if all of them are before or behind
// what changed; nil otherwise. Most changes are elsewhere than the few lines of which somebody asks.
func outside(old, now []byte, lines []wantedLine) (kept []wantedLine) {
	ends := linediff.CommonEnds(old, now)
	if len(lines)*ends.Between() > len(old)+len(now) { // then a comparison costs less
		return nil
	}
	at, offset := 0, 0
	for line := range bytes.Lines(now) {
		if len(kept) == len(lines) {
			break
		}
		for len(kept) < len(lines) && lines[len(kept)].at == at {
			before, known := ends.Before(at, offset, line)
			if !known {
				return nil
			}
			kept = append(kept, wantedLine{before, lines[len(kept)].result})
		}
		at, offset = at+1, offset+len(line)
	}
	return kept
}

// hadBefore reports whether another parent has the same content.
func hadBefore(parents []*pathAt, p *pathAt) bool {
	return slices.ContainsFunc(parents, func(q *pathAt) bool { return q != nil && q.object() == p.object() })
}

func joinLines(a, b []wantedLine) []wantedLine {
	out := append(a, b...)
	slices.SortFunc(out, func(a, b wantedLine) int { return cmp.Compare(a.at, b.at) })
	return out
}

// split returns which lines were there before the changes, where they were then, and which
// the changes added. Both lists are in rising order and are read once.
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

// texts reads the content of files, and keeps the last few: what was a parent's is
// compared with the grandparent's next.
type texts struct {
	r      *Repository
	ids    [4]plumbing.Hash
	kept   [4][]byte
	next   int
	differ linediff.Differ
	// blind takes the white space out of lines, so that it makes no difference.
	blind bool
}

func (t *texts) get(id plumbing.Hash) ([]byte, error) {
	if i := slices.Index(t.ids[:], id); i >= 0 && !id.IsZero() {
		return t.kept[i], nil
	}
	body, err := t.r.blob(id, maxBlob)
	if err != nil {
		return nil, err
	}
	if t.blind {
		body = bytes.Map(withoutSpace, body)
	}
	t.ids[t.next], t.kept[t.next] = id, body
	t.next = (t.next + 1) % len(t.ids)
	return body, nil
}

// both reads the content of two files.
func (t *texts) both(old, now plumbing.Hash) (a, b []byte, err error) {
	if a, err = t.get(old); err == nil {
		b, err = t.get(now)
	}
	return a, b, err
}

// hunks compares the content of two files.
func (t *texts) hunks(old, now plumbing.Hash) ([]linediff.Hunk, error) {
	a, b, err := t.both(old, now)
	if err != nil {
		return nil, err
	}
	return t.differ.Diff(a, b), nil
}

func newTexts(r *Repository) texts {
	return texts{r: r, differ: linediff.Differ{AsGit: true}}
}
