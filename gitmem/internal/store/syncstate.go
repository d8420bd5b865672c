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

// SyncState is the result of the last synchronisation of this machine.
type SyncState struct {
	Remote string    `json:"remote"`
	Tried  time.Time `json:"tried"`
	Done   time.Time `json:"done"`  // last success
	Error  string    `json:"error"` // error of the last attempt, "" if it succeeded
}

// SyncState returns the result of the last synchronisation, the zero SyncState if there was none.
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

// KeepSyncState stores the result of a synchronisation in the cache.
func (s *Store) KeepSyncState(st SyncState) error {
	b, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.syncFile(), append(b, '\n'), filePerm) // no fsync: its loss does no harm
}

func (s *Store) syncFile() string { return filepath.Join(s.IndexDir(), "sync.json") }

// staleLimit is the number of files from which [Store.RefreshIndex] is worth a process.
const staleLimit = 32

// RefreshIndex makes git read the files that its index does not show as unchanged, if there are many: those that were
// written in the same second as the index.
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
