package ask

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// isOf reports whether an author is a person, under any of their names.
func isOf(p team.ContributorStats, who string) bool {
	name, email := team.SplitName(who)
	return strings.EqualFold(p.Name, name) || email != "" && strings.EqualFold(p.Email, email) || slices.ContainsFunc(p.Aliases, func(alias string) bool {
		return strings.EqualFold(alias, who) || strings.EqualFold(alias, name)
	})
}

// asksForHelp reports whether somebody is looked for who will do something now.
func asksForHelp(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(helpPhrases[:], func(p string) bool { return strings.Contains(lower, p) })
}

var helpPhrases = [...]string{"should", "review my", "do i ask", "can i ask", "to ask", "talk to", "ping", "can help", "could help", "can review", "could review", "maintain", "contact", "reach out", "looks after", "takes care", "best person"}

// longGone is how long somebody has done nothing for an area, before the newest work of
// all, who can hardly help with it.
const longGone = 365 * 24 * time.Hour

func (w *whoQuestion) leftLongAgo(p team.ContributorStats) bool {
	return !p.Active && p.Last.Before(w.c.Newest().Add(-longGone))
}
