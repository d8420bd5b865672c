package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/git"
)

// Workspace is what one call sees from its working folder: the place with its
// project, the policy, memory's store and the moment that is asked about. It is made
// anew for each call, so that what was edited, forgotten, excluded or paused meanwhile
// counts at once, and it is used by one call only.
type Workspace struct {
	Options   Options
	Root      string       // where memory lies
	ClientDir string       // where the client keeps transcripts and the user's rules
	Store     *store.Store // nil when there is none
	Redactor  *redact.Redactor
	Homeless  bool // Root is no place to write to

	ReadOnly bool // not even a cache is written

	Past   *Past       // moment that memory and transcripts are read at, nil for now
	Frozen *git.Frozen // state that the repository is read at, nil for that of now; see Freeze
	AsOf   time.Time   // moment that a question named, zero for none

	Shared  *Shared
	Caveats []string // for the answer
	// Incomplete has an entry for each source that could not be looked through as a whole: a
	// sentence for the head of an answer, or "" where a caveat says it.
	Incomplete []string
	// Conflicted are the files that were read without the conflicts that git has marked in them.
	Conflicted []string
	// Disputed are the files that were read with something that two machines changed differently.
	Disputed []string

	stores  transcript.Stores
	current *Place  // looked up once, by Place
	rules   *policy // read once, by Policy
	repo    *git.Repository
	repoErr error

	cacheIndex bool   // the index is in the user's cache although there is a store
	tempIndex  string // folder of an index that ends with the call, "" for none
	parentTemp string // that of the workspace that this one was made from
}

// New is the workspace of o.Dir for one call. A missing store is no error.
func New(o Options, r *redact.Redactor) (*Workspace, error) {
	m := &Workspace{Options: o, Redactor: r, Shared: &Shared{}, stores: transcript.StoresOf(o.Home, o.Getenv)}
	m.Root, m.Homeless = o.Folder(o.Getenv)
	m.ClientDir, _ = o.Folder(ClientEnv(o.Getenv))
	s, err := store.Open(m.StoreOptions())
	switch {
	case err == nil:
		m.Store = s
	case !errors.Is(err, store.ErrNoStore):
		return nil, err
	}
	return m, nil
}

// UseCache lets the index be in the user's cache instead of the store, false where it is.
func (w *Workspace) UseCache() bool {
	use := w.Store != nil && !w.cacheIndex
	w.cacheIndex = w.cacheIndex || use
	return use
}

// UseTemp lets the index be in a temporary folder that ends with the call, false where it is, or
// where none can be made.
func (w *Workspace) UseTemp() bool {
	if w.Options.TempDir == "" || w.ReadOnly || w.tempIndex != "" {
		return false
	}
	const pattern = "gitmem-index-"
	dir, err := os.MkdirTemp(w.Options.TempDir, pattern)
	if err != nil && w.Options.MemoryDir != "" {
		dir, err = os.MkdirTemp(w.Options.MemoryDir, pattern)
	}
	w.tempIndex = dir
	return err == nil
}

// Reload lets the place and the policy be read again, after the call changed them.
func (w *Workspace) Reload() { w.current, w.rules = nil, nil }

// Fork is a workspace for another state of the sources: Past names a moment for memory and
// transcripts, and Freeze a state of the repository, which is opened anew for that. It
// shares the store with w, and Leave releases the rest.
func (w *Workspace) Fork() *Workspace {
	d := *w
	d.Incomplete = nil
	d.Caveats, d.current, d.repo, d.repoErr, d.parentTemp = nil, nil, nil, nil, w.tempIndex
	return &d
}

// Leave releases what a workspace of another moment opened.
func (w *Workspace) Leave() {
	if w.repo != nil {
		_ = w.repo.Close() // read-only: nothing can be lost
	}
	if w.tempIndex != w.parentTemp {
		_ = os.RemoveAll(w.tempIndex) // in a folder for what may vanish
	}
	if w.Past != nil && w.Past.Revision != nil {
		_ = w.Past.Revision.Close() // as above
	}
}

// Past is a moment that is asked about instead of the present. A workspace that
// has one reads nothing newer: its memory is a commit, its transcripts end there, and
// its repository is frozen.
type Past struct {
	At    time.Time // what "now" is for the question, in whole seconds
	Until time.Time // the last instant of that second: what was recorded by then counts

	Revision *store.Revision // memory as it was; nil where that is not known or nothing was kept
	Unknown  []string        // sources that exist and of which nobody knows what they held
}

// Present reports whether the question is about now.
func (w *Workspace) Present() bool { return w.Past == nil }

// AtHead reports whether the repository is read as it is now. Otherwise its HEAD, its
// tips, its rules and its documents are those of Frozen, its work tree is not read, and
// what is indexed of it lies in shards of that state.
func (w *Workspace) AtHead() bool { return w.Frozen == nil }

// Freeze reads the repository as it is in a state: at the commits of a time, or at those
// of a branch.
func (w *Workspace) Freeze(state git.Frozen) {
	w.Frozen = &state
	if w.repo != nil {
		w.repo.Freeze(state)
	}
}

// Newer reports whether something of a time was recorded after the moment that is asked
// about.
func (w *Workspace) Newer(t time.Time) bool { return w.Past != nil && t.After(w.Past.Until) }

// Now is the moment that relative times count from.
func (w *Workspace) Now() time.Time {
	if w.Past != nil {
		return w.Past.At
	}
	return w.Options.Now()
}

// AsOfText is the moment that was asked about as JSON gives it, "" for the present.
func (w *Workspace) AsOfText() string { return messages.Instant(w.AsOf) }

// CleanPaths are paths without secrets.
func (w *Workspace) CleanPaths(list []string) []string {
	return slice.Map(list, w.Redactor.Path)
}

// Appendable is the store for hooks: they append even where nobody made a
// repository yet, so that nothing is lost until somebody does.
func (w *Workspace) Appendable() (*store.Store, error) {
	if w.Store != nil {
		return w.Store, nil
	}
	if w.Homeless {
		return nil, ErrHomeless
	}
	if err := os.MkdirAll(filepath.Join(w.Root, "gitmem"), 0o700); err != nil {
		return nil, err
	}
	s, err := store.Open(w.StoreOptions())
	w.Store = s
	return s, err
}

// Clean is a text without secrets.
func (w *Workspace) Clean(s string) string { return w.Redactor.Clean(s).String() }

// Shared parts what indexes that are brought up to date at once have in common.
type Shared struct {
	Report sync.Mutex // notices, the caller's Warn and Progress, and unfinished
	Build  sync.Mutex // documents come for one index at a time, or memory would be needed for all
	// unfinished is set where a question met an index that an indexer would go on with.
	Unfinished bool
}

// MarkUnfinished notes that an indexer would go on with an index.
func (t *Shared) MarkUnfinished() {
	t.Report.Lock()
	defer t.Report.Unlock()
	t.Unfinished = true
}

// Close releases what was opened.
func (w *Workspace) Close() error {
	if w.Shared.Unfinished && w.Options.Unfinished != nil {
		*w.Options.Unfinished = true
	}
	var errs []error
	if w.repo != nil {
		errs = append(errs, w.repo.Close())
	}
	if w.Store != nil {
		errs = append(errs, w.Store.Close())
	}
	if w.tempIndex != "" {
		errs = append(errs, os.RemoveAll(w.tempIndex))
	}
	return errors.Join(errs...)
}

// HasStore says whether a store with a repository of its own was made.
func (w *Workspace) HasStore() bool { return w.Store != nil && w.Store.HasRepository() }

// StoreOptions are what the store of this root is opened with.
func (w *Workspace) StoreOptions() store.Options {
	return store.Options{
		Root: w.Root, Now: w.Options.Now, Machine: w.Options.Machine, Warn: w.Options.Warn, Redactor: w.Redactor,
		LockWait: w.Options.LockWait,
		Program:  w.Options.Program, Author: author(w.Options.Getenv, w.Options.Home, w.Options.Machine),
	}
}

// IndexDir is where this root's index lies: in the store, or in the user's cache
// folder for a root that has none, which must stay untouched.
func (w *Workspace) IndexDir() string {
	if w.tempIndex != "" {
		return w.tempIndex
	}
	if w.Store != nil && !w.cacheIndex {
		return w.Store.IndexDir()
	}
	return filepath.Join(w.Options.CacheDir, "gitmem", store.ShortHash(w.Root))
}

// RunsFolder holds the records of researched questions, below the index's folder.
const RunsFolder = "agent"

// IsOffline reports whether no server may be asked.
func (w *Workspace) IsOffline() bool {
	v := strings.ToLower(strings.TrimSpace(w.Options.Getenv("GITMEM_OFFLINE")))
	return w.Options.Offline || v != "" && v != "0" && v != "false" && v != "off" && v != "no"
}

// Progress reports how far an index build has come.
func (w *Workspace) Progress(p Progress) {
	if w.Options.Progress == nil {
		return
	}
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	w.Options.Progress(p)
}

// WarnOfCaveats warns of the caveats behind the first ones: what is given back has no place for them.
func (w *Workspace) WarnOfCaveats(known int) {
	for _, text := range w.Caveats[known:] {
		w.Options.Warn(text)
	}
}

// Caveat keeps a caveat for the answer; the same one is kept once.
func (w *Workspace) Caveat(format string, args ...any) {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = plain.Text(err)
		}
	}
	text := fmt.Sprintf(format, args...)
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	if !slices.Contains(w.Caveats, text) {
		w.Caveats = append(w.Caveats, text)
	}
}

// WithoutConflicts is the text of a file of memory without the conflicts that git has marked in it,
// which are nobody's memory until they are settled. They are reported.
func (w *Workspace) WithoutConflicts(rel string, text []byte) []byte {
	if bytes.Contains(text, []byte("- "+messages.ConflictMark)) {
		w.note(&w.Disputed, rel)
	}
	if len(markdown.MarkedConflicts(text)) == 0 {
		return text
	}
	w.Caveat("%s holds a conflict that git marked; what is in it is not read until gitmem doctor --fix settles it.",
		rel)
	w.note(&w.Conflicted, rel)
	return markdown.WithoutConflicts(text)
}

// note adds the name of a file to a list, once.
func (w *Workspace) note(list *[]string, rel string) {
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	if !slices.Contains(*list, rel) {
		*list = append(*list, rel)
	}
}

// MarkIncomplete notes that a source is not looked through as a whole: see Incomplete.
func (w *Workspace) MarkIncomplete(head string) {
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	w.Incomplete = append(w.Incomplete, head)
}

// OpenRepository opens the repository of a place, in the state that is asked about, for
// one goroutine and until the caller closes it.
func (w *Workspace) OpenRepository(p *Place) (*git.Repository, error) {
	repo, err := w.Options.Repositories.Open(p.Loc)
	if err == nil && w.Frozen != nil {
		repo.Freeze(*w.Frozen)
	}
	return repo, err
}

// Repository opens the current repository once. A folder outside any gives nil.
func (w *Workspace) Repository(p *Place) (*git.Repository, error) {
	if !p.InRepo {
		return nil, nil
	}
	if w.repo == nil && w.repoErr == nil {
		w.repo, w.repoErr = w.OpenRepository(p)
		if errors.Is(w.repoErr, git.ErrUnsupported) {
			w.Caveat("The history was not searched: %v", w.repoErr)
		}
	}
	if errors.Is(w.repoErr, git.ErrUnsupported) {
		return nil, nil
	}
	return w.repo, w.repoErr
}
