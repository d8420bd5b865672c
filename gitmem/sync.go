package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/sync"
)

// Sync exchanges memory with the git remotes of its repository.
type Sync struct{ m *Memory }

// Sync gives access to the synchronisation of memory with other machines.
func (h *History) Sync() *Sync { return &Sync{h.m} }

func (v view) syncer() *sync.Syncer { return sync.New(v.ws, v.src) }

// Run commits, fetches, merges and pushes. Completed steps are kept when an error occurs, and the next call continues
// from there.
//
// ErrNoStore: there is no store. ErrLocked: another process is synchronising.
func (s *Sync) Run(ctx context.Context, o SyncOptions) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().Sync(ctx, o) })
}

// To makes an address the remote of this machine's memory, and synchronises with it. It refuses a public repository of
// a forge.
func (s *Sync) To(ctx context.Context, address string) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().To(ctx, address) })
}

// From fetches the memory at an address, and merges it with that of this machine.
func (s *Sync) From(ctx context.Context, address string) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().From(ctx, address) })
}

// PlanPurge returns what [SyncOptions].Purge would do. It fetches, and changes nothing else.
func (s *Sync) PlanPurge(ctx context.Context, o SyncOptions) (SyncPurgePlan, error) {
	return with(s.m, func(v view) (SyncPurgePlan, error) { return v.syncer().PlanPurge(ctx, o) })
}

// Status returns the state of synchronisation with a remote, "" for the default one. It does not contact the remote.
func (s *Sync) Status(ctx context.Context, remote string) (SyncStatus, error) {
	return with(s.m, func(v view) (SyncStatus, error) { return v.syncer().Status(ctx, remote) })
}

// Auto synchronises for a background process, if the configuration has sync: auto and the last attempt was long enough
// ago. [Sync.Status] returns a failure.
func (s *Sync) Auto(ctx context.Context) (did bool, err error) {
	return with(s.m, func(v view) (bool, error) { return v.syncer().Auto(ctx), nil })
}
