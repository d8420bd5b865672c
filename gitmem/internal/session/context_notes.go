package session

import (
	"bytes"
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// Limits for decisions and session logs in a session context.
const (
	contextDecisions     = 6
	contextDecisionBytes = 32 << 10 // of each
	contextLogs          = 8
	contextMonths        = 2
)

// decisions returns the project's newest valid decisions.
func (c *contextBuilder) decisions() (out []sessioncontext.Line) {
	for _, rel := range c.newest("decisions") {
		if len(out) == contextDecisions {
			break
		}
		f := cite.File{Path: rel, Area: cite.AreaDecision, Project: c.p.Project.ID}
		b, err := c.read(f, contextDecisionBytes)
		if err != nil {
			c.skip(rel, err)
			continue
		}
		units, _ := cite.Units(f, b)
		for _, u := range units {
			if u.Holds() {
				out = append(out, sessioncontext.DecisionLine(u))
			}
		}
	}
	return out
}

// notes returns the notes that earlier sessions left for later ones, and their summaries, newest first, without what
// the list of sessions already contains.
func (c *contextBuilder) notes(list []sessioncontext.Session) (out []sessioncontext.Line) {
	for i, rel := range c.newest("observations") {
		if i == contextLogs {
			break
		}
		f := cite.File{Path: rel, Area: cite.AreaObservations, Project: c.p.Project.ID}
		b, err := c.s.src.MemoryTree().Read(f)
		if err != nil {
			c.skip(rel, err)
			continue
		}
		units, _ := cite.Units(f, []byte(c.s.ws.Redactor.Lines(string(notesOf(b)))))
		slices.Reverse(units)
		for _, u := range units {
			if u.Session != c.o.Session && !slices.ContainsFunc(list[:min(len(list), sessioncontext.MostSessions)],
				func(s sessioncontext.Session) bool {
					return s.Tells(u.Said())
				}) {
				out = append(out, sessioncontext.NoteLine(u))
			}
		}
	}
	return out
}

// SummaryOf returns the last summary that a session wrote of itself in a period, "" for none.
func (s *Sessions) SummaryOf(p *workspace.Place, session string, from, to time.Time) (said string) {
	for day := from.UTC().Truncate(24 * time.Hour); !day.After(to); day = day.AddDate(0, 0, 1) {
		f := cite.File{Path: s.logFile(p.Project.Dir, day, session), Area: cite.AreaObservations}
		b, err := s.src.MemoryTree().Read(f)
		if err != nil {
			continue // no log for that day
		}
		units, _ := cite.Units(f, notesOf(b))
		for _, u := range units {
			if u.Title == cite.EntrySummary && !u.Time.Before(from.Truncate(time.Second)) {
				said = u.Said()
			}
		}
	}
	return said
}

// notesOf returns a log with its notes only.
func notesOf(log []byte) []byte {
	var kept []byte
	if d := markdown.Parse(log[:min(len(log), 4<<10)]); d.Front != nil {
		kept = slices.Clone(log[:d.Front.Span.End])
	}
	for line := range bytes.Lines(log) {
		_, rest, _ := bytes.Cut(line, []byte(" ")) // after the hyphen
		_, rest, _ = bytes.Cut(rest, []byte(" "))  // and the time
		for _, kind := range []string{cite.EntryContext, cite.EntrySummary} {
			if said, ok := bytes.CutPrefix(rest, []byte(kind+" · said: ")); ok &&
				!bytes.HasPrefix(said, []byte(cite.CompactedBy)) {
				kept = append(kept, line...)
			}
		}
	}
	return kept
}

// newest returns the files of a folder of the project's memory, newest first by name. For a folder with a subfolder for
// each month it returns those of the last months.
func (c *contextBuilder) newest(name string) (files []string) {
	for _, dir := range c.p.Dirs() {
		dir = path.Join(dir, name)
		months := 0
		entries, _ := os.ReadDir(c.s.ws.Path(dir)) // the folder may not exist
		for _, e := range slices.Backward(entries) {
			switch {
			case e.IsDir() && months < contextMonths:
				months++
				logs, _ := os.ReadDir(filepath.Join(c.s.ws.Path(dir), e.Name()))
				for _, l := range logs {
					files = append(files, path.Join(dir, e.Name(), l.Name()))
				}
			case !e.IsDir():
				files = append(files, path.Join(dir, e.Name()))
			}
		}
	}
	files = slices.DeleteFunc(files, func(rel string) bool { return !strings.HasSuffix(rel, ".md") })
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(ingest.DayOf(b), ingest.DayOf(a)) })
	return files
}
