package archiving

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
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
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Rederived is the result of [Archives.Rederive]. The JSON form is a public contract.
type Rederived struct {
	Sections  int                `json:"sections"`  // archive sections in scope
	Gone      int                `json:"gone"`      // sections without a transcript
	Compacted int                `json:"compacted"` // sections that replace a log
	Running   int                `json:"running"`   // sections of running sessions
	Asking    int                `json:"asking"`    // sections for which a dry run would have to ask a model
	Marked    int                `json:"marked"`    // sections with a model's ideas that were not requested by name
	Unknown   int                `json:"unknown"`   // sections with unknown authors; lines are only added
	Changed   []RederivedSection `json:"changed"`   // sections that changed, or would change
	Left      []RederivedFailure `json:"left"`
	Commits   []string           `json:"commits"`
}

// RederivedSection is a changed section; sizes are in lines.
type RederivedSection struct {
	ID      string `json:"id"` // citation
	File    string `json:"file"`
	Added   int    `json:"added"`
	Dropped int    `json:"dropped"`
	Person  int    `json:"person"` // ideas kept because of a person's edit
	Cited   int    `json:"cited"`  // ideas kept because something cites them
}

// RederivedFailure is a section that was not changed because of an error.
type RederivedFailure struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// againOp marks the commits that change existing sections.
const againOp = "again"

// againBatch is the number of sections per commit, see [compactBatch].
const againBatch = 50

// Rederive derives the ideas of archived sections again from their transcripts, oldest first, and replaces those that
// gitmem wrote, see [archive.Merge]. It may be interrupted at any time; the next run continues. A section is skipped if
// a model should find its ideas and fails. The errors are those of [Archives.Backfill], and store.ErrNoStore if there
// is no history.
func (s *Archives) Rederive(ctx context.Context, o BackfillOptions, model Model) (Rederived, error) {
	a := again{backfill: backfill{archiver: s.newArchiver(nil, model), o: o}, transcripts: map[string]transcript.File{},
		cited: map[string]bool{}, log: map[string][]store.CommitInfo{}, older: map[string]*older{}}
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
		err = a.resume(ctx)
		a.out.Commits = append(a.out.Commits, a.backfill.out.Commits...)
		if err != nil {
			return a.out, err
		}
	}
	err := a.scope(ctx)
	if err == nil {
		err = a.run(ctx)
	}
	return a.out, errors.Join(err, a.flush(context.WithoutCancel(ctx)))
}

// again is one run of [Archives.Rederive].
type again struct {
	backfill
	days        []*archiveDay
	all         []*oldSection     // oldest first
	sections    []*oldSection     // the sections in scope
	older       map[string]*older // by project
	transcripts map[string]transcript.File
	cited       map[string]bool               // block ids of the ideas that memory cites
	log         map[string][]store.CommitInfo // by path, newest first
	written     int                           // number of changed sections that were written
	out         Rederived
}

// archiveDay is a file of the archive.
type archiveDay struct {
	cite.File
	time      time.Time // its day
	read, now []byte    // current and new content
	units     []cite.Unit
	pasts     map[string]*archive.Past // by block id, nil if not read
}

func (d *archiveDay) date() string { return d.time.Format(time.DateOnly) }

// oldSection is an existing section of the archive.
type oldSection struct {
	archive.Stored
	day *archiveDay
}

func (o *oldSection) citation() string {
	return cite.ID{Kind: cite.KindSession, Name: o.day.date(), Fragment: o.ID}.String()
}

func (a *again) leave(citation string, err error) {
	a.out.Left = append(a.out.Left, RederivedFailure{citation, a.archives.ws.Clean(plain.Text(err))})
}

// scope finds the requested sections that have transcripts.
func (a *again) scope(ctx context.Context) error {
	files, missing := a.files()
	if missing != nil && !errors.Is(missing, messages.ErrNotFound) {
		return missing
	}
	for _, f := range slices.Backward(files) { // the first file of a session wins
		a.transcripts[f.Session] = f
	}
	if err := a.readMemory(ctx); err != nil {
		return err
	}
	for _, d := range a.days {
		// entries without a session
		a.all = append(a.all, &oldSection{archive.Stored{SessionHead: cite.SessionHead{Start: d.time}}, d})
		for _, s := range archive.SectionsOf(d.now, d.time) {
			if s.Session != "" {
				a.all = append(a.all, &oldSection{s, d})
			}
		}
	}
	slices.SortStableFunc(a.all, func(x, y *oldSection) int {
		return cmp.Or(x.Start.Compare(y.Start), cmp.Compare(x.day.Path, y.day.Path), x.Line-y.Line)
	})
	for _, o := range a.all {
		f, ok := a.transcripts[o.Session]
		switch {
		case o.Session == "", a.o.Only == "" && !a.o.All && !owns(a.place, o.day.Project), a.o.Only != "" && !ok &&
			o.Session != a.o.Only:
			continue
		case o.Ideas != "" && a.o.Only == "":
			a.out.Marked++
		case o.Compacted:
			a.out.Compacted++
		case !ok:
			a.out.Gone++
		case a.goesOn(f):
			a.out.Running++
		default:
			a.sections = append(a.sections, o)
		}
		a.out.Sections++
	}
	if a.out.Sections == 0 {
		return missing
	}
	return nil
}

// readMemory reads the files of the archive, their history, and the citations of their ideas in memory.
func (a *again) readMemory(ctx context.Context) error {
	st := a.archives.ws.Store
	if err := a.readRules(); err != nil {
		return err
	}
	for f, err := range st.Files() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err // an unread file may cite anything
		}
		area := cite.AreaOf(f.Path)
		if area == cite.AreaObservations {
			continue
		}
		b, err := st.Read("", f.Path)
		if err != nil {
			return err
		}
		a.cite(b)
		if project, ok := store.ProjectOf(f.Path); ok && area == cite.AreaArchive {
			day, _ := time.Parse(time.DateOnly, strings.TrimSuffix(path.Base(f.Path), ".md"))
			a.days = append(a.days, &archiveDay{File: cite.File{Path: f.Path, Area: area, Project: project}, time: day,
				read: b, now: b})
		}
	}
	slices.SortFunc(a.days, func(x, y *archiveDay) int {
		return cmp.Or(x.time.Compare(y.time), cmp.Compare(x.Path, y.Path))
	})
	for c, err := range st.Log(ctx, 0, "gitmem/projects") {
		if err != nil {
			return err
		}
		for _, rel := range c.Paths {
			a.log[rel] = append(a.log[rel], c)
		}
	}
	return nil
}

// readRules reads the citations of ideas in rules, plans and the client's memory, outside gitmem's own files.
func (a *again) readRules() error {
	r, err := a.archives.src.Resolver(a.place, true)
	if err != nil {
		return err
	}
	for _, t := range r.Trees {
		files, err := t.Files()
		if err != nil {
			return err
		}
		for _, f := range files {
			if f.Area == cite.AreaArchive || f.Area == cite.AreaObservations {
				continue // see readMemory
			}
			b, err := t.Read(f)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			a.cite(b)
		}
	}
	return nil
}

// cite records the ideas that a text mentions. Extra ids do no harm.
func (a *again) cite(text []byte) {
	for _, id := range anID().FindAll(blockID().ReplaceAll(text, nil), -1) {
		a.cited[string(id)] = true
	}
}

// anID matches the id of an idea, and blockID the id at the end of the idea's own line.
var anID, blockID = lazy.Pattern(`i-[a-z2-7]{10}`), lazy.Pattern(`(?m) \^i-[a-z2-7]{10}\s*$`)

// run derives the sections and writes them in batches.
func (a *again) run(ctx context.Context) error {
	for i, o := range a.sections {
		if a.o.Progress != nil {
			a.o.Progress(i, len(a.sections))
		}
		err := a.merge(ctx, o)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.leave(o.citation(), err)
		}
		if len(a.out.Changed)-a.written >= againBatch || a.asks() { // save the model's answers, which have a cost
			if err := a.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge merges the derived content of a section into the new content of its file.
func (a *again) merge(ctx context.Context, o *oldSection) error {
	list := archive.SectionsOf(o.day.now, o.day.time)
	at := slices.IndexFunc(list, func(s archive.Stored) bool { return s.ID == o.ID })
	if at < 0 {
		return errors.New("it is there no more")
	}
	o.Stored = list[at]
	past, err := a.past(o)
	if err != nil {
		return err
	}
	d, err := a.derive(ctx, o, past)
	if err != nil || d == nil {
		return err
	}
	if !past.Known {
		a.out.Unknown++
	}
	old := o.Span.Of(o.day.now)
	m := archive.Merge(string(old), *d, past, func(id string) bool { return a.cited[id] })
	if hunks := linediff.Diff(old, []byte(m.Text)); len(hunks) > 0 {
		added, dropped := linediff.Counts(hunks)
		a.out.Changed = append(a.out.Changed, RederivedSection{o.citation(), o.day.Path, added, dropped, m.Person, m.Cited})
		o.day.now = slices.Concat(o.day.now[:o.Span.Start], []byte(m.Text), o.day.now[o.Span.End:])
		o.day.units = nil
	}
	return nil
}

// derive derives the lines of a section again. It returns nil if a dry run cannot do that.
func (a *again) derive(ctx context.Context, o *oldSection, past *archive.Past) (*archive.Derived, error) {
	w := sectionWriter{archiver: a.archiver, session: o.Session, file: a.transcripts[o.Session].Path, rel: o.day.Path,
		date: o.day.date()}
	w.day = slices.Concat(o.day.now[:o.Span.Start], o.day.now[o.Span.End:])
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
		err = errors.New("it begins at another time than what is left of its transcript: one of the two was changed")
	}
	if err != nil {
		return nil, err
	}
	known := a.knownBefore(w.p, o)
	a.known[w.p.Project.ID] = known
	defer known.Mark()()
	if w.found, err = a.ask(ctx, o, w.p, known, msgs); err != nil || a.dry && a.asks() {
		return nil, err
	}
	w.judge(ctx, &d)
	ideas := w.ideas(&d)
	for i := range ideas {
		// relations to ideas that a person deleted
		ideas[i].Relations = slices.DeleteFunc(ideas[i].Relations, func(r archive.Relation) bool {
			return past.Had(r.ID) && !bytes.Contains(o.day.now, []byte(" ^"+r.ID))
		})
	}
	out := archive.Derived{Lines: archive.Lines(d, ideas, w.date)}
	if w.found != nil {
		out.Mark = w.found.Mark
	}
	return &out, nil
}

// between returns the messages that a section covers, after the preceding sections.
func (w *sectionWriter) between(before archive.Session,
	s archive.Stored) (iter.Seq2[transcript.Message, error], error) {
	from := archive.StillThrough(w.file, before)
	to := archive.StillThrough(w.file, archive.Session{Through: s.Through, Mark: s.Mark})
	if to == 0 || from == 0 && before.Through > 0 {
		return nil, errors.New("its transcript does not hold the line any more through which it goes")
	}
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range w.archives.messagesFrom(w.file, from, w.repeated) {
			if msg.Line > to && err == nil || !yield(msg, err) {
				return
			}
		}
	}, nil
}

func (a *again) asks() bool {
	return a.model != nil && a.archives.ws.Policy().Config.Agent.Ideas
}

// ask has the model find the ideas of a section if it is enabled. Built-in ideas never replace a model's.
func (a *again) ask(ctx context.Context, o *oldSection, p *workspace.Place, known *graph.Known,
	msgs iter.Seq2[transcript.Message, error]) (found *archive.Found, err error) {
	switch {
	case a.asks() && a.dry:
		a.out.Asking++
		return nil, nil
	case a.asks():
		found, err = a.model.Ideas(ctx, p.Project.ID, o.Session, known.Standing(), msgs)
	}
	if err == nil && found == nil && o.SessionHead.Ideas != "" {
		err = errors.New("its ideas are a model's, and no model is asked now: gitmem help agent")
	}
	return found, err
}

// placeOfSection returns the workspace of the session, or the project of its file.
func (a *again) placeOfSection(ctx context.Context, o *oldSection, file string) (*workspace.Place, error) {
	first, err := a.archives.firstMessage(file, nil)
	if err != nil {
		return nil, err
	}
	if p, err := a.placeOf(ctx, first.Cwd); err == nil && owns(p, o.day.Project) {
		return p, nil
	}
	project, err := a.archives.ws.Store.Named(o.day.Project)
	return &workspace.Place{Project: project}, err
}

// older contains a project's archived ideas before the next section in time order.
type older struct {
	*graph.Known
	next int
}

// knownBefore returns a project's archived ideas before a section, in their new form.
func (a *again) knownBefore(p *workspace.Place, o *oldSection) *graph.Known {
	k := a.older[p.Project.ID]
	if k == nil {
		k = &older{Known: graph.NewKnown()}
		a.older[p.Project.ID] = k
	}
	for ; a.all[k.next] != o; k.next++ {
		before, d := a.all[k.next], a.all[k.next].day
		if !slices.ContainsFunc(p.Dirs(), func(dir string) bool { return strings.HasPrefix(d.Path, dir+"/sessions/") }) {
			continue
		}
		if d.units == nil {
			d.units, _ = cite.Units(d.File, a.archives.src.WithoutForgotten(d.Path, d.now))
		}
		f, g := d.File, graph.New()
		f.Project = p.Project.ID
		g.Add(f, slices.DeleteFunc(slices.Clone(d.units), func(u cite.Unit) bool {
			return u.Session != before.Session || !u.Time.Equal(before.Start)
		}))
		k.Follow(g)
	}
	return k.Known
}

// flush writes and commits the changes, after a commit of other people's pending changes. It skips a file that changed
// since it was read, unless the file only grew.
func (a *again) flush(ctx context.Context) error {
	changed := a.out.Changed[a.written:]
	if len(changed) == 0 || a.dry {
		return nil
	}
	st := a.archives.ws.Store
	ctx, release, err := st.Hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	days := slices.DeleteFunc(slices.Clone(a.days), func(d *archiveDay) bool { return bytes.Equal(d.read, d.now) })
	var paths []string
	for _, d := range days {
		err := a.archives.src.KeepEdits(ctx, []string{d.Path})
		if err == nil {
			err = a.write(ctx, d)
		}
		if err == nil {
			paths = append(paths, d.Path)
			continue
		}
		d.now, d.units = d.read, nil
		for _, c := range changed {
			if c.File == d.Path {
				a.leave(c.ID, err)
			}
		}
	}
	a.out.Changed = slices.DeleteFunc(a.out.Changed, func(c RederivedSection) bool {
		return slices.ContainsFunc(a.out.Left, func(l RederivedFailure) bool { return l.ID == c.ID })
	})
	n := len(a.out.Changed) - a.written
	if a.written += n; n == 0 {
		return nil
	}
	id, err := a.archives.commitArchive(context.WithoutCancel(ctx), againOp, paths, "again: "+
		messages.Plural(n, "session"))
	if id == "" || err != nil {
		return err
	}
	a.out.Commits = append(a.out.Commits, id)
	_, err = st.StartMaintenance()
	return err
}

// write writes the new content of a file.
func (a *again) write(ctx context.Context, d *archiveDay) error {
	err := a.archives.ws.Store.Rewrite(ctx, d.Path, func(old []byte) ([]store.Insertion, error) {
		if !bytes.HasPrefix(old, d.read) {
			return nil, fmt.Errorf("%w: somebody wrote to it meanwhile", store.ErrConflict)
		}
		return a.archives.ws.Insertions(d.read, d.now), nil
	})
	now, readErr := a.archives.ws.Store.Read("", d.Path)
	d.read, d.now, d.units = now, now, nil
	return errors.Join(err, readErr)
}
