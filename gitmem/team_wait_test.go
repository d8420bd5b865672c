package gitmem_test

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// TestFetchWait: a question waits for a forge for as long as its caller says, or else the
// configuration, or else less where the forge was asked before.
func TestFetchWait(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, config  string
		said          time.Duration
		first, second time.Duration
	}{
		{"by itself", "", 0, 3 * time.Second, 1500 * time.Millisecond},
		{"configured", "fetch_wait: 4m\n", 0, 4 * time.Minute, 4 * time.Minute},
		{"said", "fetch_wait: 4m\n", 2 * time.Minute, 2 * time.Minute, 2 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, r, f := forged(t, pumpForge()...)
			l.configure(tt.config)
			for i, want := range []time.Duration{tt.first, tt.second} {
				f.asked(l, r.dir, pumpQuestion, func(o *gitmem.Options) { o.FetchWait = tt.said })
				// What is left when a fetch begins is less, and on a busy machine much less.
				if len(f.waits) != i+1 || f.waits[i] > want || want > time.Minute && f.waits[i] < want-time.Minute {
					t.Fatalf("question %d waits %v, want %v", i+1, f.waits, want)
				}
				l.now = l.now.Add(24 * time.Hour)
			}
		})
	}
}
