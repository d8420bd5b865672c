package archiving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// BackfillOptions selects what [Archives.Backfill] archives.
type BackfillOptions struct {
	All  bool   // sessions of every project
	Only string // a session id, a transcript or a folder of transcripts; "" for the whole scope
	// Agents are the names of agents other than Claude Code whose archiving is enabled from now on. Agents in
	// archive_agents of local.yaml are always archived.
	Agents []string
	DryRun bool // write nothing
	// Progress is called with the number of processed transcripts and the total; it may be nil.
	Progress func(done, all int)
}

// Backfilled is the result of [Archives.Backfill]. The JSON form is a public contract.
type Backfilled struct {
	Transcripts int               `json:"transcripts"` // in scope
	Known       int               `json:"known"`       // already archived and unchanged
	Deleted     int               `json:"deleted"`     // archived, but a person deleted the sections
	Nothing     int               `json:"nothing"`     // without new content worth a section
	Running     int               `json:"running"`     // sessions that are still running
	Sections    []BackfillSection `json:"sections"`    // written, or would be
	LeftOut     []AgentSessions   `json:"left_out"`    // sessions of agents that are not enabled
	Failed      []BackfillFailure `json:"failed"`
	Commits     []string          `json:"commits"`
	Learnt      []string          `json:"learnt"` // lines for the profile and the standing orders
}

// BackfillSection is one section of the archive.
type BackfillSection struct {
	Session string `json:"session"`
	File    string `json:"file"` // archive file
	Date    string `json:"date"` // the session's first day, UTC
}

// BackfillFailure is a transcript that could not be archived.
type BackfillFailure struct {
	Transcript string `json:"transcript"`
	Reason     string `json:"reason"`
}

// AgentSessions counts the sessions of one agent.
type AgentSessions struct {
	Agent    string `json:"agent"` // name in queries
	Title    string `json:"title"` // display name
	Sessions int    `json:"sessions"`
}

// backfillBatch is the number of sections per commit. It is small enough that an interruption loses little work, and
// large enough to keep the history short.
const backfillBatch = 100

// Backfill archives old transcripts, oldest first, as the ends of their sessions would have: each under its first day
// and in the project in which it began. The profile and the standing orders learn from them as from live prompts.
// Existing sections are kept; messages in excluded folders or during a pause are omitted. It may be interrupted at any
// time; the next run continues. The error is ErrNotCaptured if capture is off.
func (s *Archives) Backfill(ctx context.Context, o BackfillOptions) (Backfilled, error) {
	b := backfill{archiver: s.newArchiver(nil, nil), o: o}
	b.out = Backfilled{Sections: []BackfillSection{}, LeftOut: []AgentSessions{}, Failed: []BackfillFailure{},
		Commits: []string{}, Learnt: []string{}}
	if err := b.begin(ctx); err != nil {
		return b.out, err
	}
	if o.DryRun && s.ws.HasStore() {
		pending, err := s.ws.Store.Pending(ctx)
		if err = errors.Join(err, s.src.SupposeDeleted(ctx, pending)); err != nil {
			return b.out, err
		}
	}
	if !o.DryRun {
		b.mentions = map[string][]profile.Mention{}
		unlock, err := b.alone()
		if err != nil {
			return b.out, err
		}
		defer unlock()
		if err := b.resume(ctx); err != nil {
			return b.out, err
		}
	}
	err := b.run(ctx)
	if !o.DryRun {
		last := context.WithoutCancel(ctx)
		err = errors.Join(err, b.commit(last), b.learnErr)
	}
	return b.out, err
}

// alone takes the lock of a backfill and fails if another one is running.
func (b *backfill) alone() (unlock func(), err error) {
	unlock, free, err := osfile.Lock(filepath.Join(b.archives.ws.IndexDir(), "backfill.lock"))
	if err == nil && !free {
		err = fmt.Errorf("another backfill is at work: %w", store.ErrLocked)
	}
	return unlock, err
}

// Backfillable counts the transcripts of all projects that [Archives.Backfill] has not processed in their current
// version. It does not read them, so some may contain nothing to archive.
func (s *Archives) Backfillable(ctx context.Context) (n int, err error) {
	files, problems := s.archivable()
	sections := s.newSectionList()
	for i := range files {
		if !files[i].Subagent && files[i].Session != "" && !sections.holds(&files[i]) {
			n++
		}
	}
	return n, errors.Join(append(problems, ctx.Err())...)
}

// backfill is one run of [Archives.Backfill].
type backfill struct {
	*archiver
	o     BackfillOptions
	place *workspace.Place
	out   Backfilled

	read     []string // transcripts of this run
	learnErr error    // the last error of learning from them
}

func (b *backfill) begin(ctx context.Context) (err error) {
	s := b.archives
	switch pol := s.ws.Policy(); {
	case pol.Err != nil:
		return pol.Err
	case !pol.Config.Capture:
		return fmt.Errorf("%w: off, by capture: off in %s", workspace.ErrNotCaptured, s.ws.CaptureFile())
	}
	if !b.o.DryRun {
		if err := s.ws.Writable(ctx); err != nil {
			return err
		}
	}
	if err := b.allow(ctx); err != nil {
		return err
	}
	if b.place, err = s.ws.Place(ctx); err != nil {
		return err
	}
	b.dry, b.sections, b.clients = b.o.DryRun, s.newSectionList(), s.sessions.Clients()
	return nil
}

// oldTranscript is a transcript that may be archived, with its first message.
type oldTranscript struct {
	transcript.File
	first transcript.Message
}

// run archives the transcripts in scope, oldest first.
func (b *backfill) run(ctx context.Context) error {
	list, err := b.scope(ctx)
	if err != nil {
		return err
	}
	b.out.Transcripts = len(list)
	for i, t := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if b.o.Progress != nil {
			b.o.Progress(i, len(list))
		}
		if err := b.archiveNext(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// scope lists the transcripts of the requested projects.
func (b *backfill) scope(ctx context.Context) ([]oldTranscript, error) {
	files, err := b.files()
	if err != nil {
		return nil, err
	}
	var out []oldTranscript
	for _, f := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		first, err := b.archives.firstMessage(f.Path, nil)
		if err != nil {
			b.fail(f.Path, err)
			continue
		}
		t := oldTranscript{File: f, first: first}
		if first.Time.IsZero() {
			if b.o.All || b.o.Only != "" {
				out = append(out, t) // counted under Nothing
			}
			continue
		}
		p, err := b.placeOf(ctx, first.Cwd)
		if err != nil {
			b.fail(f.Path, err)
			continue
		}
		if b.o.All || b.o.Only != "" || owns(b.place, p.Project.ID) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(x, y oldTranscript) int { return x.first.Time.Compare(y.first.Time) })
	return out, nil
}

// owns reports whether a project is or was the workspace's own project.
func owns(p *workspace.Place, project string) bool {
	return project == p.Project.ID || slices.ContainsFunc(p.Earlier, func(e store.Project) bool { return e.ID == project })
}

// files lists the requested transcripts of all projects.
func (b *backfill) files() ([]transcript.File, error) {
	only := b.o.Only
	if only != "" {
		path := only
		if !filepath.IsAbs(path) {
			path = filepath.Join(b.archives.ws.Options.Dir, path)
		}
		if info, err := os.Stat(path); err == nil {
			return b.transcriptsAt(path, info.IsDir())
		}
	}
	files, problems := b.archives.archivable(b.o.Agents...)
	kept, more := b.archives.src.KeptFiles(files)
	for _, err := range append(problems, more...) {
		b.archives.ws.Caveat("A transcript folder could not be read: %v", err)
	}
	files = slices.DeleteFunc(append(files, kept...), func(f transcript.File) bool {
		return f.Subagent || f.Session == "" || only != "" && f.Session != only && transcript.OwnID(f.Session) != only
	})
	if only != "" && len(files) == 0 {
		return nil, fmt.Errorf("no session, transcript or folder %q: %w", only, messages.ErrNotFound)
	}
	return files, nil
}

// transcriptsAt lists a transcript, or the transcripts in a folder of one or more projects. Naming the store of another
// agent permits archiving it.
func (b *backfill) transcriptsAt(path string, dir bool) ([]transcript.File, error) {
	others, _ := b.archives.ws.Stores().Files("") // unreadable stores are skipped
	others = slices.DeleteFunc(others, func(f transcript.File) bool {
		return f.Subagent || !workspace.Below(transcript.StoreOf(f.Path), path)
	})
	if len(others) > 0 {
		return others, nil
	}
	if !dir {
		if err := transcript.CheckFormat(path); err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		if !transcript.ValidSessionID(name) {
			return nil, fmt.Errorf("%w: %s is not named as a session's transcript, <session>.jsonl", messages.ErrUsage, path)
		}
		return []transcript.File{{Path: path, Session: name, Folder: ingest.FolderName(path)}}, nil
	}
	files, problems := transcript.FilesIn(path)
	files = slices.DeleteFunc(files, func(f transcript.File) bool { return f.Subagent || f.Session == "" })
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && e.Type().IsRegular() && transcript.ValidSessionID(name) {
			files = append(files, transcript.File{Path: filepath.Join(path, e.Name()), Session: name,
				Folder: filepath.Base(path)})
		}
	}
	return files, errors.Join(append(problems, err)...)
}

// goesOn reports whether the session of a transcript may still be running. It returns false for a session that the
// caller names, which is archived in its current state.
func (b *backfill) goesOn(f transcript.File) bool {
	if b.o.Only == f.Session || b.o.Only == transcript.OwnID(f.Session) {
		return false
	}
	return f.Stat.MtimeNs != 0 && (f.Session == b.archives.ws.Options.Getenv("CLAUDE_CODE_SESSION_ID") ||
		b.archives.running(b.clients, f))
}

// archiveNext archives one transcript.
func (b *backfill) archiveNext(ctx context.Context, t oldTranscript) error {
	switch {
	case b.goesOn(t.File):
		b.out.Running++
		return nil
	case b.o.Only == "" && b.sections.holds(&t.File):
		if b.sections.looked[t.Path].Deleted {
			b.out.Deleted++
		} else {
			b.out.Known++
		}
		return nil
	case t.first.Time.IsZero():
		b.out.Nothing++
		return nil
	}
	rel, err := b.archiveFile(ctx, t.File)
	b.read = append(b.read, t.Path)
	switch {
	case errors.Is(err, store.ErrLocked) || ctx.Err() != nil:
		return cmp.Or(ctx.Err(), err)
	case err != nil:
		b.fail(t.Path, err)
		return nil
	case rel == "" && b.deleted[t.Session]:
		b.out.Deleted++
	case rel == "":
		b.out.Nothing++
	default:
		b.out.Sections = append(b.out.Sections,
			BackfillSection{t.Session, rel, strings.TrimSuffix(filepath.Base(rel), ".md")})
	}
	if len(b.pending) >= backfillBatch {
		return b.commit(ctx)
	}
	return nil
}

func (b *backfill) fail(path string, err error) {
	b.out.Failed = append(b.out.Failed, BackfillFailure{path, b.archives.ws.Clean(plain.Text(err))})
}

// resume commits the files that an interrupted run wrote, after a commit of people's edits since then.
func (b *backfill) resume(ctx context.Context) error {
	pending, err := b.archives.ws.Store.Pending(ctx)
	files := archiveFiles(pending)
	err = errors.Join(err, b.archives.src.KeepRewritten(ctx, files...))
	b.sections = b.archives.newSectionList()
	pending, moreErr := b.archives.ws.Store.Differing(ctx, files)
	b.pending = pending
	return errors.Join(err, moreErr, b.commit(ctx))
}

// commit learns from the sessions so far and commits a batch.
func (b *backfill) commit(ctx context.Context) error {
	if b.learnErr = b.learn(ctx); b.learnErr != nil { // the next run processes these transcripts again
		for _, path := range b.read {
			delete(b.sections.looked, path)
		}
	}
	id, err := b.archiver.commit(ctx, "backfill: %s")
	if id == "" || err != nil {
		return err
	}
	b.out.Commits = append(b.out.Commits, id)
	_, err = b.archives.ws.Store.StartMaintenance()
	return err
}

// learn updates the profile and the standing orders from the sessions of this run, in time order, and commits the
// changes. Sessions may overlap in time with sessions archived later, so each batch learns from all of them; known
// statements change nothing.
func (b *backfill) learn(ctx context.Context) error {
	s := b.archives
	if len(b.mentions) == 0 || !s.ws.Store.HasRepository() {
		return nil
	}
	for _, said := range b.mentions {
		slices.SortStableFunc(said, func(x, y profile.Mention) int { return x.Time.Compare(y.Time) })
	}
	var out session.Logged
	err := s.sessions.ChangeProfiles(ctx, b.mentions, &out, s.sessions.Learn)
	b.out.Learnt = append(b.out.Learnt, out.Learnt...)
	id, commitErr := s.sessions.CommitLearnt(ctx, out)
	if id != "" {
		b.out.Commits = append(b.out.Commits, id)
	}
	return errors.Join(err, commitErr)
}
