package ask

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// whoAnswers answers a question about people from the rules and the user's notes, followed by the history.
func (e *Engine) whoAnswers(ctx context.Context, q Question, o Options, a *draft) error {
	if err := e.who(ctx, q, o, a); err != nil || len(q.Terms) == 0 {
		return err
	}
	layers := allowed(o.Query.Layers, cite.LayerRules, cite.LayerMemory)
	if len(layers) == 0 {
		return nil
	}
	w, found, err := e.find(ctx, q, o.Query, layers...)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(ev evidence) bool {
		return !w.tells(ev.texts...) || ev.single < mediumNear || w.knownShare(ev) < leastKnown
	})
	found, own := e.cited(ctx, found, mostOwnCitations)
	if len(own) == 0 {
		return nil
	}
	a.Citations = append(own, a.Citations...)
	history := "\n\nBy the history:\n" + a.Answer
	if a.Answer = compose(answer.KindGeneral, found[:len(own)]); len(a.People) > 0 {
		a.Answer += history
	}
	if a.Confidence != answer.High {
		a.Confidence = answer.Medium
	}
	return nil
}

// mostOwnCitations is the maximum number of cited rules and notes for a question about people.
const mostOwnCitations = 2

// who ranks the people of an area: the files that the question names or is about, or otherwise the commits that mention
// it. Without either there is no answer.
func (e *Engine) who(ctx context.Context, q Question, o Options, a *draft) error {
	if !allows(o.Query.Layers, cite.LayerTeam) {
		a.Caveats = append(a.Caveats, "People are known from the commits only, and those were not asked for.")
		return nil
	}
	c, err := e.History.Contributions(ctx)
	if err != nil || c == nil || c.Len() == 0 {
		return err
	}
	form, present := formOf(q.Text)
	// the authors of files answer
	path := slices.ContainsFunc(q.Names, func(n name) bool { return strings.Contains(n.text, "/") })
	once := changedOnce(q.Terms) || slices.Contains(q.Terms, "broke")
	if (asksWhoDid(q.Text) || form == whoBegan) && (!path || once || form == whoBegan) && form != whoReviewed {
		if done, err := e.whoDid(ctx, q, o, c, a); done || err != nil || once || !path && !deedOf(q.Text).begins {
			return err
		}
	}
	if plain := withoutPresent(q.Text); plain != q.Text && o.Query.Range == q.Range {
		q = Read(plain, e.Now, e.ReferenceTimes)
		o.Query.Range = q.Range
	}
	s := topicOf(q, c.History, e.Vocabulary.Synonyms())
	s.event = form == whoBegan
	f, err := e.areaFor(ctx, s, c, o, a)
	if err != nil || (f.By == "" && len(s.concepts)+len(s.named)+len(s.missing) > 0) {
		return err
	}
	if form == whoBegan && f.By != "path" { // the first editor of a loosely related file did not begin it
		return nil
	}
	w := whoQuestion{e: e, c: c, f: f, form: form, present: present, o: o, a: a, subject: s}
	w.answer(ctx)
	return nil
}

// areaFor returns the area of a subject within the filters.
func (e *Engine) areaFor(ctx context.Context, s topic, c *query.Contributions, o Options,
	a *draft) (f Area, err error) {
	if len(s.concepts)+len(s.named)+len(s.missing) > 0 {
		if f, err = e.findArea(ctx, s, c, o); err != nil {
			return f, err
		}
	} else if !o.Query.Narrows(search.OnPath) {
		a.Caveats = append(a.Caveats, "The question names no area; people are ranked over the whole history.")
	}
	if o.Query.Narrows(search.OnPath) {
		area := c.Select(func(p string) bool { return o.Query.Allows(search.OnPath, p) })
		for i := range f.Area { // nil means the whole tree
			area[i] *= f.Area[i]
		}
		f.Area = area
	}
	return f, nil
}

// Area is the part of the tree that a word or a path names.
type Area struct {
	team.Area                         // nil means the whole tree
	Relevance func(row int64) float64 // weight of contributions; nil weighs all equally
	By        string                  // path, words or commits; "" if nothing was found
	held      float64                 // share of the subject in its best file or commit
}

// FindArea finds the area that a path or a few words name. An existing path is an area itself; words are matched as in
// questions.
func (e *Engine) FindArea(ctx context.Context, text string, c *query.Contributions, o Options) (Area, error) {
	if area := c.Under(path.Clean(text)); area.Size() > 0 {
		return Area{Area: area, By: "path"}, nil
	}
	return e.findArea(ctx, topicOf(Question{Text: text, Words: strings.Fields(text)}, c.History, e.Vocabulary.Synonyms()),
		c, o)
}

// whoQuestion is a question about people with a known area.
type whoQuestion struct {
	e       *Engine
	c       *query.Contributions
	f       Area
	form    whoForm
	present bool
	o       Options
	a       *draft
	subject topic
}

func (w *whoQuestion) answer(ctx context.Context) {
	o := team.Options{Since: w.o.Query.Range.Since, Until: w.o.Query.Range.Until, Relevance: w.f.Relevance}
	if w.form == whoBegan {
		w.began(ctx, w.c.Rank(w.f.Area, o))
		return
	}
	r, surviving := w.c.RankNow(ctx, w.f.Area, o)
	w.a.Caveats = append(w.a.Caveats, surviving.Caveats...)
	if w.form == whoReviewed {
		r.People = slices.DeleteFunc(r.People, func(p team.ContributorStats) bool { return p.Reviews == 0 })
		if len(r.People) == 0 {
			w.a.Caveats = append(w.a.Caveats, "No reviews of it are recorded.")
		}
	}
	sure := w.confidence(r)
	if known := shareOfAll(r.People); surviving.Unowned > 0 && known < leastShareKnown {
		sure = answer.Low
	}
	r.People = slices.DeleteFunc(r.People, func(p team.ContributorStats) bool {
		return !w.o.Query.Allows(search.OnAuthor, p.Name+" <"+p.Email+"> "+strings.Join(p.Aliases, " "))
	})
	active := func(p team.ContributorStats) bool { return p.Active }
	if w.present && slices.ContainsFunc(r.People, active) {
		r.People = slices.DeleteFunc(r.People, func(p team.ContributorStats) bool { return !p.Active })
		w.a.Caveats = append(w.a.Caveats, "Only people who still contribute to the repository are listed.")
	}
	if len(r.People) == 0 {
		return
	}
	w.a.Confidence = sure
	w.list(ctx, r)
	if first := slices.IndexFunc(r.People, active); first > 0 && w.leftLongAgo(r.People[0]) {
		w.a.Caveats = append(w.a.Caveats, fmt.Sprintf(
			"%s last worked on it on %s and is no longer active; of those who are, %s comes first.",
			r.People[0].Name, r.People[0].Last.Format(time.DateOnly), r.People[first].Name))
	}
	if w.a.Confidence == answer.Low {
		w.a.setClosest("Not certain. Closest by the history:\n" + w.a.Answer)
	}
	w.addCaveats(r, surviving.Lines != nil)
}

// leastShareKnown is the minimum share of an area whose authors must be known.
const leastShareKnown = 0.5

// shareOfAll returns the people's combined share of an area.
func shareOfAll(people []team.ContributorStats) (share float64) {
	for _, p := range people {
		share += p.Share
	}
	return share
}

// confidence is high if the area is certain and one person clearly leads it.
func (w *whoQuestion) confidence(r team.Ranking) answer.Confidence {
	ahead := math.Inf(1)
	if len(r.People) > 1 {
		ahead = r.People[0].Score / max(r.People[1].Score, 1e-9)
	}
	whole := len(w.subject.concepts)+len(w.subject.named) == 0
	switch {
	case w.f.By == "commits" && r.Commits < 2:
		return answer.Low
	case w.f.By == "commits":
		return answer.Medium
	case r.Commits >= 3 && ahead >= 1.2 && (whole || w.f.held >= 0.8):
		return answer.High
	case r.Commits >= 2 && w.f.held >= 0.55, whole:
		return answer.Medium
	}
	return answer.Low
}

// list writes the ranked people with their main contributions.
func (w *whoQuestion) list(ctx context.Context, r team.Ranking) {
	w.a.People = append(w.a.People, People(r.People, w.o.Limit, func(row int64) string {
		c, ok := w.e.citeRow(ctx, w.c, row)
		if ok {
			w.a.Citations = append(w.a.Citations, c)
		}
		return c.ID
	})...)
	w.a.Answer = composePeople(w.a.People, r.Commits)
}

// citeRow returns a verified citation of a contribution.
func (e *Engine) citeRow(ctx context.Context, c *query.Contributions, row int64) (answer.Citation, bool) {
	src, err := e.Evidence.Resolve(ctx, c.ID(row))
	if err != nil {
		e.lost.add(err)
		return answer.Citation{}, false
	}
	out := src.Citation(1)
	out.Excerpt = firstPassage(src).Text
	return out, true
}

// People returns the first people for an answer, each with citations of their two most important contributions. cite
// returns the citation id of a contribution, or "" if it was deleted.
func People(people []team.ContributorStats, limit int, cite func(row int64) string) []answer.Person {
	lines, out := 0, []answer.Person{}
	for _, p := range people {
		lines += p.Lines
	}
	for _, p := range people[:min(len(people), limit)] {
		person := answer.Person{
			Name: p.Name, Email: p.Email, Commits: p.Commits, Last: p.Last, Areas: topAreas(p.Paths, 3), Citations: []string{},
			Score: thousandths(p.Share), Lines: p.Lines, Reviews: p.Reviews, Active: p.Active, Surviving: p.Surviving,
			Share: thousandths(float64(p.Lines) / float64(max(lines, 1))),
		}
		for _, row := range p.Rows {
			if len(person.Citations) == 2 {
				break
			}
			if id := cite(row); id != "" {
				person.Citations = append(person.Citations, id)
			}
		}
		out = append(out, person)
	}
	return out
}

func thousandths(share float64) float64 { return math.Round(1000*share) / 1000 }

// addCaveats adds caveats about the ranking, which is by surviving lines or by activity.
func (w *whoQuestion) addCaveats(r team.Ranking, surviving bool) {
	if r.Bots > 0 {
		w.a.Caveats = append(w.a.Caveats, fmt.Sprintf("%s by bots %s left out.", messages.Plural(r.Bots, "commit"),
			cmp.Or(map[int]string{1: "was"}[r.Bots], "were")))
	}
	if !surviving {
		w.a.Caveats = append(w.a.Caveats, UnknownLines(r.Unknown, r.Commits)...)
	}
	if w.f.By == "commits" {
		w.a.Caveats = append(w.a.Caveats,
			"No file is about this by its name or history; people are ranked by the commits that tell of it.")
	}
	switch alone := r.BusFactor == 1 && len(r.People) > 1; {
	case alone && surviving:
		w.a.Caveats = append(w.a.Caveats, fmt.Sprintf("%s wrote more than half of what is there now.", r.People[0].Name))
	case alone:
		w.a.Caveats = append(w.a.Caveats, fmt.Sprintf("%s did more than half of it alone, newer work weighing more.",
			r.People[0].Name))
	}
	if list := w.c.OwnersOf(w.f.Area, 1); len(list) > 0 {
		w.a.Caveats = append(w.a.Caveats, "CODEOWNERS names "+strings.Join(list[:min(len(list), 5)], ", ")+".")
	}
}

// UnknownLines returns the caveat about commits with an unknown number of changed lines, or nil.
func UnknownLines(unknown, commits int) []string {
	if unknown == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Of %d of %s the changed lines are not known yet; they count as middling ones.", unknown,
		messages.Plural(commits, "commit"))}
}

// began answers who was the first to do something in an area.
func (w *whoQuestion) began(ctx context.Context, r team.Ranking) {
	if r.Introducer == "" {
		return
	}
	people := w.c.Rank(w.f.Area, team.Options{Relevance: only(r.Introduced)}).People // includes the reviewers
	people = slices.DeleteFunc(people, func(p team.ContributorStats) bool { return p.Name != r.Introducer })
	if len(people) == 0 {
		return
	}
	w.a.Confidence = answer.Medium
	if w.f.By == "path" && w.wholePath() {
		w.a.Confidence = answer.High
	}
	w.list(ctx, team.Ranking{People: people})
}

// only returns a relevance that selects a single contribution.
func only(row int64) func(int64) float64 {
	return func(other int64) float64 { return float64(number(other == row)) }
}

// wholePath reports whether the subject names a file of the area by its full name, with or without leading folders: a.b
// may be a symbol instead of the file a.b.go.
func (w *whoQuestion) wholePath() bool {
	for i, p := range w.c.Paths() {
		if w.f.Area[i] > 0 && slices.ContainsFunc(w.subject.named, func(name string) bool {
			return p == name || strings.HasSuffix(p, "/"+name)
		}) {
			return true
		}
	}
	return false
}

// topAreas returns at most n files, the first of them replaced by a common folder if all files share one.
func topAreas(files []string, n int) []string {
	if len(files) <= n {
		return append([]string{}, files...)
	}
	for dir := path.Dir(files[0]); dir != "."; dir = path.Dir(dir) {
		if !slices.ContainsFunc(files, func(f string) bool { return !strings.HasPrefix(f, dir+"/") }) {
			return append([]string{dir + "/"}, files[:n-1]...)
		}
	}
	return files[:n]
}

// fewShared is the number of commits below which a percentage is misleading.
const fewShared = 5

// composePeople writes people with their share of an area with the given number of commits, or without shares if it is
// 0.
func composePeople(people []answer.Person, commits int) string {
	surviving := slices.ContainsFunc(people, func(p answer.Person) bool { return p.Surviving > 0 })
	var b strings.Builder
	for _, p := range people {
		fmt.Fprintf(&b, "- **%s** · ", p.Name)
		switch {
		case surviving && p.Surviving == 0:
			fmt.Fprintf(&b, "nothing of it is there now · %s", messages.Plural(p.Commits, "commit"))
		case surviving:
			fmt.Fprintf(&b, "%.0f %% of what is there now (%s) · %s",
				100*p.Score, messages.Plural(p.Surviving, "line"), messages.Plural(p.Commits, "commit"))
		case commits == 0:
			b.WriteString(messages.Plural(p.Commits, "commit"))
		case commits < fewShared:
			fmt.Fprintf(&b, "%d of %s", p.Commits, messages.Plural(commits, "commit"))
		default:
			fmt.Fprintf(&b, "%.0f %% · %s", 100*p.Score, messages.Plural(p.Commits, "commit"))
		}
		if p.Lines > 0 {
			fmt.Fprintf(&b, ", %s", messages.Plural(p.Lines, "line"))
		}
		if p.Reviews > 0 {
			fmt.Fprintf(&b, ", %s", messages.Plural(p.Reviews, "review"))
		}
		if !p.Last.IsZero() {
			fmt.Fprintf(&b, ", last %s", p.Last.Format(time.DateOnly))
		}
		if !p.Active {
			b.WriteString(", no longer active")
		}
		if len(p.Areas) > 0 {
			fmt.Fprintf(&b, " · %s", strings.Join(p.Areas, ", "))
		}
		for _, id := range p.Citations {
			fmt.Fprintf(&b, " [%s]", id)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}
