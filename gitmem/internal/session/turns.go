package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Turn is what the client reports when the assistant has answered.
type Turn struct {
	Session    string
	Transcript string // the session's transcript; it may be incomplete or missing
	Answer     string // the assistant's last message, "" if the client does not report it
}

// Stopped is the result of [Sessions.EndTurn].
type Stopped struct {
	Lines  int      // appended to the session's log
	Learnt []string // changes of the profile, such as "set tools.editor Neovim"
	Commit string   // "" if nothing was new or there is no repository
}

const (
	promptRunes  = 500
	answerRunes  = 1000
	summaryRunes = 12_000
)

// EndTurn appends the messages since the last call to the session's log, one line for each prompt and for its last
// answer, and commits what hooks appended. So the course of a session survives the loss of its transcript. Each line
// ends in a mark of its source, which prevents duplicates. The error is ErrNotCaptured as in [Sessions.Observe].
func (s *Sessions) EndTurn(ctx context.Context, t Turn) (Stopped, error) {
	var out Stopped
	if err := CheckID(t.Session); err != nil {
		return out, err
	}
	p, err := s.Capturing(ctx)
	if err != nil {
		return out, err
	}
	s.Attend(t.Session)
	logged, err := s.logTurns(ctx, p, t)
	out.Lines, out.Learnt = logged.lines, logged.Learnt
	commit, commitErr := s.commitLogs(ctx, p, t.Session, logged)
	out.Commit = commit
	return out, errors.Join(err, commitErr)
}

// Logged is what a call logged for a session.
type Logged struct {
	lines  int
	files  []string
	Learnt []string // changes of the profile from prompts
}

// logTurns logs the new messages of a session, and updates the profile from its prompts. If two calls for one session
// run concurrently, the second does nothing; the first or the next call logs its messages. While the profile is locked
// nothing is logged either: the next call does both.
func (s *Sessions) logTurns(ctx context.Context, p *workspace.Place, t Turn) (out Logged, err error) {
	unlock, free := s.lockTurns(t.Session)
	if !free {
		return out, nil
	}
	defer unlock()
	file := s.src.TranscriptFile(t.Session, t.Transcript)
	w := &turnWriter{s: s, p: p, session: t.Session, folder: ingest.FolderName(file), logs: map[string]*turnLog{}}
	at, err := w.scan(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	gone := w.rewound(file)
	w.last(t.Answer)
	digest := w.digest()
	err = errors.Join(s.unlearn(ctx, p, t.Session, gone, &out), s.learn(ctx, p, t.Session, w.prompts, &out))
	if errors.Is(err, store.ErrLocked) {
		return out, err
	}
	w.ideas(<-digest)
	logs, appendErr := w.append()
	if out.files = append(out.files, logs...); appendErr != nil {
		return out, errors.Join(err, appendErr)
	}
	if at.File != "" {
		at.Prompt, at.Hidden, at.TakenBack = w.prompt, w.hidden, w.gone
		s.markTurns(t.Session, at)
	}
	out.lines = w.n
	return out, err
}

// turnWriter converts messages to lines of a session's log.
type turnWriter struct {
	s       *Sessions
	p       *workspace.Place
	session string
	folder  string // the client's name of the transcript's folder
	prompt  string // mark of the last prompt
	unknown bool   // the line numbers in the transcript are unknown
	hidden  bool   // the last message must not be captured
	answer  transcript.Message
	prompts []transcript.Message // prompts not logged before
	tree    transcript.Tree      // of the scanned part, or of the whole transcript
	gone    transcript.Lines     // lines taken back according to the log
	logged  int                  // the last line logged before, 0 if unknown
	heard   []transcript.Message // the last prompt logged before, and everything after it
	from    int                  // the last line examined before
	logs    map[string]*turnLog
	order   []string
	n       int
}

// turnLog is one day's log of the session.
type turnLog struct {
	day   time.Time
	marks map[string]bool // of its lines and those of the adjacent days
	known string          // text of these logs, or the last line once there is a new one
	text  strings.Builder
}

// scan processes the new part of a transcript and returns its end.
func (w *turnWriter) scan(file string) (turnsMark, error) {
	f, err := transcript.OpenSession(file)
	if err != nil {
		return turnsMark{}, err
	}
	defer f.Close()
	from := w.s.turnsAt(w.session, file, f)
	w.prompt, w.hidden, w.unknown = from.Prompt, from.Hidden, from.Uncounted
	tree, _, err := f.Tree(from.From, "")
	r, openErr := f.Reader(from.From)
	if err = errors.Join(err, openErr); err != nil {
		return turnsMark{}, err
	}
	r.WithTree(tree.WithoutCopy(file))
	out := from
	for msg, err := range w.s.src.Remembered(file, r.All()) {
		if err != nil {
			return turnsMark{}, err
		}
		if msg.TakenBack {
			continue
		}
		if w.heard = append(w.heard, msg); msg.Prompt && !transcript.Agrees(msg.Text) {
			out.From = transcript.Position{Offset: msg.Offset, Line: msg.Line - 1}
		}
		if msg.Offset >= from.Offset {
			out.LastOffset, out.LastLength, out.LastUUID = msg.Offset, msg.Length, msg.UUID
			w.add(msg)
		}
	}
	at := r.Position()
	out.File, out.Offset, out.Line = file, at.Offset, at.Line
	w.from, w.tree, w.gone = from.Line, tree, from.TakenBack
	if from.LastUUID != "" {
		w.logged = from.Line
	}
	return out, nil
}

// digest computes the digest of the new messages concurrently with the caller, since the client waits.
func (w *turnWriter) digest() <-chan transcript.Digest {
	var redacted []transcript.Message
	for msg := range w.s.src.Redacted(w.folder, given(w.heard), 0) {
		redacted = append(redacted, msg)
	}
	digest := make(chan transcript.Digest, 1)
	go func() {
		d, _ := transcript.Summarise(given(redacted)) // fails only if the messages do
		digest <- d
	}()
	return digest
}

// given yields messages that are already read.
func given(msgs []transcript.Message) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		for _, msg := range msgs {
			if !yield(msg, nil) {
				return
			}
		}
	}
}

// ideas writes the ideas of a digest.
func (w *turnWriter) ideas(d transcript.Digest) {
	w.s.src.DropForgotten(&d)
	for _, i := range archive.Ideas(d) {
		if i.Line > w.from && i.Intent != markdown.IntentWork && i.Intent != markdown.IntentNote && !w.unknown {
			w.line(i.Time, cite.EntryIdea, archive.IdeaLine(i), 0, transcript.TextHash(i.ID()))
		}
	}
}

func (w *turnWriter) add(msg transcript.Message) {
	answers := msg.Role == transcript.RoleAssistant && !msg.Synthetic() && strings.TrimSpace(msg.Text) != ""
	if msg.Sidechain || !answers && !msg.Prompt {
		return
	}
	if w.hidden = w.s.ws.Withheld(msg.Cwd, w.folder, msg.Time); w.hidden {
		return
	}
	if answers {
		w.answer = msg
		return
	}
	w.flush()
	w.prompt = transcript.TextHash(cmp.Or(msg.UUID, msg.Text))
	if w.line(msg.Time, cite.EntryPrompt, w.s.logText(msg.Text, promptRunes), msg.Line, w.prompt) {
		w.prompts = append(w.prompts, msg)
	}
}

// flush writes the last answer to a prompt.
func (w *turnWriter) flush() {
	if w.answer.Text != "" {
		w.line(w.answer.Time, cite.EntryAnswer, w.s.logText(w.answer.Text, answerRunes), w.answer.Line,
			transcript.TextHash(w.prompt+strings.TrimSpace(w.answer.Text)))
	}
	w.answer = transcript.Message{}
}

// last writes the last answer from the transcript, or as reported by the client if the transcript is incomplete. The
// answer to a prompt that must not be captured is taken from the transcript alone, also after capture resumes.
func (w *turnWriter) last(reported string) {
	reported = strings.TrimSpace(reported)
	have := strings.TrimSpace(w.answer.Text)
	same := have != "" && (strings.Contains(reported, have) || strings.Contains(have, reported))
	if reported == "" || same || w.hidden {
		w.flush()
		return
	}
	w.flush()
	w.line(w.s.ws.Options.Now(), cite.EntryAnswer, w.s.logText(reported, answerRunes), 0,
		transcript.TextHash(w.prompt+reported))
}

// logText returns text as one redacted line: it examines far more than it keeps, so that it sees secrets as a whole.
func (s *Sessions) logText(text string, runes int) string {
	return messages.OneLine(cleanedPrefix(text, s.ws.Clean), runes)
}

// line adds a line to the log of its day, unless it exists, and reports whether it did.
func (w *turnWriter) line(at time.Time, kind, text string, line int, mark string) bool {
	if text == "" {
		return false
	}
	if at.IsZero() {
		at = w.s.ws.Options.Now()
	}
	log := w.log(at)
	if log.marks[mark] || kind == cite.EntryAnswer && answered(log.known, text) {
		return false
	}
	source := mark
	if line > 0 && !w.unknown {
		source = fmt.Sprintf("line %d %s", line, mark)
	}
	w.n++
	entry := cite.ObservationLine(at, kind+" · said: "+text+" · "+source, "")
	log.text.WriteString(entry)
	log.marks[mark], log.known = true, entry
	return true
}

// note records the content of a log.
func (l *turnLog) note(text string) {
	l.known += text
	for _, mark := range cite.LogMarks(text) {
		l.marks[mark] = true
	}
}

// answered reports whether a log ends in this answer: the client reports as a whole an answer that the transcript has
// in parts, and the transcript may receive it later.
func answered(log, text string) bool {
	i := max(strings.LastIndex(log, " prompt · said: "), strings.LastIndex(log, " answer · said: "))
	if i < 0 || !strings.HasPrefix(log[i:], " answer") {
		return false
	}
	last, _, _ := strings.Cut(log[i+len(" answer · said: "):], "\n")
	if end := strings.LastIndex(last, " · "); end >= 0 {
		last = last[:end]
	}
	last, text = strings.TrimSuffix(last, "…"), strings.TrimSuffix(text, "…")
	return strings.Contains(last, text) || strings.Contains(text, last)
}

// log returns the log of a day. It also reads the adjacent days, because around midnight the client and the transcript
// may date an answer differently, and the log of an older version for a session that was running during an upgrade.
func (w *turnWriter) log(at time.Time) *turnLog {
	rel := w.s.logFile(w.p.Project.Dir, at.UTC(), w.session)
	if l := w.logs[rel]; l != nil {
		return l
	}
	l := &turnLog{day: at.UTC(), marks: map[string]bool{}}
	for _, day := range []time.Time{l.day.AddDate(0, 0, -1), l.day, l.day.AddDate(0, 0, 1)} {
		for _, e := range w.p.Projects() {
			for _, name := range []string{logName(e.Dir, day, transcript.ShortID(w.session)),
				w.s.logFile(e.Dir, day, w.session)} {
				// otherwise there is none, or appending reports the error
				if b, err := w.s.ws.Store.Read("", name); err == nil {
					l.note(string(b))
				}
			}
		}
	}
	w.logs[rel] = l
	w.order = append(w.order, rel)
	return l
}

// append writes each day's lines in one step.
func (w *turnWriter) append() ([]string, error) {
	var logs []string
	for _, rel := range w.order {
		l := w.logs[rel]
		if l.text.Len() == 0 {
			continue
		}
		if err := w.s.appendLog(w.p, rel, l.day, w.session, l.text.String()); err != nil {
			return logs, err
		}
		logs = append(logs, rel)
	}
	return logs, nil
}

// appendLog appends lines to a session's log of a day, which is created if missing.
func (s *Sessions) appendLog(p *workspace.Place, rel string, day time.Time, session, text string) error {
	header := templates.Fill(templates.Observations(), map[string]string{
		"project": markdown.QuoteYAML(p.Project.ID), "date": day.Format(time.DateOnly), "session": session,
	})
	return s.ws.Store.Append(rel, s.ws.Redactor.Clean(header), s.ws.Redactor.Clean(text))
}

// commitLogs commits a session's logs: the named ones, and those of today and yesterday, since a turn that began before
// midnight has lines in yesterday's. The same commit includes changes of the profile.
func (s *Sessions) commitLogs(ctx context.Context, p *workspace.Place, session string, logged Logged) (string, error) {
	if !s.ws.Store.HasRepository() {
		return "", nil
	}
	kept := s.src.KeepMemory(ctx, workspace.MemoryDir(p)) // as long as the tool calls that wrote it are uncommitted
	if errors.Is(kept, store.ErrLocked) {
		return "", kept
	}
	logs, now := logged.files, s.ws.Options.Now().UTC()
	for _, project := range p.Projects() {
		for _, day := range []time.Time{now.AddDate(0, 0, -1), now} {
			rel := s.logFile(project.Dir, day, session)
			if _, err := s.ws.Store.Read("", rel); err == nil && !slices.Contains(logs, rel) {
				logs = append(logs, rel)
			} else if err != nil && !errors.Is(err, store.ErrNotFound) {
				return "", err
			}
		}
	}
	if len(logs) == 0 {
		return "", kept
	}
	id, err := s.ws.Store.Commit(ctx, store.Change{
		Paths: logs, Subject: "observe: session " + transcript.ShortID(session), Time: s.ws.Options.Now(), Fsync: true,
		Trailers: slices.Concat([]string{"Gitmem-Op: observe"}, profile.Trailers(logged.Learnt),
			[]string{"Gitmem-Session: " + session}),
	})
	return id, errors.Join(kept, err)
}
