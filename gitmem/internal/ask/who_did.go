package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

var whoVerb = lazy.Pattern(`(?i)\bwho(?: first| originally| else| was it(?: that| who)?)? ([a-z]+)`)

// asksWhoDid reports whether a question asks who did something once, and not who knows it or works on it.
func asksWhoDid(text string) bool {
	m := whoVerb().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	verb := strings.ToLower(m[1])
	if strings.Contains(strings.ToLower(text), " most") || verb == "worked" || verb == "maintained" ||
		verb == "reviewed" || verb == "owned" || verb == "need" {
		return false
	}
	if strings.HasSuffix(verb, "ed") ||
		isOneOf(" wrote made did built brought took got put set came gave began broke undid ", verb) {
		return true
	}
	everyday := index.IsStopword(verb) || lowIDFTerms()[index.Terms(verb)[0]]
	return !strings.HasSuffix(verb, "s") && verb != "know" && !everyday
}

// changedOnce reports whether a question names a change such as a removal or a rename, whose author the current files
// do not show.
func changedOnce(terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool {
		change := claim.ChangeOf(t)
		return change != "" && !strings.HasSuffix(change, "+")
	})
}

// leastTitled is the minimum share of the deed in the title of its commit.
const leastTitled = 0.65

// whoDid answers who did something, from the commit whose diff adds or removes the named identifier, or otherwise from
// the earliest of the best matching titles. It returns false if there is none.
func (e *Engine) whoDid(ctx context.Context, q Question, o Options, c *query.Contributions, a *draft) (bool, error) {
	if len(q.Terms) == 0 {
		return false, nil
	}
	titled, err := e.titledDeed(ctx, q, o)
	if err != nil {
		return false, err
	}
	did := deedOf(q.Text)
	id, of := e.deedByDiff(ctx, q, did)
	row, known := c.RowOf(id)
	switch {
	case known:
	case titled.src.ID != "" && (!did.unknown || slices.Contains(index.Terms(titled.src.Title), did.term)):
		row = query.RowOf(titled.hit)
	default: // a title with another verb may describe the opposite
		return false, nil
	}
	a.Confidence = answer.Medium
	e.nameAuthor(ctx, c, row, o, a)
	if len(a.Citations) == 0 { // the commit was deleted
		a.People, a.Answer, a.Confidence = nil, "", answer.None
		return false, nil
	}
	if known && strings.Contains(joined(a.Citations[0].Title), joined(strings.Trim(of.text, "-"))) {
		a.Confidence = answer.High
	}
	a.Answer += "\n" + list(a.Citations...)
	return true, nil
}

// nameAuthor names the author of a contribution.
func (e *Engine) nameAuthor(ctx context.Context, c *query.Contributions, row int64, o Options, a *draft) {
	r := c.Rank(nil, team.Options{Relevance: only(row)})
	r.People = slices.DeleteFunc(r.People, func(p team.ContributorStats) bool { return p.Commits == 0 }) // reviewers
	(&whoQuestion{e: e, c: c, o: o, a: a}).list(ctx, team.Ranking{People: r.People})
}

// titledDeed returns the earliest commit whose title describes the deed in the question.
func (e *Engine) titledDeed(ctx context.Context, q Question, o Options) (first evidence, err error) {
	w, found, err := e.find(ctx, q, o.Query, cite.LayerTeam)
	if err != nil || len(q.Terms) < 2 {
		return first, err
	}
	did := deedOf(q.Text)
	found = slices.DeleteFunc(found, func(ev evidence) bool {
		says := w.tells(ev.texts...)
		if did.begins { // to validate is to add validation
			told := claim.Read(ev.src.Title)
			says = says && w.asked.Known() || told.Begins() || !told.Known()
		}
		return !ofCommit(ev.src.ID) || ev.hit.Doc.Role == "merge" || !says || slices.ContainsFunc(q.Names, ev.lacks) ||
			ev.titled < leastTitled || w.knownShare(ev) < leastTitled
	})
	if len(found) == 0 || len(e.untraced(ctx, q, w, found)) > 0 {
		return first, nil
	}
	score := func(ev evidence) float64 { return ev.titled + inOrder*w.pairs(ev.src.Title) }
	best := score(slices.MaxFunc(found, func(a, b evidence) int { return cmp.Compare(score(a), score(b)) }))
	found = slices.DeleteFunc(found, func(ev evidence) bool { return score(ev) < best-asGood })
	return slices.MinFunc(found, func(a, b evidence) int { return a.src.Time.Compare(b.src.Time) }), nil
}

// lacks reports whether a source does not contain a name.
func (ev evidence) lacks(n name) bool { return !n.in(ev) }

// asGood is the tolerance within which a title's share equals the best one. inOrder is the bonus for adjacent words of
// the question.
const inOrder, asGood = 0.2, 0.05

// deedByDiff returns the citation id of the commit that added or removed the only identifier in a question. It returns
// "" if the question asks for more or the diffs do not show it.
func (e *Engine) deedByDiff(ctx context.Context, q Question, did deed) (id string, of name) {
	names := slices.DeleteFunc(slices.Clone(q.Names), func(n name) bool { return !n.ofCode() })
	if len(names) == 0 {
		return "", of
	}
	of = names[0]
	own, lowIDFTerm := index.QueryTerms(of.text), lowIDFTerms()
	others := slice.Count(q.Terms, func(t string) bool {
		return t != did.term && !lowIDFTerm[t] && !slices.Contains(own, t)
	})
	if others > mostBesideName || did.other {
		return "", of
	}
	return e.History.ChangeOfName(ctx, of.text, !did.begins), of
}

// deed is the action whose author a question asks for: a beginning, a possible removal, which includes all unknown
// verbs, or another change.
type deed struct {
	term          string // of its verb
	begins, other bool
	unknown       bool // the verb is not a known verb of change
}

func deedOf(text string) (d deed) {
	verb := ""
	if m := whoVerb().FindStringSubmatch(text); m != nil {
		verb = strings.ToLower(m[1])
		d.term = index.Terms(verb)[0]
	}
	form, _ := formOf(text)
	asked, change := claim.Read(text), claim.ChangeOf(d.term)
	switch {
	case asked.Begins(), form == whoBegan && change == "", !asked.Known() && isOneOf(" wrote made built brought ", verb):
		d.begins = true
	case asked.Known():
		d.other = !asked.Ends() && !isOneOf(" name place location ", change)
	default:
		d.unknown = !isFiller(answer.KindWho, verb)
	}
	return d
}

// mostBesideName is the maximum number of words besides an identifier, such as its kind.
const mostBesideName = 1

// ofCode reports whether a name has the form of an identifier, a file or an option.
func (n name) ofCode() bool {
	return hasLetter(strings.TrimPrefix(n.text, "v")) &&
		(n.compound() || strings.HasPrefix(n.text, "-") || innerCapital().MatchString(n.text))
}

// leastDeed is the minimum share of the deed in the title of the closest commit.
const leastDeed = 0.4

// noDeed introduces commits related to a deed.
const noDeed = "No commit says it in these words. Closest:\n"

// nameClosest names the author of the commit closest to a deed. It reports the author as known only if the answer
// claims that commit.
func (e *Engine) nameClosest(ctx context.Context, q Question, o Options, a *draft) error {
	if form, _ := formOf(q.Text); !asksWhoDid(q.Text) && form != whoBegan || form == whoReviewed || len(a.People) > 0 {
		return nil
	}
	if a.Confidence == answer.None || strings.HasPrefix(a.Answer, Reversed) {
		return nil
	}
	c, err := e.History.Contributions(ctx)
	if err != nil || c == nil {
		return err
	}
	deed, err := e.closestDeed(ctx, q, o)
	switch {
	case err != nil:
		return err
	case deed.src.ID == "" && a.Confidence != answer.Low: // the answer may be right, but its author is unknown
		a.setClosest(noDeed + a.Answer)
		return nil
	case deed.src.ID == "":
		return nil
	}
	claimed := a.Confidence != answer.Low && a.Citations[0].ID == deed.src.ID
	text, before := a.Answer, a.Citations
	a.Citations = nil
	e.nameAuthor(ctx, c, query.RowOf(deed.hit), o, a)
	named := a.Answer
	for _, cited := range before {
		if !slices.ContainsFunc(a.Citations, func(own answer.Citation) bool { return own.ID == cited.ID }) {
			a.Citations = append(a.Citations, cited)
		}
	}
	if a.Answer = named + "\n" + text; !claimed {
		a.setClosest(noDeed + named + "\n" + list(a.Citations...))
	}
	return nil
}

// closestDeed returns the best commit that may be the deed. Its title matches partly and does not describe the opposite
// or only a mention.
func (e *Engine) closestDeed(ctx context.Context, q Question, o Options) (best evidence, err error) {
	w, found, err := e.find(ctx, q, o.Query, cite.LayerTeam)
	if err != nil {
		return best, err
	}
	did := deedOf(q.Text)
	i := slices.IndexFunc(found, func(ev evidence) bool {
		title := ev
		title.src.Text, title.src.Author = "", ""
		if !ofCommit(ev.src.ID) || ev.hit.Doc.Role == "merge" || slices.ContainsFunc(q.Names, title.lacks) {
			return false
		}
		fit := w.asked.Fit([]string{ev.src.Title}, nil).Event
		if w.asked.Ends() || claim.Read(ev.src.Title).Ends() {
			return (fit == claim.Same || did.unknown) && ev.titled >= leastTitled
		}
		return fit != claim.Opposite && ev.titled >= leastDeed && ev.src.Type != "docs" && ev.src.Type != "test"
	})
	if i >= 0 {
		best = found[i]
	}
	return best, nil
}
