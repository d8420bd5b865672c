package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Init makes the store. created is false when it was there already.
func (src *Sources) Init(ctx context.Context) (created bool, err error) {
	if src.ws.Homeless {
		return false, workspace.ErrHomeless
	}
	s, created, err := store.Init(ctx, src.ws.StoreOptions(), src.ws.Options.Adopt)
	if errors.Is(err, store.ErrNotAdopted) {
		return false, &messages.Refusal{Reason: err.Error() + "; nothing was written", Err: store.ErrNoStore,
			Advice: "gitmem init --adopt goes on with it on this machine"}
	}
	if err != nil {
		return false, err
	}
	old := src.ws.IndexDir()
	if src.ws.Store != nil {
		err = src.ws.Store.Close()
	}
	src.ws.Store, src.tombstones = s, nil
	src.ws.Reload()
	src.adoptIndex(old)
	if err != nil {
		return created, err
	}
	// What the client kept so far is memory too: the first commit takes it in.
	c := store.Change{Subject: "init: keep memory in git", Time: src.ws.Options.Now(), Fsync: true, Trailers: []string{"Gitmem-Op: " + opInit}}
	if _, unborn := s.Look("HEAD"); !created && unborn == nil {
		c.Paths = []string{store.MarkFile} // that of an older version lacks it
	}
	_, err = s.Commit(ctx, c)
	return created, err
}

// adoptIndex takes over what was indexed before there was a store. What can't be moved is
// built again, as any cache that is not there.
func (src *Sources) adoptIndex(old string) {
	for _, name := range []string{"shards", "vectors"} {
		if old != src.ws.IndexDir() && os.MkdirAll(src.ws.IndexDir(), 0o700) == nil {
			_ = os.Rename(filepath.Join(old, name), filepath.Join(src.ws.IndexDir(), name))
		}
	}
}

// Writable makes the store where there is none, and says so once, since an
// explicit writing verb was used.
func (src *Sources) Writable(ctx context.Context) error {
	if src.ws.HasStore() {
		return nil
	}
	created, err := src.Init(ctx)
	if err != nil {
		return err
	}
	if created {
		src.ws.Options.Warn("made a memory repository in " + src.ws.Root)
	}
	return nil
}
