package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
)

var whoVerb = lazy.Pattern(`(?i)\bwho(?: first| originally| else)? ([a-z]+)`)

// asksWhoDid reports whether a question wants who did something once, not who knows it or
// works on it.
func asksWhoDid(text string) bool {
	m := whoVerb().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	verb := strings.ToLower(m[1])
	if strings.Contains(strings.ToLower(text), " most") || verb == "worked" || verb == "maintained" || verb == "reviewed" || verb == "owned" || verb == "need" {
		return false
	}
	return strings.HasSuffix(verb, "ed") || isOneOf(" wrote made did built brought took got put set came gave began broke undid ", verb)
}

// changedOnce reports whether a question names a change such as a removal or a rename, of
// which the files that are there now don't show who made it.
func changedOnce(terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool {
		change := claim.ChangeOf(t)
		return change != "" && !strings.HasSuffix(change, "+")
	})
}

// leastTitled is the share of what was done that the title of a commit must say to be it.
const leastTitled = 0.65

// whoDid answers who did something by the commits that name it in their title, the
// earliest of those that do so alike; false where there is none.
func (e *Engine) whoDid(ctx context.Context, q Question, o Options, c *query.Contributions, a *draft) (bool, error) {
	if len(q.Terms) < 2 {
		return false, nil
	}
	w, found, err := e.find(ctx, q, o.Query, cite.LayerTeam)
	if err != nil {
		return false, err
	}
	found = slices.DeleteFunc(found, func(ev evidence) bool {
		return !ofCommit(ev.src.ID) || ev.hit.Doc.Role == "merge" || !w.tells(ev.texts...) || ev.titled < leastTitled || w.knownShare(ev) < leastTitled
	})
	if len(found) == 0 || len(e.untraced(ctx, q, w, found)) > 0 {
		return false, nil
	}
	best := 0.0
	for _, ev := range found {
		best = max(best, ev.titled)
	}
	found = slices.DeleteFunc(found, func(ev evidence) bool { return ev.titled < best-asGood })
	first := slices.MinFunc(found, func(a, b evidence) int { return a.src.Time.Compare(b.src.Time) })
	r := c.Rank(nil, team.Options{Relevance: only(query.RowOf(first.hit))})
	if len(r.People) == 0 {
		return false, nil
	}
	a.Confidence = answer.Medium
	(&whoQuestion{e: e, c: c, o: o, a: a}).list(ctx, r.People)
	if len(a.Citations) == 0 { // the commit is gone since
		a.People, a.Answer, a.Confidence = nil, "", answer.None
		return false, nil
	}
	a.Answer += "\n" + list(a.Citations...)
	return true, nil
}

// asGood is how much less of what was done a title may say to count as much as the best.
const asGood = 0.1
