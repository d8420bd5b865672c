package report

import (
	"context"
	"os"
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
	// whyCalls is how many calls that wrote a file are read.
	whyCalls = 500
	// whyBefore is how long before its commit a line was written, at most, for an archived
	// session to be taken for its origin: the archive does not tell which lines it wrote.
	whyBefore = 14 * 24 * time.Hour
	// whyClocks is how far the clocks of a commit and of a session may differ.
	whyClocks = time.Minute
	// whyLead is how many characters are quoted of what a session was asked.
	whyLead = 280
	// leastLine is the length of a line that tells one place from others.
	leastLine = 8
)

// wrote is a call that wrote lines.
type wrote struct {
	hit   search.Hit
	at    time.Time
	texts []string // what it writes
}

// sessions finds the calls of agents that wrote the lines, or where their transcripts are
// gone the archived session that wrote the file last before, with what was said of why.
func (g *gathering) sessions(ctx context.Context) error {
	if g.spot.from == 0 {
		return nil
	}
	calls, err := g.calls(ctx)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for i := range g.out.Lines {
		l := &g.out.Lines[i]
		until := g.until(*l)
		at := slices.IndexFunc(calls, func(c wrote) bool {
			return !c.at.After(until) && c.writes(l.Text)
		})
		if at < 0 {
			continue
		}
		l.Session = calls[at].hit.Doc.ID
		if !told[l.Session] {
			g.led(calls[at])
		}
		told[l.Session] = true
	}
	if len(told) > 0 {
		return nil
	}
	return g.archived(ctx)
}

// until is when lines were committed, or now where they are not.
func (g *gathering) until(l WhyLines) time.Time {
	for _, c := range g.found {
		if c.commit.Hash == l.Commit {
			return c.commit.Committer.When.Add(whyClocks)
		}
	}
	return g.m.ws.Options.Now()
}

// isIt tells whether a path on some disk may be that of the file, under any of its names.
func (g *gathering) isIt(p string) bool {
	p = "/" + filepath.ToSlash(p)
	return strings.HasSuffix(p, "/"+g.spot.path) || slices.ContainsFunc(g.found, func(c whyChange) bool { return strings.HasSuffix(p, "/"+c.path) })
}

// calls are those that wrote the file, the newest first.
func (g *gathering) calls(ctx context.Context) (out []wrote, err error) {
	res, err := g.view.Find(ctx, search.Query{
		Terms: []search.QueryTerm{}, Projects: g.view.InScope, Layers: []string{cite.LayerTranscripts}, Limit: whyCalls,
		Conditions: []search.Condition{{On: search.OnType, Match: func(t string) bool { return t == string(transcript.KindTool) }}, {On: search.OnPath, Match: g.isIt}},
	})
	if err != nil {
		return nil, err
	}
	for _, h := range res.Hits {
		if src, err := g.view.Fetch(h); err != nil {
			continue // gone since it was indexed
		} else if _, err := g.m.reader.Showable(src); err != nil {
			continue
		}
		if m, ok := recordAt(h); ok {
			w := wrote{hit: h, at: m.Time}
			for _, t := range m.Tools {
				w.texts = append(w.texts, t.Written())
			}
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b wrote) int { return b.at.Compare(a.at) })
	return out, nil
}

func recordAt(h search.Hit) (transcript.Message, bool) {
	f, err := os.Open(h.Doc.File)
	if err != nil {
		return transcript.Message{}, false
	}
	defer f.Close()
	m, err := transcript.At(f, h.Doc.Offset, h.Doc.Length)
	return m, err == nil
}

// writes tells whether a call writes one of some lines.
func (w wrote) writes(lines string) bool {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if len(line) >= leastLine && slices.ContainsFunc(w.texts, func(t string) bool { return strings.Contains(t, line) }) {
			return true
		}
	}
	return false
}

// led adds what was said before a call since the prompt that it answers: reasons, and the
// prompt itself.
func (g *gathering) led(call wrote) {
	f, err := os.Open(call.hit.Doc.File)
	if err != nil {
		return
	}
	defer f.Close()
	var said []transcript.Message
	for m, err := range g.m.src.Remembered(call.hit.Doc.File, transcript.NewReader(f, transcript.Position{}).All()) {
		if err != nil || m.Offset > call.hit.Doc.Offset {
			break
		}
		if m.Prompt {
			said = said[:0]
		}
		if m.Text != "" && (m.Prompt || m.Role == transcript.RoleAssistant) {
			said = append(said, m)
		}
	}
	name := cite.TranscriptName(call.hit.Doc.File)
	for _, m := range said {
		id := cite.ID{Kind: cite.KindTranscript, Name: name, Number: m.Line}.String()
		src, err := g.cite.Record(id, call.hit.Doc.File, m.Offset, m.Length)
		if err != nil || g.seen[src.ID] || g.view.InScope != nil && !g.view.InScope(src.Project) {
			continue
		}
		if src, err = g.m.reader.Showable(src); err != nil {
			continue
		}
		g.take(src, 1, nil)
		if m.Prompt {
			g.add(src, cite.Lead(src.Text, whyLead), 0.5)
		}
		g.seen[src.ID] = true
	}
}

// archived takes the reasons of the archived session that wrote the file last before its
// lines were committed.
func (g *gathering) archived(ctx context.Context) error {
	res, err := g.view.Find(ctx, search.Query{Text: filepath.Base(g.spot.path), Projects: g.view.InScope, Layers: []string{cite.LayerSummaries}, Limit: whyMentions})
	if err != nil {
		return err
	}
	var best cite.Source
	until := g.until(g.out.Lines[0])
	for _, h := range res.Hits {
		src, err := g.view.Fetch(h)
		if err != nil || src.Source != string(cite.KindSession) || !src.Time.After(best.Time) || src.Time.After(until) || src.Time.Before(until.Add(-whyBefore)) {
			continue
		}
		for _, file := range wroteFiles(src.Text) {
			if _, err := g.m.reader.Showable(src); err == nil && g.isIt(file) {
				best = src
			}
		}
	}
	if best.ID == "" || g.seen[best.ID] {
		return nil
	}
	g.seen[best.ID] = true
	g.out.Lines[0].Session = best.ID
	ideas, err := g.view.Find(ctx, search.Query{Terms: []search.QueryTerm{}, Projects: g.view.InScope, Layers: []string{cite.LayerSummaries}, Session: best.Session, Limit: whyMentions})
	if err != nil {
		return err
	}
	for _, h := range ideas.Hits {
		src, err := g.view.Fetch(h)
		if err != nil || g.seen[src.ID] || src.Source != string(cite.KindIdea) {
			continue
		}
		g.seen[src.ID] = true
		g.take(src, 0.8, nil)
		if src.Type == markdown.IntentWork { // a prompt
			g.add(src, cite.Lead(src.Text, whyLead), 0.4)
		}
	}
	return nil
}

// wroteFiles are the files that an archived session says it wrote.
func wroteFiles(section string) []string {
	_, rest, _ := strings.Cut(section, "wrote: ")
	line, _, _ := strings.Cut(rest, "\n")
	files, _, _ := strings.Cut(line, " · ")
	return strings.Split(files, ", ")
}
