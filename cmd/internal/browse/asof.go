package browse

import (
	"context"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// asOf returns the slider from the first day of memory's history, and the requested day, "" for today.
func (s *site) asOf(ctx context.Context, asked string) (*SliderView, string, error) {
	began, err := s.m.History().Began(ctx)
	if err != nil || asked == "" {
		return s.sliderOf(began, ""), "", err
	}
	if _, err := time.Parse(time.DateOnly, asked); err != nil {
		return nil, "", fmt.Errorf("%w: asof=%.40s is no day such as %s", gitmem.ErrUsage, asked, day(s.now()))
	}
	if asked >= day(s.now()) {
		asked = ""
	}
	return s.sliderOf(began, asked), asked, nil
}

// endOf returns the last second of a day; for "" it returns now.
func (s *site) endOf(asked string) time.Time {
	now := s.now()
	at, err := time.ParseInLocation(time.DateOnly, asked, now.Location())
	if err != nil {
		return now
	}
	return at.AddDate(0, 0, 1).Add(-time.Second)
}
