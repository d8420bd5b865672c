package archiving

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
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
