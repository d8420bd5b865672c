package query

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
)

// Shown is a source as it is shown: a citation's fields and its whole text. The JSON form
// is a public contract.
type Shown struct {
	answer.Citation
	Date  time.Time `json:"-"` // in the source's own zone
	Text  string    `json:"text"`
	Paths []string  `json:"paths"`
	// of a pull request, an issue or a ticket, removed for what only memory's history holds, "" for what has none
	State string      `json:"state"`
	Also  []string    `json:"also"` // who else had a part in it
	Links []ShownLink `json:"links"`
	// Changes are those of a commit, where they were asked for; LeftOut counts the
	// lines of patches that are too many to be shown.
	Changes []FileChange `json:"changes,omitempty"`
	LeftOut int          `json:"left_out,omitempty"`
	Later
}

// ShownLink is a link from a source to another one.
type ShownLink struct {
	Rel string `json:"rel"`
	ID  string `json:"id"`
}

// ShowOptions say what is shown of a source.
type ShowOptions struct {
	AsOf  string // see [Filter].AsOf
	Files bool   // the changes too, of a commit
	Diff  bool   // the changes too; ErrUsage for what is no commit
	Lines int    // of patches at most, 0: none
	Later bool   // what became of a commit too
	// FollowUps are the later commits about the same too, with Later.
	FollowUps bool
}

// Shown looks a citation id up as [Reader.Show] does, in the form that is shown.
func (rd *Reader) Shown(ctx context.Context, id string, o ShowOptions) (Shown, error) {
	src, err := rd.ShowAsOf(ctx, id, o.AsOf)
	if err != nil {
		return Shown{}, err
	}
	s := Shown{
		Citation: src.Citation(0), Date: src.Time, Text: src.Text, State: src.State,
		Paths: append([]string{}, src.Paths...), Also: append([]string{}, src.Also...), Links: []ShownLink{},
	}
	for _, l := range src.Links {
		s.Links = append(s.Links, ShownLink{string(l.Rel), l.ID})
	}
	if o.Later {
		if err := rd.later(ctx, &s, o.FollowUps); err != nil {
			return Shown{}, err
		}
	}
	if o.Diff || o.Files && strings.HasPrefix(src.ID, ingest.CommitPrefix) {
		s.Changes, s.LeftOut, err = rd.changes(ctx, src, o.Lines)
	}
	return s, err
}

// Show looks a citation id up. What is excluded, and what was written while
// capture was paused, is not shown: the error is a [Refusal] that wraps ErrNotFound.
func (rd *Reader) Show(ctx context.Context, id string) (cite.Source, error) {
	return rd.ShowAsOf(ctx, id, "")
}

// ShowAsOf looks a citation id up in what was recorded at a moment, see [Filter].AsOf.
// What can't be known of it is reported through Options.Warn.
func (rd *Reader) ShowAsOf(ctx context.Context, id, asOf string) (cite.Source, error) {
	src, err := rd.LookUp(ctx, id, asOf)
	if err != nil {
		return cite.Source{}, err
	}
	return rd.Showable(src)
}

// Showable refuses a source that a search leaves out.
func (rd *Reader) Showable(src cite.Source) (cite.Source, error) {
	rule, paused := "", false
	switch kind := cite.Kind(src.Source); {
	case kind == cite.KindTranscript || kind == cite.KindPrompt:
		if err := rd.ws.Policy().Err; err != nil {
			return cite.Source{}, fmt.Errorf("%s can't be shown while it is not known what is excluded: %w", src.ID, err)
		}
		rule = rd.ws.ExcludedRecord(src.Project, rd.ws.ProjectName(src.Path))
		_, paused = rd.ws.PausedRecord(src.Project, src.Time)
	case kind == cite.KindPlan:
		rule, paused = rd.src.WithheldPlan(src.Time)
	case src.Layer == cite.LayerMemory || src.Layer == cite.LayerSummaries:
		rule = rd.ws.ExcludedMemory(src.Path, src.Project)
	}
	switch {
	case rule != "":
		return cite.Source{}, &messages.Refusal{Err: messages.ErrNotFound,
			Reason: fmt.Sprintf("%s is excluded by the rule %q in %s", src.ID, rule, rd.ws.FileOfRule(rule)),
			Advice: "what is excluded is neither searched nor shown; take the rule out of the file to see it"}
	case paused:
		return cite.Source{}, &messages.Refusal{Reason: src.ID + " was said while capture was paused",
			Err:    messages.ErrNotFound,
			Advice: "what was said meanwhile is neither searched nor shown"}
	}
	return src, nil
}
