package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// OpInit is the operation of the first commit, which includes the client's existing memory.
const OpInit = "init"

// Init creates the store. created is false if it exists.
func (w *Workspace) Init(ctx context.Context) (created bool, err error) {
	if w.Homeless {
		return false, ErrHomeless
	}
	s, created, err := store.Init(ctx, w.StoreOptions(), w.Options.Adopt)
	if errors.Is(err, store.ErrNotAdopted) {
		return false, &messages.Refusal{Reason: err.Error() + "; nothing was written", Err: store.ErrNoStore,
			Advice: "gitmem init --adopt goes on with it on this machine"}
	}
	if err != nil {
		return false, err
	}
	old := w.IndexDir()
	if w.Store != nil {
		err = w.Store.Close()
	}
	w.Store = s
	w.Reload()
	w.adoptIndex(old)
	if err != nil {
		return created, err
	}
	// The client's existing memory is part of the first commit.
	c := store.Change{
		Subject: "init: keep memory in git", Time: w.Options.Now(), Fsync: true,
		Trailers: []string{"Gitmem-Op: " + OpInit},
	}
	if _, unborn := s.Look(ctx, "HEAD"); !created && unborn == nil {
		c.Paths = []string{store.MarkFile} // a store of an older version lacks it
	}
	_, err = s.Commit(ctx, c)
	return created, err
}

// adoptIndex moves the index from before there was a store. What can't be moved is rebuilt, like any missing cache.
func (w *Workspace) adoptIndex(old string) {
	for _, name := range []string{"shards", "vectors"} {
		if old != w.IndexDir() && os.MkdirAll(w.IndexDir(), 0o700) == nil {
			_ = os.Rename(filepath.Join(old, name), filepath.Join(w.IndexDir(), name))
		}
	}
}

// Writable creates the store if it is missing, and reports that once, since the user called an explicit writing
// command.
func (w *Workspace) Writable(ctx context.Context) error {
	if w.HasStore() {
		return nil
	}
	created, err := w.Init(ctx)
	if err != nil {
		return err
	}
	if created {
		w.Options.Warn("made a memory repository in " + w.Root)
	}
	return nil
}

// UseAgent writes the agent's back end to the configuration; "" disables it.
func (w *Workspace) UseAgent(ctx context.Context, backend string) error {
	return w.Configure(ctx, func(old []byte) ([]byte, error) { return config.WithAgent(old, backend) })
}

// AllowProvider permits, in the configuration, agents to ask a provider whose definition has this hash; "" revokes the
// permission.
func (w *Workspace) AllowProvider(ctx context.Context, name, hash string) error {
	return w.Configure(ctx, func(old []byte) ([]byte, error) { return config.WithProvider(old, name, hash) })
}

// Configure changes local.yaml under a lock. The text is the user's, and what their own command adds is not redacted:
// the hash beside the name of a provider would be taken for its token.
func (w *Workspace) Configure(ctx context.Context, change func(old []byte) ([]byte, error)) error {
	if err := w.Writable(ctx); err != nil {
		return err
	}
	unlock, err := w.Store.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := w.ReadOwn(w.LocalFile())
	if err != nil {
		return err
	}
	next, err := change(old)
	if err != nil {
		return fmt.Errorf("%s: %w", w.LocalFile(), err)
	}
	w.WarnMisplaced()
	w.Reload()
	return osfile.Replace(w.LocalFile(), "", osfile.Bytes(next))
}

// MoveMisplaced moves the keys of config.yaml that only apply in local.yaml to that file.
func (w *Workspace) MoveMisplaced(ctx context.Context) error {
	unlock, err := w.Store.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	shared, err := w.ReadOwn(w.ConfigFile())
	if err != nil {
		return err
	}
	local, err := w.ReadOwn(w.LocalFile())
	if err != nil {
		return err
	}
	if shared, local, err = config.Move(shared, local); err != nil {
		return fmt.Errorf("%s: %w", w.ConfigFile(), err)
	}
	if err := osfile.Replace(w.LocalFile(), "", osfile.Bytes(local)); err != nil {
		return err
	}
	w.Reload()
	return osfile.Replace(w.ConfigFile(), "", osfile.Bytes(shared))
}
