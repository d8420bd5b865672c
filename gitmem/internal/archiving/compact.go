package archiving

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// CompactOptions selects what [Archives.Compact] replaces.
type CompactOptions struct {
	OlderThan string // a time, such as 90d or 2026-01-01: logs whose newest line is older
	DryRun    bool   // write nothing
}

// Compaction is the result of [Archives.Compact]. The JSON form is a public contract.
type Compaction struct {
	Logs       []CompactedLog   `json:"logs"`       // removed, or would be
	Newer      int              `json:"newer"`      // logs with newer lines
	Running    int              `json:"running"`    // logs of running sessions
	Unarchived int              `json:"unarchived"` // logs of sessions whose transcripts are not archived
	Failed     []CompactFailure `json:"failed"`
	Commits    []string         `json:"commits"`
}

// CompactedLog is a log with a summary of its content.
type CompactedLog struct {
	Log     string `json:"log"` // slash path below the root
	Session string `json:"session"`
	Date    string `json:"date"`
	File    string `json:"file"`    // archive file
	Calls   int    `json:"calls"`   // number of tool calls
	Failed  int    `json:"failed"`  // number of failed calls
	Skipped int    `json:"skipped"` // unparsable lines
}

// CompactFailure is a log that was kept because of an error.
type CompactFailure struct {
	Log    string `json:"log"`
	Reason string `json:"reason"`
}

// compactBatch is the number of logs per commit. The store is locked meanwhile, and others wait for it up to 5 s: 100
// logs took 3.5 s on a busy machine.
const compactBatch = 50

// Compact replaces each old log of the project by a section of the archive. The lines remain in the store's history,
// where citations of them are looked up. A log is removed only after it is committed and its section is written, so
// Compact may be interrupted at any time; the next run continues. The error is store.ErrNoStore if there is no history.
func (s *Archives) Compact(ctx context.Context, o CompactOptions) (Compaction, error) {
	c := compaction{archiver: s.newArchiver(nil, nil), o: o, state: map[string]*int{}}
	c.out = Compaction{Logs: []CompactedLog{}, Failed: []CompactFailure{}, Commits: []string{}}
	if err := c.begin(ctx); err != nil {
		return c.out, err
	}
	logs, err := c.old(ctx)
	if err != nil {
		return c.out, err
	}
	if o.DryRun {
		for _, l := range logs {
			c.report(l)
		}
		return c.out, nil
	}
	if err := c.resume(ctx); err != nil {
		return c.out, err
	}
	for batch := range slices.Chunk(logs, compactBatch) {
		if err := c.take(ctx, batch); err != nil {
			return c.out, err
		}
	}
	return c.out, c.commit(ctx) // files that an interrupted run left
}

// compaction is one run of [Archives.Compact].
type compaction struct {
	*archiver
	o           CompactOptions
	place       *workspace.Place
	before      time.Time // logs whose lines are all older may be removed
	transcripts map[string]transcript.File
	state       map[string]*int      // by session: the counter of its kept logs, nil if they may be removed
	until       map[string]time.Time // by session: the end of what sections cover
	paths       []string             // changed and uncommitted
	out         Compaction
}

func (c *compaction) begin(ctx context.Context) (err error) {
	s := c.archives
	older, err := search.ParseTime(c.o.OlderThan, s.ws.Options.Now())
	if err != nil {
		return fmt.Errorf("%w: --older-than: %w", messages.ErrUsage, err)
	}
	c.before = cmp.Or(older.Since, older.Until)
	if pol := s.ws.Policy(); pol.Err != nil {
		return pol.Err
	}
	if !s.ws.HasStore() {
		return fmt.Errorf("logs are compacted only where a history keeps them: %s: %w", s.ws.Root, store.ErrNoStore)
	}
	if err := s.ws.Store.Busy(); err != nil { // a log is removed only after it is committed
		return err
	}
	if c.place, err = s.ws.Place(ctx); err != nil {
		return err
	}
	c.dry, c.sections, c.clients = true, s.newSectionList(), s.sessions.Clients()
	c.transcripts = map[string]transcript.File{}
	files, problems := s.archivable()
	kept, more := s.src.KeptFiles(files)
	for _, f := range append(kept, files...) {
		if !f.Subagent && f.Session != "" {
			c.transcripts[f.Session] = f
		}
	}
	return errors.Join(append(problems, more...)...) // an unlisted session may not be archived yet
}

// old lists the logs that may be removed, oldest first, and counts the others.
func (c *compaction) old(ctx context.Context) (logs []oldLog, err error) {
	projects := c.place.Projects()
	for f, err := range c.archives.ws.Store.Files() {
		if err != nil {
			c.archives.ws.Caveat("%v", err)
			continue
		}
		i := slices.IndexFunc(projects, func(p store.Project) bool {
			return strings.HasPrefix(f.Path, p.Dir+"/observations/")
		})
		if i < 0 || cite.AreaOf(f.Path) != cite.AreaObservations {
			continue
		}
		l, err := c.archives.readLog(f.Path, projects[i])
		if err == nil && !l.newest.Before(c.before) {
			c.out.Newer++
			continue
		}
		var left *int
		if err == nil {
			left, err = c.leaves(ctx, l)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			c.fail(f.Path, err)
		case left != nil:
			*left++
		default:
			logs = append(logs, l)
		}
	}
	return logs, nil
}

// leaves returns the counter of a session's kept logs, or nil if its logs may be removed.
func (c *compaction) leaves(ctx context.Context, l oldLog) (*int, error) {
	if c.archives.src.SessionForgotten(&workspace.Place{Project: l.project}, l.session, l.date) {
		return nil, errors.New("its section of the archive was forgotten")
	}
	if c.archives.src.DropSections(&archive.Session{}, l.session, l.date) {
		return nil, errors.New("its section of the archive was deleted by hand")
	}
	if left, known := c.state[l.session]; known {
		return left, nil
	}
	f := c.transcripts[l.session]
	f.Session = l.session
	switch {
	case f.Session == c.archives.ws.Options.Getenv("CLAUDE_CODE_SESSION_ID") || c.archives.running(c.clients, f):
		c.state[l.session] = &c.out.Running
	case f.Path == "" || c.sections.holds(&f):
		c.state[l.session] = nil
	default:
		rel, _, err := c.archive(ctx, l.session, f.Path) // in dry mode: is anything worth a section?
		if err != nil {
			return nil, err
		}
		c.state[l.session] = nil
		if rel != "" {
			c.state[l.session] = &c.out.Unarchived
		}
	}
	return c.state[l.session], nil
}

func (c *compaction) fail(rel string, err error) {
	c.out.Failed = append(c.out.Failed, CompactFailure{rel, c.archives.ws.Clean(plain.Text(err))})
}

// report adds a log to the removed logs.
func (c *compaction) report(l oldLog) {
	_, log := l.digest(0)
	c.out.Logs = append(c.out.Logs, CompactedLog{l.rel, l.session, l.date, l.archive, log.Calls,
		len(log.Failed), log.Skipped})
}

// resume collects the uncommitted files of an interrupted run.
func (c *compaction) resume(ctx context.Context) error {
	pending, err := c.archives.pendingOf(ctx, c.place)
	for _, rel := range pending {
		_, gone := os.Lstat(c.archives.ws.Path(rel))
		if cite.AreaOf(rel) == cite.AreaArchive || cite.AreaOf(rel) == cite.AreaObservations && os.IsNotExist(gone) {
			c.paths = append(c.paths, rel)
		}
	}
	return err
}

// take removes a batch of logs under one lock and in one commit.
func (c *compaction) take(ctx context.Context, batch []oldLog) error {
	ctx, release, err := c.archives.ws.Store.Hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := c.keep(ctx, batch); err != nil {
		return err
	}
	for _, l := range batch {
		if ctx.Err() != nil {
			break
		}
		if err := c.replace(ctx, l); err != nil {
			c.fail(l.rel, err)
			continue
		}
		c.report(l)
		c.paths = append(c.paths, l.archive, l.rel)
	}
	return cmp.Or(c.commit(context.WithoutCancel(ctx)), ctx.Err())
}

// keep commits the uncommitted lines of logs. A log with a secret stays, see replace.
func (c *compaction) keep(ctx context.Context, batch []oldLog) error {
	rels := slice.Map(batch, func(l oldLog) string { return l.rel })
	rels, err := c.archives.ws.Store.Differing(ctx, rels)
	if err != nil || len(rels) == 0 {
		return err
	}
	_, err = c.archives.commitArchive(ctx, "observe", rels, "observe: "+messages.Plural(len(rels), "log"))
	return err
}

// replace writes the section of a log, unless it exists, and removes the log.
func (c *compaction) replace(ctx context.Context, l oldLog) error {
	st := c.archives.ws.Store
	_ = c.archives.src.KeepRewritten(ctx, l.archive) // as for every section
	err := st.RewriteAll(ctx, []store.FileEdit{
		{Path: l.archive, Edit: func(old []byte) ([]store.Insertion, bool, error) {
			section := c.section(l, old)
			if section == "" {
				return nil, false, nil
			}
			section = archive.Appended(old, l.project.ID, l.date, section)
			return []store.Insertion{{At: len(old), Text: c.archives.ws.Redactor.Clean(section)}}, false, nil
		}},
		{Path: l.rel, Edit: func(old []byte) ([]store.Insertion, bool, error) {
			head, err := st.Read("HEAD", l.rel)
			if err == nil && !bytes.Equal(old, head) {
				err = fmt.Errorf("%w: it holds what no commit does", store.ErrConflict)
			}
			return nil, err == nil, err
		}},
	})
	if slices.ContainsFunc(l.units, func(u cite.Unit) bool { return u.Intent != "" && !graph.Covered(u, c.until) }) {
		delete(c.known, c.place.Project.ID) // ideas of the next log may relate to these
	}
	return err
}

// section returns the content of a log that the archive file lacks, as a section, or "".
func (c *compaction) section(l oldLog, file []byte) string {
	covered, ok := archive.Covered(file, l.session, path.Base(l.rel))
	if covered >= len(l.units) && (ok || l.skipped == 0) {
		return ""
	}
	if c.until == nil {
		g := c.archives.graphOf(c.place)
		c.until, c.known[c.place.Project.ID] = g.Until, g.Known(c.place.Project.ID)
	}
	d, log := l.digest(covered)
	l.settle(&d, c.until)
	w := sectionWriter{archiver: c.archiver, p: c.place, session: l.session, rel: l.archive, date: l.date, day: file}
	defer w.knownOf(c.place).Mark()() // undo the additions; the section is made again before it is written
	ideas := w.ideas(&d)              // also drops forgotten content from the digest
	before := archive.Find(file, l.session)
	c.archives.src.DropSections(&before, l.session, l.date)
	return archive.Compacted(d, ideas, log, before, l.date)
}

// commit commits the changed files.
func (c *compaction) commit(ctx context.Context) error {
	if len(c.paths) == 0 {
		return nil
	}
	slices.Sort(c.paths)
	n := slice.Count(c.paths, func(rel string) bool { return cite.AreaOf(rel) == cite.AreaObservations })
	id, err := c.archives.commitArchive(ctx, "compact", slices.Compact(c.paths), "compact: "+messages.Plural(n, "log"))
	if id != "" {
		c.out.Commits, c.paths = append(c.out.Commits, id), nil
	}
	return err
}
