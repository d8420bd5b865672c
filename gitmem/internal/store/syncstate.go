package store

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// SyncState is how the last synchronisation of this machine went.
type SyncState struct {
	Remote string    `json:"remote"`
	Tried  time.Time `json:"tried"`
	Done   time.Time `json:"done"`  // the last one that succeeded
	Error  string    `json:"error"` // of the last one, "" if it succeeded
}

// SyncState is how the last synchronisation went, the zero SyncState if there was none.
func (s *Store) SyncState() (st SyncState, err error) {
	b, err := os.ReadFile(s.syncFile())
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &st)
	}
	return st, err
}

// KeepSyncState keeps how a synchronisation went, in the cache.
func (s *Store) KeepSyncState(st SyncState) error {
	b, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.syncFile(), append(b, '\n'), filePerm) // no fsync: if it is lost, nothing is
}

func (s *Store) syncFile() string { return filepath.Join(s.IndexDir(), "sync.json") }

// staleLimit is the number of files from which on [Store.RefreshIndex] is worth a process.
const staleLimit = 32

// RefreshIndex has git read once the files of which its index does not show that they are unchanged, if
// there are many: those that were written in the same second as the index.
func (s *Store) RefreshIndex(ctx context.Context) error {
	ix, err := s.readIndex()
	if err != nil {
		return err
	}
	empty, stale := hashObject("blob", nil), 0
	for _, e := range ix.entries {
		if e.stage() == 0 && e.size() == 0 && e.id() != empty && e.flags()&flagExtended == 0 {
			stale++
		}
	}
	if stale < staleLimit {
		return nil
	}
	_, err = s.ourGit(ctx, nil, "update-index", "-q", "--refresh")
	return err
}
