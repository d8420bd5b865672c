package ask

import (
	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// undecided reports whether the title marks a decision as not in force.
func undecided(title string) bool { return cite.DecidedTitle(title) != title }

// draft is an answer under construction.
type draft answer.Answer

// firstPassage returns the first passage of a source.
func firstPassage(src cite.Source) cite.Quote { return cite.Lead(cite.Quotable(src), excerptRunes) }
