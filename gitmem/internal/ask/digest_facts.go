package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
)

// asksOfReverts reports whether a question about work in general asks for reverts.
func asksOfReverts(text string) bool {
	return slices.Contains(index.Terms(text), index.Terms("reverted")[0])
}

// asksOfHistory reports whether a question about work in general concerns only commits: their number, their areas or
// their reverts.
func asksOfHistory(text string) bool {
	return asksOfReverts(text) || says(spaced(text), "commit", "commits", "area", "areas", "active")
}

// mostReverts is the number of listed reverts.
const mostReverts = 20

// revertsIn lists the reverting commits of a time range.
func (e *Engine) revertsIn(ctx context.Context, q Question, query search.Query) (part, error) {
	query.Terms = search.PlainTerms(index.Terms("revert"))
	res, err := e.Evidence.Find(ctx, query)
	if err != nil {
		return part{}, err
	}
	commits, _ := byRole(res.Hits)
	slices.SortStableFunc(commits, func(a, b search.Hit) int { return b.Doc.Time.Compare(a.Doc.Time) })
	undoes := undoing()
	back := slices.DeleteFunc(e.digestCommits(ctx, commits), func(d digestCommit) bool {
		return !undoes.MatchString(d.src.Title)
	})
	if len(back) == 0 {
		return part{}, nil
	}
	slices.SortStableFunc(back, func(a, b digestCommit) int { return b.Doc.Time.Compare(a.Doc.Time) })
	var t digestText
	heading := fmt.Sprintf("%s: %s taken back", upperFirst(q.Range.String()), messages.Plural(len(back), "change"))
	n := t.list(heading, back, mostReverts)
	if left := len(back) - n; left > 0 {
		fmt.Fprintf(&t, "\n- and %d more", left)
	}
	return part{text: strings.TrimSpace(t.String()), citations: t.citations}, nil
}

var differQuestion = lazy.Pattern(
	`(?i)^(?:do|did|does)\s+(.+?)\s+(?:differ|disagree|agree)\s+(?:on|about|over|with each other on)\s+(.+?)[?.!\s]*$`)

// differ compares what two authors recorded about a subject. It returns false if the question does not ask that or an
// author recorded nothing.
func (e *Engine) differ(ctx context.Context, q Question, o Options, a *draft) (bool, error) {
	m := differQuestion().FindStringSubmatch(q.Text)
	if m == nil || !allows(o.Query.Layers, cite.LayerTeam) {
		return false, nil
	}
	about := Read(m[2], e.Now, e.ReferenceTimes)
	if len(about.Terms) == 0 {
		return false, nil
	}
	query := o.Query
	query.Terms = about.searched()
	_, found, err := e.find(ctx, about, query, cite.LayerTeam)
	if err != nil {
		return false, err
	}
	by, names := map[string][]evidence{}, []string{}
	for _, ev := range found {
		name, _ := team.SplitName(ev.hit.Doc.Author)
		if name != "" && by[name] == nil && wantsAuthor(m[1], name) {
			names = append(names, name)
		}
		by[name] = append(by[name], ev)
	}
	const compared, each = 2, 2
	if len(names) < compared {
		return false, nil
	}
	var parts []part
	for _, name := range names[:compared] {
		kept, cited := e.cited(ctx, by[name], each)
		if len(cited) > 0 {
			text := "**" + name + "**\n" + compose(answer.KindGeneral, kept[:len(cited)])
			parts = append(parts, part{text: text, citations: cited})
		}
	}
	if len(parts) < compared || !a.setParts(parts) {
		return false, nil
	}
	a.setClosest(fmt.Sprintf("What %s and %s recorded on %s, side by side; whether they differ is not said:\n\n%s",
		names[0], names[1], m[2], a.Answer))
	return true, nil
}

// wantsAuthor reports whether words refer to an author: they contain a part of the name, or no name at all.
func wantsAuthor(words, name string) bool {
	_, named := contentTerms(words, answer.KindWho)
	return len(named) == 0 || allStop(strings.NewReplacer("two", "", "both", "").Replace(strings.Join(named, " "))) ||
		slices.ContainsFunc(index.Terms(name), func(t string) bool { return slices.Contains(named, t) })
}
