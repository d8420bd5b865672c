package sync

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// State is how the last synchronisation of this machine went.
type State struct {
	Remote string    `json:"remote"`
	Tried  time.Time `json:"tried"`
	Done   time.Time `json:"done"`  // the last one that succeeded
	Error  string    `json:"error"` // of the last one, "" if it succeeded
}

// record keeps how a synchronisation went.
func (y *Syncer) record(r Report, failed error) error {
	st, err := y.State()
	if err != nil {
		st = State{} // a damaged one is replaced
	}
	st.Remote, st.Tried, st.Error = r.Remote, y.ws.Options.Now().UTC(), ""
	if failed != nil {
		st.Error = y.ws.Clean(failed.Error())
	} else {
		st.Done = st.Tried
	}
	b, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return err
	}
	return osfile.WriteFile(y.stateFile(), osfile.Bytes(append(b, '\n')))
}

// State is how the last synchronisation went, the zero State if there was none.
func (y *Syncer) State() (st State, err error) {
	b, err := os.ReadFile(y.stateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &st)
	}
	return st, err
}

func (y *Syncer) stateFile() string { return filepath.Join(y.ws.Store.IndexDir(), "sync.json") }
