package sessioncontext

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// ProfileSection returns the section with the user's preferences. They are the user's own words, which apply to the
// session; `profile:` and a path cites one.
func ProfileSection(lines []Line) Section {
	return Section{
		name:  "profile",
		title: "## Who the user is and how they want to work, from profile.md (mine, unless a line says otherwise)",
		share: profileShare, most: profileShare, hint: "gitmem profile", lines: lines,
	}
}

// ProfileLine returns a line of the profile.
func ProfileLine(text string) Line {
	return Line{text: "- " + messages.Quotable(messages.OneLine(text, factChars))}
}

// UnreadLine returns a line about a file whose orders and preferences are missing.
func UnreadLine(why string) Line {
	return ProfileLine("the user's standing orders and preferences may be missing: " + why)
}

// SessionSection lists the last sessions, the prompts of the last one, and notes that sessions left for later ones.
func SessionSection(list []Session, more int, notes []Line) Section {
	s := Section{
		name: "sessions", title: "## Last sessions, newest first", share: sessionsShare,
		hint: "gitmem ask 'what was done last week?'", more: map[string]int{"": more + max(0, len(notes)-mostNotes)},
		lines: slices.Clone(notes[:min(len(notes), mostNotes)]),
	}
	for i, p := range list[:min(len(list), MostSessions)] {
		s.lines = append(s.lines, p.line())
		if i > 0 {
			continue
		}
		prompts := slices.DeleteFunc(slices.Clone(p.work), func(f Fact) bool { return p.titled(f.text) })
		for _, f := range prompts[max(0, len(prompts)-mostPrompts):] {
			s.lines = append(s.lines, citing("- asked in it: "+f.quoted(factChars), f.id, f.trust))
		}
	}
	return s
}

// kindsOf contains kinds of facts, and how many of them come from one session's part, in order: one session must not
// hide all others, so that further facts come after those of all sessions.
type kindsOf struct {
	most, newest int // maximum for a session, and for the newest one
	kinds        []string
}

// openKinds are the kinds of facts that are open until answered or ticked off.
var openKinds = [...]kindsOf{
	{1, 1, []string{kindUnanswered}},
	{4, 4, []string{markdown.IntentTodo}},
	{3, 3, []string{markdown.IntentQuestion}},
}

// learntKinds are the kinds of facts that save repeated attempts.
var learntKinds = [...]kindsOf{
	{3, 12, []string{markdown.IntentDecision, markdown.IntentConclusion}},
	{2, 2, []string{markdown.IntentFailed}},                      // including commands that never succeeded
	{3, 3, []string{markdown.IntentBug, markdown.IntentProblem}}, // the solution is unknown
	{2, 2, []string{markdown.IntentLesson, markdown.IntentSolution}},
}

// kindTask is a fact from the client's own list of tasks, and kindUnanswered a session's last prompt without an answer.
const kindTask, kindUnanswered = "task", "unanswered"

// openTasks returns the open tasks in a session's list that were written after a line: the state of older ones is in
// the unread part. clean removes secrets.
func openTasks(session string, d transcript.Digest, gap int, clean func(string) string) (open []Fact) {
	for _, t := range d.Tasks {
		if t.Waits() && t.Line > gap && t.Line < unknownLine {
			id := cite.ID{Kind: cite.KindTranscript, Name: session, Number: t.Line, Fragment: t.Block}.String()
			open = append(open, Fact{kind: kindTask, text: clean(t.Text), id: id, trust: answer.Untrusted,
				day: t.Time.UTC().Format(time.DateOnly)})
		}
	}
	return open
}

// OpenSection lists open items: tasks, then what sessions left to do and asked without an answer. more counts items of
// older sessions by kind.
func OpenSection(tasks []Line, list []Session, more map[string]int) Section {
	s := Section{name: "open", title: "## Open tasks and questions", share: openShare, most: mostOpen,
		hint: "gitmem ideas --open", lines: tasks, more: more}
	s.addFacts(list, append([]kindsOf{{6, 6, []string{kindTask}}}, openKinds[:]...))
	return s
}

// LearntSection lists the project's decisions, and decisions and failures in sessions. more counts items of older
// sessions by kind.
func LearntSection(decisions []Line, list []Session, more map[string]int) Section {
	s := Section{name: "learnt", title: "## Failed, decided and learnt", share: learntShare, hint: learntHint(),
		lines: decisions, more: more}
	s.addFacts(list, learntKinds[:])
	return s
}

// learntHint returns the command that lists everything learnt.
func learntHint() string {
	var marks []string
	for _, g := range learntKinds {
		marks = append(marks, g.kinds...)
	}
	return "gitmem search 'intent:" + strings.Join(marks, ",") + "'"
}

// addFacts adds the facts of some kinds, session by session, newest first; of each session the last ones, which are
// valid at its end. Duplicates are omitted.
func (s *Section) addFacts(list []Session, groups []kindsOf) {
	seen := map[string]bool{}
	var rest []Line
	for n, p := range list {
		for _, group := range groups {
			var lines []Line
			for _, f := range p.facts {
				key := strings.ToLower(strings.Join(strings.Fields(f.text), " "))
				if slices.Contains(group.kinds, f.kind) && key != "" && !seen[key] {
					seen[key] = true
					lines = append(lines, f.line())
				}
			}
			most := group.most
			if n == 0 {
				most = group.newest
			}
			left := max(0, len(lines)-most)
			s.lines, rest = append(s.lines, lines[left:]...), append(rest, lines[:left]...)
		}
	}
	s.lines = append(s.lines, rest...)
}

func (f Fact) line() Line {
	text := "- " + f.kind + " " + f.day
	if f.topic != "" {
		text += " of " + messages.Quote(f.topic, topicChars)
	}
	text += ": " + f.quoted(factChars) + cited(f.id, f.trust)
	if len(f.replaces) > 0 {
		text += ", in place of [" + strings.Join(f.replaces, "] [") + "]"
	}
	l := Line{kind: f.kind, text: text, ids: []string{f.id}}
	if r := f.reason; r != nil {
		if l.text += "; " + r.quoted(factChars); r.id != f.id {
			l.text += cited(r.id, r.trust)
			l.ids = append(l.ids, r.id)
		}
	}
	return l
}

// mostNotes is the maximum number of notes of earlier sessions in a session context.
const mostNotes = 6

// MemorySection returns the lines of MEMORY.md in the project's other folders, and in its own unless the client loads
// that.
func MemorySection(lines []Line, loadsOwn bool) Section {
	title := "## MEMORY.md of the project's other folders, what this folder's own lacks"
	if !loadsOwn {
		title = "## MEMORY.md of the project, which the client does not load"
	}
	return Section{
		name: "memory", title: title,
		share: memoryShare, hint: "gitmem search 'layer:memory'", lines: lines,
	}
}

// TaskLine returns the line of an open task.
func TaskLine(u cite.Unit) Line {
	l := citing("- task: "+messages.Quote(u.Text, factChars), u.ID, u.Trust())
	l.kind = kindTask
	return l
}

// DecisionLine returns the line of a decision with the first paragraph of its reasons.
func DecisionLine(u cite.Unit) Line {
	text := u.Title
	for line := range strings.Lines(u.Text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			text += ": " + line
			break
		}
	}
	l := citing("- decision "+u.Time.Format(time.DateOnly)+": "+messages.Quote(text, factChars), u.ID, u.Trust())
	l.kind = markdown.IntentDecision
	return l
}

// NoteLine returns the line of a log entry about its session.
func NoteLine(u cite.Unit) Line {
	return citing("- "+u.Title+" "+u.Time.Format(time.DateOnly)+": "+messages.Quote(u.Said(), factChars), u.ID, u.Trust())
}

// MemoryLines returns the lines of a file's units that are not in seen, each under the citation of its section. The
// citation contains the client's name of the folder: several folders of a project may have the same heading.
func MemoryLines(units []cite.Unit, seen map[string]bool) []Line {
	var out []Line
	for _, u := range units {
		if u.Source != string(cite.KindMemory) {
			continue
		}
		n := 0
		for line := range strings.Lines(u.Text) {
			n++
			key, text := MemoryKey(line)
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			trust := u.TrustOf(cite.Quote{Text: line, Line: n})
			out = append(out, Line{
				head: "From " + messages.Quote(u.Title, titleChars) + cited(u.ID, trust),
				text: "- " + messages.Quote(text, factChars), ids: []string{u.ID},
			})
		}
	}
	return out
}

// MemoryKey returns a comparison key for a line of a memory file, and the line without its bullet; "" for a heading and
// a blank line.
func MemoryKey(line string) (key, text string) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return "", ""
	}
	text = strings.TrimLeft(line, "-*+> ")
	return strings.ToLower(strings.Join(strings.Fields(text), " ")), text
}

// Limits of a session context.
const (
	MostSessions = 5   // listed
	MostFacts    = 8   // sessions that are read whatever they contain
	mostPrompts  = 3   // prompts of the last session
	titleChars   = 90  // characters of a quotation: the prompt
	outcomeChars = 280 // the outcome
	topicChars   = 50  // the topic of an item
	factChars    = 220 // any other
	mostWrote    = 5   // files that a session wrote
	wroteChars   = 160
	citedUnits   = 70 // approximate size of a line without its quotation
)
