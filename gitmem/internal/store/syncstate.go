package store

import (
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
	return os.WriteFile(s.syncFile(), append(b, '\n'), filePerm) // without a sync: nothing rests on it
}

func (s *Store) syncFile() string { return filepath.Join(s.IndexDir(), "sync.json") }
