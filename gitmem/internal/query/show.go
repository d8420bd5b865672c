package query

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
)

// Show looks a citation id up. What config.yaml excludes, and what was said while
// capture was paused, is not shown: the error is a [Refusal] that wraps ErrNotFound.
func (m *Reader) Show(ctx context.Context, id string) (cite.Source, error) {
	return m.ShowAsOf(ctx, id, "")
}

// ShowAsOf looks a citation id up in what was recorded at a moment, see [Filter].AsOf.
// What can't be known of it is reported through Options.Warn.
func (m *Reader) ShowAsOf(ctx context.Context, id, asOf string) (cite.Source, error) {
	src, err := m.LookUp(ctx, id, asOf)
	if err != nil {
		return cite.Source{}, err
	}
	return m.Showable(src)
}

// Showable refuses a source that a search leaves out.
func (m *Reader) Showable(src cite.Source) (cite.Source, error) {
	rule, paused := "", false
	switch kind := cite.Kind(src.Source); {
	case kind == cite.KindTranscript || kind == cite.KindPrompt:
		if err := m.ws.Policy().Err; err != nil {
			return cite.Source{}, fmt.Errorf("%s can't be shown while it is not known what is excluded: %w", src.ID, err)
		}
		rule, _ = m.ws.ExcludedRecord(src.Project, m.ws.ProjectName(src.Path))
		_, paused = m.ws.PausedRecord(src.Project, src.Time)
	case kind == cite.KindPlan:
		rule, paused = m.src.WithheldPlan(src.Time)
	case src.Layer == cite.LayerMemory || src.Layer == cite.LayerSummaries:
		rule, _ = m.ws.ExcludedMemory(src.Path, src.Project)
	}
	switch {
	case rule != "":
		return cite.Source{}, &messages.Refusal{Reason: fmt.Sprintf("%s is excluded by the rule %q in %s", src.ID, rule, m.ws.ConfigFile()), Err: messages.ErrNotFound,
			Advice: "what is excluded is neither searched nor shown; take the rule out of the file to see it"}
	case paused:
		return cite.Source{}, &messages.Refusal{Reason: src.ID + " was said while capture was paused", Err: messages.ErrNotFound,
			Advice: "what was said meanwhile is neither searched nor shown"}
	}
	return src, nil
}
