package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// crowd is concurrent processes, some that search and some that index.
type crowd struct {
	*lab
	done chan struct{}

	mu      sync.Mutex
	rounds  int             // messages added during the test, zebra1 to zebra<rounds>
	indexed []int           // those that an index command has indexed
	took    []time.Duration // duration of each search
	stale   int             // searches of the previous state
}

// TestReadersAndIndexers runs processes that search and others that index while sessions grow. Every answer
// must contain what was indexed before the question, and at the end the index must be equal to a new one. For
// one minute, with figures:
//
//	go test ./cmd/gitmem -run TestReadersAndIndexers -readers 10 -indexers 2 -seconds 60 -v
func TestReadersAndIndexers(t *testing.T) {
	t.Parallel()
	nightly(t)
	c := &crowd{lab: newLab(t), done: make(chan struct{})}
	for n := range 20 {
		c.say(fmt.Sprintf("s%02d", n), many(100)...)
	}
	c.must("index")
	var all sync.WaitGroup
	for i := range numberFlag(t, "indexers") {
		all.Go(func() { c.loop(func() { c.growAndIndex(i) }) })
	}
	for range numberFlag(t, "readers") {
		all.Go(func() { c.loop(c.searchOnce) })
	}
	time.AfterFunc(time.Duration(numberFlag(t, "seconds"))*time.Second, func() { close(c.done) })
	all.Wait()
	if len(c.took) == 0 || len(c.indexed) == 0 {
		t.Fatalf("%d searches, %d rounds indexed: nothing was tried", len(c.took), len(c.indexed))
	}
	slices.Sort(c.took)
	at := func(share float64) time.Duration { return c.took[int(share*float64(len(c.took)-1))] }
	t.Logf("%d searches, %d of them of the previous state, beside %d rounds of indexing: p50 %v, p95 %v, longest %v",
		len(c.took), c.stale, len(c.indexed), at(0.5), at(0.95), at(1))
	c.sameAsAnew()
}

// loop repeats do until the test ends.
func (c *crowd) loop(do func()) {
	for {
		select {
		case <-c.done:
			return
		default:
			do()
		}
	}
}

// growAndIndex adds messages to two sessions and refreshes the index. If another process is doing so, a later
// round indexes them.
func (c *crowd) growAndIndex(by int) {
	c.mu.Lock()
	c.rounds++
	n := c.rounds
	c.mu.Unlock()
	c.say(fmt.Sprintf("s%02d", n%20), "and the pump is tested again")
	c.say(fmt.Sprintf("grows%d", by), fmt.Sprintf("zebra%d walks", n))
	out, err := c.command("index", "--json").CombinedOutput()
	switch {
	case err == nil:
		c.mu.Lock()
		c.indexed = append(c.indexed, n)
		c.mu.Unlock()
	case !strings.Contains(string(out), "another process"):
		c.t.Errorf("index: %v\n%s", err, out)
	}
}

// searchOnce searches for something that was indexed before, and expects to find it.
func (c *crowd) searchOnce() {
	words := "valve pump leaks"
	c.mu.Lock()
	if len(c.indexed) > 0 {
		words = fmt.Sprintf("zebra%d", c.indexed[rand.IntN(len(c.indexed))])
	}
	c.mu.Unlock()
	began := time.Now()
	out, err := c.command("search", "--json", words).Output()
	took := time.Since(began)
	var res gitmem.Results
	if err == nil {
		err = json.Unmarshal(out, &res)
	}
	if err != nil {
		c.t.Errorf("search %s: %v\n%s%s", words, err, out, stderrOf(err))
		return
	}
	first, _, _ := strings.Cut(words, " ")
	if len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Excerpt, first) {
		c.t.Errorf("%s is not found: %+v", words, res)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took = append(c.took, took)
	if strings.Contains(strings.Join(res.Caveats, " "), "previous state") {
		c.stale++
	}
}

// sameAsAnew checks that no message is lost, and that the index is equal to a new one.
func (c *crowd) sameAsAnew() {
	c.t.Helper()
	for _, n := range []int{1, c.rounds/2 + 1, c.rounds} {
		if out := c.must("search", fmt.Sprintf("zebra%d", n)); !strings.Contains(out, fmt.Sprintf("zebra%d walks", n)) {
			c.t.Errorf("zebra%d is lost:\n%s", n, out)
		}
	}
	if s := c.shard("transcripts"); s.State != "current" || s.Docs != 2000+2*c.rounds {
		c.t.Errorf("at the end %+v, want %d documents", s, 2000+2*c.rounds)
	}
	if out := c.must("doctor"); strings.Contains(out, "!!") {
		c.t.Errorf("the index is not what a new one is:\n%s", out)
	}
}

// TestReadersDoNotWait holds the lock that a writer of sessions or of a history holds while it writes: a
// question must be answered from the previous state.
func TestReadersDoNotWait(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.say("s", "the anchor of it all")
	l.must("index")
	release := holdLock(t, filepath.Join(l.indexDir(), "shards", "transcripts", "lock"))
	defer release()
	l.say("s", "the anchor is lifted")
	began := time.Now()
	out := l.must("search", "--json", "anchor")
	took := time.Since(began)
	if isNightly() && took > 4*time.Second { // less than the five seconds that a note waits for
		t.Errorf("it took %v: it waited for the writer", took)
	}
	if !strings.Contains(out, "the anchor of it all") || strings.Contains(out, "lifted") ||
		!strings.Contains(out, "previous state") {
		t.Errorf("beside a writer:\n%s", out)
	}
	release()
	if out := l.must("search", "--json", "anchor"); !strings.Contains(out, "lifted") {
		t.Errorf("after the writer:\n%s", out)
	}
}
