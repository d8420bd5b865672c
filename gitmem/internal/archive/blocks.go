package archive

import (
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// Block is what a block id names in a day's file: a session's section, a topic or an idea.
type Block struct {
	cite.SessionHead          // of a session's section
	Holds            []string // the block ids inside
}

// Blocks are what a day's file names by block ids.
func Blocks(src []byte) map[string]Block {
	d := markdown.Parse(src)
	blocks := map[string]Block{}
	inside := func(id string, section int) {
		for ; section >= 0; section = d.Sections[section].Parent {
			if around := d.Sections[section].ID; around != "" && around != id {
				b := blocks[around]
				b.Holds = append(b.Holds, id)
				blocks[around] = b
			}
		}
	}
	for _, s := range d.Sections {
		if s.ID == "" {
			continue
		}
		var b Block
		if s.Level == 2 && strings.HasPrefix(s.ID, "s-") {
			b.SessionHead = cite.ReadHead(time.Time{}, string(src[s.Heading.End:s.Span.End]))
		}
		blocks[s.ID] = b
		inside(s.ID, s.Parent)
	}
	for _, i := range d.Ideas {
		if i.ID != "" {
			blocks[i.ID] = Block{}
			inside(i.ID, i.Section)
		}
	}
	return blocks
}

// Sessions reads the sections of a day's file that say through which line of a transcript they
// reach, by session.
func Sessions(src []byte) map[string]Session {
	sessions := map[string]Session{}
	for heading, text := range cite.ArchiveSections(src) {
		if !strings.Contains(heading, "^s-") {
			continue
		}
		h := cite.ReadHead(time.Time{}, text)
		if h.Through == 0 || h.Session == "" || numberOf(heading, "^s-"+transcript.ShortID(h.Session)) == 0 {
			continue
		}
		a := sessions[h.Session]
		a.add(h)
		sessions[h.Session] = a
	}
	return sessions
}

// add takes in a section by its head.
func (a *Session) add(h cite.SessionHead) {
	a.Sections++
	a.Add(traces.Injection{Injections: h.Injections, Chars: h.Chars})
	if h.Through > 0 && h.Through >= a.Through {
		a.Through, a.Mark = h.Through, h.Mark
	}
}

// NthID is the block id of a session's nth section.
func NthID(session string, n int) string { return Session{ids: n - 1}.BlockID(session) }

// LastID is the largest number that a block id of the session has.
func (a Session) LastID() int { return a.ids }

// Deleted takes into account that the session's nth section was deleted from the file, so that
// the next one continues it and has another block id.
func (a *Session) Deleted(n int) {
	a.Sections++
	a.ids = max(a.ids, n)
}
