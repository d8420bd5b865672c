package gitmem

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// What a greeting reads of transcripts that are not archived yet, at most.
const (
	greetFolders     = 64       // of the client that are listed, those that changed last
	greetFiles       = 4000     // transcripts that are looked at, without opening them
	greetTranscripts = 8        // that are opened
	greetBegin       = 32 << 10 // bytes of the beginning
	greetBeginMost   = 1 << 20  // where no prompt stands before
	greetTail        = 64 << 10 // bytes of the end
	greetCounted     = 8 << 20  // bytes from which on lines are not counted, so that the end can't be cited
)

// transcriptAt is a transcript before it is opened.
type transcriptAt struct {
	path, folder string
	session      string
	size         int64
	changed      time.Time
}

// unarchived reads the last sessions that no section tells of: those that run, that
// were killed, that ended a moment ago, and all of before there was an archive. It
// opens none that is older than what is told anyway.
func (g *greeter) unarchived(archive []pastSession) (out []pastSession, unread int) {
	known := map[string]bool{g.o.Session: true}
	for _, s := range archive {
		known[s.id] = true
	}
	var oldest time.Time
	if len(archive) >= greetSessions {
		ends := make([]time.Time, len(archive))
		for i, s := range archive {
			ends[i] = s.end
		}
		slices.SortFunc(ends, func(a, b time.Time) int { return b.Compare(a) })
		oldest = ends[greetSessions-1]
	}
	opened := 0
	for _, t := range g.transcripts() {
		switch {
		case known[t.session]:
		case t.changed.Before(oldest):
			return out, unread
		case opened == greetTranscripts || len(out) == greetSessions || g.ctx.Err() != nil:
			unread++
		default:
			opened++
			if s, ok := g.transcript(t); ok {
				out = append(out, s)
			}
		}
	}
	return out, unread
}

// transcripts lists the project's transcripts, those that changed last first.
func (g *greeter) transcripts() []transcriptAt {
	var list []transcriptAt
	for _, folder := range g.clientFolders() {
		dir := filepath.Join(g.m.client, "projects", folder)
		entries, err := os.ReadDir(dir)
		if err != nil {
			g.skip(dir, err)
			continue
		}
		for _, e := range entries {
			session, ok := strings.CutSuffix(e.Name(), ".jsonl")
			if !ok || !transcript.ValidSessionID(session) || strings.HasPrefix(session, "agent-") {
				continue
			}
			if len(list) == greetFiles {
				g.skip(dir, errors.New("more transcripts than are looked at"))
				break
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				list = append(list, transcriptAt{filepath.Join(dir, e.Name()), folder, session, info.Size(), info.ModTime()})
			}
		}
	}
	slices.SortFunc(list, func(a, b transcriptAt) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.path, b.path))
	})
	return list
}

// clientFolders are the client's folders for the places of the project, and inside a
// repository those for folders in it.
func (g *greeter) clientFolders() []string {
	names := map[string]bool{}
	var prefixes []string
	for _, f := range g.places() {
		name := transcript.Munge(f)
		names[name] = true
		if g.p.inRepo {
			prefixes = append(prefixes, name+"-")
		}
	}
	dir := filepath.Join(g.m.client, "projects")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.skip(dir, err)
	}
	type folder struct {
		name    string
		exact   bool
		changed time.Time
	}
	var found []folder
	for _, e := range entries {
		below := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(e.Name(), p) })
		if !e.IsDir() || !names[e.Name()] && !below {
			continue
		}
		f := folder{name: e.Name(), exact: names[e.Name()]}
		if info, err := e.Info(); err == nil {
			f.changed = info.ModTime()
		}
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b folder) int {
		if a.exact != b.exact {
			return map[bool]int{true: -1, false: 1}[a.exact]
		}
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, f := range found[:min(len(found), greetFolders)] {
		out = append(out, f.name)
	}
	return out
}

// places are the folders that the project's sessions worked in, on any machine.
func (g *greeter) places() []string {
	if g.known != nil {
		return g.known
	}
	list := []string{g.p.folder, realPath(g.m.o.Dir)}
	if g.p.inRepo {
		if g.p.loc.WorkTree != "" {
			list = append(list, realPath(g.p.loc.WorkTree))
		}
		list = append(list, linkedFolders(g.p.loc)...)
		list = append(list, g.p.project.Folders()...)
	}
	slices.Sort(list)
	g.known = slices.Compact(list)
	return g.known
}

// ours tells whether a session that began in a folder is one of the project's: the
// client's names of folders are alike for different ones, and another repository
// may lie in this one.
func (g *greeter) ours(cwd string) bool {
	if cwd == "" {
		return true
	}
	places := g.places()
	real := realPath(cwd)
	in := func(f string) bool { return real == f || cwd == f || g.p.inRepo && (below(real, f) || below(cwd, f)) }
	if !slices.ContainsFunc(places, in) {
		return false
	}
	if !g.p.inRepo {
		return true
	}
	main, _ := g.m.checkout(real)
	return main == "" || slices.Contains(places, main) // a folder that is gone belongs where it lay
}

// transcript reads the beginning and the end of a session that is not archived.
func (g *greeter) transcript(t transcriptAt) (pastSession, bool) {
	f, err := os.Open(t.path)
	if err != nil {
		g.skip(t.path, err)
		return pastSession{}, false
	}
	defer f.Close()
	w := &fileEnds{file: f, size: t.size, exact: g.m.forgotten().Len() > 0}
	msgs := g.m.redacted(t.folder, g.m.remembered(t.path, w.messages()), -1)
	todos := &lastTodos{session: t.session, clean: g.m.clean}
	d, err := transcript.Summarise(todos.watch(msgs))
	if err != nil {
		g.skip(t.path, err)
	}
	if d.Trivial() || !g.ours(d.Cwd) || g.inArchive(t.session, d.Start) {
		return pastSession{}, false
	}
	g.m.dropForgotten(&d)
	if len(d.PromptLines) == 0 {
		return pastSession{}, false
	}
	if todos.line <= w.gap {
		todos.open = nil // what became of them stands in what was not read
	}
	if d.Outcome.Line <= w.gap {
		d.Outcome = transcript.Quote{}
	}
	return newSession(t.session, d, todos.open), true
}

// inArchive tells whether a session stands in the archive's file of the day it began,
// which may be one that was not read.
func (g *greeter) inArchive(session string, start time.Time) bool {
	if g.files == nil || start.IsZero() {
		return false
	}
	for _, dir := range g.projectDirs() {
		f := cite.File{Path: archive.File(dir, start), Area: cite.AreaArchive, Project: g.p.project.ID}
		b, err := g.read(f, 8*greetFileBytes, true)
		if err == nil && archive.Find(b, session).Sections > 0 {
			return true
		}
	}
	return false
}

// fileEnds reads the beginning and the end of a transcript.
type fileEnds struct {
	file  *os.File
	size  int64
	exact bool // nothing is read whose line is not known: it may be one that was forgotten
	gap   int  // the last line before a part that was not read, 0 where all was
}

// messages yields those of the beginning, up to a prompt and a bound, and of the end.
func (w *fileEnds) messages() iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		begin := transcript.NewReader(io.NewSectionReader(w.file, 0, w.size), transcript.Position{})
		prompted := false
		for msg, err := range begin.All() {
			if !yield(msg, err) || err != nil {
				return
			}
			prompted = prompted || msg.Prompt
			if at := begin.Position().Offset; at > greetBegin && prompted || at > greetBeginMost {
				break
			}
		}
		from, err := w.tail(begin.Position())
		if err != nil {
			yield(transcript.Message{}, err)
			return
		}
		if from.Offset >= w.size {
			return
		}
		end := transcript.NewReader(io.NewSectionReader(w.file, from.Offset, w.size-from.Offset), from)
		for msg, err := range end.All() {
			if !yield(msg, err) {
				return
			}
		}
	}
}

// tail is where the last lines of a transcript begin, not before a position.
func (w *fileEnds) tail(read transcript.Position) (transcript.Position, error) {
	at := w.size - greetTail
	if at <= read.Offset {
		return read, nil
	}
	buf := make([]byte, 64<<10)
	line := read.Line
	w.gap = read.Line
	if w.size > greetCounted {
		if w.exact {
			return transcript.Position{Offset: w.size, Line: line}, nil
		}
		line = unknownLine
	} else {
		n, err := countLines(io.NewSectionReader(w.file, read.Offset, at-read.Offset), buf)
		if err != nil {
			return read, err
		}
		line += n
	}
	for { // to the end of the line that at stands in
		n, err := w.file.ReadAt(buf, at)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return transcript.Position{Offset: at + int64(i) + 1, Line: line + 1}, nil
		}
		at += int64(n)
		if err != nil {
			return transcript.Position{Offset: w.size, Line: line}, nil
		}
	}
}

// tellingPrompt is the length from which on a prompt says what a session is about.
const tellingPrompt = 16

// unknownLine is more than any transcript has.
const unknownLine = 1 << 30

func countLines(r io.Reader, buf []byte) (lines int, err error) {
	for {
		n, err := r.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
	}
}

// newSession makes of a digest what is told.
func newSession(session string, d transcript.Digest, todos []fact) pastSession {
	of := func(kind string, q transcript.Quote, user bool) fact {
		f := fact{kind: kind, text: q.Text, trust: turnTrust(session, q.Line, user), day: q.Time.UTC().Format(time.DateOnly), turn: q.Line}
		if q.Line < unknownLine {
			f.id = cite.ID{Kind: cite.KindTranscript, Name: session, Number: q.Line}.String()
		}
		return f
	}
	s := pastSession{id: session, start: d.Start, end: d.End, open: true, wrote: fewFiles(d.Writes), facts: todos}
	for _, q := range d.PromptLines {
		s.work = append(s.work, of("work", q, true))
	}
	s.title = s.work[max(0, slices.IndexFunc(s.work, func(f fact) bool { return len(f.text) >= tellingPrompt }))]
	s.outcome = of("", d.Outcome, false)
	for _, g := range []struct {
		kind   string
		quotes []transcript.Quote
	}{{"decision", d.Decisions}, {"failed", d.Failed}, {"lesson", d.Lessons}, {"bug", d.Bugs}, {"todo", d.Todos}, {"question", d.Questions}} {
		for _, q := range g.quotes {
			if f := of(g.kind, q, false); f.id != "" {
				s.facts = append(s.facts, f)
			}
		}
	}
	s.settle()
	return s
}

// turnTrust is whose words a record of a session is.
func turnTrust(session string, line int, user bool) string {
	role := transcript.RoleAssistant
	if user {
		role = transcript.RoleUser
	}
	id := cite.ID{Kind: cite.KindTranscript, Name: session, Number: line}.String()
	return ask.Trust(cite.Source{ID: id, Layer: cite.LayerTranscripts, Source: string(cite.KindTranscript), Title: string(role)})
}

// lastTodos keeps the client's list of tasks as a session left it.
type lastTodos struct {
	session string
	clean   func(string) string
	line    int
	open    []fact
}

func (l *lastTodos) watch(msgs iter.Seq2[transcript.Message, error]) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && !msg.Sidechain && msg.Line < unknownLine {
				l.take(msg)
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

func (l *lastTodos) take(msg transcript.Message) {
	for _, b := range msg.Blocks() {
		if b.Kind != transcript.KindTodo || b.Tool != "TodoWrite" {
			continue
		}
		id := cite.ID{Kind: cite.KindTranscript, Name: l.session, Number: msg.Line, Fragment: b.Name()}.String()
		l.line, l.open = msg.Line, l.open[:0] // the whole list is written each time
		for line := range strings.Lines(b.Text) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), "- ["); ok && !strings.HasPrefix(text, "x]") && len(text) > 3 {
				l.open = append(l.open, fact{kind: "task", text: l.clean(text[3:]), id: id, trust: "untrusted", day: msg.Time.UTC().Format(time.DateOnly)})
			}
		}
	}
}
