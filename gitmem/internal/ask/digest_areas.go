package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

const (
	digestRead  = 200 // commits of a digest whose titles are read, those that weigh most
	areaClaims  = 3   // commits named of one area
	areaSize    = 3   // commits that an area must have to be one of a digest's
	fewestAreas = 2   // areas below which a digest goes by type alone
	digestUndos = 5   // reverts named
)

// digestCommit is a commit of a digest, with its source where that was read.
type digestCommit struct {
	search.Hit
	src    cite.Source
	area   string // where most of its changed lines are, "" where no file is known
	upkeep bool   // a program did it, or it raises versions or prepares a release
	// weight is that of the commit; what changes for users counts more, and what only
	// prepares a release or raises a number less.
	weight float64
}

var (
	breaksUsers     = lazy.Pattern(`(?i)\b(deprecat\w*|breaking|remov(e|es|ed|al))\b|^\w+(\([^)]*\))?!:`)
	preparesRelease = lazy.Pattern(`(?i)^(\w+(\([^)]*\))?: )?(bump|release|prepare (\w+ )?(for|release)|v?\d+\.\d+)\b`)
)

// digestCommits reads the commits of a time that weigh most, and returns all of them, the
// weightiest first.
func (e *Engine) digestCommits(ctx context.Context, commits []search.Hit) []digestCommit {
	breaks := breaksUsers() // users have to follow
	prepares := preparesRelease()
	read := func(h search.Hit, src cite.Source) digestCommit {
		h.Doc.Type, _, _ = strings.Cut(h.Doc.Type, " ") // the main one
		d := digestCommit{Hit: h, src: src, area: mainArea(h), weight: weight(h)}
		d.upkeep = providers.IsBot(team.SplitName(h.Doc.Author)) || h.Doc.Type == "chore" || prepares.MatchString(src.Title)
		switch {
		case d.upkeep:
			d.weight -= 3
		case breaks.MatchString(src.Title):
			d.weight++
		}
		return d
	}
	out := make([]digestCommit, len(commits))
	for i, h := range commits {
		out[i] = read(h, cite.Source{})
	}
	byWeight := func(a, b digestCommit) int { return cmp.Compare(b.weight, a.weight) }
	slices.SortStableFunc(out, byWeight)
	for i := range out[:min(len(out), digestRead)] {
		src, err := e.Evidence.Resolve(ctx, out[i].Doc.ID)
		if err != nil {
			e.lost.add(err)
			continue
		}
		out[i] = read(out[i].Hit, src)
	}
	slices.SortStableFunc(out, byWeight) // titles change the weights
	return out
}

// mainArea is the area with most of a commit's changed lines, or of its files where
// lines are not known.
func mainArea(h search.Hit) string {
	of := areasOf([]search.Hit{h})
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b].lines, of[a].lines), cmp.Compare(of[b].files, of[a].files), cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// group is a part of a digest: the commits that changed most in an area, or those of a type.
type group struct {
	name    string
	commits []digestCommit
}

// byArea parts commits into areas, those first where most was done that is worth
// naming, and all others; no areas where the commits have too few in common. Each
// commit is in one group.
func byArea(commits []digestCommit) (areas []group, others []digestCommit) {
	groups := map[string][]digestCommit{}
	for _, d := range commits {
		if !d.upkeep && d.area != "" {
			groups[d.area] = append(groups[d.area], d)
		}
	}
	maps.DeleteFunc(groups, func(_ string, of []digestCommit) bool { return len(of) < areaSize })
	if len(groups) < fewestAreas {
		return nil, commits
	}
	worth := func(of []digestCommit) (sum float64) {
		for _, d := range of {
			sum += d.weight
		}
		return sum
	}
	names := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(worth(groups[b]), worth(groups[a])), cmp.Compare(a, b))
	})
	names = names[:min(len(names), digestAreas+1)]
	for _, name := range names {
		areas = append(areas, group{name, groups[name]})
	}
	for _, d := range commits {
		if d.upkeep || !slices.Contains(names, d.area) {
			others = append(others, d)
		}
	}
	return areas, others
}

// types counts commits by type, in the order people want to read them.
func types(commits []digestCommit) string {
	var parts []string
	for _, g := range byType(commits) {
		parts = append(parts, fmt.Sprintf("%d %s", len(g.commits), g.name))
	}
	return strings.Join(parts, ", ")
}

// digestText is a digest as it is written.
type digestText struct {
	strings.Builder
	citations []answer.Citation
}

// list writes what weighs most of some commits below a heading, and reports how many they are.
func (t *digestText) list(heading string, commits []digestCommit, most int) (n int) {
	t.WriteString("\n\n" + heading)
	for _, d := range commits {
		if d.src.ID != "" && n < most {
			n++
			c := d.src.Citation(d.weight)
			c.Excerpt = firstPassage(d.src).Text
			t.citations = append(t.citations, c)
			fmt.Fprintf(t, "\n- %s (%s) [%s]", c.Title, byline(c, true), c.ID)
		}
	}
	return n
}

// elsewhereWords counts what is in none of the areas named.
func elsewhereWords(others []digestCommit) string {
	rest := slices.DeleteFunc(slices.Clone(others), func(d digestCommit) bool { return d.upkeep })
	var parts []string
	if len(rest) > 0 {
		parts = append(parts, fmt.Sprintf("%d elsewhere (%s)", len(rest), types(rest)))
	}
	if n := len(others) - len(rest); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of upkeep", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n\nAnd " + strings.Join(parts, ", ") + "."
}

var undoing = lazy.Pattern(`(?i)^(\w+(\([^)]*\))?: )?(partial(ly)? )?revert(s|ed)?\b`)

// reverts names the commits of a time that took others back, unless they are named.
func (t *digestText) reverts(commits []digestCommit) {
	undoes := undoing()
	back := slices.DeleteFunc(slices.Clone(commits), func(d digestCommit) bool {
		return !undoes.MatchString(d.src.Title) || slices.ContainsFunc(t.citations, func(c answer.Citation) bool {
			return c.ID == d.src.ID
		})
	})
	if len(back) == 0 {
		return
	}
	if left := len(back) - t.list("Taken back:", back, digestUndos); left > 0 {
		fmt.Fprintf(t, "\n- and %d more", left)
	}
}
