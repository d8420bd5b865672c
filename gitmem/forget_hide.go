package gitmem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forgotten"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

// forgotten is the list of what was forgotten; without one, nothing was. It is read
// once: a process is short.
func (m *Memory) forgotten() *forgotten.Set {
	if m.stones != nil {
		return m.stones
	}
	m.stones = &forgotten.Set{}
	if m.store == nil {
		return m.stones
	}
	b, err := m.store.Read("", forgotten.File)
	if errors.Is(err, store.ErrNotFound) {
		return m.stones
	}
	if err != nil {
		m.notice("What was forgotten could not be looked up and may show: %v", err)
		return m.stones
	}
	m.stones = forgotten.ParseSet(b)
	if n := m.stones.Skipped; n > 0 {
		m.notice("%s of %s were not understood.", plural(n, "line"), forgotten.File)
	}
	return m.stones
}

// forgetSet lets the list be read again.
func (m *Memory) forgetSet() { m.stones = nil }

// feedPrint is the fingerprint of what is indexed: another list makes another
// index, so that nothing of what is on it stays in an old one.
func (m *Memory) feedPrint() string {
	if m.forgotten().Len() == 0 {
		return fingerprint
	}
	b, err := m.store.Read("", forgotten.File)
	if err != nil {
		return fingerprint
	}
	return fingerprint + " " + hashOf(b)[:12]
}

// veil hides in a file what was forgotten, should it stand there.
func (m *Memory) veil(f cite.File, b []byte) []byte {
	set := m.forgotten()
	if set.Len() == 0 {
		return b
	}
	// Rules and plans belong to others: of them only what was named goes, not what says the same.
	own := f.Area != cite.AreaRules && f.Area != cite.AreaPlan
	out, cut := forgotten.Cutter{Set: set, Redactor: m.redactor, UnitsOnly: !own}.Blank(f, b)
	switch {
	case len(cut) == 0 || !own:
	case m.past != nil:
		m.notice("%s held %s then that %s lists; they stay hidden.", f.Path, plural(len(cut), "line"), forgotten.File)
	default:
		m.notice("%s: %s that %s lists came back and stay hidden; gitmem forget takes them out.", f.Path, plural(len(cut), "line"), forgotten.File)
	}
	return out
}

// hidesTranscript says whether a line of a transcript, or all of it, was forgotten.
func (m *Memory) hidesTranscript(file string, line int) bool {
	set := m.forgotten()
	if set.Len() == 0 {
		return false
	}
	name := cite.TranscriptName(file)
	return set.HasUnit(string(cite.KindTranscript)+":"+name, "") ||
		set.HasUnit(cite.ID{Kind: cite.KindTranscript, Name: name, Number: line}.String(), "")
}

// remembered passes on the messages of a transcript that were not forgotten.
func (m *Memory) remembered(file string, msgs iter.Seq2[transcript.Message, error]) iter.Seq2[transcript.Message, error] {
	if m.forgotten().Len() == 0 {
		return msgs
	}
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			// A file may have another name than its session; those of subagents have
			// lines of their own.
			named := !strings.HasPrefix(cite.TranscriptName(file), "agent-") && m.hidesTranscript(msg.Session, msg.Line)
			if err == nil && (named || m.hidesTranscript(file, msg.Line)) {
				continue
			}
			if !yield(m.withoutForgotten(file, msg), err) {
				return
			}
		}
	}
}

// withoutForgotten is a message without the blocks that were forgotten one by one.
func (m *Memory) withoutForgotten(file string, msg transcript.Message) transcript.Message {
	gone := func(kind transcript.Kind, i int) bool {
		id := cite.ID{Kind: cite.KindTranscript, Name: cite.TranscriptName(file), Number: msg.Line, Fragment: transcript.Block{Kind: kind, N: i + 1}.Name()}
		return m.forgotten().HasUnit(id.String(), "")
	}
	if msg.Thinking != "" && gone(transcript.KindThinking, 0) {
		msg.Thinking = ""
	}
	n := map[transcript.Kind]int{}
	var tools []transcript.ToolUse
	for _, t := range msg.Tools {
		kind := t.Kind()
		if !gone(kind, n[kind]) {
			tools = append(tools, t)
		}
		n[kind]++
	}
	var results []transcript.ToolResult
	for i, r := range msg.Results {
		if !gone(transcript.KindResult, i) {
			results = append(results, r)
		}
	}
	msg.Tools, msg.Results = tools, results
	return msg
}

// hides says whether a citation was forgotten.
func (m *Memory) hides(id string) bool {
	if m.forgotten().Len() == 0 {
		return false
	}
	c, err := cite.Parse(id)
	if err != nil {
		return m.forgotten().HasUnit(id, "")
	}
	if c.Kind == cite.KindTranscript && m.hidesTranscript(c.Name, c.Number) ||
		c.Kind == cite.KindPrompt && m.forgotten().HasUnit(string(cite.KindTranscript)+":"+c.Name, "") {
		return true
	}
	return m.forgotten().HasUnit(c.String(), "")
}

// sessionForgotten says whether the archive's section of a session was forgotten:
// it must not be written again from the transcript. Older versions noted the section's
// block id only, which a session whose id begins alike would have too.
func (m *Memory) sessionForgotten(p *place, session, date string) bool {
	has := func(fragment string) bool { return m.forgotten().HasUnit(sessionUnit(date, fragment), p.project.ID) }
	block := "s-" + transcript.ShortID(session)
	return has("s-"+session) || has(block) && !has(block+alsoWhole)
}

// alsoWhole ends what is noted beside a block id whose session is noted by its whole id.
const alsoWhole = "-whole"

// sessionUnit is the citation id of a section of a day's archive.
func sessionUnit(date, fragment string) string {
	return cite.ID{Kind: cite.KindSession, Name: date, Fragment: fragment}.String()
}

// sessionStones keep the session of a section from being archived again. A continuation
// that is forgotten takes nothing else with it.
func (f *Forgetting) sessionStones(u cite.Unit, project string) []forgotten.Stone {
	id, err := cite.Parse(u.ID)
	if err != nil || !transcript.ValidSessionID(u.Session) || strings.HasSuffix(u.Title, archive.Continued) {
		return nil
	}
	out := []forgotten.Stone{f.mason().Unit(sessionUnit(id.Name, "s-"+u.Session), project)}
	if id.Fragment == "s-"+transcript.ShortID(u.Session) {
		out = append(out, f.mason().Unit(sessionUnit(id.Name, id.Fragment+alsoWhole), project))
	}
	return out
}

// dropForgotten takes out of what a session comes to what was forgotten since.
func (m *Memory) dropForgotten(d *transcript.Digest) {
	set := m.forgotten()
	if set.Len() == 0 {
		return
	}
	d.FirstPrompt, d.Outcome.Text = set.Sentences(d.FirstPrompt), set.Sentences(d.Outcome.Text)
	for intent, list := range map[string]*[]transcript.Quote{
		"work": &d.PromptLines, "decision": &d.Decisions, "bug": &d.Bugs, "failed": &d.Failed,
		"lesson": &d.Lessons, "question": &d.Questions, "todo": &d.Todos, "note": &d.Summaries,
	} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(q transcript.Quote) bool {
			text := wording.Paragraph(q.Text)
			return set.HasQuote(text) || set.HasUnit("idea:i-"+cite.ContentID(intent+" "+text), "")
		})
	}
}

// noteAgain refuses a note that says what was forgotten. With force it is let in
// again: its line goes from the list.
func (m *Memory) noteAgain(ctx context.Context, text string, force bool) (changed bool, err error) {
	set := m.forgotten()
	var stones []forgotten.Stone
	for line := range strings.Lines(text) {
		stones = append(stones, set.Lines(line)...)
	}
	if len(stones) == 0 {
		return false, nil
	}
	if !force {
		return false, fmt.Errorf("%w of what was forgotten on purpose", ErrDuplicate)
	}
	defer m.forgetSet()
	return true, m.store.Rewrite(ctx, forgotten.File, func(old []byte) ([]store.Insertion, error) {
		var out []store.Insertion
		at := 0
		for line := range strings.Lines(string(old)) {
			if slices.ContainsFunc(stones, func(s forgotten.Stone) bool { return strings.TrimSpace(line) == s.String() }) {
				out = append(out, store.Insertion{At: at, Cut: len(line)})
			}
			at += len(line)
		}
		return out, nil
	})
}

// erase deletes every index and every trace that may hold what was forgotten: an
// index keeps the words of what left it until it is written anew.
func (m *Memory) erase(ctx context.Context, f *Forgetting) {
	for _, dir := range []string{m.indexDir(), filepath.Join(m.o.CacheDir, "gitmem", shortHash(m.root))} {
		shards, err := os.ReadDir(filepath.Join(dir, "shards"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.notice("The indexes in %s could not be deleted: %v", dir, err)
		}
		if err := eraseVectors(dir); err != nil {
			m.notice("The vectors in %s could not be deleted: %v", dir, err)
		}
		if err := eraseSaid(dir); err != nil {
			m.notice("What sessions were told could not be deleted from %s: %v", dir, err)
		}
		if !erasePast(ctx, dir) {
			m.notice("An index of the past is in use and could not be deleted; the next question does it.")
		}
		for _, s := range shards {
			o := index.Options{Fingerprint: m.feedPrint(), Now: m.o.Now, LockWait: memoryWait}
			gone, err := index.Open(filepath.Join(dir, "shards", s.Name()), o).Erase(ctx)
			if err != nil || !gone {
				m.notice("The index %s is in use and could not be deleted; gitmem index rebuild does it later.", s.Name())
			}
		}
	}
	for _, dir := range TraceDirs(m.o.Getenv, m.o.Home, m.o.CacheDir) {
		m.eraseTraces(dir, f)
	}
}

// manyTexts bounds for how many lines it is looked whether others say the same.
const manyTexts = 20

// elsewhere finds sources that still say what went.
func (f *Forgetting) elsewhere(ctx context.Context) ([]Elsewhere, error) {
	out := []Elsewhere{}
	seen := map[string]bool{}
	for i, text := range f.texts {
		want := forgotten.Normal(text)
		if i >= manyTexts || !forgotten.Distinctive(want) {
			continue
		}
		res, err := f.m.Search(ctx, `"`+text+`"`, Filter{Project: "all", Limit: 20})
		if err != nil {
			return out, err
		}
		for _, h := range res.Hits {
			if seen[h.ID] || f.m.hides(h.ID) {
				continue
			}
			src, err := f.m.Show(ctx, h.ID)
			if err != nil || !strings.Contains(forgotten.Normal(src.Text), want) {
				continue
			}
			seen[h.ID] = true
			out = append(out, Elsewhere{h.ID, h.Layer, wording.OneLine(h.Excerpt, 60)})
		}
	}
	return out, nil
}
