package cite

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Citation returns a citation of the source, without an excerpt.
func (s Source) Citation(score float64) answer.Citation {
	c := answer.Citation{
		ID: s.ID, Layer: s.Layer, Source: s.Source, Type: s.Type, Title: s.Title, Author: s.Author,
		Project: s.Project, Session: s.Session, Path: s.Path, Line: s.Line, UUID: s.UUID,
		Score: score, Status: answer.StatusHolds, Trust: s.Trust(), BrowseURL: s.Page(), URL: s.URL,
	}
	if s.State == StateTakenBack {
		c.Status = answer.StatusTakenBack
	}
	if s.Session != "" {
		c.Agent = transcript.ClientOf(s.Session)
	}
	if !s.Time.IsZero() {
		c.Time = s.Time.Format(time.RFC3339) // of a commit: the author's time, as in git log
	}
	return c
}
