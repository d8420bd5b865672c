package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// revisionOrDate is the parsed value of --as-of, before anything is opened for it.
type revisionOrDate struct {
	text     string
	at       time.Time
	rev      string // commit of the current repository, "" for a date
	storeRev string // commit of the store, "" otherwise
}

// asOf returns a reader of memory as it was at a time; when is "" for the present. leave closes what asOf opened.
func (rd *Reader) asOf(ctx context.Context, when string) (at *Reader, leave func(), err error) {
	if when == "" {
		return rd, func() {}, nil
	}
	place, err := rd.ws.Place(ctx)
	if err != nil {
		return nil, nil, err
	}
	d := rd.fork()
	w, err := rd.readAsOf(ctx, when, d.ws.Caveat)
	if err != nil {
		return nil, nil, err
	}
	if w.rev == "" && w.storeRev == "" && !w.at.Before(rd.ws.Options.Now().Truncate(time.Second)) {
		d.ws.AsOf = rd.ws.Options.Now()
		d.ws.Caveat("%s has not passed yet, so the present was asked.", when)
		return d, d.src.Leave, nil
	}
	if err := d.enter(ctx, place, w); err != nil {
		d.src.Leave()
		return nil, nil, fmt.Errorf("--as-of %s: %w", when, err)
	}
	return d, d.src.Leave, nil
}

// fork returns a reader for another state of the sources. The caller sets that state with [workspace.Workspace.Freeze]
// and the Past of its workspace, then with [ingest.Sources.ReadTrees], and must leave its sources.
func (rd *Reader) fork() *Reader {
	ws := rd.ws.Fork()
	return New(ws, rd.src.Fork(ws), rd.ranker)
}

// State returns the moment that a result of this reader refers to.
func (rd *Reader) State() answer.State {
	return answer.State{AsOf: rd.ws.AsOfText(), Complete: len(rd.ws.Incomplete) == 0}
}

// pointInTime parses a date: of a span, such as a day, it returns the end, and of an open one, such as 3d, the
// beginning.
func pointInTime(text string, now time.Time) (time.Time, bool) {
	r, err := search.ParseTime(text, now)
	switch {
	case err != nil:
		return time.Time{}, false
	case r.Until.IsZero() || r.Since.Equal(r.Until):
		return r.Since.Truncate(time.Second), true
	}
	return r.Until.Add(-time.Second), true
}

// readAsOf resolves when: as a date, then as a revision of the current repository, then as a revision of the store. A
// branch named like a date can be given as refs/heads/<name>.
func (rd *Reader) readAsOf(ctx context.Context, when string, warn func(string, ...any)) (revisionOrDate, error) {
	w := revisionOrDate{text: when}
	var isDate bool
	if w.at, isDate = pointInTime(when, rd.ws.Options.Now()); isDate {
		return w, nil
	}
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return w, err
	}
	repo, err := rd.ws.Repository(p)
	if err != nil {
		return w, err
	}
	if repo != nil {
		if w.rev, w.at, err = namedCommit(repo, when); err != nil {
			return w, err
		}
	}
	if !rd.ws.HasStore() {
		return w, w.unknown(rd, p)
	}
	r, err := rd.ws.Store.Revision(when)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, w.unknown(rd, p)
	case err != nil:
		return w, err
	case w.rev != "" && isHead(when): // every repository has a HEAD; the current repository's is meant
	case w.rev != "":
		warn("%s names a commit of this repository and one of memory's; that of this repository was taken.", when)
	default:
		w.storeRev, w.at = r.Commit(), r.Time()
	}
	return w, r.Close()
}

// isHead reports whether a revision counts from HEAD.
func isHead(rev string) bool {
	name, _, _ := strings.Cut(strings.ReplaceAll(rev, "^", "~"), "~")
	return name == "HEAD" || name == "@"
}

// namedCommit resolves a revision; it returns "" if there is none.
func namedCommit(repo *git.Repository, rev string) (string, time.Time, error) {
	id, err := repo.Resolve(rev)
	switch {
	case errors.Is(err, git.ErrAmbiguous):
		return "", time.Time{}, fmt.Errorf("%w: --as-of %w", messages.ErrUsage, err)
	case errors.Is(err, git.ErrNotFound), errors.Is(err, git.ErrEmpty):
		return "", time.Time{}, nil
	case err != nil:
		return "", time.Time{}, err
	}
	c, err := repo.Commit(id)
	return id, c.Committer.When, err
}

// unknown returns an error if the value does not name anything.
func (w revisionOrDate) unknown(m *Reader, p *workspace.Place) error {
	if w.rev != "" {
		return nil
	}
	var places []string
	if p.InRepo {
		places = append(places, "of "+p.Folder)
	}
	if m.ws.HasStore() {
		places = append(places, "of memory's own repository in "+m.ws.Root)
	}
	where := "and there is no repository here that could have a revision of that name"
	if len(places) > 0 {
		where = "and no revision " + strings.Join(places, " or ")
	}
	return fmt.Errorf("%w: --as-of %q is no date %s: use 3d, yesterday, last month, 2024-Q4, March 2024, 2024-03-15, "+
		"2024-03-15T12:00:00Z, or a branch, a tag, a commit id or HEAD~3", messages.ErrUsage, w.text, where)
}

// enter turns a new reader into one of the past.
func (rd *Reader) enter(ctx context.Context, place *workspace.Place, w revisionOrDate) error {
	at := w.at.Truncate(time.Second)
	rd.ws.AsOf, rd.ws.Past = at, &workspace.Past{At: at, Until: at.Add(time.Second - time.Nanosecond)}
	if err := rd.enterMemory(ctx, w); err != nil {
		return err
	}
	if err := rd.enterRepository(place, w); err != nil {
		return err
	}
	p, err := rd.ws.Place(ctx) // its project at that time
	if err != nil {
		return err
	}
	rd.ws.Caveat("Transcripts are those that are still on disk; their owner may have deleted others since.")
	return rd.src.ReadTrees(p)
}

// enterRepository freezes the current repository. Without one, the files of a work tree are also not part of the past.
func (rd *Reader) enterRepository(p *workspace.Place, w revisionOrDate) error {
	repo, err := rd.ws.Repository(p)
	if err != nil || repo == nil {
		rd.ws.Freeze(git.Frozen{})
		return err
	}
	was := git.Frozen{Head: w.rev, Tips: []git.Ref{{Name: w.text, Hash: w.rev}}}
	if w.rev == "" {
		if was, err = repo.FrozenAt(rd.ws.Past.Until); err != nil {
			return err
		}
	}
	if was.Shallow {
		rd.ws.Caveat("This clone is shallow and ends after %s, so what its history was then is not known here.",
			rd.ws.Past.At.UTC().Format(time.DateOnly))
	}
	if _, err := repo.Head(); err == nil && was.Head == "" && !was.Shallow {
		rd.ws.Caveat("The history of this repository begins after %s.", rd.ws.Past.At.UTC().Format(time.DateOnly))
	}
	rd.ws.Freeze(was)
	return nil
}

// enterMemory opens the store's revision and warns about unknown parts of memory.
func (rd *Reader) enterMemory(ctx context.Context, w revisionOrDate) error {
	if !rd.ws.HasStore() {
		files, err := rd.src.MemoryTree().Files()
		if err == nil && len(files) > 0 {
			rd.ws.Caveat("Memory in %s has no repository that would tell what it held then, so it was not searched.", rd.ws.Root)
			rd.ws.Past.Unknown = append(rd.ws.Past.Unknown, "memory")
		}
		return err
	}
	open := func() (*store.Revision, error) { return rd.ws.Store.RevisionAt(rd.ws.Past.Until) }
	if w.storeRev != "" {
		open = func() (*store.Revision, error) { return rd.ws.Store.Revision(w.storeRev) }
	}
	r, err := open()
	if errors.Is(err, store.ErrNotFound) {
		rd.ws.Caveat("Memory's own history begins later, so what it held then is not known.")
		return nil
	}
	if err != nil {
		return err
	}
	rd.ws.Past.Revision = r
	if !r.Newest() {
		return nil
	}
	pending, err := rd.ws.Store.Pending(ctx)
	if err == nil && len(pending) > 0 {
		rd.ws.Caveat("%s of memory differ from the last commit, and when they changed is not known; they were taken as "+
			"committed.", messages.Plural(len(pending), "file"))
	}
	return err
}

// resolve looks up a citation in the requested state: objects and lines outside of it may still be readable.
func (rd *Reader) resolve(ctx context.Context, r *cite.Resolver, text string) (cite.Source, error) {
	id, err := cite.Parse(text)
	switch {
	case err != nil:
	case !rd.ws.AtHead() && id.Kind == cite.KindCommit && r.Repository != nil:
		sha, err := r.Repository.Reachable(ctx, id.Name)
		if errors.Is(err, git.ErrNotFound) {
			return cite.Source{}, fmt.Errorf("%s: not in the history at %s: %w", id, rd.ws.AsOfText(), messages.ErrNotFound)
		}
		if err != nil {
			return cite.Source{}, fmt.Errorf("%s: %w", id, err)
		}
		id.Name = sha
		if text = id.String(); rd.src.Hides(text) {
			return cite.Source{}, fmt.Errorf("%s was forgotten: %w", id, messages.ErrNotFound)
		}
	case rd.ws.Present():
	case id.Kind == cite.KindPrompt:
		return rd.src.NotNewer(r.Resolve(text))
	case id.Kind == cite.KindTranscript:
		file, err := r.TranscriptFile(id.Name)
		if err == nil {
			err = rd.src.CheckRecorded(file, id)
		}
		if err != nil {
			return cite.Source{}, fmt.Errorf("%s: %w", id, err)
		}
	}
	return rd.src.Attributed(r.Resolve(text))
}

// Resolve looks up a citation for an answer. Entries of the view's indexes belong to the requested state; leads may
// not.
func (v *View) Resolve(ctx context.Context, id string) (cite.Source, error) {
	if !strings.HasPrefix(id, ingest.CommitPrefix) {
		return v.local(v.Reader.src.NotNewer(v.Reader.src.Attributed(v.freshly(id))))
	}
	if slices.ContainsFunc(v.Snaps, func(s *index.Snapshot) bool {
		if s == nil {
			return false
		}
		_, known := s.Find(id)
		return known
	}) {
		return v.fresh.Resolve(id)
	}
	ctx, stop := deadline.After(ctx, v.Reader.ws.Options.Now, leadTime)
	defer stop()
	src, err := v.Reader.resolve(ctx, v.fresh, id)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%s: not found in time: %w", id, messages.ErrNotFound)
	}
	return src, err
}

// freshly looks up a citation without the cache. An idea may be in any day of the archive, so the cached path selects
// the file to read again.
func (v *View) freshly(id string) (cite.Source, error) {
	if strings.HasPrefix(id, string(cite.KindIdea)+":") {
		if was, err := v.Cache.Resolve(id); err == nil {
			if src, err := v.fresh.ResolveIn(id, was.Path); err == nil {
				return src, nil
			}
		}
	}
	return v.fresh.Resolve(id)
}

// leadTime limits the search for a commit in a history that is not indexed.
const leadTime = 500 * time.Millisecond
