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

// Ended is the result of [Archives.End].
type Ended struct {
	File   string // archive file, or "" if nothing was worth a section
	Commit string // "" if there is no repository
	Note   string // why a requested answer of the model is missing
}

// End appends the session's section to the dated archive of its project and commits it. The project is the one of the
// folder in which the session began. A trivial session gets no section, and archiving a session twice adds only one. A
// resumed session gets a continuation with its new content, and so does a fork, whose transcript repeats another's.
// Messages in an excluded folder or during a pause are omitted. The error is ErrNotCaptured as for
// [session.Sessions.Observe], and for a session of an agent that is not enabled. The section is written even if the
// model does not answer. With a nil model the caller waits, and the sentence model is not used.
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
	_ = s.src.KeepEdits(ctx, ingest.WrittenByHand(paths)) // the next commit reports any error
	_ = s.src.KeepRewritten(ctx, archiveFiles(paths)...)
	if out.Commit, err = s.commitArchive(ctx, "archive", paths, "archive: session "+transcript.ShortID(id),
		"Gitmem-Session: "+id); err != nil {
		return out, err
	}
	_, err = st.StartMaintenance() // the client waits only briefly for this hook
	return out, err
}

func (s *Archives) commitArchive(ctx context.Context, op string, paths []string, subject string,
	trailers ...string) (string, error) {
	id, err := s.ws.Store.Commit(ctx, store.Change{
		Paths: paths, Subject: subject, Time: s.ws.Options.Now(), Fsync: true,
		Trailers: append([]string{"Gitmem-Op: " + op}, trailers...),
	})
	if errors.Is(err, store.ErrHeld) {
		err = nil // the rest is committed; the store, status and doctor report the error
	}
	return id, err
}

// archiveFiles returns the paths of archive files.
func archiveFiles(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(rel string) bool { return cite.AreaOf(rel) != cite.AreaArchive })
}

// pendingOf lists the uncommitted files of a workspace's own project. A session does not commit files of other
// projects.
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

// archiver archives one or more sessions.
type archiver struct {
	archives *Archives
	places   map[string]*workspace.Place // by the folder in which a session began
	fallback *workspace.Place            // for sessions with an unknown folder; nil uses the folder's name
	cost     bool                        // record the injections of hooks from the traces
	dry      bool                        // write nothing
	starts   map[string]map[string][]string
	clients  []session.Client
	sections *sectionList    // of the whole archive; nil at a session's end
	deleted  map[string]bool // sessions with sections that a person deleted
	pending  []string        // archive files with uncommitted sections
	model    Model
	quick    bool                    // the caller waits, so the sentence model is not used
	note     string                  // sections for which the model failed, and why
	known    map[string]*graph.Known // by project: the ideas in its archive
	// mentions contains statements about the person and standing orders, by the file that stores them. It is nil if
	// nothing is learnt from the sessions.
	mentions map[string][]profile.Mention
}

// newArchiver returns an archiver for sessions of a workspace, which records injections, or for old sessions of any
// workspace if fallback is nil.
func (s *Archives) newArchiver(fallback *workspace.Place, model Model) *archiver {
	return &archiver{archives: s, model: model, places: map[string]*workspace.Place{},
		known: map[string]*graph.Known{}, deleted: map[string]bool{}, fallback: fallback, cost: fallback != nil}
}

// archiveFile archives a transcript, unless its current version is archived, and records that. It returns the archive
// file, or "" if nothing was worth a section.
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

// commit commits the pending sections with the files that name their projects, and saves the list of processed
// transcripts. subject has a placeholder for the number of sections.
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

// archive appends the new content since the session's last section. It looks up that section and appends under one
// lock, so that two simultaneous ends of a session write only one section. It returns the archive file, or "" if
// nothing was worth a section, and the session's workspace.
func (a *archiver) archive(ctx context.Context, session, file string) (rel string, p *workspace.Place, err error) {
	s := a.archives
	repeated, err := a.repeats(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", a.fallback, err
	}
	first, err := s.firstMessage(file, repeated)
	if errors.Is(err, fs.ErrNotExist) || err == nil && first.Time.IsZero() {
		return "", a.fallback, nil // a session without a transcript has no content
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

// placeOf returns the workspace of the folder in which a session began.
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
	// the checkout was deleted
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

// firstMessage returns the time and folder of the first message of a transcript that may be captured and is not
// repeated, or the zero value.
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

// messagesFrom returns the redacted messages of a transcript after a line, without messages that repeat another
// session.
func (s *Archives) messagesFrom(file string, line int, repeated map[string]bool) iter.Seq2[transcript.Message, error] {
	folder := ingest.FolderName(file)
	msgs := s.sessions.WithoutHiddenSummaries(folder, s.src.Remembered(file, transcript.Conversation(file)))
	return s.src.Redacted(folder, transcript.SkipRepeated(msgs, repeated), line)
}
