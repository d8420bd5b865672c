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

// Run commits, fetches, merges and pushes. What is done when an error comes stays done, and the
// next call goes on from there.
//
// ErrNoStore: there is no store. ErrLocked: another process is synchronising.
func (s *Sync) Run(ctx context.Context, o SyncOptions) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().Sync(ctx, o) })
}

// To makes an address the remote of this machine's memory, and synchronises with it. It refuses a
// repository of a forge that anybody may read.
func (s *Sync) To(ctx context.Context, address string) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().To(ctx, address) })
}

// From takes the memory that is at an address, and joins it with what this machine has.
func (s *Sync) From(ctx context.Context, address string) (SyncReport, error) {
	return with(s.m, func(v view) (SyncReport, error) { return v.syncer().From(ctx, address) })
}

// PlanPurge says what [SyncOptions].Purge would do. It fetches, and changes nothing else.
func (s *Sync) PlanPurge(ctx context.Context, o SyncOptions) (SyncPurgePlan, error) {
	return with(s.m, func(v view) (SyncPurgePlan, error) { return v.syncer().PlanPurge(ctx, o) })
}

// Status returns the state of synchronisation with a remote, "" for the usual one. It does not ask the
// remote.
func (s *Sync) Status(ctx context.Context, remote string) (SyncStatus, error) {
	return with(s.m, func(v view) (SyncStatus, error) { return v.syncer().Status(ctx, remote) })
}

// Auto synchronises for a process in the background, if the configuration says sync: auto and the
// last try was long enough ago. What fails is kept for [Sync.Status].
func (s *Sync) Auto(ctx context.Context) (did bool, err error) {
	return with(s.m, func(v view) (bool, error) { return v.syncer().Auto(ctx), nil })
}
