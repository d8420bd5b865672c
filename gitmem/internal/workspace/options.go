package workspace

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers/git"
)

// Options contain the location of memory and the environment.
type Options struct {
	Dir      string // working folder of the call
	Home     string // user's home folder; "" if unknown: then only GITMEM_HOME can name a folder to write to
	CacheDir string // folder for caches of roots without a store
	// TempDir is the folder for an index that is deleted at the end of the call, for questions if CacheDir is not
	// writable; with "" such questions fail.
	TempDir string
	// MemoryDir replaces TempDir if that is not writable either, as in a sandbox: a system folder in RAM; "" for none.
	MemoryDir string
	Getenv    func(string) string // environment; nil means empty
	Environ   []string            // all of it, for the program of a model
	// Encoder is the file of the built-in model that embeds texts, whose bytes must not change; nil: there is none.
	Encoder []byte
	// Sentences is the file of the built-in model that finds ideas among sentences. It requires the Encoder; nil: there is
	// none.
	Sentences []byte
	// Repositories caches data of repositories for the next call; nil caches nothing.
	Repositories *git.Kept

	Now     func() time.Time
	Machine string // name of this machine, recorded with folders
	Program string // program that git calls to merge files of memory; "" means gitmem, found in PATH
	// LockWait is how long a writing command waits for a busy store; 0 means 5 s.
	LockWait time.Duration
	// Adopt decides whether this machine may commit to a clone of memory in the git directory dir; from is its origin, ""
	// if unknown; nil refuses.
	Adopt func(dir, from string) bool
	// Progress is called as an index build advances; it may be nil.
	Progress func(Progress)
	// Unfinished is set to true at the end of a question that found an index for an indexer to continue; nil means that
	// nobody starts an indexer.
	Unfinished *bool
	// Warn receives one-line warnings; nil drops them.
	Warn func(string)
	// Transport is the HTTP transport to forges and trackers; nil means that none is ever asked.
	Transport http.RoundTripper
	// FetchWait is how long a question waits for forges and trackers; 0 means the configured value (fetch_wait), or else
	// 1.5 s, and 3 s for one that was never asked.
	FetchWait time.Duration
	// Offline prevents requests to forges and trackers, as GITMEM_OFFLINE=1 does.
	Offline bool
	// Run runs a program and returns its output, for data from the forges' own commands; nil runs none.
	Run func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// IsOffline reports whether servers must not be asked.
func (o Options) IsOffline() bool {
	v := strings.ToLower(strings.TrimSpace(o.Getenv("GITMEM_OFFLINE")))
	return o.Offline || v != "" && v != "0" && v != "false" && v != "off" && v != "no"
}

// Progress is the progress of an index build.
type Progress struct {
	Shard string // memory, rules, transcripts, history, docs, or the kind of a forge or tracker
	Done  int    // documents indexed so far
	Total int    // expected total, 0 if unknown
	// Waiting names the server or process that the build waits for; "" while an index is being built. Done is then the
	// number of items received so far.
	Waiting string
}

// Folder returns the folder of memory or of the client's own files. Without a home it is a folder that is never
// created: a folder of that name in the working folder would be the project's.
func (o Options) Folder(getenv func(string) string) (dir string, unknown bool) {
	dir = store.FindRoot(getenv, o.Home)
	if o.Home == "" && !filepath.IsAbs(dir) {
		return Absolute(filepath.Join(o.CacheDir, "gitmem", "no-home"), o.Dir), true
	}
	return Absolute(dir, o.Dir), false
}

// ErrHomeless means that nothing can be written because no folder is known for it.
var ErrHomeless = errors.New("no home folder is known: set HOME, or GITMEM_HOME to the folder that memory shall lie in")

// ClientEnv hides the variable that only moves memory: the client does not know it.
func ClientEnv(getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "GITMEM_HOME" {
			return ""
		}
		return getenv(name)
	}
}

// Absolute returns a path relative to a folder as an absolute path.
func Absolute(p, dir string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// TraceDirs returns the folders in which hooks may leave traces, in order of preference. The store's own is included
// only if a store exists.
func TraceDirs(getenv func(string) string, home, cache string) []string {
	root := store.FindRoot(getenv, home)
	own := filepath.Join(root, "gitmem")
	dirs := []string{filepath.Join(cache, "gitmem", "trace")}
	if info, err := os.Stat(own); err == nil && info.IsDir() && filepath.IsAbs(own) {
		dirs = append([]string{filepath.Join(own, ".index", "trace")}, dirs...)
	}
	return dirs
}

// ModelsDir returns the folder of models: in the user's cache, since each can be imported again, and shared by all
// roots, since they are large.
func (o Options) ModelsDir() string { return filepath.Join(o.CacheDir, "gitmem", "models") }
