package archive

import (
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// Block is the target of a block id in a day's file: a session's section, a topic or an idea.
type Block struct {
	cite.SessionHead          // of a session's section
	Holds            []string // the block ids inside
}

// Blocks returns the blocks of a day's file by block id.
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

// Sessions returns the sessions of a day's file by id. It reads only sections that record the last transcript line that
// they cover.
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

// add adds a section by its head.
func (a *Session) add(h cite.SessionHead) {
	a.Sections++
	a.Add(traces.Injection{Injections: h.Injections, Chars: h.Chars})
	if h.Through > 0 && h.Through >= a.Through {
		a.Through, a.Mark = h.Through, h.Mark
	}
}

// NthID returns the block id of a session's nth section.
func NthID(session string, n int) string { return Session{ids: n - 1}.BlockID(session) }

// LastID returns the largest number in the session's block ids.
func (a Session) LastID() int { return a.ids }

// Deleted records that the session's nth section was deleted from the file, so that the next section continues it under
// a new block id.
func (a *Session) Deleted(n int) {
	a.Sections++
	a.ids = max(a.ids, n)
}
