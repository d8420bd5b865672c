package transcript

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Quote is a passage of a message with its line. Its text is that of the message, with white space collapsed; truncated
// text ends in "…".
type Quote struct {
	Line      int
	Time      time.Time
	Text      string
	Tentative bool // about something unsettled

	// Sure is the probability that a sentence is an idea, if the built-in model was used.
	Sure float64
	By   Speaker // see [Message.SpeakerOf]

	Block string // name of the record's block with the passage, "" for the message text
}

// Count is the number of occurrences of a name.
type Count struct {
	Name string
	N    int
}

// Digest is the content of a session's section in the archive. All of it is quoted or counted; nothing is rephrased.
// Callers pass redacted messages, since a truncated sentence may lose the tag of a private block.
type Digest struct {
	Session     string
	Start, End  time.Time // of the messages with a time
	Branch, Cwd string    // the last branch, the first working directory
	Messages    int       // of the session itself, without its subagents
	Prompts     int
	Greetings   int  // prompts that are only greetings
	Program     bool // all prompts were sent by a program

	LastPrompt  int    // line of the last prompt that is more than thanks
	FirstPrompt string // first prompt with content, cut to about 300 bytes, like all prompts here
	Outcome     Quote  // first statements of the assistant's last message with content

	// Unanswered: the last prompt comes after the assistant's last message.
	Unanswered bool
	// Quotes by their marks in the archive: under work each prompt with content, under note the first sentence of each
	// client summary of a compacted conversation, and under the intents of ideas whole sentences, each once.
	Quotes map[string][]Quote
	// Marked: a model has added its own ideas and topics.
	Marked bool
	// Topics in order; the first one starts at the first prompt.
	Topics []Topic
	// Said are all sentences of the conversation that may answer a question or state that something is done.
	Said []Quote
	// heard has the data of these sentences for a sentence model, see [Digest.Judge].
	heard []heard

	// Tasks is the client's list of tasks at the end of the session.
	Tasks []Task
	// Failed are the commands that failed and did not succeed later, the last ones first, see [Digest.Leave].
	Failed []Quote

	// Files that tools have read or written, in order of first use; relative to the working directory if inside, with
	// slashes. A written file is not listed as read, and failed calls do not count.
	Reads, Writes []string
	Tools         []Count // by number, then name

	// Through is the position after the last message, from which a Reader can continue; LastLine is that message's line
	// and LastUUID its id.
	Through  Position
	LastLine int
	LastUUID string
}

// Quoted yields the marks with their quotes, in the order of the archive.
func (d *Digest) Quoted() iter.Seq2[string, []Quote] {
	return func(yield func(string, []Quote) bool) {
		for _, intent := range append(append([]string{markdown.IntentWork}, IdeaIntents()...), markdown.IntentFailed,
			markdown.IntentNote) {
			if !yield(intent, d.Quotes[intent]) {
				return
			}
		}
	}
}

func (d *Digest) quote(intent string, q Quote) {
	if d.Quotes == nil {
		d.Quotes = map[string][]Quote{}
	}
	d.Quotes[intent] = append(d.Quotes[intent], q)
}

const (
	maxPrompt  = 300 // bytes of a quoted prompt
	maxOutcome = 400 // bytes of two quoted sentences
)

// Summarise builds the digest of a session from its messages, in file order. The error is the first one that msgs
// yields; the digest then covers the messages before it.
func Summarise(msgs iter.Seq2[Message, error]) (Digest, error) {
	s := summary{tools: map[string]int{}, failed: map[string]bool{}, seen: map[string]bool{}}
	for m, err := range msgs {
		if err != nil {
			return s.digest(), err
		}
		s.add(m)
	}
	return s.digest(), nil
}

// Trivial reports whether the session needs no section: it has no prompts, or only greetings and no written file, or
// only agreement without tool calls and with only questions in the answers.
func (d Digest) Trivial() bool {
	if d.Prompts == 0 || d.Greetings == d.Prompts && len(d.Writes) == 0 {
		return true
	}
	if len(d.Tools) > 0 || len(d.Writes) > 0 {
		return false
	}
	for intent, quotes := range d.Quotes {
		if intent != markdown.IntentQuestion && len(quotes) > 0 {
			return false
		}
	}
	return true
}

// Remains reports whether the session needs a section: it is not trivial, and a session run by a program has changed
// files or contains a decision.
func (d Digest) Remains() bool {
	return !d.Trivial() && (!d.Program || len(d.Writes) > 0 || len(d.Quotes[markdown.IntentDecision]) > 0)
}

// summary builds a digest.
type summary struct {
	d      Digest
	tools  map[string]int
	files  []access
	failed map[string]bool // ids of calls that failed
	seen   map[string]bool // sentences already quoted

	listener listener
	topics   wanderer
	outcomes outcomes
	left     left
	reports  []Quote // line and block of subagent reports
}

// access is one use of a file by a tool.
type access struct {
	call, path string
	writes     bool
}

func (s *summary) add(m Message) {
	d := &s.d
	d.Through, d.LastLine = Position{m.Offset + m.Length, max(0, m.Line-1)}, m.Line
	d.LastUUID = cmp.Or(m.UUID, d.LastUUID)
	if m.TakenBack {
		return
	}
	d.Session = cmp.Or(d.Session, m.Session)
	d.Cwd = cmp.Or(d.Cwd, m.Cwd)
	if m.Branch != "HEAD" {
		d.Branch = cmp.Or(m.Branch, d.Branch)
	}
	if !m.Time.IsZero() {
		if d.Start.IsZero() || m.Time.Before(d.Start) {
			d.Start = m.Time
		}
		if m.Time.After(d.End) {
			d.End = m.Time
		}
	}
	s.use(m)
	if m.Sidechain {
		return // a subagent's text is in its result, too
	}
	d.Messages++
	s.turn(s.topics.take(m))
	s.listener.tools += len(m.Tools)
	s.outcomes.take(m, &s.topics.heard)
	s.left.take(m)
	s.report(m)
	switch {
	case m.Prompt:
		s.d.Unanswered = true
		s.prompt(m)
	case m.Role == RoleSummary:
		if q := compacted(m); q.Text != "" {
			s.d.quote(markdown.IntentNote, q)
		}
	case m.Role == RoleAssistant && !m.Synthetic() && m.Text != "":
		s.d.Unanswered = false
		s.ideas(m)
	case m.Role == RoleAgent:
		s.ideas(m)
	}
}

// syntheticModel marks text that the client writes in the assistant's place, such as service errors.
const syntheticModel = "<synthetic>"

func (s *summary) prompt(m Message) {
	text := cut(m.Text, maxPrompt)
	s.d.Program = m.Speaker == Program && (s.d.Program || s.d.Prompts == 0)
	s.d.Prompts++
	if Vague(text) && greets(text) {
		s.d.Greetings++
	}
	if !Thanks(text) {
		s.d.LastPrompt = m.Line
	}
	if Agrees(text) {
		return
	}
	if Vague(text) {
		s.ideas(m)
		return
	}
	if m.Speaker == Model {
		text = cmp.Or(heading(m.Text), text)
	}
	s.d.FirstPrompt = cmp.Or(s.d.FirstPrompt, text)
	s.d.quote(markdown.IntentWork, Quote{Line: m.Line, Time: m.Time, Text: text, By: m.by(false)})
	s.ideas(m)
}

// report collects the ideas in the report of a subagent for which the session waited.
func (s *summary) report(m Message) {
	for i, r := range m.Results {
		if r.Report != "" {
			s.reports = append(s.reports, Quote{Line: m.Line, Block: Block{Kind: KindResult, N: i + 1}.Name()})
			s.ideas(Message{Line: m.Line, Time: m.Time, Role: RoleAgent, Speaker: Agent, Text: r.Report})
		}
	}
}

// name sets the block of quotes that come from reports.
func (s *summary) name(quotes []Quote) {
	for _, r := range s.reports {
		for i := range quotes {
			if quotes[i].Line == r.Line {
				quotes[i].Block = r.Block
			}
		}
	}
}

// ideas collects the sentences of a message that are ideas.
func (s *summary) ideas(m Message) {
	typed, lines := TypedSentences(m), strings.Split(m.Text, "\n")
	s.listener.hear(m, func(in markdown.Sentence, features []string) {
		before := s.listener.before(m, in)
		if len(in.Text) > MaxSentence {
			return
		}
		h := heard{before: before, named: s.listener.named(in), done: isDone(lines, in)}
		intent, probable := h.named, 1.0
		if intent == "" {
			intent, probable = ideaOf(in.Text, models[ideaModel]().Predict(features))
		}
		q := Quote{Line: m.Line, Time: m.Time, Text: in.Text, Sure: probable, By: m.by(holds(typed, in.Text))}
		s.d.Said, s.d.heard = append(s.d.Said, q), append(s.d.heard, h)
		s.d.keep(q, h, intent, sure, s.seen)
	})
}

// turn adds a finished turn to the topics.
func (s *summary) turn(t *turn) {
	if t == nil {
		return
	}
	shift := 1.0
	if len(s.d.Topics) > 0 {
		shift = s.topics.shift(t)
	}
	if shift >= turned {
		s.d.Topics = append(s.d.Topics, Topic{t.prompt.Line, s.topics.title(t), shift < shifted})
	}
	s.topics.join(t, shift >= shifted)
}

// use records the tools that a message calls, and the calls that failed.
func (s *summary) use(m Message) {
	for _, t := range m.Tools {
		s.tools[t.Name]++
		if !t.Writes && t.Name != "Read" && t.Name != "NotebookRead" {
			continue // paths of other tools are search locations
		}
		for _, p := range t.Paths {
			s.files = append(s.files, access{t.ID, relative(p, m.Cwd), t.Writes})
		}
	}
	for _, r := range m.Results {
		if r.Error {
			s.failed[r.ID] = true
		}
	}
}

func (s *summary) digest() Digest {
	s.turn(s.topics.current)
	d := s.d
	for _, quotes := range d.Quotes {
		s.name(quotes)
	}
	s.name(d.Said)
	d.Outcome = s.outcomes.best()
	d.Tasks, d.Failed = s.left.tasks, s.left.failures()
	d.Tools = Counts(s.tools)
	d.Writes = s.paths(true, nil)
	d.Reads = s.paths(false, d.Writes)
	return d
}

// Counts returns the counts by number, then name.
func Counts(of map[string]int) (list []Count) {
	for name, n := range of {
		list = append(list, Count{name, n})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// paths returns the files that were written, or read, except those in except.
func (s *summary) paths(writes bool, except []string) []string {
	var paths []string
	for _, a := range s.files {
		if a.writes == writes && !s.failed[a.call] {
			paths = append(paths, a.path)
		}
	}
	return Distinct(paths, except)
}

// Distinct returns the names of a list that are not in another one, each once.
func Distinct(list, except []string) (out []string) {
	seen := slice.Set(except)
	for _, name := range list {
		if !seen[name] {
			seen[name], out = true, append(out, name)
		}
	}
	return out
}

// relative returns a path inside dir relative to it, with slashes, and other paths unchanged. Both may come from
// another machine.
func relative(path, dir string) string {
	dir = strings.TrimRight(dir, `/\`)
	rest, inside := strings.CutPrefix(path, dir)
	if dir == "" || !inside || len(rest) < 2 || rest[0] != '/' && rest[0] != '\\' {
		return path
	}
	if strings.Contains(dir, `\`) {
		rest = strings.ReplaceAll(rest, `\`, "/")
	}
	return rest[1:]
}

// cut collapses the white space of a text and truncates it to about max bytes at a word.
func cut(text string, max int) string {
	if len(text) > 16*max { // the rest is never used
		text = text[:16*max]
	}
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if len(text) <= max {
		return text
	}
	end := max
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if blank := strings.LastIndexByte(text[:end], ' '); blank > max/2 {
		end = blank
	}
	return text[:end] + "…"
}
