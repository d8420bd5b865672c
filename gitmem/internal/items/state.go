package items

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/providers"
)

const (
	stateFile = "state.json"
	lockFile  = "lock"
	logPrefix = "items-"
	// version changes with the format of the files; a cache of another version counts as missing.
	version  = 1
	maxState = 1 << 20
)

// Fetch is the progress of fetching a source, and the result of the last attempt.
type Fetch struct {
	// Cursor is where the next fetch continues.
	Cursor providers.Cursor `json:"cursor"`
	// Done is when a fetch last completed, zero for never.
	Done time.Time `json:"done"`
	// Tried is when the last fetch began.
	Tried time.Time `json:"tried"`
	// Error is the error of the last fetch, or "".
	Error string `json:"error"`
	// Retry is the earliest time of the next fetch, zero for any time.
	Retry time.Time `json:"retry"`
	// Limited is set if the source accepts no more requests before Retry.
	Limited bool `json:"limited"`
	// Unreached means that no connection to the source could be made.
	Unreached bool `json:"unreached,omitempty"`
	// Absent means that nothing was visible with the credentials of that time.
	Absent bool `json:"absent"`
	// Cut is set if the caller ended the last fetch, without an error.
	Cut bool `json:"cut"`
	// Anonymous means that the last fetch had no credentials.
	Anonymous bool `json:"anonymous"`
	// Skipped counts what fetches skipped, since the first one.
	Skipped []providers.Skip `json:"skipped,omitempty"`
	// Orphans are commits without a thread in the source, the newest last.
	Orphans []string `json:"orphans,omitempty"`
}

// State is the state of a cache.
type State struct {
	// Log is the name of the current log, "" for none, and Length its valid length in bytes.
	Log    string `json:"log"`
	Length int64  `json:"length"`
	// Items is the number of items.
	Items int   `json:"items"`
	Fetch Fetch `json:"fetch"`
}

// onDisk is the form of state.json.
type onDisk struct {
	Version int `json:"version"`
	State
}

// Cache is one source's cache in a separate folder.
type Cache struct {
	dir    string
	broken error // error of syncing, for tests
}

// Open returns the cache in a folder. It accesses no files.
func Open(dir string) *Cache { return &Cache{dir: dir} }

// Dir returns the folder of the cache.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) path(name string) string { return filepath.Join(c.dir, name) }

// State reads the state of the cache. A missing cache, files of another version and unparsable files give the zero
// State; an error means that the state is unknown.
func (c *Cache) State() (State, error) {
	b, err := os.ReadFile(c.path(stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("read the cache of items: %w", err)
	}
	return parseState(b), nil
}

// parseState parses a state.json.
func parseState(b []byte) State {
	var s onDisk
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if len(b) > maxState || d.Decode(&s) != nil || d.More() || s.Version != version || !validLog(s.Log) || s.Length < 0 ||
		s.Items < 0 {
		return State{}
	}
	return s.State
}

// validLog reports whether a name is a valid log name, since it becomes a path.
func validLog(name string) bool {
	n, ok := strings.CutPrefix(name, logPrefix)
	return ok && n != "" && len(n) < 12 && strings.Trim(n, "0123456789") == ""
}

// save replaces the state.
func (c *Cache) save(s State) error {
	b, err := json.Marshal(onDisk{version, s})
	if err == nil && len(b) > maxState {
		err = fmt.Errorf("the cursor of %d bytes is larger than can be kept", len(s.Fetch.Cursor.Value))
	}
	if err != nil {
		return err
	}
	return osfile.Replace(c.path(stateFile), c.path(stateFile+".new"), osfile.Bytes(b))
}
