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
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

// Ended is what [Sessions.End] did.
type Ended struct {
	File   string // archive file, "" when there was nothing worth a section
	Commit string // "" when there is no repository to commit to
}

// End appends the session's section to the dated archive of its project and
// commits. The project is that of the folder in which the session began. A trivial
// session gets no section, the same session twice gets one, and a resumed one gets a
// continuation with what is new; so does a fork, whose transcript repeats another's.
// What was said in an excluded folder or while capture was paused is left out; the
// error is ErrNotCaptured as of [Sessions.Observe].
func (s *Sessions) End(ctx context.Context, session, transcriptFile string) (Ended, error) {
	if !transcript.ValidSessionID(session) {
		return Ended{}, fmt.Errorf("%w: session id %q", ErrUsage, wording.Clip(session, 40))
	}
	if err := s.m.mayCapture(ctx); err != nil {
		return Ended{}, err
	}
	st, err := s.m.appendable()
	if err != nil {
		return Ended{}, err
	}
	here, err := s.m.here(ctx)
	if err != nil {
		return Ended{}, err
	}
	a := archiver{m: s.m, places: map[string]*place{}, fallback: here, cost: true}
	rel, p, err := a.archive(ctx, session, s.m.transcriptFile(session, transcriptFile))
	out := Ended{File: rel}
	if err != nil || !st.HasRepository() {
		return out, err
	}
	paths, err := s.m.pendingOf(ctx, p)
	if err != nil || len(paths) == 0 {
		return out, err
	}
	_ = keepEdits(ctx, s.m, writtenByHand(paths)) // what is wrong, the next commit tells
	if out.Commit, err = s.m.commitArchive(ctx, paths, "archive: session "+transcript.ShortID(session), "Gitmem-Session: "+session); err != nil {
		return out, err
	}
	_, err = st.MaintainAside() // the client waits for this hook, and not for long
	return out, err
}

func (m *Memory) commitArchive(ctx context.Context, paths []string, subject string, trailers ...string) (string, error) {
	id, err := m.store.Commit(ctx, store.Change{
		Paths: paths, Subject: subject, Time: m.o.Now(), Fsync: true,
		Trailers: append([]string{"Gitmem-Op: archive"}, trailers...),
	})
	if errors.Is(err, ErrHeld) {
		err = nil // the rest is committed; the store has told, and status and doctor do
	}
	return id, err
}

// pendingOf lists what is not committed yet of one place's own project: a session
// commits nothing of others.
func (m *Memory) pendingOf(ctx context.Context, p *place) ([]string, error) {
	pending, err := m.store.Pending(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	own := []string{p.project.Dir + "/", memoryDir(p) + "/", "gitmem/config.yaml"}
	for _, e := range p.earlier {
		own = append(own, e.Dir+"/")
	}
	for _, rel := range pending {
		if slices.ContainsFunc(own, func(dir string) bool { return strings.HasPrefix(rel, dir) }) {
			out = append(out, rel)
		}
	}
	return out, nil
}

// archiver archives sessions, one or many.
type archiver struct {
	m        *Memory
	places   map[string]*place // by the folder that a session began in
	fallback *place            // of sessions whose folder tells nothing; nil takes the folder's name
	cost     bool              // tell what a session was told by hooks, as the traces have it
	starts   map[string]map[string][]string
}

// archive appends what is new since the session's last section, in one step with
// looking for that section, so that two ends of one session make one of it. It
// returns the file, "" when nothing was worth a section, and the session's place.
func (a *archiver) archive(ctx context.Context, session, file string) (rel string, p *place, err error) {
	m := a.m
	repeated, err := a.repeats(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", a.fallback, err
	}
	first, err := m.firstMessage(file, repeated)
	if errors.Is(err, fs.ErrNotExist) || err == nil && first.Time.IsZero() {
		return "", a.fallback, nil // a session without a transcript said nothing
	}
	if err != nil {
		return "", a.fallback, err
	}
	if p, err = a.placeOf(ctx, first.Cwd); err != nil {
		return "", a.fallback, err
	}
	date := first.Time.UTC().Format(time.DateOnly)
	if m.sessionForgotten(p, session, date) {
		return "", p, nil
	}
	w := sectionWriter{archiver: a, p: p, session: session, file: file, date: date, repeated: repeated}
	rel = archive.File(p.project.Dir, first.Time)
	wrote, err := w.write(ctx, rel)
	if err != nil || !wrote {
		return "", p, err
	}
	if p.inRepo {
		_, err = m.project(ctx, p.identity, m.holds(ctx, p), true)
	}
	return rel, p, err
}

// placeOf is the place of a folder that a session began in.
func (a *archiver) placeOf(ctx context.Context, folder string) (*place, error) {
	if p := a.places[folder]; p != nil {
		return p, nil
	}
	p, err := a.findPlace(ctx, folder)
	if err == nil {
		a.places[folder] = p
	}
	return p, err
}

func (a *archiver) findPlace(ctx context.Context, folder string) (*place, error) {
	if a.fallback != nil && (!filepath.IsAbs(folder) || realPath(folder) == a.fallback.folder) {
		return a.fallback, nil
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return a.m.find(ctx, folder)
	}
	for dir := filepath.Clean(folder); a.m.store != nil && filepath.IsAbs(dir); dir = filepath.Dir(dir) { // a checkout that is gone
		if known, ok, err := a.m.store.ProjectAt(dir); err == nil && ok {
			return &place{folder: dir, project: known, identity: store.Identity{Folder: dir}}, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if a.fallback != nil {
		return a.fallback, nil
	}
	id := store.Identity{Folder: folder}
	return &place{folder: folder, identity: id, project: store.Identify(id)}, nil
}

// sectionWriter makes one section of one session.
type sectionWriter struct {
	*archiver
	p             *place
	session, file string
	date          string
	repeated      func(transcript.Message) bool
}

// write appends the section. The digest, which may take long, is made before the
// store's lock is taken, and made again where somebody archived the session meanwhile.
func (w *sectionWriter) write(ctx context.Context, rel string) (wrote bool, err error) {
	s := w.m.store
	old, err := s.Read("", rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	before := w.find(old)
	text, err := w.text(before)
	if err != nil || text == "" {
		return false, err
	}
	_ = keepRewritten(ctx, w.m, rel) // the section must be written, whatever keeps it from being committed
	err = s.Rewrite(ctx, rel, func(old []byte) ([]store.Insertion, error) {
		wrote = false
		if now := w.find(old); now != before {
			before = now
			if text, err = w.text(before); err != nil || text == "" {
				return nil, err
			}
		}
		whole := text
		switch {
		case len(old) == 0:
			whole = archive.Header(w.p.project.ID, w.date) + text
		case old[len(old)-1] != '\n':
			whole = "\n" + text
		}
		wrote = true
		return []store.Insertion{{At: len(old), Text: w.m.redactor.Clean(whole)}}, nil
	})
	return wrote && err == nil, err
}

// find reads what is archived of the session. The section of another one, with an id that
// begins alike, may have been forgotten with the block id that would come next.
func (w *sectionWriter) find(old []byte) archive.Session {
	a := archive.Find(old, w.session)
	for a.Sections == 0 && w.m.forgotten().HasUnit(sessionUnit(w.date, a.BlockID(w.session)), w.p.project.ID) {
		a.SkipID()
	}
	return a
}

// text is the section behind what is archived before, "" where nothing is worth it.
func (w *sectionWriter) text(before archive.Session) (string, error) {
	before.Through = archive.StillThrough(w.file, before)
	d, mark, err := w.m.digestFrom(w.file, before.Through, w.repeated)
	if err != nil || d.Trivial() || d.LastLine <= before.Through {
		return "", err
	}
	w.m.dropForgotten(&d)
	d.Session = w.session
	told := ""
	if w.cost {
		sum, err := traces.ToldTo(w.m.dirsOfTraces(nil), w.session)
		if err != nil {
			w.m.notice("What hooks told session %s could not be counted: %v", transcript.ShortID(w.session), err)
		}
		told = archive.Told(sum.Injections-before.Injections, sum.Chars-before.Chars)
	}
	return archive.Section(d, before, told, mark, w.date), nil
}

// firstMessage is the first of a transcript that may be captured and is its own,
// without its text; the zero one where there is none.
func (m *Memory) firstMessage(file string, repeated func(transcript.Message) bool) (transcript.Message, error) {
	f, err := os.Open(file)
	if err != nil {
		return transcript.Message{}, err
	}
	defer f.Close()
	for msg, err := range transcript.NewReader(f, transcript.Position{}).All() {
		if err != nil {
			return msg, err
		}
		if !msg.Time.IsZero() && (repeated == nil || !repeated(msg)) && !m.withheld(msg.Cwd, folderName(file), msg.Time) {
			return transcript.Message{Time: msg.Time, Cwd: msg.Cwd}, nil
		}
	}
	return transcript.Message{}, nil
}

// digestFrom summarises a transcript behind a line, without what repeats another,
// and gives the mark of its last message, by which a rewritten transcript is noticed.
func (m *Memory) digestFrom(file string, line int, repeated func(transcript.Message) bool) (transcript.Digest, string, error) {
	f, err := os.Open(file)
	if err != nil {
		return transcript.Digest{}, "", err
	}
	defer f.Close()
	msgs := m.openly(folderName(file), m.remembered(file, transcript.NewReader(f, transcript.Position{}).All()))
	d, err := transcript.Summarise(m.redacted(folderName(file), transcript.Without(msgs, repeated), line))
	return d, archive.MarkOf(d.LastUUID), err
}

// folderName is the client's name of the folder that a transcript belongs to.
func folderName(file string) string { return filepath.Base(filepath.Dir(file)) }

// redacted passes on the messages behind a line, each redacted whole: sentences
// are cut from it later, and a part of a private block carries no tag of it. What
// may not be captured is left out; folder is the client's name of the transcript's.
// Thoughts and what tools say are no part of a digest, and are dropped.
func (m *Memory) redacted(folder string, msgs iter.Seq2[transcript.Message, error], line int) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && (msg.Line <= line || m.withheld(msg.Cwd, folder, msg.Time)) {
				continue
			}
			if msg.Thinking = ""; msg.Sidechain || msg.Role == transcript.RoleTool {
				msg.Text = ""
			}
			msg.Text = m.clean(msg.Text)
			msg.Branch, msg.Cwd = m.redactor.Path(msg.Branch), m.redactor.Path(msg.Cwd)
			msg.Tools = slices.Clone(msg.Tools)
			for i, t := range msg.Tools {
				msg.Tools[i].Name, msg.Tools[i].Paths = m.clean(t.Name), m.cleanPaths(t.Paths)
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}
