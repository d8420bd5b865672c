package providertest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// FaultFixture is an HTTP server whose connection the suite can break.
type FaultFixture struct {
	// Handler answers like the real server, with three items or more on more than one page.
	Handler http.Handler
	// Open returns a source that reads from the server at base, an address of this machine without a path, with
	// Token.
	Open func(t *testing.T, base string) providers.Source
	// SetBaseURL sets the address at which the server is reached, for the addresses in its answers. It may be
	// nil.
	SetBaseURL func(base string)
	// Token is long enough not to appear by chance.
	Token string
	// Grow adds one or more items to the server.
	Grow func(t *testing.T) []string
}

// fault is one way in which a connection fails.
type fault struct {
	name string
	// answer answers instead of the server.
	answer func(*wire, http.ResponseWriter, *http.Request)
	// want are the allowed errors of the fetch.
	want []error
	// stays is set if the fault persists until the end of the fetch.
	stays bool
	// free is set if the fetch may also succeed: the fault costs at most items that are counted as skipped.
	free bool
}

// limitEnd is when the rate limit of the faults ends.
func limitEnd() time.Time { return time.Date(2126, 1, 2, 3, 4, 5, 0, time.UTC) }

// faults returns all faults.
func faults() []fault {
	status := func(code int, header ...string) func(*wire, http.ResponseWriter, *http.Request) {
		return func(w *wire, rw http.ResponseWriter, r *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				rw.Header().Set(header[i], header[i+1])
			}
			rw.Header().Set("Content-Type", "application/json")
			rw.WriteHeader(code)
			// Some servers repeat what they were sent.
			fmt.Fprintf(rw, `{"message":"no: %s","errorMessages":["no: %s"]}`, w.token, w.token)
		}
	}
	body := func(kind, text string) func(*wire, http.ResponseWriter, *http.Request) {
		return func(_ *wire, rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", kind)
			fmt.Fprint(rw, text)
		}
	}
	end := fmt.Sprint(limitEnd().Unix())
	return []fault{
		{name: "401", answer: status(401), want: []error{providers.ErrUnauthorized}},
		{name: "403 rate limit", answer: status(403, "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", end),
			want: []error{providers.ErrRateLimited}},
		{name: "404", answer: status(404), want: []error{providers.ErrNotFound}, free: true},
		{name: "429", answer: status(429, "Retry-After", limitEnd().Format(http.TimeFormat)),
			want: []error{providers.ErrRateLimited}},
		{name: "500", answer: status(500), want: []error{providers.ErrUnavailable}},
		{name: "cut connection", answer: (*wire).cut, want: []error{providers.ErrUnavailable, providers.ErrMalformed},
			free: true},
		{name: "slow body", answer: (*wire).stall, want: []error{context.DeadlineExceeded}},
		{name: "malformed JSON", answer: body("application/json", `[{"id": 1, "number": ]`),
			want: []error{providers.ErrMalformed}, free: true},
		{name: "JSON of another kind", answer: body("application/json", `"hello"`),
			want: []error{providers.ErrMalformed}, free: true},
		{name: "null", answer: body("application/json", "null"), want: []error{providers.ErrMalformed}, free: true},
		{name: "deep JSON", answer: body("application/json", strings.Repeat("[", 100_000)),
			want: []error{providers.ErrMalformed}, free: true},
		{name: "empty body", answer: body("application/json", ""), want: []error{providers.ErrMalformed}, free: true},
		{name: "wrong content type", answer: body("text/html", "[]"), want: []error{providers.ErrMalformed}, free: true},
		{name: "huge body", answer: (*wire).flood, want: []error{providers.ErrMalformed, providers.ErrUnavailable},
			free: true},
		{name: "redirect to another host", answer: (*wire).redirectAway, want: []error{providers.ErrRefused}},
		{name: "redirect without end", answer: (*wire).redirectForever, want: []error{providers.ErrMalformed}, free: true},
		{name: "page that repeats", answer: (*wire).replay, want: []error{providers.ErrMalformed}, stays: true, free: true},
	}
}

// RunFaults breaks the connection between a source and its server with every fault at every request of a
// fetch, and checks that the source returns a clear error of the right kind in time, sends its token nowhere
// else, and returns a cursor from which everything is still found.
func RunFaults(t *testing.T, newWorld func(t *testing.T) FaultFixture) {
	t.Helper()
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if f.name == "huge body" && testing.Short() {
				t.Skip("reads 32 MiB, which takes the race detector too long")
			}
			breakEveryRequest(t, f, newWorld(t))
		})
	}
}

// breakEveryRequest applies a fault to each request of a first fetch in turn.
func breakEveryRequest(t *testing.T, f fault, world FaultFixture) {
	w := newWire(t, world)
	source := world.Open(t, w.base)
	all, _ := fetch(t, source, providers.Cursor{})
	usual := skipsOf(source)
	requests := w.served()
	if requests < 3 || len(all) < 3 {
		t.Fatalf("the place has %d items in %d requests, the suite needs 3 of each", len(all), requests)
	}
	for at := 1; at <= requests; at++ {
		if f.name == "huge body" && at > 1 {
			break // slow, so only once
		}
		w.arm(f, at)
		source := world.Open(t, w.base)
		items, from := fetchBroken(t, w, f, source, at)
		w.arm(fault{}, 0)
		counted := false
		for reason, n := range skipsOf(source) {
			counted = counted || f.free && n > usual[reason]
		}
		rest, _ := fetch(t, world.Open(t, w.base), from)
		checkWhole(t, fmt.Sprintf("%s at request %d", f.name, at), all, append(items, rest...), counted)
	}
	w.arm(fault{}, 0)
	breakAfterGrowth(t, w, f, world)
}

// breakAfterGrowth applies a fault to the first request after growth: what was read before must stay read.
func breakAfterGrowth(t *testing.T, w *wire, f fault, world FaultFixture) {
	source := world.Open(t, w.base)
	_, from := fetch(t, source, providers.Cursor{})
	grown := world.Grow(t)
	w.arm(f, 1)
	ctx, cancel := contextFor(t, f)
	defer cancel()
	got, next, err := collect(ctx, source, from)
	w.arm(fault{}, 0)
	rest, _ := fetch(t, world.Open(t, w.base), providers.Progress(next, err))
	ids := idsOf(append(got, rest...))
	for _, id := range grown {
		if !slices.Contains(ids, id) && (err != nil || !f.free) {
			t.Errorf("%s after growth (%v): %s is never found", f.name, err, id)
		}
	}
}

// contextFor returns a context that ends soon if the fault only ends with the context.
func contextFor(t *testing.T, f fault) (context.Context, context.CancelFunc) {
	if f.name == "slow body" {
		return context.WithTimeout(t.Context(), 50*time.Millisecond)
	}
	return context.WithCancel(t.Context())
}

// fetchBroken fetches over a broken connection, checks the error, and returns the items and the cursor to
// continue from.
func fetchBroken(t *testing.T, w *wire, f fault, source providers.Source, at int) ([]providers.Item, providers.Cursor) {
	t.Helper()
	ctx, cancel := contextFor(t, f)
	defer cancel()
	items, next, err := collect(ctx, source, providers.Cursor{})
	name := fmt.Sprintf("%s at request %d", f.name, at)
	if err == nil {
		if !f.free {
			t.Errorf("%s: the fetch says nothing of it", name)
		}
		return items, next
	}
	checkError(t, name, f, w, err)
	if next != (providers.Cursor{}) {
		t.Errorf("%s: the cursor beside %v is %q, want the old one", name, err, next.Value)
	}
	var p *providers.Partial
	if errors.As(err, &p) && p.Cursor == (providers.Cursor{}) {
		t.Errorf("%s: a partial fetch without a cursor: %v", name, err)
	}
	for _, it := range items {
		if it.ID == "" || it.Title == "" || it.Time.IsZero() {
			t.Errorf("%s: broken item %+v", name, it)
		}
	}
	return items, providers.Progress(next, err)
}

// checkError checks the kind of the error, and that its text does not contain the token.
func checkError(t *testing.T, name string, f fault, w *wire, err error) {
	t.Helper()
	if !slices.ContainsFunc(f.want, func(want error) bool { return errors.Is(err, want) }) {
		t.Errorf("%s: the error is %v, want %v", name, err, f.want)
	}
	if strings.Contains(err.Error(), w.token) {
		t.Errorf("%s: the error gives the token away: %v", name, err)
	}
	if strings.Contains(err.Error(), "\n") && !errors.Is(err, providers.ErrMalformed) && len(err.Error()) > 2000 {
		t.Errorf("%s: the error is long: %v", name, err)
	}
	var limit *providers.RateLimitError
	if errors.Is(err, providers.ErrRateLimited) && (!errors.As(err, &limit) || !limit.Until.Equal(limitEnd())) {
		t.Errorf("%s: %v does not say until when (%v)", name, err, limitEnd())
	}
	if w.followed.Load() {
		t.Errorf("%s: the source followed to another host", name)
	}
}

// skipsOf returns what a source has left out, by reason.
func skipsOf(source providers.Source) map[string]int {
	counts := map[string]int{}
	if s, ok := source.(providers.Skipper); ok {
		for _, skip := range s.Skipped() {
			counts[skip.Reason] = skip.Items
		}
	}
	return counts
}

// checkWhole compares the items of two fetches with those of one uninterrupted fetch. If forgiving, up to
// half of them may be missing, because the fault cost items that were counted.
func checkWhole(t *testing.T, name string, all, got []providers.Item, forgiving bool) {
	t.Helper()
	want, ids := idsOf(all), slices.Compact(idsOf(got))
	missing := slice.Count(want, func(id string) bool { return !slices.Contains(ids, id) })
	if missing > 0 && (!forgiving || missing > len(want)/2) {
		t.Errorf("%s, then fetched on: %v, want %v", name, ids, want)
	}
	for _, id := range ids {
		if !slices.Contains(want, id) {
			t.Errorf("%s: %s came out of nowhere", name, id)
		}
	}
}

// newWire puts a proxy in front of a server, and starts another host next to it.
func newWire(t *testing.T, world FaultFixture) *wire {
	w := &wire{place: world.Handler, token: world.Token, pages: map[string]*httptest.ResponseRecorder{}}
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.followed.Store(true)
		rw.Header().Set("Content-Type", "application/json")
		fmt.Fprint(rw, "[]")
	}))
	t.Cleanup(other.Close)
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.base, w.other = server.URL, other.URL
	if world.SetBaseURL != nil {
		world.SetBaseURL(server.URL)
	}
	return w
}
