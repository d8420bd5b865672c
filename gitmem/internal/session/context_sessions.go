package session

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// Limits for the archive in a session context.
const (
	contextDays      = 10        // files
	contextOpen      = 20        // older sections to read for open items
	contextFileBytes = 192 << 10 // of one file: its end
)

// aheadOfClock is the maximum time by which a session may be dated in the future. A later date, for example from a
// wrong clock, makes it the oldest.
const aheadOfClock = 24 * time.Hour

// sessions returns the last sessions of the project, newest first, followed by sessions run by programs only, and the
// number of further sessions.
func (c *contextBuilder) sessions(ctx context.Context) (list []sessioncontext.Session, more int) {
	archive, days := c.archived()
	running, unread := c.unarchived(ctx, archive)
	all := append(running, archive...)
	slices.SortStableFunc(all, func(a, b sessioncontext.Session) int {
		return cmp.Or(c.end(b).Compare(c.end(a)), b.Start.Compare(a.Start), cmp.Compare(a.ID, b.ID))
	})
	list = append(ofPeople(all), slice.Filter(all, sessioncontext.Session.ByProgram)...)
	return list, max(0, len(list)-sessioncontext.MostSessions) + unread + days
}

// end returns when a session ended, the zero time if it is dated too far in the future.
func (c *contextBuilder) end(s sessioncontext.Session) time.Time {
	if s.End.After(c.s.ws.Options.Now().Add(aheadOfClock)) {
		return time.Time{}
	}
	return s.End
}

// ofPeople returns the sessions in which a person took part.
func ofPeople(list []sessioncontext.Session) []sessioncontext.Session {
	return slice.Filter(list, func(s sessioncontext.Session) bool { return !s.ByProgram() })
}

// archived reads the newest sections of the archive. unread is the number of older days, of which it reads only open
// items and decisions.
func (c *contextBuilder) archived() (out []sessioncontext.Session, unread int) {
	days := c.archiveDays()
	c.days = make(map[string][]byte, len(days))
	for _, rel := range days {
		c.days[rel] = nil
	}
	seen := map[string]bool{c.o.Session: true}
	for i, rel := range days {
		if i == contextDays || len(ofPeople(out)) >= sessioncontext.MostFacts {
			c.addOlder(days[i:])
			return out, len(days) - i
		}
		for _, s := range c.archiveFile(rel) {
			c.learnt += s.LearntUnits()
			switch {
			case !seen[s.ID]:
				seen[s.ID] = true
				out = append(out, s)
			case s.ID != c.o.Session: // it continued on a later day
				c.older = append(c.older, s)
			}
		}
	}
	return out, 0
}

// addOlder reads items that sessions left open or learnt and that nothing closed since, newest first. After contextOpen
// sections with open items it continues only while there may be room for learnt items. It counts the rest.
func (c *contextBuilder) addOlder(days []string) {
	for _, rel := range days {
		b, err := c.s.src.MemoryTree().Read(cite.File{Path: rel, Area: cite.AreaArchive, Project: c.p.Project.ID})
		if err != nil {
			c.skip(rel, err)
			continue
		}
		open, learnt := sessioncontext.HoldsIn(b, c.answered)
		mayOpen := len(open) > 0 && c.opened < contextOpen
		if !mayOpen && (len(learnt) == 0 || c.learnt >= sessioncontext.MaxUnits) {
			addCounts(c.olderOpen, open)
			addCounts(c.olderLearnt, learnt)
			continue
		}
		c.days[rel] = b
		for _, s := range c.archiveFile(rel) {
			if s.ID == c.o.Session {
				continue
			}
			c.older = append(c.older, s)
			c.learnt += s.LearntUnits()
			if len(open) > 0 {
				c.opened++
			}
		}
	}
}

func addCounts(to, counts map[string]int) {
	for kind, n := range counts {
		to[kind] += n
	}
}

// ArchiveDays lists the files of a place's archive.
func (s *Sessions) ArchiveDays(p *workspace.Place) (days []string, err error) {
	dirs := slice.Map(p.Dirs(), func(dir string) string { return dir + "/sessions" })
	err = s.src.WalkMarkdown(s.ws.Root, dirs, func(rel string) {
		if cite.AreaOf(rel) == cite.AreaArchive {
			days = append(days, rel)
		}
	})
	return days, err
}

// archiveDays lists the files of the archive, newest first.
func (c *contextBuilder) archiveDays() []string {
	days, err := c.s.ArchiveDays(c.p)
	if err != nil {
		c.skip("the archive", err)
	}
	latest := c.s.ws.Options.Now().Add(aheadOfClock).UTC().Format(time.DateOnly) + ".md"
	day := func(rel string) string {
		if base := path.Base(rel); base <= latest {
			return base
		}
		return ""
	}
	slices.SortFunc(days, func(a, b string) int {
		return cmp.Or(cmp.Compare(day(b), day(a)), cmp.Compare(a, b))
	})
	return days
}

// archiveFile reads a day of the archive.
func (c *contextBuilder) archiveFile(rel string) []sessioncontext.Session {
	f := cite.File{Path: rel, Area: cite.AreaArchive, Project: c.p.Project.ID}
	b, err := c.day(f, contextFileBytes)
	if err != nil {
		c.skip(rel, err)
		return nil
	}
	units, _ := cite.Units(f, b)
	return sessioncontext.Archived(f, c.s.src.RememberedUnits(units), c.answered)
}

// day returns the last sections of a listed archive file, always in the state of the first read: otherwise a session
// archived meanwhile would appear neither from there nor from its transcript.
func (c *contextBuilder) day(f cite.File, most int) ([]byte, error) {
	if c.days[f.Path] == nil {
		b, err := c.s.src.MemoryTree().Read(f)
		if err != nil {
			return nil, err
		}
		c.days[f.Path] = b
	}
	b, err := sessioncontext.LastSections(c.days[f.Path], most)
	return []byte(c.s.ws.Redactor.Lines(string(b))), err
}

// read returns a file of the store without forgotten text and without secrets: the beginning of one larger than most.
func (c *contextBuilder) read(f cite.File, most int) ([]byte, error) {
	b, err := c.s.src.MemoryTree().Read(f)
	if err != nil {
		return nil, err
	}
	if len(b) > most {
		b = b[:bytes.LastIndexByte(b[:most], '\n')+1]
	}
	return []byte(c.s.ws.Redactor.Lines(string(b))), nil
}
