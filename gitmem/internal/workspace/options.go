package workspace

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// Options say where memory is and what the outside world is.
type Options struct {
	Dir      string // folder the question is asked from
	Home     string // user's home folder; "" if it is not known: then only GITMEM_HOME can name a place to write to
	CacheDir string // folder for caches of roots without a store
	// TempDir is where an index is made that ends with the Memory, for questions where
	// CacheDir can't be written; "" makes none, and such questions fail.
	TempDir string
	// MemoryDir takes the place of TempDir where that can't be written either, as in a sandbox: a folder of
	// the system that lies in memory; "" for none.
	MemoryDir string
	Getenv    func(string) string // environment; nil means empty
	Environ   []string            // all of it, for the program of a model
	// Encoder is the file of the built-in model that turns texts into vectors, whose bytes
	// must not change; nil: there is none.
	Encoder []byte
	// Sentences is the file of the built-in model that tells which sentences are ideas. It reads
	// with the Encoder; nil: there is none.
	Sentences []byte
	// Repositories keeps what was read of repositories for the next call; nil keeps nothing.
	Repositories *git.Kept

	Now     func() time.Time
	Machine string // name of this machine, recorded beside folders
	Program string // by which git calls gitmem to merge files of memory; "" means gitmem, found in PATH
	// LockWait is how long a writing verb waits for a busy store; 0 means 5 s.
	LockWait time.Duration
	// Adopt is asked whether a clone of memory, in the git directory dir, shall be
	// committed to on this machine from now on; from is where it was cloned from, "" if
	// that is not known; nil refuses.
	Adopt func(dir, from string) bool
	// Progress is called as an index build advances; nil reports nothing.
	Progress func(Progress)
	// Unfinished is set at the end of a question that met an index that an indexer would go
	// on with; nil means nobody starts one.
	Unfinished *bool
	// Warn is given one-line warnings; nil drops them.
	Warn func(string)
	// Transport is the way to forges and trackers; nil means that none is ever asked.
	Transport http.RoundTripper
	// FetchWait is how long a question waits for them; 0 means what the configuration says
	// (fetch_wait), or else 1.5 s, and 3 s for one that was never asked.
	FetchWait time.Duration
	// Offline keeps them from being asked for now, as GITMEM_OFFLINE=1 does.
	Offline bool
	// Run runs a program and returns its output, for what the forges' own commands know;
	// nil runs none.
	Run func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// Progress is how far an index build has come.
type Progress struct {
	Shard string // memory, rules, transcripts, history, docs, or the kind of a forge or tracker
	Done  int    // documents indexed so far
	Total int    // how many there will be, 0 where that is not known
	// Waiting names what nothing goes on without, a server or another process; "" where
	// an index is being built. Done is then how many items a server has given so far.
	Waiting string
}

// Folder is where memory or the client's own files lie. Without a home it is one
// that nobody makes: what the working folder has in its place is the project's.
func (o Options) Folder(getenv func(string) string) (dir string, unknown bool) {
	dir = store.FindRoot(getenv, o.Home)
	if o.Home == "" && !filepath.IsAbs(dir) {
		return Absolute(filepath.Join(o.CacheDir, "gitmem", "no-home"), o.Dir), true
	}
	return Absolute(dir, o.Dir), false
}

// ErrHomeless says that nothing can be written since no place is known for it.
var ErrHomeless = errors.New("no home folder is known: set HOME, or GITMEM_HOME to the folder that memory shall lie in")

// ClientEnv hides the variable that moves memory alone: the client does not know it.
func ClientEnv(getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "GITMEM_HOME" {
			return ""
		}
		return getenv(name)
	}
}

// Absolute is a path as seen from a folder.
func Absolute(p, dir string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// TraceDirs are the folders where hooks may leave their trace, best first. The
// store's own is among them only when a store is there.
func TraceDirs(getenv func(string) string, home, cache string) []string {
	root := store.FindRoot(getenv, home)
	own := filepath.Join(root, "gitmem")
	dirs := []string{filepath.Join(cache, "gitmem", "trace")}
	if info, err := os.Stat(own); err == nil && info.IsDir() && filepath.IsAbs(own) {
		dirs = append([]string{filepath.Join(own, ".index", "trace")}, dirs...)
	}
	return dirs
}

// ModelsDir is where models lie: in the user's cache, since each can be imported
// again, and by no root, since they are large.
func (o Options) ModelsDir() string { return filepath.Join(o.CacheDir, "gitmem", "models") }
