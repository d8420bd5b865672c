package archiving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Ended is what [Archives.End] did.
type Ended struct {
	File   string // archive file, "" when there was nothing worth a section
	Commit string // "" when there is no repository to commit to
	Note   string // why the model said nothing of the session, though it shall
}

// End appends the session's section to the dated archive of its project and
// commits. The project is that of the folder in which the session began. A trivial
// session gets no section, the same session twice gets one, and a resumed one gets a
// continuation with what is new; so does a fork, whose transcript repeats another's.
// What was said in an excluded folder or while capture was paused is left out; the
// error is ErrNotCaptured as of [session.Sessions.Observe], and for the session of an agent that
// nobody allowed to archive. Without an answer of the model there is a
// section all the same. A nil model means that the caller waits: then the model of sentences reads nothing.
func (s *Archives) End(ctx context.Context, id, transcriptFile string, model Model) (Ended, error) {
	if err := session.CheckID(id); err != nil {
		return Ended{}, err
	}
	if agent := transcript.ClientOf(id); agent != transcript.ClaudeCode && !slices.Contains(s.archivedAgents(nil), agent) {
		return Ended{}, fmt.Errorf("%w: archive_agents does not name %s", workspace.ErrNotCaptured, agent)
	}
	here, err := s.sessions.Capturing(ctx)
	if err != nil {
		return Ended{}, err
	}
	st := s.ws.Store
	a := s.newArchiver(here, model)
	a.quick = model == nil
	file := s.src.TranscriptFile(id, transcriptFile)
	learnErr := s.sessions.LearnRest(ctx, here, id, file)
	rel, p, err := a.archive(ctx, id, file)
	out := Ended{File: rel, Note: a.note}
	if err = errors.Join(err, learnErr); err != nil || !st.HasRepository() {
		return out, err
	}
	paths, err := s.pendingOf(ctx, p)
	if err != nil || len(paths) == 0 {
		return out, err
	}
	_ = s.src.KeepEdits(ctx, ingest.WrittenByHand(paths)) // what is wrong, the next commit reports
	_ = s.src.KeepRewritten(ctx, archiveFiles(paths)...)
	if out.Commit, err = s.commitArchive(ctx, "archive", paths, "archive: session "+transcript.ShortID(id),
		"Gitmem-Session: "+id); err != nil {
		return out, err
	}
	_, err = st.StartMaintenance() // the client waits for this hook, and not for long
	return out, err
}

func (s *Archives) commitArchive(ctx context.Context, op string, paths []string, subject string,
	trailers ...string) (string, error) {
	id, err := s.ws.Store.Commit(ctx, store.Change{
		Paths: paths, Subject: subject, Time: s.ws.Options.Now(), Fsync: true,
		Trailers: append([]string{"Gitmem-Op: " + op}, trailers...),
	})
	if errors.Is(err, store.ErrHeld) {
		err = nil // the rest is committed; the store has reported it, and status and doctor do
	}
	return id, err
}

// archiveFiles are those of the paths that hold sections.
func archiveFiles(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(rel string) bool { return cite.AreaOf(rel) != cite.AreaArchive })
}

// pendingOf lists what is not committed yet of one place's own project: a session
// commits nothing of others.
func (s *Archives) pendingOf(ctx context.Context, p *workspace.Place) ([]string, error) {
	pending, err := s.ws.Store.Pending(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	own := append(store.UserFiles(), p.Project.Dir+"/", workspace.MemoryDir(p)+"/")
	for _, e := range p.Earlier {
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
	archives *Archives
	places   map[string]*workspace.Place // by the folder that a session began in
	fallback *workspace.Place            // of sessions whose folder is not known; nil takes the folder's name
	cost     bool                        // write what hooks injected into a session, as the traces have it
	dry      bool                        // write nothing
	starts   map[string]map[string][]string
	clients  []session.Client
	sections *sectionList    // of all the archive, nil for a session's end
	deleted  map[string]bool // sessions of which a person deleted sections
	pending  []string        // archive files of sections that are not committed
	model    Model
	quick    bool                    // the caller waits, so the model of sentences reads nothing
	note     string                  // of which sections the model said nothing, and why
	known    map[string]*graph.Known // by project: the ideas of its archive
	// mentions are what sessions say of the person and order, by the file that holds it; nil where
	// nothing is learnt from them.
	mentions map[string][]profile.Mention
}

// newArchiver archives the sessions of a place, with what hooks injected into them, or
// old ones of any place.
func (s *Archives) newArchiver(fallback *workspace.Place, model Model) *archiver {
	return &archiver{archives: s, model: model, places: map[string]*workspace.Place{},
		known: map[string]*graph.Known{}, deleted: map[string]bool{}, fallback: fallback, cost: fallback != nil}
}

// archiveFile archives a transcript, unless it is archived as it is, and remembers that.
// It returns the file, "" when nothing was worth a section.
func (a *archiver) archiveFile(ctx context.Context, f transcript.File) (rel string, err error) {
	if rel, _, err = a.archive(ctx, f.Session, f.Path); err != nil || a.dry {
		return rel, err
	}
	if rel != "" {
		a.pending = append(a.pending, rel)
		a.sections.wrote(rel)
	}
	if f.Stat.MtimeNs != 0 {
		err = a.sections.look(&f, a.deleted[f.Session])
	}
	return rel, err
}

// commit commits the sections that are not, with the files that name their projects, and
// keeps the list of what was looked at. subject has a place for how many there are.
func (a *archiver) commit(ctx context.Context, subject string) (id string, err error) {
	if n := len(a.pending); n > 0 && a.archives.ws.Store.HasRepository() {
		paths := slices.Clone(a.pending)
		for _, p := range a.places {
			rel := p.Project.Dir + "/project.md"
			if _, err := a.archives.ws.Store.Read("", rel); err == nil {
				paths = append(paths, rel)
			}
		}
		slices.Sort(paths)
		if id, err = a.archives.commitArchive(ctx, "archive", slices.Compact(paths),
			fmt.Sprintf(subject, messages.Plural(n, "session"))); err == nil {
			a.pending = nil
		}
	}
	return id, errors.Join(err, a.archives.markArchived(a.sections.looked))
}

// archive appends what is new since the session's last section, in one step with
// looking for that section, so that two ends of one session make one of it. It
// returns the file, "" when nothing was worth a section, and the session's place.
func (a *archiver) archive(ctx context.Context, session, file string) (rel string, p *workspace.Place, err error) {
	s := a.archives
	repeated, err := a.repeats(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", a.fallback, err
	}
	first, err := s.firstMessage(file, repeated)
	if errors.Is(err, fs.ErrNotExist) || err == nil && first.Time.IsZero() {
		return "", a.fallback, nil // a session without a transcript holds nothing
	}
	if err != nil {
		return "", a.fallback, err
	}
	if p, err = a.placeOf(ctx, first.Cwd); err != nil {
		return "", a.fallback, err
	}
	date := first.Time.UTC().Format(time.DateOnly)
	rel = archive.File(p.Project.Dir, first.Time)
	w := sectionWriter{archiver: a, p: p, session: session, file: file, rel: rel, date: date, repeated: repeated,
		words: a.quick}
	wrote, err := w.write(ctx, rel)
	if err == nil && a.mentions != nil {
		for file, said := range s.sessions.Mentions(session, w.prompts, path.Join(p.Project.Dir, profile.OrdersFile)) {
			a.mentions[file] = append(a.mentions[file], said...)
		}
	}
	if err != nil || !wrote {
		return "", p, err
	}
	if p.InRepo && !a.dry {
		_, err = s.ws.Project(ctx, p.Identity, s.ws.Holds(ctx, p), true)
	}
	return rel, p, err
}

// placeOf is the place of a folder that a session began in.
func (a *archiver) placeOf(ctx context.Context, folder string) (*workspace.Place, error) {
	if p := a.places[folder]; p != nil {
		return p, nil
	}
	p, err := a.findPlace(ctx, folder)
	if err == nil {
		a.places[folder] = p
	}
	return p, err
}

func (a *archiver) findPlace(ctx context.Context, folder string) (*workspace.Place, error) {
	if a.fallback != nil && (!filepath.IsAbs(folder) || workspace.RealPath(folder) == a.fallback.Folder) {
		return a.fallback, nil
	}
	if info, err := os.Stat(folder); filepath.IsAbs(folder) && err == nil && info.IsDir() {
		return a.archives.ws.PlaceOf(ctx, folder)
	}
	// a checkout that is gone
	for dir := filepath.Clean(folder); a.archives.ws.Store != nil && filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if known, ok, err := a.archives.ws.Store.ProjectAt(dir); err == nil && ok {
			return &workspace.Place{Folder: dir, Project: known, Identity: store.Identity{Folder: dir}}, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if a.fallback != nil {
		return a.fallback, nil
	}
	id := store.Identity{Folder: folder}
	return &workspace.Place{Folder: folder, Identity: id, Project: store.Identify(id)}, nil
}

// sectionWriter makes one section of one session.
type sectionWriter struct {
	*archiver
	p             *workspace.Place
	session, file string
	rel, date     string               // of the archive's file
	repeated      map[string]bool      // keys of messages that another session had before
	prompts       []transcript.Message // all that were not taken back, where something is learnt from them
	found         *archive.Found       // by the model
	words         bool                 // the model of sentences reads nothing
	day           []byte               // the file as it was read last
	gone          bool                 // a person deleted all that was archived, and how far that reached is not known
}

// write appends the section. The digest and the summary, which may take long, are made
// before the store's lock is taken. Where somebody archived the session meanwhile, or forgot,
// excluded or paused something while the model wrote, the digest is made again and stands alone.
func (w *sectionWriter) write(ctx context.Context, rel string) (wrote bool, err error) {
	s := w.archives.ws.Store
	var old []byte
	if s != nil { // there may be none in a dry run
		if old, err = s.Read("", rel); err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
	}
	before, err := w.find(old)
	if err != nil {
		return false, err
	}
	text, err := w.text(ctx, before)
	if err != nil || text == "" || w.dry {
		return text != "" && err == nil, err
	}
	conf := w.archives.ws.Policy().Config.Agent
	asked := w.model != nil && (conf.Ideas || conf.Summaries)
	if conf.Ideas && w.model != nil {
		if text, err = w.marked(ctx, before, text); err != nil {
			return false, err
		}
	}
	if conf.Summaries && w.model != nil {
		text = w.summarised(ctx, before, text)
	}
	_ = w.archives.src.KeepRewritten(ctx, rel) // the section must be written, whatever keeps it from being committed
	err = s.Rewrite(ctx, rel, func(old []byte) ([]store.Insertion, error) {
		wrote = false
		changed, err := w.refreshed(ctx, asked)
		now, findErr := w.find(old)
		if err = errors.Join(err, findErr); err == nil && (changed || now != before) {
			before = now
			w.found, w.words = nil, true    // others wait for the store
			delete(w.known, w.p.Project.ID) // it knows the section that was not written
			text, err = w.text(ctx, before)
		}
		if err != nil || text == "" {
			return nil, err
		}
		whole := archive.Appended(old, w.p.Project.ID, w.date, text)
		wrote = true
		return []store.Insertion{{At: len(old), Text: w.archives.ws.Redactor.Clean(whole)}}, nil
	})
	if !wrote || err != nil {
		delete(w.known, w.p.Project.ID) // it knows a section that stands nowhere
	}
	return wrote && err == nil, err
}

// refreshed reads again what was forgotten and what may be captured, where a model was asked
// meanwhile, and reports whether that changed. The error is ErrNotCaptured where nothing may be
// any more.
func (w *sectionWriter) refreshed(ctx context.Context, asked bool) (changed bool, err error) {
	if !asked {
		return false, nil
	}
	ws, src := w.archives.ws, w.archives.src
	read := func() []any { return []any{src.Forgotten(), ws.Policy().Config, ws.Policy().Pauses} }
	before := read()
	src.ForgetSet()
	ws.Reload()
	return !reflect.DeepEqual(before, read()), ws.MayCapture(ctx)
}

// find reads what is archived of the session. The section of another one, with an id that
// begins alike, may have been forgotten with the block id that would come next.
func (w *sectionWriter) find(old []byte) (a archive.Session, err error) {
	w.day = old
	a = archive.Find(old, w.session)
	if a.Sections == 0 && w.sections != nil {
		if a, err = w.sections.elsewhere(w.session, w.rel, a); err != nil {
			return a, err
		}
	}
	src := w.archives.src
	for a.Sections == 0 && src.Forgotten().HasUnit(ingest.SessionUnit(w.date, a.BlockID(w.session)), w.p.Project.ID) {
		a.SkipID()
	}
	left := a.Sections
	w.gone = false
	if w.deleted[w.session] = src.DropSections(&a, w.session, w.date); w.deleted[w.session] {
		w.gone = !src.ReachDeleted(&a, w.session, w.file) && left == 0
	}
	return a, nil
}

// text is the section behind what is archived before, "" where nothing is worth it or the
// session's section was forgotten.
func (w *sectionWriter) text(ctx context.Context, before archive.Session) (string, error) {
	if w.gone || w.archives.src.SessionForgotten(w.p, w.session, w.date) {
		return "", nil
	}
	before.Through = archive.StillThrough(w.file, before)
	d, err := w.digest(before.Through)
	if err != nil || d.LastLine <= before.Through {
		return "", err
	}
	if !w.dry && !w.words {
		w.judge(ctx, &d)
	}
	withdrawn, err := w.withdrawn(before)
	if err != nil || !d.Remains() && len(withdrawn) == 0 {
		return "", err
	}
	told := ""
	if w.found != nil {
		told = w.found.Mark
	}
	ideas := archive.Withdraw(w.ideas(&d), d, withdrawn)
	if w.cost {
		sum, _, err := traces.InjectedInto(w.archives.ws.DirsOfTraces(), w.session, math.MaxInt64)
		if err != nil {
			w.archives.ws.Caveat("What hooks told session %s could not be counted: %v", transcript.ShortID(w.session), err)
		}
		told = archive.Parts(archive.InjectedPart(sum.Injections-before.Injections, sum.Chars-before.Chars), told)
	}
	section := archive.Section(d, ideas, before, told, archive.MarkOf(d.LastUUID), w.date)
	if said := w.archives.sessions.SummaryOf(w.p, w.session, d.Start, d.End); said != "" {
		section = archive.Summarised(section, said, "summary: the session's own")
	}
	return section, nil
}

// digest summarises the transcript behind a line. Where something is learnt from it, it notes all
// prompts: a run that was ended may have archived them and learnt nothing.
func (w *sectionWriter) digest(line int) (transcript.Digest, error) {
	w.prompts = nil
	from := line
	if w.mentions != nil {
		from = 0
	}
	return transcript.Summarise(func(yield func(transcript.Message, error) bool) {
		for msg, err := range w.archives.messagesFrom(w.file, from, w.repeated) {
			if w.mentions != nil && msg.Prompt && !msg.TakenBack {
				w.prompts = append(w.prompts, msg)
			}
			if (err != nil || msg.Line > line) && !yield(msg, err) {
				return
			}
		}
	})
}

// judge lets the built-in model find the ideas of a digest, unless a larger one found them.
func (w *sectionWriter) judge(ctx context.Context, d *transcript.Digest) {
	if w.found != nil {
		return
	}
	if err := w.archives.src.Judge(ctx, d); err != nil {
		w.note += fmt.Sprintf("; ideas of session %s were found by their words: %v", transcript.ShortID(w.session), err)
	}
}

// ideas are those that a digest makes in the section, with what they have to do with others. What
// the model found takes the place of the digest's own.
func (w *sectionWriter) ideas(d *transcript.Digest) []archive.Idea {
	if w.found != nil {
		w.found.Into(d)
	}
	d.Leave()
	w.archives.src.DropForgotten(d)
	d.Session = w.session
	ideas := w.related(*d, slices.DeleteFunc(archive.Ideas(*d), func(i archive.Idea) bool {
		return w.archives.src.Forgotten().HasDeleted(tombstone.BlockKey(w.rel, i.ID()))
	}))
	archive.MarkAgain(ideas, w.day)
	return ideas
}

// marked is the section with the ideas that the model finds, where it does.
func (w *sectionWriter) marked(ctx context.Context, before archive.Session, section string) (string, error) {
	found, err := w.model.Ideas(ctx, w.p.Project.ID, w.session, w.archives.graphOf(w.p).Known(w.p.Project.ID).Standing(),
		w.messages(before))
	if err != nil {
		w.note += fmt.Sprintf("; ideas of session %s are without the model: %v", transcript.ShortID(w.session), err)
	}
	if w.found = found; found == nil {
		return section, nil
	}
	return w.text(ctx, before)
}

// messages are those behind a session's sections.
func (w *sectionWriter) messages(before archive.Session) iter.Seq2[transcript.Message, error] {
	return w.archives.messagesFrom(w.file, archive.StillThrough(w.file, before), w.repeated)
}

// summarised is the section with a summary where there is one.
func (w *sectionWriter) summarised(ctx context.Context, before archive.Session, section string) string {
	sentences, mark, err := w.model.Summarise(ctx, w.p.Project.ID, w.session, section, w.messages(before))
	if err != nil {
		w.note += fmt.Sprintf("; no summary of session %s: %v", transcript.ShortID(w.session), err)
	}
	if sentences == "" {
		return section
	}
	return archive.Summarised(section, sentences, mark)
}

// firstMessage is the first of a transcript that may be captured and is its own,
// without its text; the zero one where there is none.
func (s *Archives) firstMessage(file string, repeated map[string]bool) (transcript.Message, error) {
	for msg, err := range transcript.All(file) {
		if err != nil {
			return msg, err
		}
		if !msg.Time.IsZero() && (repeated == nil || !repeated[transcript.MessageKey(msg)]) &&
			!s.ws.Withheld(msg.Cwd, ingest.FolderName(file), msg.Time) {
			return transcript.Message{Time: msg.Time, Cwd: msg.Cwd}, nil
		}
	}
	return transcript.Message{}, nil
}

// messagesFrom are the redacted messages of a transcript behind a line, without what repeats
// another.
func (s *Archives) messagesFrom(file string, line int, repeated map[string]bool) iter.Seq2[transcript.Message, error] {
	folder := ingest.FolderName(file)
	msgs := s.sessions.WithoutHiddenSummaries(folder, s.src.Remembered(file, transcript.Conversation(file)))
	return s.src.Redacted(folder, transcript.SkipRepeated(msgs, repeated), line)
}

// withdrawn returns the block ids of the entries in the session's sections that were taken back since.
func (w *sectionWriter) withdrawn(before archive.Session) ([]string, error) {
	if before.Sections == 0 {
		return nil, nil
	}
	tree, err := transcript.TreeOf(w.file)
	if err != nil || tree.HoldsAll() {
		return nil, err
	}
	return archive.TakenBack(w.day, w.session, tree.TakenBack), nil
}
