package report

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

const (
	// whyCalls is the maximum number of calls read that wrote a file.
	whyCalls = 500
	// whyBefore is the maximum time between an archived session and the commit of a line for the session to count as its
	// origin: the archive does not record which lines it wrote.
	whyBefore = 14 * 24 * time.Hour
	// whyClocks is the maximum difference between the clocks of a commit and a session.
	whyClocks = time.Minute
	// whyLead is the number of characters quoted from a session's prompt.
	whyLead = 280
	// leastLine is the length of a line that is probably unique.
	leastLine = 8
)

// writingCall is a call that wrote lines.
type writingCall struct {
	hit   search.Hit
	at    time.Time
	texts []string // texts that it writes
}

// sessions finds the agent calls that wrote the lines, or, if their transcripts are deleted, the archived session that
// last wrote the file before, with the reasons given there.
func (w *why) sessions(ctx context.Context) error {
	if w.target.from == 0 {
		return nil
	}
	calls, err := w.calls(ctx)
	if err != nil {
		return err
	}
	w.nearness = ownSession
	seen := map[string]bool{}
	for i := range w.out.Lines {
		l := &w.out.Lines[i]
		until := w.until(*l)
		at := slices.IndexFunc(calls, func(c writingCall) bool {
			return !c.at.After(until) && c.writes(l.Text)
		})
		if at < 0 {
			continue
		}
		l.Session = calls[at].hit.Doc.ID
		if !seen[l.Session] {
			w.takeConversation(calls[at])
		}
		seen[l.Session] = true
	}
	if len(seen) > 0 {
		return nil
	}
	return w.archived(ctx)
}

// until returns the time at which lines were committed, or now if they are uncommitted.
func (w *why) until(l WhyLines) time.Time {
	if i := w.foundAt(l.Commit); i >= 0 {
		return w.found[i].commit.Committer.When.Add(whyClocks)
	}
	return w.team.ws.Options.Now()
}

// isTarget reports whether a path on any machine may be that of the file, under any of its names.
func (w *why) isTarget(p string) bool {
	p = "/" + filepath.ToSlash(p)
	return strings.HasSuffix(p, "/"+w.target.path) || slices.ContainsFunc(w.found, func(c whyChange) bool {
		return strings.HasSuffix(p, "/"+c.path)
	})
}

// calls returns the calls that wrote the file, newest first.
func (w *why) calls(ctx context.Context) (out []writingCall, err error) {
	found, err := w.find(ctx, search.Query{
		Terms: []search.QueryTerm{}, Layers: []string{cite.LayerTranscripts}, Limit: whyCalls,
		Conditions: []search.Condition{{On: search.OnType, Match: func(t string) bool {
			return t == string(transcript.KindTool)
		}}, {On: search.OnPath, Match: w.isTarget}},
	})
	for _, h := range found {
		if m, ok := w.recordAt(h.Hit); ok {
			call := writingCall{hit: h.Hit, at: m.Time}
			for _, t := range m.Tools {
				call.texts = append(call.texts, t.Written())
			}
			out = append(out, call)
		}
	}
	slices.SortStableFunc(out, func(a, b writingCall) int { return b.at.Compare(a.at) })
	return out, err
}

func (w *why) recordAt(h search.Hit) (transcript.Message, bool) {
	f, err := w.team.ws.Stores().Open(h.Doc.File)
	if err != nil {
		return transcript.Message{}, false
	}
	defer f.Close()
	m, err := transcript.At(f, h.Doc.Offset, h.Doc.Length)
	return m, err == nil
}

// writes reports whether a call writes one of the lines.
func (c writingCall) writes(lines string) bool {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if len(line) >= leastLine && slices.ContainsFunc(c.texts, func(t string) bool { return strings.Contains(t, line) }) {
			return true
		}
	}
	return false
}

// takeConversation adds the reasons given between a call and its prompt, and the prompt itself.
func (w *why) takeConversation(call writingCall) {
	var turns []transcript.Message
	for m, err := range w.team.src.Remembered(call.hit.Doc.File, transcript.Conversation(call.hit.Doc.File)) {
		if err != nil || m.Offset > call.hit.Doc.Offset {
			break
		}
		if m.TakenBack {
			continue
		}
		if m.Prompt {
			turns = turns[:0]
		}
		if m.Text != "" && (m.Prompt || m.Role == transcript.RoleAssistant) {
			turns = append(turns, m)
		}
	}
	name := cite.TranscriptName(call.hit.Doc.File)
	for _, m := range turns {
		id := cite.ID{Kind: cite.KindTranscript, Name: name, Number: m.Line}.String()
		src, err := w.cite.Record(id, call.hit.Doc.File, m.Offset, m.Length)
		if err != nil || w.seen[src.ID] || w.view.InScope != nil && !w.view.InScope(src.Project) {
			continue
		}
		if src, err = w.team.reader.Showable(src); err != nil {
			continue
		}
		w.takeReasons(src, 1, nil)
		if m.Prompt {
			w.add(src, cite.Lead(src.Text, whyLead), 0.5)
		}
		w.seen[src.ID] = true
	}
}

// archived adds the reasons in the archived session that last wrote the file before its lines were committed.
func (w *why) archived(ctx context.Context) error {
	found, err := w.find(ctx, search.Query{Text: filepath.Base(w.target.path), Layers: []string{cite.LayerSummaries},
		Limit: whyMentions})
	if err != nil {
		return err
	}
	var best cite.Source
	until := w.until(w.out.Lines[0])
	for _, h := range found {
		at := h.src.Time
		if h.src.Source == string(cite.KindSession) && at.After(best.Time) && !at.After(until) &&
			!at.Before(until.Add(-whyBefore)) && slices.ContainsFunc(cite.ReadHead(at, h.src.Text).Wrote, w.isTarget) {
			best = h.src
		}
	}
	if best.ID == "" || w.seen[best.ID] {
		return nil
	}
	w.seen[best.ID] = true
	w.out.Lines[0].Session = best.ID
	ideas, err := w.find(ctx, search.Query{Terms: []search.QueryTerm{}, Layers: []string{cite.LayerSummaries},
		Session: best.Session, Limit: whyMentions})
	for _, h := range ideas {
		src := h.src
		if w.seen[src.ID] || src.Source != string(cite.KindIdea) {
			continue
		}
		w.seen[src.ID] = true
		w.takeReasons(src, 0.8, nil)
		if src.Type == markdown.IntentWork { // a prompt
			w.add(src, cite.Lead(src.Text, whyLead), 0.4)
		}
	}
	return err
}
