package sync

import (
	"context"
	"errors"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// record stores the result of a synchronisation.
func (y *Syncer) record(r Report, failed error) error {
	s := y.ws.Store
	st, err := s.SyncState()
	switch {
	case errors.Is(failed, ErrNoRemote):
		return nil // nothing was tried
	case err != nil || r.Remote != "" && r.Remote != st.Remote:
		st = store.SyncState{Remote: r.Remote} // replace a damaged one
	}
	st.Tried, st.Error = y.ws.Options.Now().UTC(), ""
	if failed != nil {
		st.Error = y.ws.Clean(failed.Error())
	} else {
		st.Done = st.Tried
	}
	return s.KeepSyncState(st)
}

// Status is the state of synchronisation with a remote. The JSON form is a public contract.
type Status struct {
	store.SyncState
	URL     string   `json:"url"` // redacted
	Branch  string   `json:"branch"`
	Ahead   int      `json:"ahead"`   // commits that the remote lacked when last asked
	Behind  int      `json:"behind"`  // commits of the remote that are not merged
	Pending []string `json:"pending"` // files with uncommitted changes
	Auto    bool     `json:"auto"`    // config.yaml has sync: auto
}

// Status returns the state of synchronisation with a remote, "" for the default one. It does not contact the remote.
func (y *Syncer) Status(ctx context.Context, name string) (out Status, err error) {
	remote, branch, head, err := y.begin(name)
	if err != nil {
		return out, err
	}
	s := y.ws.Store
	if out.SyncState, err = s.SyncState(); err != nil || out.Remote != remote.Name {
		out.SyncState = store.SyncState{Remote: remote.Name} // of another remote, or damaged
	}
	out.URL, out.Auto = y.ws.Clean(remote.URL), y.ws.Policy().Config.SyncAuto
	out.Branch = branch
	theirs, err := s.Ref(store.TrackingRef(remote.Name, branch))
	if err != nil {
		return out, err
	}
	ahead, aheadErr := s.Between(ctx, theirs, head)
	behind, behindErr := s.Between(ctx, head, theirs)
	pending, err := s.Pending(ctx)
	out.Ahead, out.Behind, out.Pending = len(ahead), len(behind), append([]string{}, pending...)
	return out, errors.Join(aheadErr, behindErr, err)
}

// Minimum times since the last attempt for [Syncer.Auto].
const autoWait, autoWaitFailed = 2 * time.Minute, 10 * time.Minute

// Auto synchronises if the configuration has sync: auto, there is a remote, and the last attempt was long enough ago,
// and reports whether it did. [Syncer.Status] returns a failure.
func (y *Syncer) Auto(ctx context.Context) (did bool) {
	if !y.ws.HasStore() || !y.ws.Policy().Config.SyncAuto {
		return false
	}
	if _, err := y.remote(""); errors.Is(err, ErrNoRemote) {
		return false
	}
	st, _ := y.ws.Store.SyncState() // a damaged state counts as none
	wait := autoWait
	if st.Error != "" {
		wait = autoWaitFailed
	}
	if since := y.ws.Options.Now().Sub(st.Tried); since >= 0 && since < wait {
		return false
	}
	_, err := y.Sync(ctx, Options{})
	return err == nil
}
