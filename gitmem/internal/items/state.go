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
	// version changes with the form of the files; another one is a cache that is not there.
	version  = 1
	maxState = 1 << 20
)

// Fetch is how far a source was read, and how the last try went.
type Fetch struct {
	// Cursor is where the next fetch goes on.
	Cursor providers.Cursor `json:"cursor"`
	// Done is when a fetch last came to its end, zero for never.
	Done time.Time `json:"done"`
	// Tried is when the last fetch began.
	Tried time.Time `json:"tried"`
	// Error is why that one failed, "" where it did not.
	Error string `json:"error"`
	// Retry is the earliest time of the next fetch, zero for any time.
	Retry time.Time `json:"retry"`
	// Limited says that the source wants no more requests before Retry.
	Limited bool `json:"limited"`
	// Unreached means that no connection to the source could be made.
	Unreached bool `json:"unreached,omitempty"`
	// Absent means that nothing is visible with the credentials of that time.
	Absent bool `json:"absent"`
	// Cut says that the last fetch was ended by its caller, without an error.
	Cut bool `json:"cut"`
	// Anonymous means that the last fetch had no credentials.
	Anonymous bool `json:"anonymous"`
	// Skipped counts what fetches left out, since the first one.
	Skipped []providers.Skip `json:"skipped,omitempty"`
	// Orphans are commits of which the source knows no thread, the newest last.
	Orphans []string `json:"orphans,omitempty"`
}

// State is what a cache holds.
type State struct {
	// Log is the name of the log that counts, "" for none, and Length how many bytes
	// of it do.
	Log    string `json:"log"`
	Length int64  `json:"length"`
	// Items is how many there are.
	Items int   `json:"items"`
	Fetch Fetch `json:"fetch"`
}

// onDisk is the form of state.json.
type onDisk struct {
	Version int `json:"version"`
	State
}

// Cache is one source's cache in a folder of its own.
type Cache struct {
	dir    string
	broken error // of syncing, in tests
}

// Open names the cache in a folder. It touches nothing.
func Open(dir string) *Cache { return &Cache{dir: dir} }

// Dir is the folder of the cache.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) path(name string) string { return filepath.Join(c.dir, name) }

// State reads what the cache holds. Nothing kept, files of another version and files
// that can't be understood are the zero State; an error means that it is not known.
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

// parseState reads a state.json.
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

// validLog reports whether a name can be that of a log: it becomes a path.
func validLog(name string) bool {
	n, ok := strings.CutPrefix(name, logPrefix)
	return ok && n != "" && len(n) < 12 && strings.Trim(n, "0123456789") == ""
}

// save swaps the state in.
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
