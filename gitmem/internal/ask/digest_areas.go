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
	digestRead  = 200 // most important commits whose titles are read
	areaClaims  = 3   // listed commits per area
	areaSize    = 3   // minimum number of commits of an area
	fewestAreas = 2   // with fewer areas, a digest is grouped by type only
	digestUndos = 5   // listed reverts
)

// digestCommit is a commit of a digest, with its source if it was read.
type digestCommit struct {
	search.Hit
	src    cite.Source
	area   string // area with most of its changed lines; "" if no file is known
	upkeep bool   // a bot wrote it, or it bumps versions or prepares a release
	// weight is the weight of the commit, raised for user-visible changes and lowered for release preparation and version
	// bumps.
	weight float64
}

var (
	breaksUsers     = lazy.Pattern(`(?i)\b(deprecat\w*|breaking|remov(e|es|ed|al))\b|^\w+(\([^)]*\))?!:`)
	preparesRelease = lazy.Pattern(`(?i)^(\w+(\([^)]*\))?: )?(bump|release|prepare (\w+ )?(for|release)|v?\d+\.\d+)\b`)
)

// digestCommits reads the most important commits and returns all commits, most important first.
func (e *Engine) digestCommits(ctx context.Context, commits []search.Hit) []digestCommit {
	breaks := breaksUsers() // users have to adapt
	prepares := preparesRelease()
	read := func(h search.Hit, src cite.Source) digestCommit {
		h.Doc.Type, _, _ = strings.Cut(h.Doc.Type, " ") // the main type
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

// mainArea returns the area with most of a commit's changed lines, or most of its files if the lines are unknown.
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

// group is a part of a digest: commits of an area or of a type.
type group struct {
	name    string
	commits []digestCommit
}

// byArea groups commits by area, most important areas first, and returns the remaining commits. It returns no areas if
// the commits share too few. Each commit is in one group.
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

// types counts commits by type, in order of interest to readers.
func types(commits []digestCommit) string {
	var parts []string
	for _, g := range byType(commits) {
		parts = append(parts, fmt.Sprintf("%d %s", len(g.commits), g.name))
	}
	return strings.Join(parts, ", ")
}

// digestText builds the text of a digest.
type digestText struct {
	strings.Builder
	citations []answer.Citation
}

// list writes the most important commits below a heading and returns how many it wrote.
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

// elsewhereWords counts the commits outside the listed areas.
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

// reverts lists the reverting commits that are not listed yet.
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
