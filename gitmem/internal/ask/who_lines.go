package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/team"
)

const (
	mostBlamed = 12  // files of an area whose lines are counted by who wrote them
	ofLines    = 0.6 // what surviving lines count beside recent work
)

// bySurvivingLines orders people by the lines of theirs that are there now, and by what
// they did of late.
func (w *inquiry) bySurvivingLines(ctx context.Context, people []team.Standing) {
	if w.c.Surviving == nil || w.f.area == nil || len(people) < 2 {
		return
	}
	lines, total := map[int]int{}, 0
	for who, n := range w.c.Surviving(ctx, w.mainFiles()) {
		i := slices.IndexFunc(people, func(p team.Standing) bool { return isOf(p, who) })
		if i >= 0 {
			lines[i] += n
			total += n
		}
	}
	if total == 0 {
		return
	}
	for i := range people {
		people[i].Share = ofLines*float64(lines[i])/float64(total) + (1-ofLines)*people[i].Share
	}
	slices.SortStableFunc(people, func(a, b team.Standing) int { return cmp.Compare(b.Share, a.Share) })
}

// mainFiles are the files of the area that are there now, those that are most of it and
// had most work first.
func (w *inquiry) mainFiles() []string {
	work := w.c.PathWork()
	var at []int
	for i, p := range w.c.Paths() {
		if w.f.area[i] > 0 && w.c.Present != nil && w.c.Present(p) && !aside(p) {
			at = append(at, i)
		}
	}
	slices.SortFunc(at, func(a, b int) int {
		return cmp.Or(cmp.Compare(w.f.area[b], w.f.area[a]), cmp.Compare(work[b], work[a]), cmp.Compare(a, b))
	})
	out := make([]string, min(len(at), mostBlamed))
	for i := range out {
		out[i] = w.c.Paths()[at[i]]
	}
	return out
}

// isOf tells whether an author is a person, under any of their names.
func isOf(p team.Standing, who string) bool {
	name, email := splitAuthor(who)
	return strings.EqualFold(p.Name, name) || email != "" && strings.EqualFold(p.Email, email) || slices.ContainsFunc(p.Aliases, func(alias string) bool {
		return strings.EqualFold(alias, who) || strings.EqualFold(alias, name)
	})
}

// asksForHelp tells whether somebody is looked for who will do something now.
func asksForHelp(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(helpPhrases[:], func(p string) bool { return strings.Contains(lower, p) })
}

var helpPhrases = [...]string{"should", "review my", "do i ask", "can i ask", "to ask", "talk to", "ping", "can help", "could help", "can review", "could review", "maintain", "contact", "reach out", "looks after", "takes care", "best person"}

// longGone is how long somebody has done nothing for an area, before the newest work of
// all, who can hardly help with it.
const longGone = 365 * 24 * time.Hour

func (w *inquiry) gone(p team.Standing) bool {
	return !p.Active && p.Last.Before(w.c.Newest().Add(-longGone))
}
