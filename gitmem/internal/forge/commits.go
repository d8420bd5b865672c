package forge

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/providers"
)

const (
	// finderWait is how long a question waits for the thread of one commit.
	finderWait = 500 * time.Millisecond
	// The number of requests for the threads of commits per question: with a token, and anonymously, where few requests
	// are granted.
	tokenFinds, publicFinds = 4, 2
	// maxOrphans is the number of commits without a thread that are remembered.
	maxOrphans = 1000
)

// threadFinder asks a forge for the threads of commits, for one question.
type threadFinder struct {
	src  providers.CommitFinder // nil if the forge cannot be asked
	left int
}

// FindThread asks the forges for the pull or merge request that contains a commit without a known one, and stores it
// like a fetched one. known reports whether it has become known. It is only for questions of people, since hooks have
// no time for it.
func (fg *Forges) FindThread(ctx context.Context, sha string, known func() bool) {
	if fg.Options.Offline || fg.ReadOnly || !fg.canDial() {
		return
	}
	for _, r := range fg.Remotes {
		if r.Kind == providers.Jira {
			continue
		}
		cache := fg.ItemsOf(r)
		st, err := cache.State()
		if err != nil || !findable(st.Fetch, fg.Options.Now()) || slices.Contains(st.Fetch.Orphans, sha) {
			continue
		}
		f := fg.finder(ctx, r)
		if f.left--; f.src == nil || f.left < 0 {
			continue
		}
		if err := fg.findThread(ctx, r, f, cache, sha); err != nil {
			fg.Caller.Caveat("What brought git:commit:%s could not be asked of %s: %v", sha, r.name(), fg.clean(Reason(err)))
			f.src = nil
			continue
		}
		if known() {
			return
		}
	}
}

// findable reports whether a forge answered the last request.
func findable(f items.Fetch, now time.Time) bool {
	return !f.Tried.IsZero() && f.Error == "" && !f.Limited && (f.Cut && f.Cursor != (providers.Cursor{}) ||
		!now.Before(f.Retry))
}

// finder returns the finder of a source for this question.
func (fg *Forges) finder(ctx context.Context, r Remote) *threadFinder {
	if f := fg.finders[r.Key()]; f != nil {
		return f
	}
	f := &threadFinder{left: tokenFinds}
	src, anonymous, err := fg.dial(ctx, r)
	if anonymous {
		f.left = publicFinds
	}
	if found, ok := src.(providers.CommitFinder); ok && err == nil {
		f.src = found
	}
	if fg.finders == nil {
		fg.finders = map[string]*threadFinder{}
	}
	fg.finders[r.Key()] = f
	return f
}

// findThread asks for one commit and stores the result.
func (fg *Forges) findThread(ctx context.Context, r Remote, f *threadFinder, cache *items.Cache,
	sha string) (err error) {
	if run := fg.fetches[r.Key()]; run != nil && !run.over.Load() {
		return nil // the running fetch may find it, and the cache has a single writer
	}
	w, ok, err := cache.Write()
	if err != nil || !ok {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	waited, cancel := deadline.After(ctx, fg.Options.Now, finderWait)
	defer cancel()
	found, err := f.src.ByCommit(waited, sha)
	st := w.State().Fetch
	if limit := (*providers.RateLimitError)(nil); errors.As(err, &limit) {
		finish(&st, err, fg.Options.Now(), false)
		return errors.Join(err, w.Save(st))
	}
	// these errors mean that it does not know the commit
	if err != nil && !errors.Is(err, providers.ErrNotFound) && !errors.Is(err, providers.ErrMalformed) {
		return err
	}
	taking := &sink{fg: fg, r: r, w: w, latest: fg.Options.Now().Add(24 * time.Hour), refused: map[string]int{}}
	for _, it := range found {
		if it, err = fg.joined(r, it, sha); err == nil {
			err = taking.take(it)
		}
		if err != nil {
			return err
		}
	}
	if len(found) == 0 {
		st.Orphans = append(st.Orphans, sha)
		st.Orphans = st.Orphans[max(0, len(st.Orphans)-maxOrphans):]
	}
	return w.Save(st)
}

// joined returns a thread with a link to one of its commits. It prefers an already fetched thread, which contains more
// than the answer about the commit.
func (fg *Forges) joined(r Remote, it providers.Item, sha string) (providers.Item, error) {
	log, err := fg.ItemsOf(r).Read()
	if err != nil {
		return it, err
	}
	defer log.Close()
	g, err := items.NewGraph(log)
	if err == nil && g.Has(it.ID) {
		it, err = g.Item(it.ID)
	}
	link := providers.Link{Rel: providers.Contains, ID: providers.CommitID + sha}
	if !slices.Contains(it.Links, link) {
		it.Links = append(slices.Clone(it.Links), link)
	}
	return it, err
}
