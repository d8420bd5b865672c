package gitmem

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// stand tells of an answer's citations how they stand to the history now, and of
// those that support it what was taken back.
func (v *view) stand(ctx context.Context, a *Answer) error {
	ids := make([]string, len(a.Citations))
	for i, c := range a.Citations {
		ids[i] = c.ID
	}
	standings, err := v.fresh.Standings(ctx, ids...)
	if err != nil && ctx.Err() == nil {
		a.Caveats = append(a.Caveats, fmt.Sprintf("It is not known how the citations stand to the history now: %v.", err))
		return nil
	}
	if err != nil {
		return err
	}
	for i := range a.Citations {
		s, known := standings[a.Citations[i].ID]
		if !known {
			continue
		}
		placed(&a.Citations[i], s)
		if what := s.String(); what != "" && a.Citations[i].Role != ask.RoleLead {
			a.Caveats = append(a.Caveats, fmt.Sprintf("%s: %s.", a.Citations[i].ID, what))
		}
	}
	return nil
}

// placed sets what a standing says of a citation.
func placed(c *Citation, s cite.Standing) {
	if s.Status != cite.StatusHolds { // the words hold or moved in their own text
		c.Status = s.Status
	}
	c.Since, c.RevertedBy = s.Since, s.RevertedBy
}
