package git

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

const (
	// ignoreRevsFile is the file of commits to ignore that forges read by default.
	ignoreRevsFile = ".git-blame-ignore-revs"
	maxIgnoreRevs  = 1 << 20
)

// ignoredRevs returns the commits that blame ignores: those in .git-blame-ignore-revs, and in the file of
// blame.ignoreRevsFile. [Repository.Skipped] lists a file that can't be read.
func (r *Repository) ignoredRevs() map[plumbing.Hash]bool {
	cfg, _ := readConfig(r.loc.GitDir, r.loc.CommonDir) // if damaged, the entries before the damage
	named, _ := cfg.get("blame", "ignorerevsfile")
	ignored := map[plumbing.Hash]bool{}
	for _, name := range []string{ignoreRevsFile, named} {
		var text string
		var err error
		if filepath.IsAbs(name) {
			var b []byte
			b, err = ReadFile(name, maxIgnoreRevs)
			text = string(b)
		} else if name != "" {
			text, err = r.topFile(name, maxIgnoreRevs)
		}
		if err != nil {
			r.skip(name, err.Error())
		}
		for line := range strings.Lines(text) {
			id, _, _ := strings.Cut(line, "#")
			if id = strings.TrimSpace(id); len(id) >= 2*len(plumbing.ZeroHash) {
				ignored[plumbing.NewHash(id[:2*len(plumbing.ZeroHash)])] = true
			}
		}
	}
	return ignored
}

// SurvivingLines counts the lines of a file at a revision by the commit that wrote them, 40 hex digits, like
// [Repository.Blame], but it ignores white space and blank lines. Lines older than a shallow clone count for
// "".
//
// It returns [ErrNotFound] if there is no such file, or if an earlier version of it was not fetched, as in a
// partial clone: then the origin of lines is unknown.
func (r *Repository) SurvivingLines(ctx context.Context, rev, path string) (map[string]int, error) {
	s, err := r.start(rev, path)
	if err != nil {
		return nil, err
	}
	b := &blamer{texts: newTexts(r), ignored: r.ignoredRevs()}
	b.differ.IgnoreSpace = true
	body, err := b.get(s.object())
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	body = linediff.WithoutSpace(body)
	counts := map[string]int{}
	if linediff.Binary(body) {
		return counts, nil
	}
	var wanted []wantedLine
	at, lost := 0, r.lostParents
	for line := range bytes.Lines(body) {
		if len(line) > 1 {
			wanted = append(wanted, wantedLine{at, len(b.out)})
			b.out = append(b.out, BlameLine{Line: at + 1})
		}
		at++
	}
	if err := b.run(ctx, s, wanted); err != nil {
		return nil, fmt.Errorf("lines of %s: %w", path, err)
	}
	if r.lostParents > lost {
		return nil, fmt.Errorf("lines of %s: %w (an earlier version of it)", path, ErrNotFound)
	}
	for _, l := range b.out {
		if r.IsShallowEnd(l.Commit) {
			l.Commit = ""
		}
		counts[l.Commit]++
	}
	return counts, nil
}

// nearLines is how far from its position in a hunk a line is searched for among the earlier ones.
const nearLines = 12

// formerLines returns the lines of an earlier version that correspond to lines of an ignored commit: the most
// similar ones in the same hunk. left are the lines that the commit added.
func (b *blamer) formerLines(
	p *pathAt, v *visit[[]wantedLine], lines []wantedLine, hunks []linediff.Hunk,
) (were, left []wantedLine, err error) {
	old, err := b.get(p.object())
	if err != nil {
		return nil, nil, err
	}
	now, err := b.get(v.object())
	if err != nil {
		return nil, nil, err
	}
	before, after := b.linesOf(old), b.linesOf(now)
	for _, w := range lines {
		for len(hunks) > 0 && hunks[0].New.End <= w.at {
			hunks = hunks[1:]
		}
		best, at := 0.0, 0
		if len(hunks) > 0 {
			h := hunks[0]
			middle := h.Old.Start + (w.at-h.New.Start)*h.Old.Len()/max(h.New.Len(), 1)
			for i := max(h.Old.Start, middle-nearLines); i < min(h.Old.End, middle+nearLines); i++ {
				if like := likeness(before[i], after[w.at]); like > best {
					best, at = like, i
				}
			}
		}
		if best == 0 {
			left = append(left, w)
			continue
		}
		were = append(were, wantedLine{at, w.result})
	}
	return were, left, nil
}

// linesOf returns the lines of a text without their ends, and without white space if that is ignored.
func (b *blamer) linesOf(text []byte) [][]byte {
	if b.differ.IgnoreSpace {
		text = linediff.WithoutSpace(text)
	}
	return bytes.Split(text, []byte("\n"))
}

// likeness returns the share of pairs of neighbouring bytes that two lines have in common, 0 to 1.
func likeness(a, b []byte) float64 {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	if bytes.Equal(a, b) {
		return 1
	}
	pairs, shared := map[[2]byte]int{}, 0
	for i := 1; i < len(a); i++ {
		pairs[[2]byte{a[i-1], a[i]}]++
	}
	for i := 1; i < len(b); i++ {
		if pair := [2]byte{b[i-1], b[i]}; pairs[pair] > 0 {
			pairs[pair]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(max(len(a)+len(b)-2, 1))
}
