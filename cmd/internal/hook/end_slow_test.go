package hook_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// TestEndOnASlowDisk: the client kills its hooks 1.5 s after the end of a session, so
// that one which can't do its work until then says so and ends.
func TestEndOnASlowDisk(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	defer close(held)
	records := make(chan hook.Record, 1)
	env := hook.Env{
		Stdin: strings.NewReader(`{"session_id":"3f2a91c4-18be-494e-9c54-6e697febc51c","reason":"other"}`), Now: time.Now, Dir: t.TempDir(),
		Open: func(string) (*gitmem.Memory, error) {
			<-held
			return nil, errors.New("the disk has answered")
		},
		Trace: func(r hook.Record) { records <- r },
	}
	go hook.Run(t.Context(), "session-end", env)
	select {
	case r := <-records:
		if r.Result != "error" || !strings.Contains(r.Detail, "a later session archives this one") {
			t.Errorf("%+v", r)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for the disk")
	}
}
