package archive

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Lines are the ideas of a digest below their topics, as [Section] writes them in a section with
// a block id in a day's file.
func Lines(d transcript.Digest, ideas []Idea, section, day string) string {
	var b strings.Builder
	writeTopics(&b, d, ideas, section, day)
	return b.String()
}

// Stored is a session's section as it stands in a file.
type Stored struct {
	ID   string // block id
	Line int    // of its heading
	Span markdown.Span
	cite.SessionHead
	Compacted bool // it takes the place of a log
}

// SectionsOf are the sessions' sections of a day's file.
func SectionsOf(src []byte, day time.Time) (list []Stored) {
	for _, s := range markdown.Parse(src).Sections {
		if s.Level == 2 && strings.HasPrefix(s.ID, "s-") {
			h := cite.ReadHead(day, string(src[s.Heading.End:s.Span.End]))
			list = append(list, Stored{s.ID, s.Line, s.Span, h, h.Log != "" || strings.HasSuffix(s.Title, cite.Compacted)})
		}
	}
	return list
}

// Derived is what is known anew of a section.
type Derived struct {
	Lines string // see [Lines]
	Mark  string // of the model whose ideas these are, "" for none
}

// Merged is a section that was derived again.
type Merged struct {
	Text   string
	Person int      // ideas that are as a person left them, those that were deleted included
	Cited  []string // block ids of ideas that are kept because something names them
}

// Merge puts the lines of a section that were derived anew in the place of those that gitmem
// wrote. What a person did stays: an idea with any line that gitmem did not write, or whose id
// does not fit its text any more, is not touched, and what was taken out does not come back.
// Nothing is moved. What is derived no more stays where cited says that something names it.
// Headings change only where all that stands beside the ideas is gitmem's and nothing names them.
// Where history does not tell who wrote what, lines are only added.
func Merge(section string, d Derived, p *Past, cited func(id string) bool) Merged {
	ours, theirs := blocksOf(section), blocksOf(d.Lines)
	m := merger{past: p, cited: cited}
	m.topics = m.newTopics(ours, theirs)
	there, fresh := byKey(ours), byKey(theirs)
	for _, b := range ours {
		m.keep(b, fresh[b.key])
	}
	for _, t := range theirs {
		switch {
		case t.level() > 2 && m.topics:
			m.insert(t)
		case !t.idea || there[t.key] != nil:
		case p.seen[t.key]:
			m.out.Person++
		default:
			t.lines = p.updated(block{key: t.key, id: t.id, line: t.line}, t)
			m.insert(t)
		}
	}
	m.write()
	if d.Mark != "" {
		m.out.Text = p.marked(m.out.Text, d.Mark)
	}
	return m.out
}

// Changed counts the lines that came and went between two texts, without blank ones.
func Changed(old, now string) (added, dropped int) {
	filled := func(text []byte) (n int) {
		for line := range bytes.Lines(text) {
			if !isBlank(string(line)) {
				n++
			}
		}
		return n
	}
	for _, h := range linediff.Diff([]byte(old), []byte(now)) {
		added, dropped = added+filled(h.Added), dropped+filled(h.Removed)
	}
	return added, dropped
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// merger builds the blocks of a merged section.
type merger struct {
	past   *Past
	cited  func(id string) bool
	topics bool // the derived headings take the place of those that stand there
	blocks []block
	gap    bool // what stood here last was dropped
	out    Merged
}

// newTopics reports whether the headings may change, and do.
func (m *merger) newTopics(ours, theirs []block) bool {
	heading := func(b block) bool { return b.level() <= 2 }
	old, now := slices.DeleteFunc(slices.Clone(ours), heading), slices.DeleteFunc(slices.Clone(theirs), heading)
	same := slices.EqualFunc(old, now, func(a, b block) bool { return a.key == b.key })
	line := 0
	for _, b := range ours[1:] {
		if b.idea && b.line > 0 && b.line < line || !b.idea && !b.blank() && m.past.touched(b) || b.level() > 2 && m.cited(b.id) {
			return false
		}
		if b.idea {
			line = max(line, b.line)
		}
	}
	return !same && !m.past.lost(old)
}

// keep takes a block over, with what is derived of the same idea where that may change it.
func (m *merger) keep(b block, t *block) {
	switch {
	case b.level() > 2 && m.topics:
		m.gap = true
		return
	case m.gap && b.blank() && m.blocks[len(m.blocks)-1].blank():
		return // one is left of the blank lines around what went
	case !b.idea:
	case m.past.touched(b):
		m.out.Person++
	case t != nil:
		b.lines = m.past.updated(b, *t)
	case m.cited(b.id):
		m.out.Cited = append(m.out.Cited, b.id)
	default:
		m.gap = true
		return
	}
	m.gap = false
	m.blocks = append(m.blocks, b)
}

// insert puts an idea or a heading before what is from a later line of the transcript, or else
// behind all that is from any, or above the head.
func (m *merger) insert(t block) {
	at := slices.IndexFunc(m.blocks, func(b block) bool {
		return t.line > 0 && (b.line > t.line || b.line == t.line && t.level() > 2 && b.idea)
	})
	for i := len(m.blocks); i > 0 && at < 0; i-- {
		if m.blocks[i-1].line > 0 {
			at = i
		}
	}
	if at < 0 {
		var lines []string
		for _, b := range m.blocks {
			lines = append(lines, strings.TrimRight(b.lines[0], "\r\n"))
		}
		at = len(lines)
		if from, to := cite.HeadLines(lines[1:]); to > 0 && slices.ContainsFunc(m.blocks[1:1+from], func(b block) bool { return !b.blank() }) {
			at = from + 1
		}
	}
	for at == len(m.blocks) && m.blocks[at-1].blank() || at < len(m.blocks) && !m.blocks[at].idea && m.blocks[at-1].blank() && at > 2 {
		at--
	}
	t.fresh = true
	m.blocks = slices.Insert(m.blocks, at, t)
}

// write joins the blocks, with blank lines around a list and, where headings went, none in it.
func (m *merger) write() {
	for i, b := range m.blocks {
		last := m.blocks[max(0, i-1)]
		switch {
		case m.topics && b.blank() && last.idea && i+1 < len(m.blocks) && m.blocks[i+1].idea:
			continue
		case i > 0 && (b.fresh || last.fresh) && !b.blank() && !last.blank() && !(b.idea && last.idea):
			m.out.Text += "\n"
		}
		m.out.Text += strings.Join(b.lines, "")
	}
}

// block is an idea with the lines nested below it, or another line of a section.
type block struct {
	lines []string // with line ends
	idea  bool
	key   string // by which an idea or a heading is known again
	id    string // block id, "" for none
	line  int    // of the transcript, 0 for none
	fits  bool   // an idea's id is that of its text
	fresh bool   // it was not there
}

func (b block) blank() bool { return isBlank(b.lines[0]) }

// level is a heading's, 0 for what is none.
func (b block) level() int {
	rest := strings.TrimLeft(b.lines[0], "#")
	if !strings.HasPrefix(rest, " ") {
		return 0
	}
	return len(b.lines[0]) - len(rest)
}

// ideaLine is an idea's line as gitmem or a person writes it: a checkbox, the intent, the text,
// how sure and from which line, and the block id.
var ideaLine = regexp.MustCompile(`^- (\[[ xX]\] )?(?:\[([\pL][\pL\pN_-]*)\] )?(.+?)(?: \((?:[01]\.\d+ )?L(\d+)(?: [\d:]+)?\))?(?: \^([A-Za-z0-9_-]+))?\s*$`)

// topicLine is a topic's heading.
var topicLine = regexp.MustCompile(`^###.* \(L(\d+)–L\d+\) \^([A-Za-z0-9_-]+)\s*$`)

// relationLine is a relation's.
var relationLine = regexp.MustCompile(`^\s+- ([a-z_]+) \[\[[^\]|]*?\^?(i-[A-Za-z0-9_-]+)[\]|]`)

// blocksOf cuts a section. A second idea of one id has a key of its own.
func blocksOf(text string) (list []block) {
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		last := len(list) - 1
		if last >= 0 && list[last].idea && !isBlank(line) && (line[0] == ' ' || line[0] == '\t') {
			list[last].lines = append(list[last].lines, line)
			continue
		}
		b := block{lines: []string{line}}
		if parts := ideaLine.FindStringSubmatch(line); parts != nil {
			b.idea, b.id = true, parts[5]
			b.line, _ = strconv.Atoi(parts[4])
			id := "i-" + markdown.ContentID(parts[2]+" "+parts[3])
			b.fits = parts[1] == "" && (b.id == "" || b.id == id)
			if b.key = b.id; b.key == "" {
				b.key = id
			}
		} else if parts := topicLine.FindStringSubmatch(line); parts != nil {
			b.key, b.id, b.fits = line, parts[2], true
			b.line, _ = strconv.Atoi(parts[1])
		} else if b.level() > 2 {
			b.key = line
		}
		if seen[b.key]++; b.key != "" && seen[b.key] > 1 {
			b.key = fmt.Sprintf("%s %d", b.key, seen[b.key])
		}
		list = append(list, b)
	}
	return list
}

// relationKey is by which a relation of an idea is known again, "" for a line that is none.
func (b block) relationKey(line string) string {
	parts := relationLine.FindStringSubmatch(line)
	if parts == nil {
		return ""
	}
	return b.key + " " + parts[1] + " " + parts[2]
}

func byKey(list []block) map[string]*block {
	out := map[string]*block{}
	for i := range list {
		if list[i].idea {
			out[list[i].key] = &list[i]
		}
	}
	return out
}
