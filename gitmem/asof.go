package gitmem

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// past is a moment that is asked about instead of the present. A Memory that has
// one reads nothing newer: its repository is frozen, its memory is a commit, and
// its transcripts end there.
type past struct {
	at    time.Time // what "now" is for the question, in whole seconds
	until time.Time // the last instant of that second: what was recorded by then counts

	begun    bool            // the current repository had a commit
	head     string          // commit whose tree holds the repository's rules, "" for none
	tips     []string        // where its history began
	revision *store.Revision // memory as it was; nil where that is not known or nothing was kept
	unknown  []string        // sources that exist and of which nobody knows what they held
}

// namedMoment is what --as-of names, before anything is opened for it.
type namedMoment struct {
	text     string
	at       time.Time
	rev      string // commit of the current repository that was named, "" for a date
	storeRev string // commit of the store that was named, "" otherwise
}

// now is the moment that relative times count from.
func (m *Memory) now() time.Time {
	if m.past != nil {
		return m.past.at
	}
	return m.o.Now()
}

// asOfText is the moment that was asked about as JSON gives it, "" for the present.
func (m *Memory) asOfText() string { return instant(m.asked) }

// asOf gives memory as it was at a moment; when is "" for the present. leave frees
// what was opened for it.
func (m *Memory) asOf(ctx context.Context, when string) (at *Memory, leave func(), err error) {
	if when == "" {
		return m, func() {}, nil
	}
	here, err := m.here(ctx)
	if err != nil {
		return nil, nil, err
	}
	d := *m
	d.notices, d.place, d.repo, d.repoErr, d.asking, d.files = nil, nil, nil, nil, nil, pastFiles{}
	w, err := m.momentOf(ctx, when, d.notice)
	if err != nil {
		return nil, nil, err
	}
	if w.rev == "" && w.storeRev == "" && !w.at.Before(m.o.Now().Truncate(time.Second)) {
		d.asked = m.o.Now()
		d.notice("%s has not passed yet, so the present was asked.", when)
		return &d, d.leave, nil
	}
	if err := d.enter(ctx, here, w); err != nil {
		d.leave()
		return nil, nil, fmt.Errorf("--as-of %s: %w", when, err)
	}
	return &d, d.leave, nil
}

func (m *Memory) closeRepository() {
	if m.repo != nil {
		_ = m.repo.Close() // read-only: nothing can be lost
	}
}

// leave closes what enter opened.
func (m *Memory) leave() {
	m.closeRepository()
	m.asking.close()
	if m.past != nil && m.past.revision != nil {
		_ = m.past.revision.Close() // read-only
	}
}

// pointOf reads a date: of a span, such as a day, its end is meant, and of an open
// one, such as 3d, the point it begins at.
func pointOf(text string, now time.Time) (time.Time, bool) {
	r, err := search.ParseTime(text, now)
	switch {
	case err != nil:
		return time.Time{}, false
	case r.Until.IsZero() || r.Since.Equal(r.Until):
		return r.Since.Truncate(time.Second), true
	}
	return r.Until.Add(-time.Second), true
}

// momentOf finds out what when names: a date first, then a revision of the current
// repository, then one of the store's own. A branch with the name of a date can be
// given as refs/heads/<name>.
func (m *Memory) momentOf(ctx context.Context, when string, notice func(string, ...any)) (namedMoment, error) {
	w := namedMoment{text: when}
	var isDate bool
	if w.at, isDate = pointOf(when, m.o.Now()); isDate {
		return w, nil
	}
	p, err := m.here(ctx)
	if err != nil {
		return w, err
	}
	repo, err := m.repository(p)
	if err != nil {
		return w, err
	}
	if repo != nil {
		if w.rev, w.at, err = namedCommit(repo, when); err != nil {
			return w, err
		}
	}
	if !m.HasStore() {
		return w, w.known(m, p)
	}
	r, err := m.store.Revision(when)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, w.known(m, p)
	case err != nil:
		return w, err
	case w.rev != "" && isHead(when): // every repository has one, and that of here is meant
	case w.rev != "":
		notice("%s names a commit of this repository and one of memory's; that of this repository was taken.", when)
	default:
		w.storeRev, w.at = r.Commit(), r.Time()
	}
	return w, r.Close()
}

// isHead tells whether a revision counts from HEAD.
func isHead(rev string) bool {
	name, _, _ := strings.Cut(strings.ReplaceAll(rev, "^", "~"), "~")
	return name == "HEAD" || name == "@"
}

// namedCommit resolves a revision; one that is not there gives "".
func namedCommit(repo *git.Repository, rev string) (string, time.Time, error) {
	id, err := repo.Resolve(rev)
	switch {
	case errors.Is(err, git.ErrAmbiguous):
		return "", time.Time{}, fmt.Errorf("%w: --as-of %w", ErrUsage, err)
	case errors.Is(err, git.ErrNotFound), errors.Is(err, git.ErrEmpty):
		return "", time.Time{}, nil
	case err != nil:
		return "", time.Time{}, err
	}
	c, err := repo.Commit(id)
	return id, c.Committer.When, err
}

// known is the error for a word that names nothing.
func (w namedMoment) known(m *Memory, p *place) error {
	if w.rev != "" {
		return nil
	}
	var places []string
	if p.inRepo {
		places = append(places, "of "+p.folder)
	}
	if m.HasStore() {
		places = append(places, "of memory's own repository in "+m.root)
	}
	where := "and there is no repository here that could have a revision of that name"
	if len(places) > 0 {
		where = "and no revision " + strings.Join(places, " or ")
	}
	return fmt.Errorf("%w: --as-of %q is no date %s: use 3d, yesterday, last month, 2024-Q4, March 2024, 2024-03-15, "+
		"2024-03-15T12:00:00Z, or a branch, a tag, a commit id or HEAD~3", ErrUsage, w.text, where)
}

// enter makes a fresh copy of a Memory one of the past.
func (m *Memory) enter(ctx context.Context, here *place, w namedMoment) error {
	at := w.at.Truncate(time.Second)
	m.asked, m.past = at, &past{at: at, until: at.Add(time.Second - time.Nanosecond)}
	if err := m.enterMemory(ctx, w); err != nil {
		return err
	}
	if err := m.enterRepository(here, w); err != nil {
		return err
	}
	p, err := m.here(ctx) // its project is that of then
	if err != nil {
		return err
	}
	m.notice("Transcripts are those that are still on disk; their owner may have deleted others since.")
	return m.pastTrees(p)
}

// enterRepository freezes the current repository.
func (m *Memory) enterRepository(p *place, w namedMoment) error {
	repo, err := m.repository(p)
	if err != nil || repo == nil {
		return err
	}
	was := git.Past{Head: w.rev, Tips: []git.Ref{{Name: w.text, Hash: w.rev}}}
	if w.rev == "" {
		if was, err = repo.PastAt(m.past.until); err != nil {
			return err
		}
	}
	if was.Shallow {
		m.notice("This clone is shallow and ends after %s, so what its history was then is not known here.", m.past.at.UTC().Format(time.DateOnly))
	}
	if _, err := repo.Head(); err == nil && was.Head == "" && !was.Shallow {
		m.notice("The history of this repository begins after %s.", m.past.at.UTC().Format(time.DateOnly))
	}
	repo.Freeze(was)
	m.past.begun, m.past.head = was.Head != "", was.Head
	for _, t := range was.Tips {
		m.past.tips = append(m.past.tips, t.Hash)
	}
	return nil
}

// enterMemory opens the store's revision and tells what of memory is not known.
func (m *Memory) enterMemory(ctx context.Context, w namedMoment) error {
	if !m.HasStore() {
		files, err := m.memoryTree().Files()
		if err == nil && len(files) > 0 {
			m.notice("Memory in %s has no repository that would tell what it held then, so it was not searched.", m.root)
			m.past.unknown = append(m.past.unknown, "memory")
		}
		return err
	}
	open := func() (*store.Revision, error) { return m.store.RevisionAt(m.past.until) }
	if w.storeRev != "" {
		open = func() (*store.Revision, error) { return m.store.Revision(w.storeRev) }
	}
	r, err := open()
	if errors.Is(err, store.ErrNotFound) {
		m.notice("Memory's own history begins later, so what it held then is not known.")
		return nil
	}
	if err != nil {
		return err
	}
	m.past.revision = r
	if !r.Newest() {
		return nil
	}
	pending, err := m.store.Pending(ctx)
	if err == nil && len(pending) > 0 {
		m.notice("%s of memory differ from the last commit, and when they changed is not known; they were taken as committed.", plural(len(pending), "file"))
	}
	return err
}

// resolvePast looks a citation up among what there was at the moment that is asked
// about: objects and lines that came later are still there to be read.
func (m *Memory) resolvePast(ctx context.Context, r *cite.Resolver, id cite.ID) (Source, error) {
	switch {
	case m.past == nil:
	case id.Kind == cite.KindCommit && r.Repository != nil:
		sha, err := r.Repository.Reachable(ctx, id.Name)
		if errors.Is(err, git.ErrNotFound) {
			return Source{}, fmt.Errorf("%s: not in the history at %s: %w", id, m.asOfText(), ErrNotFound)
		}
		if err != nil {
			return Source{}, fmt.Errorf("%s: %w", id, err)
		}
		if id.Name = sha; m.hides(id.String()) {
			return Source{}, fmt.Errorf("%s was forgotten: %w", id, ErrNotFound)
		}
	case id.Kind == cite.KindPrompt:
		return m.notNewer(r.Resolve(id.String()))
	case id.Kind == cite.KindTranscript:
		file, err := r.TranscriptFile(id.Name)
		if err == nil {
			err = m.wasSaid(file, id)
		}
		if err != nil {
			return Source{}, fmt.Errorf("%s: %w", id, err)
		}
	}
	return r.Resolve(id.String())
}
