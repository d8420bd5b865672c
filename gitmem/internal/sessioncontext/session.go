package sessioncontext

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// Session is the part of a session that a session context uses.
type Session struct {
	ID         string
	Start, End time.Time
	title      Fact   // the first prompt, or the last message if there is no prompt
	outcome    Fact   // the last message; its id is "" if it equals the title's; no text if the title already has it
	wrote      string // files, comma-separated
	open       bool   // not archived yet
	program    bool   // no person took part
	unanswered int    // transcript line of a last prompt without an answer, 0 for none
	lastPrompt int    // line of the transcript, 0 if unknown
	work       []Fact // prompts, oldest first
	facts      []Fact // other quotations, of any kind
}

// Fact is a quotation with its source.
type Fact struct {
	kind, text, id string
	trust          answer.Trust
	day            string
	topic          string   // for an open item: its topic, "" if its session had one subject
	replaces       []string // citation ids of the ideas that it replaces
	turn           int      // line of the transcript, 0 if unknown
	reason         *Fact    // for a decision: a conclusion in the same turn, nil for none
}

// quoted returns the injected part of the text, in quotation marks.
func (f Fact) quoted(limit int) string { return messages.Quote(Excerpt(f.text, f.trust, limit), limit) }

// Tells reports whether the list of sessions shows a text as the session's outcome.
func (s Session) Tells(text string) bool { return s.outcome.text == text }

// continued is the suffix of the titles of a session's further sections.
const continued = " (continued)"

// titled reports whether a text is the session's title, complete or truncated.
func (s Session) titled(text string) bool {
	title := strings.TrimSuffix(s.title.text, continued)
	begin, cut := strings.CutSuffix(title, "…")
	return text == title || cut && strings.HasPrefix(text, begin)
}

// ByProgram reports whether no person took part in the session.
func (s Session) ByProgram() bool { return s.program }

// line returns a session on one line.
func (s Session) line() Line {
	l := Line{text: "- " + s.daySpan(), ids: []string{s.title.id}}
	if s.open {
		l.text += " (not archived yet)"
	}
	l.text += ": " + s.title.quoted(titleChars)
	if s.wrote != "" {
		l.text += ", wrote " + messages.Quote(s.wrote, wroteChars)
	}
	l.text += cited(s.title.id, s.title.trust)
	if s.outcome.text == "" {
		return l
	}
	l.text += " → " + s.outcome.quoted(outcomeChars)
	switch s.outcome.id {
	case "", s.title.id:
		if s.outcome.trust != s.title.trust {
			l.text += " [" + string(s.outcome.trust) + "]"
		}
	default:
		l.text += cited(s.outcome.id, s.outcome.trust)
		l.ids = append(l.ids, s.outcome.id)
	}
	return l
}

// daySpan returns a session's time as absolute dates, which stay true.
func (s Session) daySpan() string {
	if s.End.IsZero() {
		return "no date"
	}
	start := s.Start
	if start.IsZero() {
		start = s.End
	}
	from, to := start.UTC().Format("2006-01-02 15:04"), s.End.UTC().Format("15:04")
	if start.UTC().YearDay() != s.End.UTC().YearDay() || start.UTC().Year() != s.End.UTC().Year() {
		to = s.End.UTC().Format("2006-01-02 15:04")
	}
	return cmp.Or(from+"–"+to+" UTC", from)
}

// sectionSession parses a section of the archive.
func sectionSession(u cite.Unit) Session {
	head := cite.ReadHead(u.Time, u.Text)
	// mostly the user's prompt
	s := Session{ID: u.Session, Start: head.Start, End: head.End, lastPrompt: head.LastPrompt, program: head.Program,
		title: Fact{text: u.Title, id: u.ID, trust: answer.Mine}}
	if head.Unanswered {
		s.unanswered = head.LastPrompt
	}
	if len(head.Wrote) > 0 {
		s.wrote = fewFiles(head.Wrote)
	}
	switch {
	case s.titled(head.Outcome):
		s.title.trust = u.Trust()
	case head.Outcome != "":
		s.outcome = Fact{text: head.Outcome, trust: u.Trust()}
	}
	return s
}

// add adds an idea of the session's section.
func (s *Session) add(u cite.Unit, answered bool) {
	f := Fact{kind: u.Intent, text: u.Text, id: u.ID, trust: u.Trust(), day: u.Time.Format(time.DateOnly), turn: u.Turn}
	done := u.Done != nil && *u.Done && waits(u.Intent)
	switch {
	case u.Intent == markdown.IntentWork:
		if !transcript.Thanks(f.text) {
			s.lastPrompt = max(s.lastPrompt, f.turn)
		}
		if transcript.Agrees(f.text) {
			break // older sections also list agreement, which may be the title
		}
		if len(s.work) == 0 && f.trust != answer.Mine {
			s.title.trust = f.trust // it is mostly the first prompt
		}
		if f.turn > 0 && f.turn == s.unanswered {
			waiting := f
			waiting.kind = kindUnanswered
			s.facts = append(s.facts, waiting)
		}
		if s.work = append(s.work, f); transcript.Agrees(strings.TrimSuffix(s.title.text, continued)) {
			s.title.text = s.work[0].text
		}
	case !answered && !done:
		for _, r := range u.Relations {
			if id := r.ID(); id != "" && r.Kind == markdown.RelationSupersedes {
				f.replaces = append(f.replaces, cite.IdeaID(id))
			}
		}
		if waits(u.Intent) && !s.titled(u.Title) {
			f.topic = u.Title
		}
		s.facts = append(s.facts, f)
	}
}

// waits reports whether facts of a kind are open until answered or ticked off.
func waits(kind string) bool { return oneOf(openKinds[:], kind) }

// learnt reports whether facts of a kind save repeated attempts.
func learnt(kind string) bool { return oneOf(learntKinds[:], kind) }

func oneOf(groups []kindsOf, kind string) bool {
	return slices.ContainsFunc(groups, func(g kindsOf) bool { return slices.Contains(g.kinds, kind) })
}

// answered returns the facts of a session that continued: prompts without an answer are answered by now, or abandoned.
func (s *Session) answered() []Fact {
	return slices.DeleteFunc(s.facts, func(f Fact) bool { return f.kind == kindUnanswered })
}

// dropAnsweredQuestions removes answered questions: one of the user is answered once the assistant spoke, one of the
// assistant once the user did, except for thanks and the like. Only questions after the last prompt, and those labelled
// as open questions, remain.
func (s *Session) dropAnsweredQuestions() {
	last := s.lastPrompt
	s.facts = slices.DeleteFunc(s.facts, func(f Fact) bool {
		called, _ := transcript.LabelOf(f.text)
		return f.kind == markdown.IntentQuestion && called == "" && f.turn > 0 &&
			(f.turn < last || f.turn == last && s.outcome.text != "")
	})
}

// joinReasons attaches a conclusion in the turn of a decision to it, if the turn has no other decision: it is mostly
// the reason.
func (s *Session) joinReasons() {
	made := map[int]int{} // number of decisions in each turn
	for _, f := range s.facts {
		if f.kind == markdown.IntentDecision && f.turn > 0 {
			made[f.turn]++
		}
	}
	var kept []Fact
	of := map[int]int{} // index of the decision in each turn
	for _, f := range s.facts {
		at, behind := of[f.turn]
		switch {
		case f.kind == markdown.IntentDecision && made[f.turn] == 1:
			of[f.turn] = len(kept)
		case behind && kept[at].reason == nil && (f.kind == markdown.IntentConclusion || f.kind == markdown.IntentContext):
			kept[at].reason = &f
			continue
		}
		kept = append(kept, f)
	}
	s.facts = kept
}

// fewFiles names the first files of a list and counts the others.
func fewFiles(files []string) string {
	return messages.OneLine(strings.Join(messages.Capped(files, mostWrote), ", "), wroteChars)
}

// Archived groups the units of an archive day by session, newest first. It adds the citation ids of ideas that a later
// one answers or replaces to answered.
func Archived(f cite.File, units []cite.Unit, answered map[string]bool) []Session {
	noteAnswered(units, answered)
	date := strings.TrimSuffix(path.Base(f.Path), ".md")
	bySession := map[string]*Session{}
	var order []string
	for _, u := range units {
		id, err := cite.Parse(u.ID)
		switch {
		// later records in a log are not new
		case err != nil || u.Session == "" || u.State == cite.StateTakenBack || strings.HasSuffix(u.Title, cite.Compacted):
		case u.Source == string(cite.KindSession) && id.Name == date: // otherwise it can't be looked up
			if bySession[u.Session] == nil {
				order = append(order, u.Session)
			}
			s := sectionSession(u)
			if old := bySession[u.Session]; old != nil { // it was resumed: the newest title counts, facts are kept
				s.work, s.facts, s.lastPrompt = old.work, old.answered(), max(s.lastPrompt, old.lastPrompt)
				s.program = s.program && old.program
			}
			bySession[u.Session] = &s
		case u.Source == string(cite.KindIdea) && bySession[u.Session] != nil:
			bySession[u.Session].add(u, answered[u.ID])
		}
	}
	slices.Reverse(order)
	out := make([]Session, len(order))
	for i, id := range order {
		bySession[id].dropAnsweredQuestions()
		bySession[id].joinReasons()
		out[i] = *bySession[id]
	}
	return out
}

// HoldsIn counts open and learnt items in a day of the archive by kind, from its lines, without parsing the file, and
// adds what the day closes to answered. Callers process newer files before older ones.
func HoldsIn(day []byte, answered map[string]bool) (open, learned map[string]int) {
	type idea struct{ kind, id string }
	var ideas []idea
	for line := range bytes.Lines(day) {
		item, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("- "))
		if !ok {
			continue
		}
		kind, rest, _ := strings.Cut(strings.TrimPrefix(string(item), "[ ] "), " ")
		_, to, _ := strings.Cut(rest, "#^")
		to, _, _ = strings.Cut(to, "]]")
		switch mark := strings.Trim(kind, "[]"); {
		case closes(kind):
			answered[cite.IdeaID(to)] = true
		case strings.HasPrefix(kind, "[") && (waits(mark) || learnt(mark)):
			ideas = append(ideas, idea{mark, cite.IdeaID(rest[strings.LastIndexByte(rest, '^')+1:])})
		}
	}
	open, learned = map[string]int{}, map[string]int{}
	for _, i := range ideas {
		switch {
		case answered[i.id]:
		case waits(i.kind):
			open[i.kind]++
		default:
			learned[i.kind]++
		}
	}
	return open, learned
}

// LearntUnits returns the approximate UTF-16 units of the session's learnt facts.
func (s Session) LearntUnits() (n int) {
	for _, f := range s.facts {
		if learnt(f.kind) {
			n += min(len(f.text), factChars) + citedUnits
		}
	}
	return n
}

// closes reports whether a relation of a kind from another idea closes an idea.
func closes(kind string) bool {
	return kind == markdown.RelationAnswers || kind == markdown.RelationSupersedes || kind == markdown.RelationWithdraws
}

// noteAnswered records the ideas that other ones close. Callers process newer files before older ones.
func noteAnswered(units []cite.Unit, answered map[string]bool) {
	for _, u := range units {
		for _, r := range u.Relations {
			if id := r.ID(); id != "" && closes(r.Kind) {
				answered[cite.IdeaID(id)] = true
			}
		}
	}
}

// NewSession returns the session for a digest. gap is the last line before an unread part of the transcript, 0 if all
// was read, and clean removes secrets from a text.
func NewSession(session string, d transcript.Digest, gap int, clean func(string) string) Session {
	if d.Outcome.Line <= gap {
		d.Outcome = transcript.Quote{}
	}
	of := func(kind string, q transcript.Quote, trust answer.Trust) Fact {
		f := Fact{kind: kind, text: q.Text, trust: trust, day: q.Time.UTC().Format(time.DateOnly), turn: q.Line}
		if q.Line < unknownLine {
			f.id = cite.ID{Kind: cite.KindTranscript, Name: session, Number: q.Line, Fragment: q.Block}.String()
		}
		return f
	}
	s := Session{ID: session, Start: d.Start, End: d.End, lastPrompt: d.LastPrompt, open: true, program: d.Program,
		wrote: fewFiles(d.Writes), facts: openTasks(session, d, gap, clean)}
	for _, q := range d.Quotes[markdown.IntentWork] {
		trust := answer.Mine
		if q.By != "" {
			trust = answer.Untrusted
		}
		s.work = append(s.work, of(markdown.IntentWork, q, trust))
	}
	if s.title = of("", d.Outcome, answer.Untrusted); len(s.work) > 0 {
		s.title, s.outcome = s.work[0], s.title
	}
	for intent, quotes := range d.Quoted() {
		for _, q := range quotes {
			trust := answer.Untrusted
			if q.By == transcript.Person {
				trust = answer.Mine
			}
			if f := of(intent, q, trust); f.id != "" {
				s.facts = append(s.facts, f)
			}
		}
	}
	slices.SortStableFunc(s.facts, func(a, b Fact) int { return cmp.Compare(a.turn, b.turn) })
	s.dropAnsweredQuestions()
	s.joinReasons()
	return s
}
