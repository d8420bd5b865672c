package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// BlameLine is a line of a file and its origin.
type BlameLine struct {
	// Line is its number in the given version of the file, from 1.
	Line int
	// Text is the line without its end, as git stores it: it need not be UTF-8.
	Text string
	// Commit is the commit that wrote it, 40 hex digits.
	Commit string
	// Path and Original are the file's name and the line's number in that commit.
	Path     string
	Original int
}

// Blame returns the commits that wrote the lines from to to of a file at a revision, counted from 1 and both
// inclusive; 0 and 0 mean all lines. It follows renames, with the same or similar content; it does not ignore
// white space. A line that an ignored commit changed is attributed to the commit before it, see ignoredRevs.
// A line of a merge comes from the first parent that has it. In a shallow clone, the commits at its end count
// as the origin of their content.
//
// It returns [ErrNotFound] if there is no such file or line, [ErrTooLarge] for a file from 16 MiB on.
// [Repository.Skipped] lists a commit that can't be read, and its lines count as written by the commit after
// it.
func (r *Repository) Blame(ctx context.Context, rev, path string, from, to int) ([]BlameLine, error) {
	b, s, body, err := r.blamerAt(rev, path)
	if err != nil {
		return nil, err
	}
	n := linediff.CountLines(body)
	if from == 0 && to == 0 {
		from, to = 1, n
	}
	if from < 1 || from > to+1 || to > n {
		return nil, fmt.Errorf("%s at %s has %d lines and not %d to %d: %w", path, rev, n, from, to, ErrNotFound)
	}
	err = b.of(ctx, s, body, func(line int) bool { return line >= from && line <= to })
	return b.out, err
}

// BlameLines is Blame for those lines of a list that the file has, in file order, in a single search. The
// search stops after most bytes of work, counted from the newest version of the file: the sizes of the
// contents, and [VisitWork] for each commit on the way. A line that is older has no Commit. BlameLines also
// returns the work done, which may be slightly more than most.
func (r *Repository) BlameLines(
	ctx context.Context, rev, path string, lines []int, most int,
) (blamed []BlameLine, work int, err error) {
	b, s, body, err := r.blamerAt(rev, path)
	if err != nil {
		return nil, 0, err
	}
	b.most, b.before = most, r.same.looked
	r.same.most = b.before + most/VisitWork
	defer func() { r.same.most = 0 }()
	asked := blameOf(s, lines, most)
	if known, work, ok := r.blamed(asked, b.ignored); ok {
		return known, work, nil
	}
	wanted, skipped := slice.Set(lines), len(r.skipped)
	if err := b.of(ctx, s, body, func(line int) bool { return wanted[line] }); err != nil {
		return nil, b.done(), err
	}
	if len(r.skipped) == skipped {
		r.keepBlame(asked, b)
	}
	return b.out, b.done(), nil
}

// VisitWork is the work that a visited commit counts for, in bytes.
const VisitWork = 11 << 9

// blamerAt prepares the blame of a file and reads its content.
func (r *Repository) blamerAt(rev, path string) (b *blamer, s *pathAt, body []byte, err error) {
	if s, err = r.start(rev, path); err != nil {
		return nil, nil, nil, err
	}
	if s.mode&modeMask == modeDir || s.mode&modeMask == 0o160000 {
		return nil, nil, nil, fmt.Errorf("%s at %s: %w (not a file)", path, rev, ErrNotFound)
	}
	b = &blamer{texts: newTexts(r), ignored: r.ignoredRevs()}
	if body, err = b.get(s.object()); err != nil {
		return nil, nil, nil, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	return b, s, body, nil
}

// of finds the origins of the wanted lines of a file, numbered from 1.
func (b *blamer) of(ctx context.Context, s *pathAt, body []byte, isWanted func(line int) bool) error {
	var wanted []wantedLine
	n := 0
	for line := range bytes.Lines(body) {
		if n++; isWanted(n) {
			wanted = append(wanted, wantedLine{n - 1, len(b.out)})
			b.out = append(b.out, BlameLine{Line: n, Text: string(bytes.TrimRight(line, "\r\n"))})
		}
	}
	if err := b.run(ctx, s, wanted); err != nil {
		b.out = nil
		return fmt.Errorf("blame of %s: %w", s.path, err)
	}
	return nil
}

// wantedLine is a line whose origin is wanted: its position in the file of a commit, from 0, and in the
// result.
type wantedLine struct{ at, result int }

type blamer struct {
	texts
	queue   visits[[]wantedLine]
	out     []BlameLine
	ignored map[plumbing.Hash]bool // commits to ignore
	most    int                    // limit of the work in bytes, see [Repository.BlameLines]; 0 is no limit
	before  int                    // commits that were compared before this blame
}

// done returns the bytes of work done, see [Repository.BlameLines].
func (b *blamer) done() int {
	return b.read + (b.queue.taken+b.r.same.looked-b.before)*VisitWork
}

// add queues lines of a path at the last commit that changed the path, see [unchanged].
func (b *blamer) add(ctx context.Context, s *pathAt, lines []wantedLine) {
	b.queue.add(b.r.same.last(ctx, s), lines, joinLines)
}

func (b *blamer) run(ctx context.Context, s *pathAt, wanted []wantedLine) error {
	if len(wanted) > 0 {
		b.add(ctx, s, wanted)
	}
	for len(b.queue.queue) > 0 && (b.most == 0 || b.done() <= b.most) {
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

// pass passes the lines of a commit to the parents that have them, and returns those that no parent has.
func (b *blamer) pass(ctx context.Context, v *visit[[]wantedLine]) ([]wantedLine, error) {
	parents, err := b.r.before(ctx, v.pathAt)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		if p != nil && p.object() == v.object() {
			b.add(ctx, p, v.work)
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
			b.add(ctx, p, kept)
		}
	}
	return left, nil
}

// handOn separates the lines that a parent has from those that it does not have.
func (b *blamer) handOn(p *pathAt, v *visit[[]wantedLine], lines []wantedLine) (kept, left []wantedLine, err error) {
	old, now, err := b.both(p.object(), v.object())
	if err != nil {
		return nil, lines, err
	}
	if kept = outside(old, now, lines); kept != nil {
		return kept, nil, nil
	}
	hunks, err := b.hunks(p.object(), v.object())
	if err != nil {
		return nil, lines, err
	}
	if !b.ignored[v.id] {
		kept, left = split(lines, hunks)
		return kept, left, nil
	}
	kept, left = split(slices.Clone(lines), hunks) // returns all lines if a former line can't be read
	were, left, err := b.formerLines(p, v, left, hunks)
	if err != nil {
		return nil, lines, err
	}
	kept = joinLines(kept, were)
	return kept, left, nil
}

// outside returns the former positions of lines if all of them are before or after the changed part of a
// text, otherwise nil. Most changes are elsewhere than the few lines that are asked about.
func outside(old, now []byte, lines []wantedLine) (kept []wantedLine) {
	ends := linediff.CommonEnds(old, now)
	if len(lines)*ends.Between() > len(old)+len(now) { // a comparison is cheaper
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

// split returns the lines that existed before the changes, at their former positions, and the lines that the
// changes added. Both inputs are in ascending order and are read once; kept reuses the memory of lines.
func split(lines []wantedLine, hunks []linediff.Hunk) (kept, brought []wantedLine) {
	shift := 0 // old minus new line number
	kept = lines[:0]
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

// texts reads the contents of files and caches the last few: the content of a parent is compared with the
// grandparent's next.
type texts struct {
	r      *Repository
	ids    [4]plumbing.Hash
	kept   [4][]byte
	next   int
	read   int // bytes in total
	differ linediff.Differ
}

func (t *texts) get(id plumbing.Hash) ([]byte, error) {
	if i := slices.Index(t.ids[:], id); i >= 0 && !id.IsZero() {
		return t.kept[i], nil
	}
	body, err := t.r.readBlob(id, maxBlob)
	if err != nil {
		return nil, err
	}
	t.read += len(body)
	t.ids[t.next], t.kept[t.next] = id, body
	t.next = (t.next + 1) % len(t.ids)
	return body, nil
}

// both reads the contents of two files.
func (t *texts) both(old, now plumbing.Hash) (a, b []byte, err error) {
	if a, err = t.get(old); err == nil {
		b, err = t.get(now)
	}
	return a, b, err
}

// maxKeptHunks is how many comparisons are cached.
const maxKeptHunks = 1 << 14

// hunks compares the contents of two files and returns the changed lines. The result is cached, because
// blames and traces compare the same versions.
func (t *texts) hunks(old, now plumbing.Hash) ([]linediff.Hunk, error) {
	key := comparison{old, now, t.differ.IgnoreSpace}
	if known, ok := t.r.compared[key]; ok {
		return known, nil
	}
	a, b, err := t.both(old, now)
	if err != nil {
		return nil, err
	}
	hunks := slices.Clone(t.differ.Diff(a, b))
	for i := range hunks {
		hunks[i].Removed, hunks[i].Added = nil, nil
	}
	if t.r.compared == nil || len(t.r.compared) >= maxKeptHunks {
		t.r.compared = map[comparison][]linediff.Hunk{}
	}
	t.r.compared[key] = hunks
	return hunks, nil
}

// comparison identifies two versions of a file.
type comparison struct {
	old, now    plumbing.Hash
	ignoreSpace bool
}

func newTexts(r *Repository) texts {
	return texts{r: r, differ: linediff.Differ{AsGit: true}}
}
