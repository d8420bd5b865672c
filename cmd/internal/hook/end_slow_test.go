package hook_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// TestEndOnASlowDisk: the client kills its hooks 1.5 s after the end of a session, so a hook that can't
// finish in time must record that and end.
func TestEndOnASlowDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		start := time.Now()
		hook.Run(t.Context(), "session-end", hook.Env{
			Stdin: strings.NewReader(`{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","reason":"other"}`),
			Now:   time.Now, Dir: dir,
			Open: func(string) (*gitmem.Memory, error) {
				<-held
				return nil, errors.New("the disk has answered")
			},
			Trace: func(r hook.Record) {
				if took := time.Since(start); took != time.Second || r.Result != "error" ||
					!strings.Contains(r.Detail, "a later session archives this one") {
					t.Errorf("%+v after %v", r, took)
				}
			},
		})
		close(held)
	})
}
