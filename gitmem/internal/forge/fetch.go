package forge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/providers"
)

const (
	// fresh is the maximum age of fetched items before the next fetch.
	fresh = time.Hour
	// How long a question waits for a source that was fetched before, and for a new one. The indexer fetches the rest.
	fetchWait, firstFetchWait = 1500 * time.Millisecond, 3 * time.Second
	// indexerFetch is how long the indexer fetches from one source, and silentFetch how long it waits for the next item
	// unless the configuration sets it.
	indexerFetch, silentFetch = 10 * time.Minute, 20 * time.Second
	// The pauses after a source failed, was cut off, or is not visible.
	failedPause, cutPause, absentPause = 5 * time.Minute, 2 * time.Minute, time.Hour
	// fetchGrace is the time for a source to react to its cancellation.
	fetchGrace = 250 * time.Millisecond
	// longestPause is the maximum pause that a server may request.
	longestPause = 24 * time.Hour
	// longestReason is the maximum length of a displayed error in characters.
	longestReason = 300
)

// fetching is a fetch in the background of a question.
type fetching struct {
	done     chan struct{} // closed when it has ended
	late     chan struct{} // closed when its time is over
	stop     context.CancelFunc
	all      bool     // continue after the granted requests are used up
	messages []string // warnings, reported after its end
	// awaited is set while a caller waits for it, so that progress is reported.
	awaited atomic.Bool
	// patience is the timer that cancels a silent source, or nil.
	patience *time.Timer
	wait     time.Duration // duration of patience
	silent   atomic.Bool   // it was cancelled because the source was silent
	over     atomic.Bool   // it has ended
}

// giveUp cancels the fetch if the source sends nothing for the given time.
func (f *fetching) giveUp(ctx context.Context, after time.Duration) {
	timer := time.AfterFunc(after, func() {
		f.silent.Store(true)
		f.stop()
	})
	f.patience, f.wait = timer, after
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// received resets the timer for a silent source.
func (f *fetching) received() {
	if f.patience != nil {
		f.patience.Reset(f.wait)
	}
}

// Start begins to fetch from the remote sources that are due. A failing fetch loses only its own results, and delays a
// question only briefly. Close ends it.
func (fg *Forges) Start(ctx context.Context) {
	for _, r := range fg.Remotes {
		cache := fg.ItemsOf(r)
		st, err := cache.State()
		if err != nil {
			fg.Caller.Caveat("%s", fg.fetchCaveat(r, items.State{}, err.Error()))
			continue
		}
		if !fg.due(r, st.Fetch) || fg.Options.Offline || fg.ReadOnly || !fg.canDial() {
			continue
		}
		limited, stop := context.WithTimeout(ctx, fg.fetchWait(st.Fetch))
		f := &fetching{done: make(chan struct{}), late: make(chan struct{}), stop: stop, all: fg.Indexing}
		context.AfterFunc(limited, func() { time.AfterFunc(fetchGrace, func() { close(f.late) }) })
		if fg.Indexing {
			f.giveUp(limited, cmp.Or(fg.configuredWait(), silentFetch))
		}
		if fg.fetches == nil {
			fg.fetches = map[string]*fetching{}
		}
		fg.fetches[r.Key()] = f
		go func() {
			defer close(f.done)
			defer f.over.Store(true)
			defer stop()
			defer func() { // malformed content must not abort a question
				if p := recover(); p != nil {
					f.report("%s of %s could not be fetched: %v", r.what(), r.name(), fg.clean(fmt.Sprint(p)))
				}
			}()
			if err := index.Guard(func() error { return fg.fetch(limited, f, r, cache) }); err != nil && ctx.Err() == nil {
				f.report("What was fetched of %s could not be kept: %v", r.name(), fg.clean(plain.Text(err)))
			}
		}()
	}
}

// Fetches reports whether this call fetches from a source.
func (fg *Forges) Fetches(r Remote) bool { return fg.fetches[r.Key()] != nil }

// Close ends the running fetches and releases resources.
func (fg *Forges) Close() {
	if fg == nil {
		return
	}
	for _, f := range fg.fetches {
		f.stop()
		<-f.done
	}
	fg.fetched.close()
}

// fetchWait returns how long to wait for a source.
func (fg *Forges) fetchWait(f items.Fetch) time.Duration {
	switch {
	case fg.Indexing:
		return indexerFetch
	case f.Done.IsZero():
		return cmp.Or(fg.configuredWait(), firstFetchWait)
	}
	return cmp.Or(fg.configuredWait(), fetchWait)
}

// configuredWait returns the wait that the caller or the configuration sets, or 0.
func (fg *Forges) configuredWait() time.Duration {
	return cmp.Or(fg.Options.FetchWait, fg.Conf.FetchWait)
}

// canDial reports whether there is a transport to servers.
func (fg *Forges) canDial() bool { return fg.Options.Transport != nil }

// due reports whether a source should be asked now. The indexer retries if only time was short, but never earlier than
// a server permits.
func (fg *Forges) due(r Remote, f items.Fetch) bool {
	now := fg.Options.Now()
	switch {
	case !now.Before(f.Retry) || f.Retry.After(now.Add(longestPause)): // or a clock was wrong
	case f.Anonymous && (fg.Indexing || fg.envLogin(r).token != ""): // there may be a token now
		return true
	case f.Limited || !fg.Indexing:
		return false
	}
	return fg.Indexing && f.Cut || f.Done.IsZero() || f.Error != "" || f.Cut || now.Sub(f.Done) > fresh ||
		now.Before(f.Done)
}

// Await waits for the fetch of a source, as long as a question may.
func (fg *Forges) Await(r Remote) {
	f := fg.fetches[r.Key()]
	if f == nil {
		return
	}
	if !f.over.Load() {
		f.awaited.Store(true)
		fg.Caller.AwaitsServer(r.Kind, fg.clean(r.name()), 0)
	}
	select {
	case <-f.done:
	case <-f.late:
	}
	if !f.over.Load() {
		return
	}
	for _, text := range f.messages {
		fg.Caller.Caveat("%s", text)
	}
}

func (f *fetching) report(format string, args ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, args...))
}

// fetch updates the cache of a source as far as possible.
func (fg *Forges) fetch(ctx context.Context, f *fetching, r Remote, cache *items.Cache) (err error) {
	w, ok, err := cache.Write()
	if err != nil || !ok { // another process fetches
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	now := fg.Options.Now()
	st := w.State().Fetch
	src, anonymous, err := fg.dial(ctx, r)
	if anonymous && st.Anonymous && st.Limited && now.Before(st.Retry) && !st.Retry.After(now.Add(longestPause)) {
		return nil // still without a token, and the rate limit still holds
	}
	st.Tried, st.Anonymous = now, anonymous
	// Saved before the first request: otherwise every question would start again with a fetch that was killed or that
	// hangs until its process ends.
	st.Error, st.Limited, st.Absent, st.Cut, st.Retry = "", false, false, true, now.Add(cutPause)
	if err := w.Save(st); err != nil {
		return err
	}
	had := w.Items()
	if err == nil {
		f.all = f.all && !st.Anonymous
		if st.Cursor == (providers.Cursor{}) {
			st.Skipped = nil
		}
		st.Cursor, err = fg.fetchOn(ctx, f, r, src, w)
		st.Skipped = withSkips(st.Skipped, src)
	}
	if f.silent.Load() && errors.Is(err, context.Canceled) {
		err = context.DeadlineExceeded
	}
	silent := w.Items() == had && st.Cursor == w.State().Fetch.Cursor
	finish(&st, err, now, silent)
	st.Error = fg.clean(st.Error)
	return w.Save(st)
}

// fetchOn fetches from the cursor of the cache.
func (fg *Forges) fetchOn(ctx context.Context, f *fetching, r Remote, src providers.Source,
	w *items.Writer) (providers.Cursor, error) {
	from := w.State().Fetch.Cursor
	taking := &sink{fg: fg, r: r, w: w, latest: fg.Options.Now().Add(24 * time.Hour), refused: map[string]int{}}
	defer taking.report(f, src)
	for anew := false; ; {
		next, err := src.Fetch(ctx, from, func(it providers.Item) error {
			f.received()
			if taking.taken++; f.awaited.Load() && taking.taken%50 == 0 {
				fg.Caller.AwaitsServer(r.Kind, fg.clean(r.name()), taking.taken)
			}
			return taking.take(it)
		})
		next = providers.Progress(next, err)
		switch {
		case err == nil:
			return next, nil
		case (errors.Is(err, providers.ErrBadCursor) || errors.Is(err, providers.ErrDiverged)) && !anew:
			if errors.Is(err, providers.ErrDiverged) {
				if err := w.Reset(); err != nil {
					return from, err
				}
			}
			from, anew = providers.Cursor{}, true
			continue
		case errors.Is(err, providers.ErrBudget) && f.all && next != from && ctx.Err() == nil:
			st := w.State().Fetch
			st.Cursor, from = next, next
			if err := w.Save(st); err != nil {
				return from, err
			}
			continue
		}
		return next, err
	}
}

// withSkips adds the skips of a source to those that were known before.
func withSkips(known []providers.Skip, src providers.Source) []providers.Skip {
	skipper, ok := src.(providers.Skipper)
	if !ok {
		return known
	}
	out := slices.Clone(known)
	for _, s := range skipper.Skipped() {
		i := slices.IndexFunc(out, func(have providers.Skip) bool { return have.Reason == s.Reason })
		if i < 0 {
			out = append(out, s)
		} else {
			out[i].Items += s.Items
		}
	}
	return out
}

// finish records the result of a fetch. silent means that the source sent nothing in time.
func finish(st *items.Fetch, err error, now time.Time, silent bool) {
	st.Error, st.Retry, st.Limited, st.Absent, st.Cut = "", time.Time{}, false, false, false
	st.Unreached = errors.Is(err, providers.ErrUnreachable)
	var limit *providers.RateLimitError
	switch {
	case err == nil:
		st.Done = now
		return
	case silent && errors.Is(err, context.DeadlineExceeded):
		st.Error, st.Cut, st.Retry = "there was no answer in time", true, now.Add(failedPause)
		return
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, providers.ErrBudget):
		st.Cut, st.Retry = true, now.Add(cutPause)
		return
	case errors.As(err, &limit):
		st.Limited, st.Retry = true, limit.Until
		if st.Retry.IsZero() {
			st.Retry = now.Add(failedPause)
		}
		if latest := now.Add(longestPause); st.Retry.After(latest) {
			st.Retry = latest
		}
	case errors.Is(err, providers.ErrNotFound), errors.Is(err, providers.ErrUnauthorized):
		st.Absent, st.Retry = true, now.Add(absentPause)
	default:
		st.Retry = now.Add(failedPause)
	}
	st.Error = Reason(err)
}

// Reason returns the reason of a failed fetch in plain words.
func Reason(err error) string {
	switch {
	case errors.Is(err, providers.ErrRateLimited):
		return "rate limit"
	case errors.Is(err, providers.ErrNotFound):
		return "there is none, or none to be seen with these credentials"
	case errors.Is(err, providers.ErrUnauthorized):
		return "the credentials are missing, refused or not enough"
	case errors.Is(err, providers.ErrUnavailable):
		before, why, ok := strings.Cut(err.Error(), providers.ErrUnavailable.Error()+": ")
		if i := strings.LastIndex(before, "status "); ok && i >= 0 {
			why = before[i:] + why
		}
		if ok {
			return "the server can't be reached or is broken: " + messages.OneLine(why, longestReason)
		}
	}
	return messages.OneLine(err.Error(), longestReason)
}

// ReportFetches adds caveats about remote sources whose cached items may be outdated.
func (fg *Forges) ReportFetches() {
	for _, r := range fg.Remotes {
		st, err := fg.ItemsOf(r).State()
		if err != nil || !fg.canDial() && st.Log == "" {
			continue // already reported, or no server can be asked
		}
		f := st.Fetch
		old := f.Done.IsZero() || fg.Options.Now().Sub(f.Done) > fresh
		switch {
		case !old && f.Error == "":
		case fg.Options.Offline:
			fg.Caller.Caveat("%s", fg.unaskedCaveat(r, st, "offline"))
		case f.Unreached && f.Error != "": // gitmem status shows the system's error
			fg.Caller.Caveat("%s", fg.unaskedCaveat(r, st, "not reachable (see --offline)"))
		case f.Error != "":
			why := f.Error
			if f.Limited {
				why += " until " + clockText(f.Retry, fg.Options.Now())
			}
			why += credentialsHint(f, r)
			fg.Caller.Caveat("%s", fg.fetchCaveat(r, st, why))
		case f.Done.IsZero() && st.Items > 0:
			fg.Caller.Caveat("Of the %s of %s only %s were fetched so far; gitmem index fetches the rest%s.", r.what(), r.name(),
				messages.Plural(st.Items, "item"), tokenHint(f, r))
		case f.Cut || f.Done.IsZero():
			fg.Caller.Caveat("%s", fg.fetchCaveat(r, st, "it takes longer than a question waits, and gitmem index does it"+
				tokenHint(f, r)))
		}
	}
}

// tokenHint explains how a token would help.
func tokenHint(f items.Fetch, r Remote) string {
	if !f.Anonymous {
		return ""
	}
	return ", a little each hour as long as there is no token (" + r.signIn() + ")"
}

// credentialsHint suggests a fix for missing or insufficient credentials.
func credentialsHint(f items.Fetch, r Remote) string {
	switch {
	case f.Anonymous && (f.Absent || f.Limited):
		return " (nobody is signed in: " + r.signIn() + ")"
	case f.Absent:
		return " (with another token, gitmem index tries again)"
	}
	return ""
}

// fetchCaveat explains why a source could not be fetched, and which data answers use instead.
func (fg *Forges) fetchCaveat(r Remote, st items.State, why string) string {
	rest := "answers rest on other sources"
	switch {
	case !st.Fetch.Done.IsZero():
		rest = "answers rest on what was fetched on " + clockText(st.Fetch.Done, fg.Options.Now())
	case st.Items > 0:
		rest = "answers rest on the " + messages.Plural(st.Items, "item") + " that were"
	}
	what := r.what()
	return fmt.Sprintf("%s of %s could not be fetched: %s; %s.", strings.ToUpper(what[:1])+what[1:], r.name(), why, rest)
}

// unaskedCaveat explains in less than 100 characters why a source was not asked and how old its cached items are. It is
// short because every question shows it while the network is missing.
func (fg *Forges) unaskedCaveat(r Remote, st items.State, why string) string {
	rest := "not searched"
	switch {
	case !st.Fetch.Done.IsZero():
		rest = "as of " + clockText(st.Fetch.Done, fg.Options.Now())
	case st.Items > 0:
		rest = "only " + messages.Plural(st.Items, "item")
	}
	text := fmt.Sprintf(": %s; %s %s.", why, r.what(), rest)
	name := []rune(r.name())
	if room := 99 - len(text); len(name) > room {
		name = append([]rune("…"), name[len(name)-room+1:]...)
	}
	return string(name) + text
}

// clockText formats a time relative to now: today's as the time only, others with the date.
func clockText(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
