package ask

import (
	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// undecided reports by its title whether a decision is not, or no longer, in force.
func undecided(title string) bool { return cite.DecidedTitle(title) != title }

// draft is an answer that is being composed.
type draft answer.Answer

// firstPassage is the first passage of a source.
func firstPassage(src cite.Source) cite.Quote { return cite.Lead(cite.Quotable(src), excerptRunes) }
