package gitlab_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/gitlab"
)

// TestChangesOfOneSecond stops a fetch among issues that a script changed within one second: later fetches
// must not skip any of them.
func TestChangesOfOneSecond(t *testing.T) {
	t.Parallel()
	f := newForge()
	const n = 24
	moment := f.now
	for i := 1; i <= n; i++ {
		at := moment.Add(time.Duration(i) * 10 * time.Millisecond).Format(stamp)
		f.issue(i, fmt.Sprint("Relay ", i), "ada", object{"updated_at": at})
	}
	base := serve(t, f)
	got := map[string]bool{}
	var from providers.Cursor
	for fetches := 0; ; fetches++ {
		next, err := open(t, base, func(o *gitlab.Options) {
			o.Budget = 6
		}).Fetch(t.Context(), from, func(it providers.Item) error {
			got[it.ID] = true
			return nil
		})
		from = providers.Progress(next, err)
		if err == nil {
			break
		}
		if fetches == 50 {
			t.Fatalf("no end after %d fetches: %v", fetches, err)
		}
	}
	if len(got) != n {
		t.Errorf("%d of %d issues came", len(got), n)
	}
}
