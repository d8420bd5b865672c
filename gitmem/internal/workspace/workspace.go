package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// Workspace is the context of one call: the place with its project, the policy, memory's store and the requested
// moment. It is created for each call, so that edits, exclusions and pauses apply immediately, and it is used by one
// call only.
type Workspace struct {
	Options   Options
	Root      string       // root folder of memory
	ClientDir string       // folder of the client's transcripts and the user's rules
	Store     *store.Store // nil if there is none
	Redactor  *redact.Redactor
	Homeless  bool // nothing can be written to Root

	ReadOnly bool // not even a cache is written

	Past   *Past       // moment at which memory and transcripts are read, nil for now
	Frozen *git.Frozen // state in which the repository is read, nil for the present; see Freeze
	AsOf   time.Time   // moment named by a question, zero for none

	Shared  *Shared
	Caveats []string // for the answer
	// Incomplete has an entry for each source that was only partly searched: a sentence for the head of an answer, or ""
	// if a caveat covers it.
	Incomplete []string
	// Conflicted are the files that were read without their marked git conflicts.
	Conflicted []string
	// Disputed are the files that contain something that two machines changed differently.
	Disputed []string

	stores  transcript.Stores
	current *Place  // cached by Place
	rules   *policy // cached by Policy
	repo    *git.Repository
	repoErr error

	cacheIndex bool   // the index is in the user's cache although there is a store
	tempIndex  string // folder of an index that is deleted with the call, "" for none
	parentTemp string // tempIndex of the workspace from which this one was forked
}

// New returns the workspace of o.Dir for one call. A missing store is not an error.
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

// UseCache moves the index from the store to the user's cache; it returns false if it is already there.
func (w *Workspace) UseCache() bool {
	use := w.Store != nil && !w.cacheIndex
	w.cacheIndex = w.cacheIndex || use
	return use
}

// UseTemp moves the index to a temporary folder that is deleted with the call; it returns false if it is already there,
// or if none can be created.
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

// Reload discards the cached place and policy after the call changed them.
func (w *Workspace) Reload() { w.current, w.rules = nil, nil }

// Fork returns a workspace for another state of the sources: Past sets the moment for memory and transcripts, and
// Freeze the state of the repository, which is opened again. It shares the store with w; Leave closes the rest.
func (w *Workspace) Fork() *Workspace {
	d := *w
	d.Incomplete = nil
	d.Caveats, d.current, d.repo, d.repoErr, d.parentTemp = nil, nil, nil, nil, w.tempIndex
	return &d
}

// Leave closes what a forked workspace opened.
func (w *Workspace) Leave() {
	if w.repo != nil {
		_ = w.repo.Close() // read-only: nothing can be lost
	}
	if w.tempIndex != w.parentTemp {
		_ = os.RemoveAll(w.tempIndex) // in a folder for temporary files
	}
	if w.Past != nil && w.Past.Revision != nil {
		_ = w.Past.Revision.Close() // as above
	}
}

// Past is a past moment that is requested instead of the present. A workspace with a Past reads nothing newer: its
// memory is a commit, its transcripts end there, and its repository is frozen.
type Past struct {
	At    time.Time // "now" for the question, in whole seconds
	Until time.Time // the last instant of that second: what was recorded by then counts

	Revision *store.Revision // memory at the time; nil if unknown or if nothing was recorded
	Unknown  []string        // existing sources with unknown content at the time
}

// Present reports whether the question is about now.
func (w *Workspace) Present() bool { return w.Past == nil }

// AtHead reports whether the repository is read in its present state. Otherwise its HEAD, tips, rules and documents are
// those of Frozen, its work tree is not read, and its index is in shards of that state.
func (w *Workspace) AtHead() bool { return w.Frozen == nil }

// Freeze makes the repository be read in a state: at the commits of a time, or at those of a branch.
func (w *Workspace) Freeze(state git.Frozen) {
	w.Frozen = &state
	if w.repo != nil {
		w.repo.Freeze(state)
	}
}

// Newer reports whether a time is after the requested moment.
func (w *Workspace) Newer(t time.Time) bool { return w.Past != nil && t.After(w.Past.Until) }

// Now returns the moment to which relative times refer.
func (w *Workspace) Now() time.Time {
	if w.Past != nil {
		return w.Past.At
	}
	return w.Options.Now()
}

// AsOfText returns the requested moment in JSON form, "" for the present.
func (w *Workspace) AsOfText() string { return messages.Instant(w.AsOf) }

// CleanPaths returns paths without secrets.
func (w *Workspace) CleanPaths(list []string) []string {
	return slice.Map(list, w.Redactor.Path)
}

// Appendable returns the store for hooks: they append even before there is a repository, so that nothing is lost.
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

// Clean returns a text without secrets.
func (w *Workspace) Clean(s string) string { return w.Redactor.Clean(s).String() }

// Shared contains the state shared by indexes that are updated concurrently.
type Shared struct {
	Report sync.Mutex // guards caveats, the caller's Warn and Progress, and Unfinished
	Build  sync.Mutex // builds one index at a time, to limit memory use
	// Unfinished is set if a question found an index that an indexer should continue.
	Unfinished bool
}

// MarkUnfinished records that an indexer should continue an index.
func (t *Shared) MarkUnfinished() {
	t.Report.Lock()
	defer t.Report.Unlock()
	t.Unfinished = true
}

// Close closes everything that was opened.
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

// HasStore reports whether there is a store with its own repository.
func (w *Workspace) HasStore() bool { return w.Store != nil && w.Store.HasRepository() }

// StoreOptions returns the options for opening the store of this root.
func (w *Workspace) StoreOptions() store.Options {
	return store.Options{
		Root: w.Root, Now: w.Options.Now, Machine: w.Options.Machine, Warn: w.Options.Warn, Redactor: w.Redactor,
		LockWait: w.Options.LockWait,
		Program:  w.Options.Program, Author: author(w.Options.Getenv, w.Options.Home, w.Options.Machine),
	}
}

// IndexDir returns the folder of this root's index: in the store, or in the user's cache folder for a root without a
// store, which must not be modified.
func (w *Workspace) IndexDir() string {
	if w.tempIndex != "" {
		return w.tempIndex
	}
	if w.Store != nil && !w.cacheIndex {
		return w.Store.IndexDir()
	}
	return filepath.Join(w.Options.CacheDir, "gitmem", store.ShortHash(w.Root))
}

// RunsFolder contains the records of researched questions, in the index's folder.
const RunsFolder = "agent"

// IsOffline reports whether servers must not be asked.
func (w *Workspace) IsOffline() bool { return w.Options.IsOffline() }

// Progress reports the progress of an index build.
func (w *Workspace) Progress(p Progress) {
	if w.Options.Progress == nil {
		return
	}
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	w.Options.Progress(p)
}

// WarnOfCaveats warns of the caveats after the first known ones, for callers whose result has no field for them.
func (w *Workspace) WarnOfCaveats(known int) {
	for _, text := range w.Caveats[known:] {
		w.Options.Warn(text)
	}
}

// Caveat adds a caveat to the answer, without duplicates.
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

// WithoutConflicts returns the text of a file of memory without marked git conflicts, which are nobody's memory until
// they are resolved. They are reported.
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

// note adds the name of a file to a list, without duplicates.
func (w *Workspace) note(list *[]string, rel string) {
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	if !slices.Contains(*list, rel) {
		*list = append(*list, rel)
	}
}

// MarkIncomplete records that a source is only partly searched: see Incomplete.
func (w *Workspace) MarkIncomplete(head string) {
	w.Shared.Report.Lock()
	defer w.Shared.Report.Unlock()
	w.Incomplete = append(w.Incomplete, head)
}

// OpenRepository opens the repository of a place, in the requested state, for one goroutine; the caller closes it.
func (w *Workspace) OpenRepository(p *Place) (*git.Repository, error) {
	repo, err := w.Options.Repositories.Open(p.Loc)
	if err == nil && w.Frozen != nil {
		repo.Freeze(*w.Frozen)
	}
	return repo, err
}

// Repository opens the current repository once. It returns nil for a folder outside any.
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
