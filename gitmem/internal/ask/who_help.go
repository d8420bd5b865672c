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
	return strings.EqualFold(p.Name, name) || email != "" && strings.EqualFold(p.Email, email) ||
		slices.ContainsFunc(p.Aliases, func(alias string) bool {
			return strings.EqualFold(alias, who) || strings.EqualFold(alias, name)
		})
}

// longGone is how long before the newest work somebody must have been inactive in an area to be of little help.
const longGone = 365 * 24 * time.Hour

func (w *whoQuestion) leftLongAgo(p team.ContributorStats) bool {
	return !p.Active && p.Last.Before(w.c.Newest().Add(-longGone))
}
