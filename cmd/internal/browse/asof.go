package browse

import (
	"context"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// AsOf is the slider that shows a page as of an earlier day.
type AsOf struct {
	First, Last string // its days
	Day         string // that is shown, "" for today
	Days, At    int32  // how many steps there are, and which of them is shown
}

// asOf is the slider from the day on which memory's history begins, and the moment that a page shows:
// the end of a day, and now for "".
func (s *site) asOf(ctx context.Context, asked string) (AsOf, time.Time, error) {
	now := s.now()
	began, err := s.m.History().Began(ctx)
	if err != nil {
		return AsOf{}, now, err
	}
	if began = began.In(now.Location()); began.IsZero() || began.After(now) {
		began = now
	}
	steps := func(t time.Time) int32 { return int32(midnight(t).Sub(midnight(began)).Hours() / 24) }
	a := AsOf{First: day(began), Last: day(now), Days: steps(now), At: steps(now)}
	if asked == "" || asked == a.Last {
		return a, now, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, asked, now.Location())
	if err != nil {
		return a, now, fmt.Errorf("%w: asof=%.40s is no day such as %s", gitmem.ErrUsage, asked, a.Last)
	}
	a.Day, a.At = asked, min(max(steps(at), 0), a.Days)
	if end := at.AddDate(0, 0, 1).Add(-time.Second); end.Before(now) {
		now = end
	}
	return a, now, nil
}

// midnight is the beginning of a day, by which days are counted whatever the clock does in summer.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
