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

// Shown is a source in its displayed form: a citation's fields and its whole text. The JSON form is a public contract.
type Shown struct {
	answer.Citation
	Date  time.Time `json:"-"` // in the source's own zone
	Text  string    `json:"text"`
	Paths []string  `json:"paths"`
	// of a pull request, an issue or a ticket; "removed" if only memory's history has the source; "" otherwise
	State string      `json:"state"`
	Also  []string    `json:"also"` // other people involved
	Links []ShownLink `json:"links"`
	// Changes are the changes of a commit, if requested; LeftOut is the number of patch lines omitted because of the
	// limit.
	Changes []FileChange `json:"changes,omitempty"`
	LeftOut int          `json:"left_out,omitempty"`
	Later
}

// ShownLink is a link from a source to another one.
type ShownLink struct {
	Rel string `json:"rel"`
	ID  string `json:"id"`
}

// ShowOptions select the parts of a source to show.
type ShowOptions struct {
	AsOf  string // see [Filter].AsOf
	Files bool   // include the changes of a commit
	Diff  bool   // include the changes; ErrUsage for sources that are not commits
	Lines int    // maximum of patch lines; 0 means none
	Later bool   // include what happened to a commit afterwards
	// FollowUps includes later commits about the same subject; requires Later.
	FollowUps bool
}

// Shown looks up a citation id as [Reader.Show] does and returns it in its displayed form.
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

// Show looks up a citation id. It does not show excluded sources or sources written while capture was paused: the error
// is a [messages.Refusal] that wraps ErrNotFound.
func (rd *Reader) Show(ctx context.Context, id string) (cite.Source, error) {
	return rd.ShowAsOf(ctx, id, "")
}

// ShowAsOf looks up a citation id in a past state, see [Filter].AsOf. Unknown parts are reported through Options.Warn.
func (rd *Reader) ShowAsOf(ctx context.Context, id, asOf string) (cite.Source, error) {
	src, err := rd.LookUp(ctx, id, asOf)
	if err != nil {
		return cite.Source{}, err
	}
	return rd.Showable(src)
}

// Showable refuses a source that a search omits.
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
