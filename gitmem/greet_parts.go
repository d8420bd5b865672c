package gitmem

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

// What a greeting reads of the project's other memory, at most.
const (
	greetTaskBytes   = 256 << 10
	greetMemories    = 8         // files of other folders
	greetMemoryBytes = 32 << 10  // of each: the client itself loads 25 KB
	greetOwnBytes    = 256 << 10 // of the folder's own, to leave out what it says too
)

// sessionSection tells of the last sessions, and of the last one what was asked.
func sessionSection(list []pastSession, more int) greetSection {
	s := greetSection{
		name: "sessions", title: "## Last sessions, newest first", share: sessionsShare,
		hint: "gitmem ask 'what was done last week?'", more: more,
	}
	for i, p := range list[:min(len(list), greetSessions)] {
		s.lines = append(s.lines, p.line())
		if i > 0 {
			continue
		}
		prompts := slices.DeleteFunc(slices.Clone(p.work), func(f fact) bool { return p.titled(f.text) })
		for _, f := range prompts[max(0, len(prompts)-greetPrompts):] {
			s.lines = append(s.lines, greetLine{
				text: "- asked in it: " + wording.Quote(f.text, greetFact) + cited(f.id, f.trust), ids: []string{f.id},
			})
		}
	}
	return s
}

// titled tells whether a prompt is what the session is called by, in whole or cut.
func (s pastSession) titled(prompt string) bool {
	title := strings.TrimSuffix(s.title.text, " (continued)")
	begin, cut := strings.CutSuffix(title, "…")
	return prompt == title || cut && strings.HasPrefix(prompt, begin)
}

// line tells of a session in a line.
func (s pastSession) line() greetLine {
	l := greetLine{text: "- " + s.daySpan(), ids: []string{s.title.id}}
	if s.open {
		l.text += " (not archived yet)"
	}
	l.text += ": " + wording.Quote(s.title.text, greetTitle)
	if s.wrote != "" {
		l.text += ", wrote " + wording.Quote(s.wrote, greetWroteChars)
	}
	l.text += cited(s.title.id, s.title.trust)
	if s.outcome.text == "" {
		return l
	}
	l.text += " → " + wording.Quote(s.outcome.text, greetOutcome)
	switch s.outcome.id {
	case "", s.title.id:
		if s.outcome.trust != s.title.trust {
			l.text += " [" + s.outcome.trust + "]"
		}
	default:
		l.text += cited(s.outcome.id, s.outcome.trust)
		l.ids = append(l.ids, s.outcome.id)
	}
	return l
}

// openSection tells what is open: tasks, then what the last sessions left to do and
// asked without an answer.
func (g *greeter) openSection(list []pastSession) greetSection {
	s := greetSection{
		name: "open", title: "## Open tasks and questions", share: openShare,
		hint: "gitmem search 'intent:todo,question,problem'", lines: g.tasks(),
	}
	s.tell(list, kindsOf{6, []string{"task"}}, kindsOf{4, []string{"todo"}}, kindsOf{3, []string{"question", "problem"}})
	return s
}

// learntSection tells what failed and what was decided, which saves trying again.
func learntSection(list []pastSession) greetSection {
	s := greetSection{
		name: "learnt", title: "## Failed, decided and learnt", share: learntShare,
		hint: "gitmem search 'intent:failed,bug,decision,conclusion,lesson'",
	}
	s.tell(list, kindsOf{3, []string{"failed", "bug"}}, kindsOf{3, []string{"decision", "conclusion"}}, kindsOf{2, []string{"lesson"}})
	return s
}

// kindsOf are kinds of facts, and how many of them a session may tell: one session
// must not hide all others.
type kindsOf struct {
	most  int
	kinds []string
}

// tell adds the facts of some kinds, session by session, newest first; of each the
// last ones, which hold at its end. What two sessions say is told once.
func (s *greetSection) tell(list []pastSession, groups ...kindsOf) {
	told := map[string]bool{}
	for _, p := range list[:min(len(list), greetFacts)] {
		for _, group := range groups {
			var facts []fact
			for _, f := range p.facts {
				key := strings.ToLower(strings.Join(strings.Fields(f.text), " "))
				if slices.Contains(group.kinds, f.kind) && key != "" && !told[key] {
					told[key] = true
					facts = append(facts, f)
				}
			}
			left := max(0, len(facts)-group.most)
			s.more += left
			for _, f := range facts[left:] {
				s.lines = append(s.lines, f.line())
			}
		}
	}
}

func (f fact) line() greetLine {
	return greetLine{text: "- " + f.kind + " " + f.day + ": " + wording.Quote(f.text, greetFact) + cited(f.id, f.trust), ids: []string{f.id}}
}

// tasks are the open ones of the project's lists.
func (g *greeter) tasks() []greetLine {
	if g.files == nil {
		return nil
	}
	var out []greetLine
	for _, dir := range g.projectDirs() {
		f := cite.File{Path: dir + "/tasks.md", Area: cite.AreaTasks, Project: g.p.project.ID}
		b, err := g.read(f, greetTaskBytes, false)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			g.skip(f.Path, err)
			continue
		}
		units, _ := cite.Units(f, b)
		for _, u := range units {
			if u.Done != nil && !*u.Done {
				out = append(out, greetLine{text: "- task: " + wording.Quote(u.Text, greetFact) + cited(u.ID, trustOf(u)), ids: []string{u.ID}})
			}
		}
	}
	return out
}

// memorySection tells what MEMORY.md says in the project's other folders, and in
// memory's own root where that is not the client's: the client loads one file itself.
func (g *greeter) memorySection() greetSection {
	s := greetSection{
		name: "memory", title: "## MEMORY.md of the project's other folders, what this folder's own lacks",
		share: memoryShare, hint: "gitmem search 'layer:memory'",
	}
	if g.files == nil {
		return s
	}
	told := g.ownMemory()
	for i, name := range g.otherMemories() {
		if i == greetMemories {
			g.skip("memory of more folders", errors.New("not looked at"))
			break
		}
		f := cite.File{Path: "projects/" + name + "/memory/MEMORY.md", Area: cite.AreaMemory, Project: name}
		if _, ok := g.m.excludedMemory(f.Path, g.p.project.ID); ok {
			continue
		}
		b, err := g.read(f, greetMemoryBytes, false)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			g.skip(f.Path, err)
			continue
		}
		s.lines = append(s.lines, memoryLines(f, b, told)...)
	}
	return s
}

// memoryLines are the lines of a file that were not told yet, each under the citation
// of its section. The client's name of the folder is in it: several folders of a
// project may have the same heading.
func memoryLines(f cite.File, b []byte, told map[string]bool) []greetLine {
	units, _ := cite.Units(f, b)
	var out []greetLine
	for _, u := range units {
		if u.Source != string(cite.KindMemory) {
			continue
		}
		for line := range strings.Lines(u.Text) {
			key, said := memoryKey(line)
			if key == "" || told[key] {
				continue
			}
			told[key] = true
			out = append(out, greetLine{
				head: "From " + wording.Quote(u.Title, greetTitle) + cited(u.ID, ask.Trust(cite.Source{ID: u.ID, Layer: u.Layer, Source: u.Source})),
				text: "- " + wording.Quote(said, greetFact), ids: []string{u.ID},
			})
		}
	}
	return out
}

// memoryKey is a line of a memory file by its words, and the line without its bullet;
// "" for one that says nothing.
func memoryKey(line string) (key, said string) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return "", ""
	}
	said = strings.TrimLeft(line, "-*+> ")
	return strings.ToLower(strings.Join(strings.Fields(said), " ")), said
}

// ownMemory are the lines that the client loads itself.
func (g *greeter) ownMemory() map[string]bool {
	told := map[string]bool{}
	tree := folderTree{dir: g.m.client}
	f := cite.File{Path: memoryDir(g.p) + "/MEMORY.md"}
	info, err := tree.Stat(f)
	if err != nil || info.Size() > greetOwnBytes {
		return told
	}
	b, err := tree.Read(f)
	if err != nil {
		return told
	}
	n, at := 0, 0
	for line := range strings.Lines(g.m.redactor.Lines(string(b))) {
		if n++; n > loadedLines || at >= loadedBytes {
			break
		}
		at += len(line)
		key, _ := memoryKey(line)
		told[key] = true
	}
	return told
}

// otherMemories are the client's names of the project's folders, but for the one
// whose memory it loads itself.
func (g *greeter) otherMemories() []string {
	folders := append(slices.Clone(g.places()), g.p.project.Folders()...)
	var names []string
	for _, f := range folders {
		if name := transcript.Munge(f); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if g.m.root == g.m.client {
		own := transcript.Munge(g.p.folder)
		names = slices.DeleteFunc(names, func(n string) bool { return n == own })
	}
	return names
}
