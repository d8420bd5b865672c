package gitmem

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
	"github.com/gitmem/gitmem/markdown"
)

// What a greeting reads at most.
const (
	greetSessions   = 5         // that are told
	greetFacts      = 8         // sessions whose open ends, decisions and failures are told
	greetDays       = 10        // files of the archive
	greetFileBytes  = 192 << 10 // of one file of the archive: its end
	greetPrompts    = 3         // prompts of the last session
	greetTitle      = 90        // characters of a quotation: what was asked
	greetOutcome    = 280       // what came out
	greetFact       = 220       // any other
	greetWrote      = 5         // files that a session wrote
	greetWroteChars = 160
)

// pastSession is what a greeting knows of a session.
type pastSession struct {
	id         string
	start, end time.Time
	title      fact   // what was asked first
	outcome    fact   // what the last words were; its id is "" where it is the title's
	wrote      string // files, with commas
	open       bool   // not in the archive yet
	work       []fact // prompts, oldest first
	facts      []fact // decisions, failures, bugs, lessons, questions, todos
}

// fact is a quotation with where it comes from.
type fact struct {
	kind, text, id, trust string
	day                   string
	turn                  int // line of the transcript, 0 where it is not known
}

// sessions are the last sessions of the project, newest first, and how many more
// were seen.
func (g *greeter) sessions() (list []pastSession, more int) {
	archive, days := g.archived()
	running, unread := g.unarchived(archive)
	all := append(running, archive...)
	slices.SortStableFunc(all, func(a, b pastSession) int {
		return cmp.Or(b.end.Compare(a.end), b.start.Compare(a.start), cmp.Compare(a.id, b.id))
	})
	more = max(0, len(all)-greetSessions) + unread + days
	return all, more
}

// projectDirs are the folders of the project's memory: it may have been known by
// less before.
func (g *greeter) projectDirs() []string {
	dirs := []string{g.p.project.Dir}
	for _, e := range g.p.earlier() {
		if !slices.Contains(dirs, e.Dir) {
			dirs = append(dirs, e.Dir)
		}
	}
	return dirs
}

// archived reads the newest sections of the archive, and counts the days that were
// left unread.
func (g *greeter) archived() (out []pastSession, unread int) {
	if g.files == nil {
		return nil, 0
	}
	days := g.archiveDays()
	seen := map[string]bool{g.o.Session: true}
	for i, rel := range days {
		if i == greetDays || len(out) >= greetFacts {
			return out, len(days) - i
		}
		for _, s := range g.archiveFile(rel) {
			if !seen[s.id] {
				seen[s.id] = true
				out = append(out, s)
			}
		}
	}
	return out, 0
}

// archiveDays lists the files of the archive, newest first.
func (g *greeter) archiveDays() []string {
	var days []string
	for _, dir := range g.projectDirs() {
		base := dir + "/sessions"
		for _, year := range g.names(base) {
			for _, name := range g.names(base + "/" + year) {
				rel := base + "/" + year + "/" + name
				if strings.HasSuffix(name, ".md") && cite.AreaOf(rel) == cite.AreaArchive {
					days = append(days, rel)
				}
			}
		}
	}
	slices.SortFunc(days, func(a, b string) int {
		return cmp.Or(cmp.Compare(path.Base(b), path.Base(a)), cmp.Compare(a, b))
	})
	return days
}

// names lists a folder of the store.
func (g *greeter) names(rel string) []string {
	entries, err := fs.ReadDir(g.files.FS(), rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.skip(rel, err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// archiveFile cuts a day of the archive into sessions, newest first.
func (g *greeter) archiveFile(rel string) []pastSession {
	f := cite.File{Path: rel, Area: cite.AreaArchive, Project: g.p.project.ID}
	b, err := g.read(f, greetFileBytes, true)
	if err != nil {
		g.skip(rel, err)
		return nil
	}
	units, _ := cite.Units(f, b)
	g.noteAnswered(units)
	date := strings.TrimSuffix(path.Base(rel), ".md")
	bySession := map[string]*pastSession{}
	var order []string
	for _, u := range units {
		id, err := cite.Parse(u.ID)
		switch {
		case err != nil || u.Session == "":
		case u.Source == string(cite.KindSession) && id.Name == date: // else it can't be looked up
			if bySession[u.Session] == nil {
				order = append(order, u.Session)
			}
			s := sectionSession(u)
			if old := bySession[u.Session]; old != nil { // it was resumed: what is newest counts, facts stay
				s.work, s.facts = old.work, old.facts
			}
			bySession[u.Session] = &s
		case u.Source == string(cite.KindIdea) && bySession[u.Session] != nil:
			bySession[u.Session].add(u, g.answered[u.ID])
		}
	}
	slices.Reverse(order)
	out := make([]pastSession, len(order))
	for i, id := range order {
		bySession[id].settle()
		out[i] = *bySession[id]
	}
	return out
}

// noteAnswered remembers the ideas that another one answers or replaces. Newer files
// are read before older ones.
func (g *greeter) noteAnswered(units []cite.Unit) {
	for _, u := range units {
		for _, r := range u.Relations {
			if id := r.ID(); id != "" && (r.Kind == "answers" || r.Kind == "supersedes") {
				g.answered[cite.ID{Kind: cite.KindIdea, Name: id}.String()] = true
			}
		}
	}
}

// sectionSession reads a section of the archive.
func sectionSession(u cite.Unit) pastSession {
	const mine = "mine" // the title is what the user asked, the rest what the assistant said
	s := pastSession{id: u.Session, start: u.Time, end: sectionEnd(u), title: fact{text: u.Title, id: u.ID, trust: mine}}
	for line := range strings.Lines(u.Text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "session: ") || strings.HasPrefix(line, "through: "):
		case strings.HasPrefix(line, "#") || strings.HasPrefix(line, "- "):
			return s
		case strings.HasPrefix(line, "read: ") || strings.HasPrefix(line, "wrote: ") || strings.HasPrefix(line, "tools: ") || strings.HasPrefix(line, "injected: "):
			for part := range strings.SplitSeq(line, " · ") {
				if files, ok := strings.CutPrefix(part, "wrote: "); ok {
					s.wrote = fewFiles(strings.Split(files, ", "))
				}
			}
		case s.outcome.text == "":
			s.outcome = fact{text: line, trust: trustOf(u)}
		}
	}
	return s
}

// sectionEnd is when a section's session ended, by its line "… · 14:02–15:40 UTC",
// whose end may name its day.
func sectionEnd(u cite.Unit) time.Time {
	line, _, _ := strings.Cut(strings.TrimLeft(u.Text, "\n"), "\n")
	for part := range strings.SplitSeq(line, " · ") {
		_, to, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(part), " UTC"), "–")
		if !ok {
			continue
		}
		to = strings.TrimSpace(to)
		if t, err := time.Parse(time.DateOnly+" 15:04", to); err == nil {
			return t
		}
		if t, err := time.Parse("15:04", to); err == nil {
			end := u.Time.Truncate(24 * time.Hour).Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
			if end.Before(u.Time) {
				end = end.AddDate(0, 0, 1)
			}
			return end
		}
	}
	return u.Time
}

// add takes an idea of the session's section.
func (s *pastSession) add(u cite.Unit, answered bool) {
	f := fact{kind: u.Intent, text: u.Text, id: u.ID, trust: trustOf(u), day: u.Time.Format(time.DateOnly), turn: u.Turn}
	switch u.Intent {
	case "work":
		s.work = append(s.work, f)
	case "question", "problem", "todo":
		if !answered && (u.Done == nil || !*u.Done) {
			s.facts = append(s.facts, f)
		}
	case "decision", "conclusion", "failed", "bug", "lesson":
		if !answered {
			s.facts = append(s.facts, f)
		}
	}
}

// settle leaves out the questions that somebody went on from: one that the user asked
// has an answer once the assistant spoke, one that the assistant asked has one once
// the user did. Only words after the last prompt are open.
func (s *pastSession) settle() {
	last := 0
	for _, f := range s.work {
		last = max(last, f.turn)
	}
	s.facts = slices.DeleteFunc(s.facts, func(f fact) bool {
		return f.kind == "question" && f.turn > 0 && (f.turn < last || f.turn == last && s.outcome.text != "")
	})
}

// trustOf is whose words a unit is.
func trustOf(u cite.Unit) string {
	return ask.Trust(cite.Source{ID: u.ID, Layer: u.Layer, Source: u.Source, Type: u.Type, Title: u.Title, Turn: u.Turn})
}

// fewFiles names the first files of a list and counts the others.
func fewFiles(files []string) string {
	return wording.OneLine(strings.Join(wording.Capped(files, greetWrote), ", "), greetWroteChars)
}

// read gives a file of the store without what was forgotten and without secrets: its
// beginning, or its frontmatter and its last sections, where it is larger than most.
func (g *greeter) read(f cite.File, most int64, end bool) ([]byte, error) {
	info, err := fs.Stat(g.files.FS(), f.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would wait for ever
		return nil, errors.New("not a regular file")
	}
	file, err := g.files.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var b []byte
	switch size := info.Size(); {
	case size <= most:
		b, err = io.ReadAll(io.LimitReader(file, most))
	case end:
		b, err = lastSections(file, size, most)
	default:
		b, err = io.ReadAll(io.LimitReader(file, most))
		b = b[:bytes.LastIndexByte(b, '\n')+1]
	}
	if err != nil {
		return nil, err
	}
	return []byte(g.m.redactor.Lines(string(g.m.veil(f, b)))), nil
}

// lastSections is the frontmatter of a large file and its last sections of level two.
func lastSections(file io.ReaderAt, size, most int64) ([]byte, error) {
	head, err := io.ReadAll(io.NewSectionReader(file, 0, 4<<10))
	if err != nil {
		return nil, err
	}
	tail, err := io.ReadAll(io.NewSectionReader(file, size-most, most))
	if err != nil {
		return nil, err
	}
	at := bytes.Index(tail, []byte("\n## "))
	if at < 0 {
		return nil, errors.New("too large, and without a section near its end")
	}
	var front []byte
	if d := markdown.Parse(head); d.Front != nil {
		front = head[:d.Front.Span.End]
	}
	return append(bytes.Clone(front), tail[at:]...), nil
}
