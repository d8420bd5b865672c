package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/providers"
)

// digest groups the commits of a time range by type and lists the most important ones.
func (e *Engine) digest(ctx context.Context, q Question, o Options, a *draft) (part, error) {
	query := o.Query
	query.Terms = []search.QueryTerm{}
	query.Limit = recentRows
	query.Layers = []string{cite.LayerTeam}
	counts := isEvent
	if asksOfReverts(q.Text) {
		return e.revertsIn(ctx, q, query)
	}
	if q.Range.IsZero() && !asksOfHistory(q.Text) {
		query.Limit, counts = 30, isCommit
	}
	noted := query
	query.Conditions = append(slices.Clone(query.Conditions), search.Condition{On: search.OnRole, Match: counts})
	res, err := e.Evidence.Find(ctx, query)
	if err != nil {
		return part{}, err
	}
	commits, items := byRole(res.Hits)
	commits = append(commits, e.Commits.OffBranch(ctx, q.Range)...)
	if len(commits) == 0 {
		return part{}, nil
	}
	if len(res.Hits) == recentRows {
		a.Caveats = append(a.Caveats,
			fmt.Sprintf("Only the newest %d commits and items of that time were counted.", recentRows))
	}
	weighed := e.digestCommits(ctx, commits)
	var t digestText
	var notes []note
	left := weighed
	if !q.Range.IsZero() {
		if notes, left, err = e.notes(ctx, noted, weighed); err != nil {
			return part{}, err
		}
	}
	areas, others := byArea(left)
	e.digestHead(ctx, &t.Builder, q, commits, items, len(areas) > 0)
	t.notes(notes)
	if len(areas) > 0 {
		t.byArea(areas, others, o.Limit)
	} else {
		t.byType(left, o.Limit)
	}
	t.reverts(weighed)
	if len(t.citations) == 0 {
		return part{}, nil // none could be read; the caveats report it
	}
	return part{text: t.String(), citations: t.citations}, nil
}

// byArea writes the areas with their most important commits and counts the other commits.
func (t *digestText) byArea(areas []group, others []digestCommit, limit int) {
	each := max(areaClaims, (limit+len(areas)-1)/len(areas))
	for _, a := range areas {
		t.list(fmt.Sprintf("**%s** (%d: %s)", a.name, len(a.commits), types(a.commits)), a.commits, each)
	}
	t.WriteString(elsewhereWords(others))
}

// byType writes the most important commits grouped by type and counts the others.
func (t *digestText) byType(commits []digestCommit, limit int) {
	notable := slices.DeleteFunc(slices.Clone(commits), func(d digestCommit) bool { return d.src.ID == "" })
	notable = notable[:min(len(notable), max(limit, digestClaims))]
	var rest []digestCommit
	for _, g := range byType(commits) {
		of := slices.DeleteFunc(slices.Clone(notable), func(d digestCommit) bool {
			return d.Doc.Type != g.commits[0].Doc.Type
		})
		if len(of) == 0 {
			rest = append(rest, g.commits...)
			continue
		}
		t.list(fmt.Sprintf("**%s** (%d)", g.name, len(g.commits)), of, len(of))
	}
	if len(rest) > 0 {
		fmt.Fprintf(t, "\n\nAnd %s.", types(rest))
	}
}

// digestHead writes how much was done in a time range, by whom and in which areas.
func (e *Engine) digestHead(
	ctx context.Context, b *strings.Builder, q Question, commits []search.Hit, others roles, parted bool,
) {
	title := upperFirst(q.Range.String())
	if q.Range.IsZero() {
		title = "Since " + commits[len(commits)-1].Doc.Time.Format(time.DateOnly)
	}
	fmt.Fprintf(b, "%s: %s %s", title, messages.Plural(len(commits), "commit"), authors(commits))
	if more := others.list(); more != "" {
		fmt.Fprintf(b, ", and %s", more)
	}
	b.WriteString(".")
	if released := e.released(ctx, q, commits); released != "" {
		fmt.Fprintf(b, " Released %s.", released)
	}
	if most := areasOf(commits).most(digestAreas); most != "" && !parted {
		fmt.Fprintf(b, " Mostly in %s.", most)
	}
}

// released lists the releases of a time range, only the newest if there are many.
func (e *Engine) released(ctx context.Context, q Question, commits []search.Hit) string {
	r := q.Range
	if r.IsZero() {
		r.Since = commits[len(commits)-1].Doc.Time
	}
	const named = 5
	all := e.Releases.Released(ctx, r)
	parts := slices.Clone(all[max(0, len(all)-named):])
	if more := len(all) - len(parts); more > 0 {
		return fmt.Sprintf("%s and %d earlier", strings.Join(parts, ", "), more)
	}
	return strings.Join(parts, ", ")
}

// byType groups commits by type, in order of interest to readers.
func byType(commits []digestCommit) (groups []group) {
	order := []string{"incident", "decision", "feature", "fix", "refactor", "docs", "test", "chore", "discussion", "idea"}
	place := func(kind string) int {
		if i := slices.Index(order, kind); i >= 0 {
			return i
		}
		return len(order) + number(kind == "") // commits without a type come last
	}
	sorted := slices.SortedStableFunc(slices.Values(commits), func(a, b digestCommit) int {
		return cmp.Or(cmp.Compare(place(a.Doc.Type), place(b.Doc.Type)), cmp.Compare(a.Doc.Type, b.Doc.Type))
	})
	for _, d := range sorted {
		if n := len(groups); n == 0 || groups[n-1].commits[0].Doc.Type != d.Doc.Type {
			groups = append(groups, group{name: cmp.Or(d.Doc.Type, "other")})
		}
		g := &groups[len(groups)-1]
		g.commits = append(g.commits, d)
	}
	return groups
}

// weight returns the importance of a commit: user-visible changes before upkeep, larger changes before smaller ones.
func weight(h search.Hit) float64 {
	base := map[string]float64{"incident": 4, "decision": 4, "feature": 3, "fix": 2.5, "refactor": 2, "docs": 1,
		"test": 1}[h.Doc.Type]
	return base + 0.3*math.Log1p(float64(lines(h)))
}

// lines returns the number of changed lines of a commit, or ten per path if it is unknown.
func lines(h search.Hit) int {
	n := 0
	for _, churn := range h.Doc.Churn {
		n += int(churn)
	}
	return cmp.Or(n, 10*len(h.Doc.Paths))
}

// digestAreas is the number of areas that a digest lists.
const digestAreas = 3

// folders counts changed lines, files and commits by top-level folder.
type folders map[string]*folder

type folder struct {
	name                  string
	lines, files, commits int
}

// areasOf sums the changes of commits by folder. Files in the root have no area.
func areasOf(commits []search.Hit) folders {
	out := folders{}
	for _, h := range commits {
		met := map[string]bool{}
		for i, p := range h.Doc.Paths {
			name := areaOfPath(p)
			f := cmp.Or(out[name], &folder{name: name})
			out[name] = f
			if i < len(h.Doc.Churn) {
				f.lines += int(h.Doc.Churn[i])
			}
			f.files++
			f.commits += number(!met[name])
			met[name] = true
		}
	}
	return out
}

// topArea is the area of files in the root.
const topArea = "the top folder"

// areaOfPath returns the folder of a file, at most two levels deep, since a single level often contains everything.
// Test data belongs to the tested folder.
func areaOfPath(p string) string {
	parts := strings.Split(p, "/")
	parts = parts[:min(len(parts)-1, 2)]
	if i := slices.Index(parts, "testdata"); i >= 0 {
		parts = parts[:i]
	}
	return cmp.Or(strings.Join(parts, "/"), topArea)
}

// most lists the areas with the most changed lines, largest first.
func (f folders) most(n int) string {
	all := slices.SortedFunc(maps.Values(f), func(a, b *folder) int {
		return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(b.commits, a.commits), cmp.Compare(a.name, b.name))
	})
	if len(all) == 1 && all[0].name == topArea {
		return "" // there is no other area
	}
	var parts []string
	for _, a := range all[:min(len(all), n)] {
		text := messages.Plural(a.commits, "commit")
		if a.lines > 0 {
			text = messages.Plural(a.lines, "line") + " in " + text
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", a.name, text))
	}
	return strings.Join(parts, ", ")
}

// isCommit reports whether the role of a team item is that of a commit.
func isCommit(role string) bool { return role == "" || role == "commit" || role == "merge" }

// isEvent reports whether an item with the role happened at its time. A document has the time of the last commit that
// changed it, which is counted instead.
func isEvent(role string) bool { return role != "doc" }

// roles counts items other than commits by role.
type roles map[string]int

// byRole separates commits from merges and from items of forges and trackers.
func byRole(hits []search.Hit) (commits []search.Hit, others roles) {
	others = roles{}
	for _, h := range hits {
		switch role := h.Doc.Role; {
		case !isEvent(role):
		case role == "merge" || !isCommit(role):
			others[role]++
		default:
			commits = append(commits, h)
		}
	}
	return commits, others
}

// list returns the counts by role, or "".
func (r roles) list() string {
	var parts []string
	for _, of := range [...][2]string{
		{"merge", "merge"}, {"pr", "pull request"}, {"mr", "merge request"}, {"issue", "issue"}, {"review", "review"},
		{"comment", "comment"},
	} {
		if n := r[of[0]]; n > 0 {
			parts = append(parts, messages.Plural(n, of[1]))
		}
	}
	return strings.Join(parts, ", ")
}

func upperFirst(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// authors lists the people with the most commits and counts the other people and the bots.
func authors(commits []search.Hit) string {
	n := map[string]int{}
	bots := 0
	for _, h := range commits {
		name, email := team.SplitName(h.Doc.Author)
		if providers.IsBot(name, email) {
			bots++
			continue
		}
		n[name]++
	}
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), 3)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", name, n[name]))
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	switch {
	case len(parts) == 0:
		return "by bots"
	case bots > 0:
		return fmt.Sprintf("by %s, %d by bots", strings.Join(parts, ", "), bots)
	}
	return "by " + strings.Join(parts, ", ")
}
