package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
)

// mostOfName is the maximum number of words in a person's name.
const mostOfName = 4

// personOfWork returns the name of the person if a question asks only who somebody is or what they did, optionally in a
// time range, and uses the name as an agent; otherwise "". The question must contain a question word about people or
// work.
func personOfWork(q Question, project string) string {
	if q.Kind != answer.KindWho && q.Kind != answer.KindRecent && q.Kind != answer.KindGeneral {
		return ""
	}
	asking := func(w string) bool { return isFiller(answer.KindWho, w) || isFiller(answer.KindRecent, w) }
	asks := q.Kind == answer.KindWho || slices.ContainsFunc(plainWords(q.Text), func(w string) bool {
		return asking(w) && !isFiller(answer.KindGeneral, w)
	})
	var words []string
	everyday := lowIDFTerms()
	for _, w := range q.Words {
		bare := trimMarks(w)
		lower := strings.ToLower(bare)
		if terms := index.Terms(bare); bare == lower && len(terms) == 1 && everyday[terms[0]] {
			continue
		}
		if bare != "" && !asking(lower) && !index.IsStopword(lower) && !strings.EqualFold(bare, project) {
			words = append(words, bare)
		}
	}
	if !asks || len(words) == 0 || len(words) > mostOfName || !isAgent(q.Text, words[0]) {
		return ""
	}
	return strings.Join(words, " ")
}

// isAgent reports whether a text uses a word as the agent or owner of something.
func isAgent(text, word string) bool {
	all := strings.Fields(text)
	i := slices.IndexFunc(all, func(w string) bool { return trimMarks(w) == word })
	if i < 0 {
		return false
	}
	before, own := "", all[i]
	if i > 0 {
		before = strings.ReplaceAll(strings.ToLower(all[i-1]), "’", "'")
	}
	return isOneOf(" did does do has had have is was by of from ", before) || strings.HasSuffix(before, "'s") ||
		trimMarks(own) != strings.Trim(own, "?!.,")
}

var personName = lazy.Pattern(`^(?:\p{Lu}[\p{Ll}.'-]*\s?)+$`)

// answerWork reports what somebody did recently or in a time range. It returns false if the question is not about a
// person. nobody is then an answer for a possible person with an unknown name.
func (e *Engine) answerWork(ctx context.Context, q Question, o Options,
	a *draft) (done bool, nobody string, err error) {
	name := personOfWork(q, e.Project.ProjectName())
	if name == "" || !allows(o.Query.Layers, cite.LayerTeam) {
		return false, "", nil
	}
	c, err := e.History.Contributions(ctx)
	if err != nil || c == nil || c.Len() == 0 {
		return false, "", err
	}
	all := c.Rank(nil, team.Options{}).People
	people := calledBy(all, name)
	if len(people) == 0 {
		if personName().MatchString(name) {
			nobody = fmt.Sprintf("Nobody called %s is known to the history.%s", name, nearNames(all, name))
		}
		return false, nobody, nil // it may be a thing
	}
	if then := calledBy(c.Rank(nil, team.Options{Since: q.Range.Since, Until: q.Range.Until}).People,
		name); len(people) > 1 && len(then) > 0 {
		people = then
	}
	if len(people) > 1 {
		(&whoQuestion{e: e, c: c, o: o, a: a}).list(ctx, team.Ranking{People: people})
		a.setClosest(fmt.Sprintf("Several people are called %s; ask for one by the whole name:\n%s", name, a.Answer))
		return true, "", nil
	}
	if err := e.workOfPerson(ctx, q, people[0], o, a); err != nil || a.Confidence == answer.None {
		return true, "", err
	}
	work, cited := a.Answer, a.Citations
	(&whoQuestion{e: e, c: c, o: o, a: a}).list(ctx, team.Ranking{People: people})
	if a.Citations = cited; q.Kind == answer.KindWho {
		work = a.Answer + "\n\n" + work
	}
	a.Answer = work
	return true, "", nil
}

var latelyWord = lazy.Pattern(`(?i)\b(lately|recently|of late)\b`)

// workOfPerson reports what a person did: everything if the question names no time, and for recent work the months
// before their newest contribution.
func (e *Engine) workOfPerson(ctx context.Context, q Question, p team.ContributorStats, o Options, a *draft) error {
	asked := q.Range
	o.Query.Conditions = append(slices.Clone(o.Query.Conditions),
		search.Condition{On: search.OnAuthor, Match: func(who string) bool {
			return isOf(p, who)
		}})
	plain := latelyWord().ReplaceAllString(q.Text, "")
	if plain != q.Text && o.Query.Range == asked {
		asked = Read(plain, e.Now, e.ReferenceTimes).Range
	}
	late := search.Range{Since: p.Last.AddDate(0, -lateMonths, 0), Until: p.Last.Add(time.Second)}
	times := []search.Range{asked, late, {}}
	switch {
	case !asked.IsZero():
	case plain != q.Text:
		times = times[1:]
	default:
		times = []search.Range{{Since: p.First, Until: late.Until}, {}}
	}
	for _, r := range times {
		q.Range, o.Query.Range = r, r
		found, err := e.digest(ctx, q, o, a)
		if err != nil {
			return err
		}
		if found.text == "" {
			continue
		}
		a.setParts([]part{found})
		if r != asked && !asked.IsZero() {
			a.setClosest(fmt.Sprintf("Nothing by %s is recorded of %s. The newest:\n%s", p.Name, asked.String(), found.text))
		}
		return nil
	}
	return nil
}

// lateMonths is how many months before a person's newest work count as recent.
const lateMonths = 3

// calledBy returns the people with a name: the full name, the local part of an address, or otherwise some words of the
// name.
func calledBy(people []team.ContributorStats, name string) []team.ContributorStats {
	called := func(fits func(name, local string) bool) (out []team.ContributorStats) {
		for _, p := range people {
			if slices.ContainsFunc(append([]string{p.Name + " <" + p.Email + ">"}, p.Aliases...), func(alias string) bool {
				n, email := team.SplitName(alias)
				local, _, _ := strings.Cut(email, "@")
				_, behind, _ := strings.Cut(local, "+") // forges hide addresses like this
				return fits(strings.ToLower(n), local) || behind != "" && fits("", behind)
			}) {
				out = append(out, p)
			}
		}
		return out
	}
	words := strings.Fields(strings.ToLower(name))
	whole := called(func(n, local string) bool { return n == strings.Join(words, " ") || strings.EqualFold(local, name) })
	if len(whole) > 0 && len(words) > 1 {
		return whole
	}
	return called(func(n, local string) bool {
		have := append(strings.Fields(n), strings.ToLower(local))
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
	})
}

// nearNames lists the names that share the most word prefixes with a name.
func nearNames(people []team.ContributorStats, name string) string {
	const same, most = 4, 5
	var out []string
	best := 1
	for _, p := range people {
		near := 0
		for w := range strings.FieldsSeq(strings.ToLower(name)) {
			if strings.Contains(" "+strings.ToLower(p.Name), " "+string([]rune(w)[:min(same, len([]rune(w)))])) {
				near++
			}
		}
		if near > best {
			best, out = near, nil
		}
		if near == best && len(out) < most {
			out = append(out, p.Name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " Near: " + strings.Join(out, ", ") + "."
}

var whoPronoun = lazy.Pattern(`(?i)\bwho\b.*\b(that|this|it|them|those|these)\W*$`)

// lacksSubject reports whether a question who did something only refers to a previous subject with a word such as that,
// and adds a caveat.
func lacksSubject(q Question, a *draft) bool {
	m := whoPronoun().FindStringSubmatch(q.Text)
	if m == nil || len(q.Terms) > 0 {
		return false
	}
	a.Caveats = append(a.Caveats, fmt.Sprintf("Each question stands by itself, and nothing here tells what %q is.", m[1]))
	a.Suggestions = append(a.Suggestions,
		"Name the file, the feature or the change you mean, or ask who knows this repository.")
	return true
}
