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
	// fresh is how old what was fetched may be before it is fetched on.
	fresh = time.Hour
	// A question waits so long for a source that was fetched before, and for one that
	// was never. The rest comes with the indexer.
	fetchWait, firstFetchWait = 1500 * time.Millisecond, 3 * time.Second
	// indexerFetch is how long the indexer stays at one source, and silentFetch how long it
	// waits for the next item of it where the configuration does not say.
	indexerFetch, silentFetch = 10 * time.Minute, 20 * time.Second
	// A source that failed, that was cut or that is not visible is not asked for so long.
	failedPause, cutPause, absentPause = 5 * time.Minute, 2 * time.Minute, time.Hour
	// fetchGrace is how long a source may take to notice that it is not waited for.
	fetchGrace = 250 * time.Millisecond
	// longestPause is what a server may ask for at most.
	longestPause = 24 * time.Hour
	// longestReason is how many characters of an error are shown.
	longestReason = 300
)

// fetching is a fetch beside a question.
type fetching struct {
	done     chan struct{} // closed when it has ended
	late     chan struct{} // closed when there is no more time for it
	stop     context.CancelFunc
	all      bool     // it goes on where the granted requests are used up
	messages []string // warnings, for when it has ended
	// awaited says that nothing goes on without it, so that progress is reported.
	awaited atomic.Bool
	// patience is the time after which a silent source is given up, nil for none.
	patience *time.Timer
	wait     time.Duration // of patience
	silent   atomic.Bool   // it was given up
	over     atomic.Bool   // it has ended
}

// giveUp ends the fetch when the source sends nothing for so long.
func (f *fetching) giveUp(ctx context.Context, after time.Duration) {
	timer := time.AfterFunc(after, func() {
		f.silent.Store(true)
		f.stop()
	})
	f.patience, f.wait = timer, after
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// received notes that the source is not silent.
func (f *fetching) received() {
	if f.patience != nil {
		f.patience.Reset(f.wait)
	}
}

// Start begins to fetch what is due of the remote sources. A fetch costs at most its own
// results, and a question at most a moment. Close ends it.
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
			defer func() { // malformed content must not end a question
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

// Fetches reports whether this call fetches a source.
func (fg *Forges) Fetches(r Remote) bool { return fg.fetches[r.Key()] != nil }

// Close ends the fetches that are under way, and releases what was opened.
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

// fetchWait is how long a source may take before it is not waited for.
func (fg *Forges) fetchWait(f items.Fetch) time.Duration {
	switch {
	case fg.Indexing:
		return indexerFetch
	case f.Done.IsZero():
		return cmp.Or(fg.configuredWait(), firstFetchWait)
	}
	return cmp.Or(fg.configuredWait(), fetchWait)
}

// configuredWait is how long the caller or the configuration lets a source take, 0 for
// not set.
func (fg *Forges) configuredWait() time.Duration {
	return cmp.Or(fg.Options.FetchWait, fg.Conf.FetchWait)
}

// canDial reports whether this Memory was given a way to servers.
func (fg *Forges) canDial() bool { return fg.Options.Transport != nil }

// due reports whether a source should be asked now. The indexer tries
// again where only time was short, but never before a server wants it.
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

// fetch brings the cache of a source up to date, as far as it comes.
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
	// Noted before the first request: a fetch that is killed, or that holds its process
	// until that ends, must not be what every question begins with.
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

// withSkips adds what a source left out to what was left out before it was asked.
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

// finish notes how a fetch went. silent says that it brought nothing.
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

// Reason says in plain words why a fetch failed.
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

// ReportFetches says what answers from the remote sources rest on, where that
// is not all that there is now.
func (fg *Forges) ReportFetches() {
	for _, r := range fg.Remotes {
		st, err := fg.ItemsOf(r).State()
		if err != nil || !fg.canDial() && st.Log == "" {
			continue // reported already, or no server can ever be asked
		}
		f := st.Fetch
		old := f.Done.IsZero() || fg.Options.Now().Sub(f.Done) > fresh
		switch {
		case !old && f.Error == "":
		case fg.Options.Offline:
			fg.Caller.Caveat("%s", fg.unaskedCaveat(r, st, "offline"))
		case f.Unreached && f.Error != "": // gitmem status has what the system says
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

// tokenHint says what a token would help.
func tokenHint(f items.Fetch, r Remote) string {
	if !f.Anonymous {
		return ""
	}
	return ", a little each hour as long as there is no token (" + r.signIn() + ")"
}

// credentialsHint says what helps where credentials are the trouble.
func credentialsHint(f items.Fetch, r Remote) string {
	switch {
	case f.Anonymous && (f.Absent || f.Limited):
		return " (nobody is signed in: " + r.signIn() + ")"
	case f.Absent:
		return " (with another token, gitmem index tries again)"
	}
	return ""
}

// fetchCaveat says why a source could not be fetched, and what answers rest on.
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

// unaskedCaveat says in less than 100 characters why a source was not asked and what is
// known of it all the same: every question has it for as long as a network is missing.
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

// clockText is a moment for a person who reads it now: the time of today, or the date.
func clockText(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
