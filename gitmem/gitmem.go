package gitmem

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forgotten"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// Errors that callers branch on.
var (
	// ErrNoStore means that an operation needs a store and none was made here.
	ErrNoStore = store.ErrNoStore
	// ErrLocked means that another process holds a lock for longer than is waited for.
	ErrLocked = store.ErrLocked
	// ErrNotFound means that a citation's source does not exist here.
	ErrNotFound = cite.ErrNotFound
	// ErrNoRepository means that what needs a history was asked outside any.
	// Such an error wraps ErrNotFound too.
	ErrNoRepository = wording.ErrNoRepository
	// ErrConflict means that a file kept changing while it was to be rewritten.
	ErrConflict = store.ErrConflict
	// ErrNoGit means that what only git does was asked where none is that can do it.
	ErrNoGit = store.ErrNoGit
	// ErrHeld means that a file holds a secret and was not committed.
	ErrHeld = store.ErrHeld
	// ErrDuplicate means that a note says what another one says already.
	ErrDuplicate = wording.ErrDuplicate
	// ErrUsage means that the caller asked for something that can't be meant.
	ErrUsage = wording.ErrUsage
)

// Types of answers, see the fields' own documentation.
type (
	Answer     = ask.Answer
	Citation   = ask.Citation
	Person     = ask.Person
	Searched   = ask.Searched
	Strategy   = ask.Strategy
	Confidence = ask.Confidence
	Verdict    = ask.Verdict
	Role       = ask.Role
	Step       = ask.Step
	// Explanation says how a query was read.
	Explanation = search.Explanation
)

// The roles of an answer's citations, see [ask.Role].
const (
	RoleEvidence = ask.RoleEvidence
	RoleLead     = ask.RoleLead
)

// The levels of confidence of an answer.
const (
	High   = ask.High
	Medium = ask.Medium
	Low    = ask.Low
	None   = ask.None
)

// The verdicts of answers.
const (
	Answered    = ask.Answered
	Closest     = ask.Closest
	NotRecorded = ask.NotRecorded
)

// Options say where memory is and what the outside world is.
type Options struct {
	Dir      string // folder the question is asked from
	Home     string // user's home folder; "" if it is not known: then only GITMEM_HOME can name a place to write to
	CacheDir string // folder for caches of roots without a store
	// TempDir is where an index is made that ends with the Memory, for questions where
	// CacheDir can't be written; "" makes none, and such questions fail.
	TempDir string
	Getenv  func(string) string // environment; nil means empty
	Now     func() time.Time
	Machine string // name of this machine, recorded beside folders
	// LockWait is how long a writing verb waits for a busy store; 0 means 5 s.
	LockWait time.Duration
	// Adopt is asked whether a clone of memory, in the git directory dir, shall be
	// committed to on this machine from now on, and told where it was cloned from, "" if
	// that is not known; nil refuses.
	Adopt func(dir, from string) bool
	// Progress is told how an index build advances; nil means nobody watches.
	Progress func(Progress)
	// Warn is told one-line notices; nil drops them.
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

// Memory is what is recorded, seen from one folder.
type Memory struct {
	o        Options
	root     string       // where memory lies
	client   string       // where the client keeps transcripts and the user's rules
	store    *store.Store // nil when there is none
	redactor *redact.Redactor

	homeless bool     // root is no place to write to
	aside    bool     // the index lies in the user's cache although there is a store
	passing  string   // folder of an index that ends with the Memory, "" for none
	looking  bool     // not even a cache is written
	patient  bool     // busy indexes are waited for, and large ones compacted
	place    *place   // looked up once, by here
	listing  *listing // of transcripts, begun early for a question
	rules    *policy  // read once, by policy
	repo     *git.Repository
	repoErr  error
	tags     []git.Tag // of repo, read once by releaseTags
	tagsRead bool

	listedDocs listedDocs // of repo, by docsSource

	past  *past     // what is asked about instead of the present, nil for that
	files pastFiles // of past
	asked time.Time // moment that a question named, zero for none

	stones  *forgotten.Set // what was forgotten, once it was read, by forgotten
	notices []string       // caveats gathered while indexes were refreshed
	turns   *oneAtATime
	budget  budget // of a history's substance
	ranker  *search.Ranker
	meaning *semantic // searching by meaning, as it was configured last

	asking *forges // the remote sources of the place
	// firstBuildWait takes the place of the constant in tests.
	firstBuildWait time.Duration
	// dialer takes the place of the clients of remote sources in tests.
	dialer func(kind, name, token string) (providers.Source, error)
}

// oneAtATime parts what indexes that are brought up to date at once have in common.
type oneAtATime struct {
	telling  sync.Mutex // notices, the caller's Warn and Progress, and unfinished
	building sync.Mutex // documents come for one index at a time, or memory would be needed for all
	// unfinished is set where a question met an index that an indexer would go on with.
	unfinished bool
}

// leave notes that an indexer would go on with an index.
func (t *oneAtATime) leave() {
	t.telling.Lock()
	defer t.telling.Unlock()
	t.unfinished = true
}

// Open gives access to the memory that serves o.Dir. A missing store is no error.
func Open(o Options) (*Memory, error) {
	if o.Dir == "" || o.Now == nil {
		return nil, fmt.Errorf("%w: Options.Dir and Options.Now must be set", ErrUsage)
	}
	if len(o.Dir) > transcript.MaxFolder {
		return nil, fmt.Errorf("%w: the working folder has %d bytes, longer than any folder's name", ErrUsage, len(o.Dir))
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	m := &Memory{redactor: redact.New(), turns: &oneAtATime{}, ranker: &search.Ranker{}, budget: usualBudget()}
	warn := o.Warn
	o.Warn = func(s string) {
		m.turns.telling.Lock()
		defer m.turns.telling.Unlock()
		warn(s)
	}
	m.o = o
	m.root, m.homeless = o.folder(o.Getenv)
	m.client, _ = o.folder(clientEnv(o.Getenv))
	s, err := store.Open(m.storeOptions())
	switch {
	case err == nil:
		m.store = s
	case !errors.Is(err, store.ErrNoStore):
		return nil, err
	}
	return m, nil
}

// folder is where memory or the client's own files lie. Without a home it is one
// that nobody makes: what the working folder has in its place is the project's.
func (o Options) folder(getenv func(string) string) (dir string, unknown bool) {
	dir = store.FindRoot(getenv, o.Home)
	if o.Home == "" && !filepath.IsAbs(dir) {
		return absolute(filepath.Join(o.CacheDir, "gitmem", "no-home"), o.Dir), true
	}
	return absolute(dir, o.Dir), false
}

// errHomeless says that nothing can be written since no place is known for it.
var errHomeless = errors.New("no home folder is known: set HOME, or GITMEM_HOME to the folder that memory shall lie in")

// clientEnv hides the variable that moves memory alone: the client does not know it.
func clientEnv(getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "GITMEM_HOME" {
			return ""
		}
		return getenv(name)
	}
}

func absolute(p, dir string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// Close releases what was opened.
func (m *Memory) Close() error { return m.closeSources() }

// closeSources releases what was opened.
func (m *Memory) closeSources() error {
	m.asking.close()
	return m.closeWorkspace()
}

// closeWorkspace releases what was opened.
func (m *Memory) closeWorkspace() error {
	var errs []error
	if m.repo != nil {
		errs = append(errs, m.repo.Close())
	}
	if m.store != nil {
		errs = append(errs, m.store.Close())
	}
	if m.passing != "" {
		errs = append(errs, os.RemoveAll(m.passing))
	}
	return errors.Join(errs...)
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

// CitationOf gives a source the form of a citation, without an excerpt.
func CitationOf(s Source) Citation { return ask.NewCitation(s, 0) }

// Root is the folder that holds the store, whether or not one was made.
func (m *Memory) Root() string { return m.root }

// HasStore tells whether a store with a repository of its own was made.
func (m *Memory) HasStore() bool { return m.store != nil && m.store.HasRepository() }

func (m *Memory) storeOptions() store.Options {
	return store.Options{
		Root: m.root, Now: m.o.Now, Machine: m.o.Machine, Warn: m.o.Warn, Redactor: m.redactor, LockWait: m.o.LockWait,
		Adopt: m.o.Adopt, Author: author(m.o.Getenv, m.o.Home, m.o.Machine),
	}
}

// indexDir is where this root's index lies: in the store, or in the user's cache
// folder for a root that has none, which must stay untouched.
func (m *Memory) indexDir() string {
	if m.passing != "" {
		return m.passing
	}
	if m.store != nil && !m.aside {
		return m.store.IndexDir()
	}
	return filepath.Join(m.o.CacheDir, "gitmem", shortHash(m.root))
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// Init makes the store. created is false when it was there already.
func (m *Memory) Init(ctx context.Context) (created bool, err error) {
	if m.homeless {
		return false, errHomeless
	}
	s, created, err := store.Init(ctx, m.storeOptions())
	if errors.Is(err, store.ErrNotAdopted) {
		return false, &Refusal{Reason: err.Error() + "; nothing was written", Err: ErrNoStore,
			Advice: "gitmem init --adopt goes on with it on this machine"}
	}
	if err != nil {
		return false, err
	}
	old := m.indexDir()
	if m.store != nil {
		err = m.store.Close()
	}
	m.store, m.place, m.stones = s, nil, nil
	m.adoptIndex(ctx, old)
	if err != nil {
		return created, err
	}
	// What the client kept so far is memory too: the first commit takes it in.
	c := store.Change{Subject: "init: keep memory in git", Time: m.o.Now(), Fsync: true, Trailers: []string{"Gitmem-Op: init"}}
	if !created {
		c.Paths = []string{store.MarkFile} // that of an older version lacks it
	}
	_, err = s.Commit(ctx, c)
	return created, err
}

// adoptIndex takes over what was indexed before there was a store. A shard that
// can't be moved is built again, as any cache that is not there.
func (m *Memory) adoptIndex(ctx context.Context, old string) {
	entries, err := os.ReadDir(filepath.Join(old, "shards"))
	if err != nil || old == m.indexDir() {
		return
	}
	for _, e := range entries {
		shard := index.Open(filepath.Join(old, "shards", e.Name()), index.Options{Fingerprint: m.feedPrint(), Now: m.o.Now})
		_, _ = shard.MoveTo(ctx, filepath.Join(m.indexDir(), "shards", e.Name()))
	}
	_ = os.Rename(filepath.Join(old, "vectors"), m.vectorsDir())
}

// writable makes the store where there is none, and says so once, since an
// explicit writing verb was used.
func (m *Memory) writable(ctx context.Context) error {
	if m.HasStore() {
		return nil
	}
	created, err := m.Init(ctx)
	if err != nil {
		return err
	}
	if created {
		m.o.Warn("made a memory repository in " + m.root)
	}
	return nil
}
