package archive

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Lines returns the ideas of a digest as [Section] writes them into a day's file, without headings.
func Lines(d transcript.Digest, ideas []Idea, day string) string {
	var b strings.Builder
	d.Topics = nil
	writeTopics(&b, d, ideas, "", day)
	return b.String()
}

// Stored is a session's section in a file.
type Stored struct {
	ID   string // block id
	Line int    // of its heading
	Span markdown.Span
	cite.SessionHead
	Compacted bool // it replaces a log
}

// SectionsOf returns the session sections of a day's file.
func SectionsOf(src []byte, day time.Time) (list []Stored) {
	for _, s := range markdown.Parse(src).Sections {
		if s.Level == 2 && strings.HasPrefix(s.ID, "s-") {
			h := cite.ReadHead(day, string(src[s.Heading.End:s.Span.End]))
			list = append(list, Stored{s.ID, s.Line, s.Span, h, h.Log != "" || strings.HasSuffix(s.Title, cite.Compacted)})
		}
	}
	return list
}

// Derived is the newly derived content of a section.
type Derived struct {
	Lines string // see [Lines]
	Mark  string // of the model that found the ideas, or ""
}

// Merged is the result of [Merge].
type Merged struct {
	Text   string
	Person int // number of ideas kept because of a person's edit, including deleted ones
	Cited  int // number of ideas kept because something cites them
}

// Merge replaces the ideas of a section that gitmem wrote with newly derived ones. It keeps a person's edits: it does
// not change an idea with a line that gitmem did not write or with an id that no longer matches its text, and it does
// not restore deleted ideas. It moves nothing and keeps the headings. An idea that is no longer derived is kept if
// cited reports a reference to it. If the history does not show who wrote what, Merge only adds lines.
func Merge(section string, d Derived, p *Past, cited func(id string) bool) (m Merged) {
	if strings.Contains(section, "\r\n") {
		d.Lines = strings.ReplaceAll(d.Lines, "\n", "\r\n")
	}
	var blocks []block
	derived := blocksOf(d.Lines)
	fresh := map[string]block{}
	for _, t := range derived {
		if t.idea {
			fresh[t.key] = t
		}
	}
	for _, b := range blocksOf(section) {
		t, again := fresh[b.key]
		switch {
		case !b.idea:
		case p.touched(b):
			m.Person++
		case again:
			b.lines = p.updated(b, t)
		case cited(b.id):
			m.Cited++
		default:
			continue
		}
		delete(fresh, b.key)
		blocks = append(blocks, b)
	}
	for _, t := range derived {
		switch _, isFresh := fresh[t.key]; {
		case !isFresh:
		case p.seen[t.key]:
			m.Person++
		default:
			t.lines = p.updated(block{line: t.line}, t)
			blocks = insert(blocks, t)
		}
	}
	for _, b := range blocks {
		if m.Text != "" && !strings.HasSuffix(m.Text, "\n") { // the last line of the file
			m.Text += "\n"
		}
		m.Text += strings.Join(b.lines, "")
	}
	m.Text = p.marked(m.Text, d.Mark)
	return m
}

// insert places an idea after all blocks from earlier transcript lines, otherwise before the blocks from later lines,
// otherwise above the head. It puts blank lines around a list.
func insert(blocks []block, t block) []block {
	at := len(blocks)
	for at > 0 && (blocks[at-1].line == 0 || t.line > 0 && blocks[at-1].line > t.line) {
		at--
	}
	if at == 0 {
		at = slices.IndexFunc(blocks, func(b block) bool { return b.line > 0 })
	}
	if at < 0 {
		at = headOf(blocks)
	}
	if at < len(blocks) && blocks[at].blank() && !blocks[at-1].idea {
		at++
	}
	end := t.lines[0][len(strings.TrimRight(t.lines[0], "\r\n")):]
	list, blank := []block{t}, block{lines: []string{end}}
	if at < len(blocks) && !blocks[at].idea && !blocks[at].blank() {
		list = append(list, blank)
	}
	if last := blocks[at-1]; !last.idea && !last.blank() {
		list = slices.Insert(list, 0, blank)
	}
	return slices.Insert(blocks, at, list...)
}

// headOf returns where the head of a section begins, or the section's end if it has no head.
func headOf(blocks []block) int {
	first := slice.Map(blocks, func(b block) string { return strings.TrimRight(b.lines[0], "\r\n") })
	from, to := cite.HeadLines(first)
	if to == 0 {
		return len(blocks)
	}
	return from
}

// block is an idea with its nested lines, a fenced or private part, or another line of a section.
type block struct {
	lines []string // with line ends
	idea  bool
	key   string // identifies an idea
	id    string // block id, or ""
	line  int    // of the transcript, 0 if unknown
	fits  bool   // the idea has gitmem's format and its id matches its text
}

func (b block) blank() bool { return strings.TrimSpace(b.lines[0]) == "" }

// ideaLine matches the line of an idea, written by gitmem or a person: checkbox, intent, text, confidence and
// transcript line, and block id.
var ideaLine = lazy.Pattern(`^- (\[[ xX]\] )?(?:\[([\pL][\pL\pN_-]*)\] )?(.+?)(?: \((?:[01]\.\d+ )?L(\d+)( ` +
	`[\d:]+)?(?: by ` + markdown.ByPattern + `)?\))?(?: \^([A-Za-z0-9_-]+))?\s*$`)

// topicLine matches the heading of a topic.
var topicLine = lazy.Pattern(`^###.* \(L(\d+)–L\d+\) \^[A-Za-z0-9_-]+\s*$`)

// relationLine matches the line of a relation.
var relationLine = lazy.Pattern(`^\s+- ([a-z_]+) \[\[[^\]|]*?\^?(i-[A-Za-z0-9_-]+)[\]|]`)

// blocksOf splits a section into blocks. A second idea with the same id gets a separate key.
func blocksOf(text string) (list []block) {
	seen := map[string]int{}
	end := "" // end mark of the current fenced or private part
	for line := range strings.Lines(text) {
		last := len(list) - 1
		if end != "" {
			list[last].lines = append(list[last].lines, line)
			if strings.Contains(line, end) {
				end = ""
			}
			continue
		}
		if at := ideaOver(list, line); at >= 0 {
			for _, b := range list[at+1:] {
				list[at].lines = append(list[at].lines, b.lines...)
			}
			list[at].lines = append(list[at].lines, line)
			list = list[:at+1]
			continue
		}
		b := block{lines: []string{line}}
		end = partEnd(line)
		if parts := ideaLine().FindStringSubmatch(line); parts != nil {
			b.idea, b.id = true, parts[6]
			b.line, _ = strconv.Atoi(parts[4])
			id := "i-" + markdown.ContentID(parts[2]+" "+parts[3])
			b.fits = parts[1] == "" && (b.id == "" || b.id == id) && (parts[5] != "" || strings.HasSuffix(parts[3], moreLines))
			b.key = cmp.Or(b.id, id)
		} else if parts := topicLine().FindStringSubmatch(line); parts != nil {
			b.line, _ = strconv.Atoi(parts[1])
		}
		if seen[b.key]++; b.key != "" && seen[b.key] > 1 {
			b.key = fmt.Sprintf("%s %d", b.key, seen[b.key])
		}
		list = append(list, b)
	}
	return list
}

// ideaOver returns the index of the idea that a line belongs to, or -1. As in Markdown, these are indented lines, also
// after blank lines, and lines that continue the paragraph directly below an idea.
func ideaOver(list []block, line string) int {
	at := len(list) - 1
	for at > 0 && list[at].blank() {
		at--
	}
	indented := line[0] == ' ' || line[0] == '\t'
	switch {
	case at < 0 || !list[at].idea, strings.TrimSpace(line) == "":
		return -1
	case indented, at == len(list)-1 && partEnd(line) == "" && !strings.HasPrefix(line, "#") && !cite.IsHeadField(line) &&
		!ideaLine().MatchString(line):
		return at
	}
	return -1
}

// partEnd returns the end mark of the fenced or private part that a line begins, or "".
func partEnd(line string) string {
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return line[:3]
	case strings.Contains(line, "<private>") && !strings.Contains(line, "</private>"):
		return "</private>"
	}
	return ""
}

// relationKey returns the key of a relation of the idea, or "" for other lines.
func (b block) relationKey(line string) string {
	parts := relationLine().FindStringSubmatch(line)
	if parts == nil {
		return ""
	}
	return b.key + " " + parts[1] + " " + parts[2]
}
