package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Rederived is what [Sessions.Rederive] did. The JSON form is a public contract.
type Rederived struct {
	Sections  int                `json:"sections"`  // of the archive that are in the scope
	Gone      int                `json:"gone"`      // have no transcript any more
	Compacted int                `json:"compacted"` // take the place of a log
	Running   int                `json:"running"`   // belong to sessions that go on
	Asking    int                `json:"asking"`    // a dry run would have to ask a model
	Unknown   int                `json:"unknown"`   // history does not tell who wrote what: only added to
	Changed   []RederivedSection `json:"changed"`   // or would be
	Left      []RederivedFailure `json:"left"`
	Commits   []string           `json:"commits"`
}

// RederivedSection is a section that was changed, counted in lines that are not blank.
type RederivedSection struct {
	ID      string `json:"id"` // citation
	File    string `json:"file"`
	Added   int    `json:"added"`
	Dropped int    `json:"dropped"`
	Person  int    `json:"person"` // ideas that are as a person left them
	Cited   int    `json:"cited"`  // ideas that stay because something names them
}

// RederivedFailure is a section that was left as it is.
type RederivedFailure struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// againOp marks the commits in which sections change that were there before.
const againOp = "again"

// againBatch is how many sections one commit takes, see [compactBatch].
const againBatch = 50

// againPasses bounds how often sections are looked at once more because what was kept for a
// citation is not cited any more.
const againPasses = 5

// Rederive derives the ideas and topics of archived sessions anew from their transcripts, oldest
// first, and puts them in the place of those that gitmem wrote, see [archive.Merge]. It may be
// interrupted at any time, and the next run goes on. Where a model shall find the ideas and does
// not, the section is left. Errors are those of [Sessions.Backfill]; store.ErrNoStore where there
// is no history.
func (s *Sessions) Rederive(ctx context.Context, o BackfillOptions, model Model) (Rederived, error) {
	a := again{backfill: backfill{archiver: s.newArchiver(nil, model), o: o}, cites: map[string]int{}, changed: map[*oldSection]bool{}, transcripts: map[string]transcript.File{}}
	a.out = Rederived{Changed: []RederivedSection{}, Left: []RederivedFailure{}, Commits: []string{}}
	if !s.ws.HasStore() {
		return a.out, fmt.Errorf("only a history tells what a person wrote: %s: %w", s.ws.Root, store.ErrNoStore)
	}
	if err := a.begin(ctx); err != nil {
		return a.out, err
	}
	if !o.DryRun {
		unlock, err := a.alone()
		if err != nil {
			return a.out, err
		}
		defer unlock()
	}
	err := a.scope(ctx)
	for pass := 0; err == nil && pass < againPasses && (pass == 0 || a.uncited()); pass++ {
		err = a.pass(ctx)
	}
	err = errors.Join(err, a.flush(context.WithoutCancel(ctx)))
	a.report()
	return a.out, err
}

// again is one run.
type again struct {
	backfill
	days        []*archiveDay
	sections    []*oldSection // in the scope, oldest first
	transcripts map[string]transcript.File
	cites       map[string]int                // how often memory names an idea or a topic
	changed     map[*oldSection]bool          // and not written yet
	log         map[string][]store.CommitInfo // by path, newest first
	out         Rederived
}

// archiveDay is a file of the archive.
type archiveDay struct {
	cite.File
	time      time.Time // its day
	read, now []byte    // as it is on disk, and as it shall be
	units     []cite.Unit
	pasts     map[string]*archive.Past // by block id, nil where they were not read
}

func (d *archiveDay) date() string { return d.time.Format(time.DateOnly) }

// oldSection is a section that stands in the archive.
type oldSection struct {
	archive.Stored
	day    *archiveDay
	was    string
	merged *archive.Merged
	found  *archive.Found
	left   bool
}

func (o *oldSection) citation() string {
	return cite.ID{Kind: cite.KindSession, Name: o.day.date(), Fragment: o.ID}.String()
}

// before reports whether a place of the archive is older than the section.
func (o *oldSection) before(t time.Time, file string, line int) bool {
	return cmp.Or(t.Compare(o.Start), cmp.Compare(file, o.day.Path), line-o.Line) < 0
}

func (a *again) leave(o *oldSection, err error) {
	o.left = true
	a.out.Left = append(a.out.Left, RederivedFailure{o.citation(), a.sessions.ws.Clean(plain.Text(err))})
}

// scope finds the sections that are asked for and have transcripts.
func (a *again) scope(ctx context.Context) error {
	files, missing := a.files()
	if missing != nil && !errors.Is(missing, messages.ErrNotFound) {
		return missing
	}
	for _, f := range files {
		if _, known := a.transcripts[f.Session]; !known {
			a.transcripts[f.Session] = f
		}
	}
	if err := a.readMemory(ctx); err != nil {
		return err
	}
	for _, d := range a.days {
		for _, s := range archive.SectionsOf(d.now, d.time) {
			f, ok := a.transcripts[s.Session]
			switch {
			case a.o.Only == "" && !a.o.All && !owns(a.place, d.Project), a.o.Only != "" && !ok && s.Session != a.o.Only:
				continue
			case s.Compacted:
				a.out.Compacted++
			case !ok:
				a.out.Gone++
			case a.goesOn(f):
				a.out.Running++
			default:
				a.sections = append(a.sections, &oldSection{Stored: s, day: d, was: string(s.Span.Of(d.now))})
			}
			a.out.Sections++
		}
	}
	slices.SortStableFunc(a.sections, func(x, y *oldSection) int {
		return cmp.Or(x.Start.Compare(y.Start), cmp.Compare(x.day.Path, y.day.Path), x.Line-y.Line)
	})
	if a.out.Sections == 0 {
		return missing
	}
	return nil
}

// readMemory reads the files of the archive, and what memory names of their ideas.
func (a *again) readMemory(ctx context.Context) error {
	for f, err := range a.sessions.ws.Store.Files() {
		if err == nil {
			err = ctx.Err()
		}
		area := cite.AreaOf(f.Path)
		if err != nil || area == cite.AreaObservations {
			if err != nil {
				return err // what is not seen may name anything
			}
			continue
		}
		b, err := a.sessions.ws.Store.Read("", f.Path)
		if err != nil {
			return err
		}
		a.cite(b, 1)
		if project, ok := store.ProjectOf(f.Path); ok && area == cite.AreaArchive {
			day, _ := time.Parse(time.DateOnly, strings.TrimSuffix(path.Base(f.Path), ".md"))
			a.days = append(a.days, &archiveDay{File: cite.File{Path: f.Path, Area: area, Project: project}, time: day, read: b, now: b})
		}
	}
	slices.SortFunc(a.days, func(x, y *archiveDay) int { return cmp.Or(x.time.Compare(y.time), cmp.Compare(x.Path, y.Path)) })
	return nil
}

// named is an idea or a topic where a text names it.
var named = regexp.MustCompile(`(?:#\^?|\[\[\^?|idea:\^?)([it]-[A-Za-z0-9_-]+)`)

func (a *again) cite(text []byte, n int) {
	for _, m := range named.FindAllSubmatch(text, -1) {
		a.cites[string(m[1])] += n
	}
}

// uncited reports whether something was kept for a citation that is there no more.
func (a *again) uncited() bool {
	return slices.ContainsFunc(a.sections, func(o *oldSection) bool {
		return o.merged != nil && slices.ContainsFunc(o.merged.Cited, func(id string) bool { return a.cites[id] == 0 })
	})
}

// pass derives the sections once.
func (a *again) pass(ctx context.Context) error {
	for i, o := range a.sections {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if a.o.Progress != nil {
			a.o.Progress(i, len(a.sections))
		}
		if o.left {
			continue
		}
		if err := a.merge(ctx, o); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			a.leave(o, err)
		}
		if len(a.changed) >= againBatch || o.found != nil { // what a model said has cost something
			if err := a.flush(ctx); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// merge puts what is derived of a section into its file as it shall be.
func (a *again) merge(ctx context.Context, o *oldSection) error {
	list := archive.SectionsOf(o.day.now, o.day.time)
	at := slices.IndexFunc(list, func(s archive.Stored) bool { return s.ID == o.ID })
	if at < 0 {
		return errors.New("it is there no more")
	}
	o.Stored = list[at]
	past, err := a.past(ctx, o)
	if err != nil {
		return err
	}
	d, err := a.derive(ctx, o)
	if err != nil || d == nil {
		return err
	}
	text, whole := o.Span.Of(o.day.now), o.day.now
	m := archive.Merge(string(text), *d, past, func(id string) bool { return a.cites[id] > 0 })
	if o.merged == nil && !past.Known {
		a.out.Unknown++
	}
	if o.merged = &m; m.Text == string(text) {
		return nil
	}
	past.Change(string(text), m.Text, true)
	a.cite(text, -1)
	a.cite([]byte(m.Text), 1)
	o.day.now = slices.Concat(whole[:o.Span.Start], []byte(m.Text), whole[o.Span.End:])
	o.day.units = nil
	a.changed[o] = true
	return nil
}

// derive makes the lines of a section anew, nil where a dry run can't.
func (a *again) derive(ctx context.Context, o *oldSection) (*archive.Derived, error) {
	w := sectionWriter{archiver: a.archiver, session: o.Session, file: a.transcripts[o.Session].Path, date: o.day.date()}
	var err error
	if w.p, err = a.placeOfSection(ctx, o, w.file); err != nil {
		return nil, err
	}
	if w.repeated, err = a.repeats(w.file); err != nil {
		return nil, err
	}
	msgs, err := w.between(archive.Find(o.day.now[:o.Span.Start], o.Session), o.Stored)
	if err != nil {
		return nil, err
	}
	d, err := transcript.Summarise(msgs)
	if err == nil && !d.Start.UTC().Truncate(time.Minute).Equal(o.Start) {
		err = errors.New("what is left of its transcript begins at another time than it does")
	}
	if err != nil {
		return nil, err
	}
	known := a.knownBefore(w.p, o)
	a.known[w.p.Project.ID] = known
	if w.found, err = a.ask(ctx, o, w.p, known, msgs); err != nil || a.dry && a.asks() {
		return nil, err
	}
	out := archive.Derived{}
	if w.found != nil {
		w.found.Into(&d)
		out.Mark = w.found.Mark
	}
	a.sessions.src.DropForgotten(&d)
	d.Session = o.Session
	ideas := w.related(d, archive.Ideas(d))
	archive.MarkAgain(ideas, o.day.now)
	out.Lines = archive.Lines(d, ideas, o.ID, w.date)
	return &out, nil
}

// between are the messages that a section covers, behind the sections before.
func (w *sectionWriter) between(before archive.Session, s archive.Stored) (iter.Seq2[transcript.Message, error], error) {
	from := archive.StillThrough(w.file, before)
	to := archive.StillThrough(w.file, archive.Session{Through: s.Through, Mark: s.Mark})
	if to == 0 || from == 0 && before.Through > 0 {
		return nil, errors.New("its transcript does not hold the line any more through which it goes")
	}
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range w.sessions.messagesFrom(w.file, from, w.repeated) {
			if msg.Line > to && err == nil || !yield(msg, err) {
				return
			}
		}
	}, nil
}

func (a *again) asks() bool {
	return a.model.Ideas != nil && a.sessions.ws.Policy().Config.Agent.Ideas
}

// ask has the model find the ideas of a section, once, where it shall. Built-in ones never take
// the place of a model's.
func (a *again) ask(ctx context.Context, o *oldSection, p *workspace.Place, known *graph.Known, msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error) {
	switch {
	case a.asks() && a.dry:
		a.out.Asking++
		return nil, nil
	case a.asks() && o.found == nil:
		found, err := a.model.Ideas(ctx, p.Project.ID, o.Session, known.Standing(), msgs)
		if err != nil {
			return nil, err
		}
		o.found = found
	}
	if o.found == nil && o.SessionHead.Ideas != "" {
		return nil, errors.New("its ideas are a model's, and no model is asked now: gitmem help agent")
	}
	return o.found, nil
}

// placeOfSection is where the session was, or else the project of its file.
func (a *again) placeOfSection(ctx context.Context, o *oldSection, file string) (*workspace.Place, error) {
	first, err := a.sessions.firstMessage(file, nil)
	if err != nil {
		return nil, err
	}
	if p, err := a.placeOf(ctx, first.Cwd); err == nil && owns(p, o.day.Project) {
		return p, nil
	}
	project, err := a.sessions.ws.Store.Named(o.day.Project)
	return &workspace.Place{Project: project}, err
}

// knownBefore are the ideas of a place's archive that are older than a section, as they shall be.
func (a *again) knownBefore(p *workspace.Place, o *oldSection) *graph.Known {
	g := graph.New()
	for _, d := range a.days {
		if !slices.ContainsFunc(p.Dirs(), func(dir string) bool { return strings.HasPrefix(d.Path, dir+"/sessions/") }) {
			continue
		}
		if d.units == nil {
			d.units, _ = cite.Units(d.File, a.sessions.src.WithoutForgotten(d.Path, d.now))
		}
		f := d.File
		f.Project = p.Project.ID
		g.Add(f, slices.DeleteFunc(slices.Clone(d.units), func(u cite.Unit) bool { return !o.before(u.Time, d.Path, u.Line) }))
	}
	return g.Known()
}

// flush writes what changed and commits it, behind a commit of what persons did meanwhile. A file
// that changed since it was read is left, unless it only grew.
func (a *again) flush(ctx context.Context) error {
	if len(a.changed) == 0 || a.dry {
		return nil
	}
	st := a.sessions.ws.Store
	ctx, release, err := st.Hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	days := slices.DeleteFunc(slices.Clone(a.days), func(d *archiveDay) bool { return bytes.Equal(d.read, d.now) })
	var paths []string
	for _, d := range days {
		paths = append(paths, d.Path)
	}
	if err := workspace.KeepEdits(ctx, a.sessions.ws, paths); err != nil {
		return err
	}
	for _, d := range days {
		if err := a.write(ctx, d); err != nil {
			for _, o := range a.sections {
				if o.day == d && !o.left {
					a.leave(o, err)
				}
			}
		}
	}
	id, err := a.sessions.commitArchive(context.WithoutCancel(ctx), againOp, paths, "again: "+messages.Plural(len(a.changed), "session"))
	clear(a.changed)
	if id == "" || err != nil {
		return err
	}
	a.out.Commits = append(a.out.Commits, id)
	_, err = st.StartMaintenance()
	return err
}

// write lets a file be as it shall be.
func (a *again) write(ctx context.Context, d *archiveDay) error {
	err := a.sessions.ws.Store.Rewrite(ctx, d.Path, func(old []byte) (list []store.Insertion, err error) {
		if !bytes.HasPrefix(old, d.read) {
			return nil, fmt.Errorf("%w: somebody wrote to it meanwhile", store.ErrConflict)
		}
		for _, h := range linediff.Diff(d.read, d.now) {
			list = append(list, store.Insertion{At: h.OldAt, Cut: len(h.Removed), Text: a.sessions.ws.Redactor.Clean(string(h.Added))})
		}
		return list, nil
	})
	now, readErr := a.sessions.ws.Store.Read("", d.Path)
	d.read, d.now, d.units = now, now, nil
	return errors.Join(err, readErr)
}

// report tells which sections changed.
func (a *again) report() {
	for _, o := range a.sections {
		if o.merged == nil || o.left || o.merged.Text == o.was {
			continue
		}
		c := RederivedSection{ID: o.citation(), File: o.day.Path, Person: o.merged.Person, Cited: len(o.merged.Cited)}
		c.Added, c.Dropped = archive.Changed(o.was, o.merged.Text)
		a.out.Changed = append(a.out.Changed, c)
	}
}
