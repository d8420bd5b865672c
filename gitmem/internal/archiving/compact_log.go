package archiving

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// oldLog is a session's log of one day.
type oldLog struct {
	rel           string
	archive       string // archive file of its day
	project       store.Project
	session, date string
	newest        time.Time // time of its newest line, or the end of the day if it has none
	units         []cite.Unit
	skipped       int // unparsable lines
}

// readLog reads a log without secrets and forgotten entries.
func (s *Archives) readLog(rel string, p store.Project) (oldLog, error) {
	f := cite.File{Path: rel, Area: cite.AreaObservations, Project: p.ID}
	b, err := s.src.MemoryTree().Read(f)
	if err != nil {
		return oldLog{}, err
	}
	b = []byte(s.ws.Redactor.Lines(string(b)))
	front := markdown.Parse(b).Front
	l := oldLog{rel: rel, project: p, session: front.Field("session"), date: front.Field("date")}
	day, err := time.Parse(time.DateOnly, l.date)
	if err != nil || !transcript.ValidSessionID(l.session) {
		return l, errors.New("it does not say of which session and day it is")
	}
	units, skips := cite.Units(f, b)
	l.archive, l.units, l.skipped = archive.File(p.Dir, day), units, len(skips)
	for _, u := range units {
		if u.Time.After(l.newest) {
			l.newest = u.Time
		}
	}
	if len(units) == 0 {
		l.newest = day.AddDate(0, 0, 1)
	}
	return l, nil
}

// digest summarises the lines of a log after the first from lines, without ideas.
func (l oldLog) digest(from int) (transcript.Digest, archive.Log) {
	d := transcript.Digest{Session: l.session, End: l.newest}
	log := archive.Log{Name: path.Base(l.rel), Lines: len(l.units), Skipped: l.skipped}
	tools := map[string]int{}
	for _, u := range l.units[min(from, len(l.units)):] {
		if d.Start.IsZero() || u.Time.Before(d.Start) {
			d.Start = u.Time
		}
		switch said := u.Said(); {
		case u.Title == cite.EntryPrompt && u.State == "" && !transcript.Agrees(said):
			d.FirstPrompt = cmp.Or(d.FirstPrompt, said)
		case u.Title == cite.EntrySummary && !strings.HasPrefix(said, cite.CompactedBy):
			d.Outcome.Text = said
		case u.Title == cite.EntryTool:
			o := session.ReadObservation(u.Text)
			log.Calls++
			tools[o.Tool]++
			if !o.OK {
				log.Failed = append(log.Failed, u.Text)
				continue
			}
			d.Reads, d.Writes = append(d.Reads, o.Read...), append(d.Writes, o.Wrote...)
		}
	}
	d.Start = cmp.Or(d.Start, d.End)
	d.Tools = transcript.Counts(tools)
	d.Writes = transcript.Distinct(d.Writes, nil)
	d.Reads = transcript.Distinct(d.Reads, d.Writes)
	return d, log
}

// settle adds the ideas and statements of a log to its digest if no section covers them. There is no limit on their
// number.
func (l oldLog) settle(d *transcript.Digest, until map[string]time.Time) {
	units := slices.DeleteFunc(slices.Clone(l.units), func(u cite.Unit) bool { return graph.Covered(u, until) })
	said, entries := graph.SaidIn(units)
	for i, q := range said {
		said[i].Sure = graph.SureOf(q, entries[i])
	}
	d.Said = said
	d.Marked, d.Quotes = true, map[string][]transcript.Quote{}
	for _, u := range units {
		if u.Intent != "" {
			by := map[answer.Trust]transcript.Speaker{answer.Mine: transcript.Person, answer.Untrusted: transcript.Program}[u.By]
			d.Quotes[u.Intent] = append(d.Quotes[u.Intent], transcript.Quote{Line: u.Turn, Time: u.Time, Text: u.Text,
				Tentative: u.Confidence < markdown.Firm, By: by})
		}
	}
}
