package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/failure"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/slice"
)

// Fixes lists how failures with the same error ended. Its JSON is a public contract.
type Fixes struct {
	Error   []string `json:"error"`   // the lines that were compared
	Fixes   []Fix    `json:"fixes"`   // of this project first, then the newest first
	Open    []Fix    `json:"open"`    // failures that were not seen to end
	Caveats []string `json:"caveats"` // what could not be read or is incomplete
}

// Fix is how a failure ended.
type Fix struct {
	How     string      `json:"how"`     // changed, again (it passed without a change) or open
	Changes []FixChange `json:"changes"` // the most probable one first
	Command string      `json:"command"` // that failed
	Error   string      `json:"error"`   // the line of its output
	Failed  string      `json:"failed"`  // citation of that output
	Ended   string      `json:"ended"`   // citation of the success
	Asked   string      `json:"asked"`   // what a person said in between
	Project string      `json:"project"`
	Session string      `json:"session"`
	Time    string      `json:"time"`  // of the failure
	Times   int         `json:"times"` // failures that ended in this way

	own bool
	at  time.Time
}

// FixChange is a change that may have ended a failure.
type FixChange struct {
	ID      string   `json:"id"`
	Command string   `json:"command"`
	Agent   string   `json:"agent"`
	Path    string   `json:"path"`
	Lines   []string `json:"lines"` // that were changed, with - or +
}

// Limits for the display of a change.
const mostChanges, mostLines, mostBytes = 5, 12, 400

// Fix returns how failures with the same error as text ended. It reads the transcripts and no index.
func (rd *Reader) Fix(ctx context.Context, text string, f Filter) (Fixes, error) {
	wanted := failure.ReadError(text)
	if wanted.Literal() == "" {
		return Fixes{}, fmt.Errorf("%w: the text does not say what went wrong: paste the lines that do, not only that "+
			"something failed", messages.ErrUsage)
	}
	q, err := rd.Query(ctx, f)
	if err != nil {
		return Fixes{}, err
	}
	v, err := rd.Begin(ctx, q.Projects)
	if err != nil {
		return Fixes{}, err
	}
	own, err := rd.ws.ScopeOf(ctx, "")
	if err != nil {
		return Fixes{}, err
	}
	out := Fixes{Error: slice.Map(wanted.Lines(), rd.ws.Clean), Fixes: []Fix{}, Open: []Fix{}}
	var found []Fix
	g := grepping{v: v, q: q}
	late := eachTranscript(ctx, rd, grepTime, func(ctx context.Context, file transcript.File) failures {
		return failuresIn(ctx, file, wanted)
	}, func(in failures) bool {
		for _, e := range in.episodes {
			if fix, ok := g.fix(in.file, e); ok {
				found = append(found, fix)
			}
		}
		return true
	})
	if late {
		rd.ws.Caveat("Not all transcripts could be read within %v: only the newest were.", grepTime)
	}
	for i := range found {
		found[i].own = own == nil || own(found[i].Project)
		found[i].Project = rd.ws.Redactor.Path(found[i].Project)
	}
	slices.SortFunc(found, func(a, b Fix) int {
		if a.own != b.own {
			return map[bool]int{true: -1, false: 1}[a.own]
		}
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.Failed, b.Failed))
	})
	out.join(found, cmp.Or(f.Limit, 5))
	out.Caveats = messages.Filled(rd.ws.Caveats)
	return out, ctx.Err()
}

// join counts equal fixes, and keeps at most limit.
func (out *Fixes) join(found []Fix, limit int) {
	at := map[string]int{}
	for _, f := range found {
		key := f.How
		for _, c := range f.Changes[:min(1, len(f.Changes))] {
			key += "\n" + c.Command + c.Agent + c.Path + strings.Join(c.Lines, "\n")
		}
		list := &out.Fixes
		if f.How == "open" {
			list, key = &out.Open, f.Failed
		}
		if i, ok := at[key]; ok {
			(*list)[i].Times++
		} else if len(*list) < limit {
			at[key] = len(*list)
			*list = append(*list, f)
		}
	}
}

// failures are the failures of one session with an error.
type failures struct {
	file     transcript.File
	episodes []*failure.Episode
}

// failuresIn reads a session if it may contain the error.
func failuresIn(ctx context.Context, file transcript.File, wanted failure.Error) failures {
	out := failures{file: file}
	in, err := transcript.OpenSession(file.Path)
	if err != nil {
		return out // reported by the index that reads it
	}
	defer in.Close()
	holds := false
	err = transcript.Grep(ctx, in, []string{wanted.Literal()}, func(transcript.Message) bool {
		holds = true
		return false
	})
	if holds && err == nil {
		out.episodes, _ = failure.Find(wanted, transcript.Conversation(file.Path))
	}
	return out
}

// fix converts an episode for display. ok is false if a filter or the policy excludes one of its citations.
func (g grepping) fix(file transcript.File, e *failure.Episode) (f Fix, ok bool) {
	rd := g.v.Reader
	at := func(a failure.At) string {
		id := cite.ID{Kind: cite.KindTranscript, Name: cite.TranscriptName(file.Path), Number: a.Message.Line,
			Fragment: a.Block}.String()
		if !slices.ContainsFunc(g.sources(file, []transcript.Message{a.Message}, 1000), func(s cite.Source) bool {
			f.Project = cmp.Or(s.Project, f.Project)
			return s.ID == id
		}) {
			return ""
		}
		return id
	}
	failed := at(e.Failed)
	f = Fix{How: "open", Project: f.Project, Changes: []FixChange{}, Command: rd.ws.Clean(e.Command),
		Error: rd.ws.Clean(e.Said), Times: 1,
		Failed: failed, Session: cite.TranscriptName(file.Path), at: e.Failed.Message.Time}
	if !f.at.IsZero() {
		f.Time = f.at.UTC().Format(time.RFC3339)
	}
	if e.Ended.Block == "" {
		return f, f.Failed != ""
	}
	f.Ended, f.How = at(e.Ended), "again"
	if e.Asked.Message.Line > 0 && at(e.Asked) != "" {
		f.Asked = clip.Within(rd.ws.Clean(e.Asked.Message.Text), mostBytes)
	}
	for _, c := range e.Changes {
		f.How = "changed"
		if id := at(c.At); id != "" && len(f.Changes) < mostChanges {
			f.Changes = append(f.Changes, FixChange{ID: id, Command: rd.ws.Clean(c.Command), Agent: rd.ws.Clean(c.Agent),
				Path: rd.ws.Redactor.Path(c.Path), Lines: diffLines(rd.ws.Clean(c.Before), rd.ws.Clean(c.After))})
		}
	}
	return f, f.Failed != "" && f.Ended != "" && len(f.Changes) >= min(1, len(e.Changes))
}

// diffLines returns the lines between the common start and the common end of two texts, with - or +.
func diffLines(before, after string) []string {
	out := []string{}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for i, l := range append(a, b...) {
		switch {
		case len(out) == mostLines:
			return append(out, fmt.Sprintf("… %s more", messages.Plural(len(a)+len(b)-i, "line")))
		case strings.TrimSpace(l) == "":
		case i < len(a):
			out = append(out, "-"+clip.Within(l, mostBytes))
		default:
			out = append(out, "+"+clip.Within(l, mostBytes))
		}
	}
	return out
}
