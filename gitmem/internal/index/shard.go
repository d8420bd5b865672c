package index

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"time"
)

var (
	// ErrMissing means that the shard has no usable generation: none was built yet, or it was built by another version or
	// with other options. Refresh builds one.
	ErrMissing = errors.New("no usable index")
	// ErrCorrupt means that files of the generation are damaged. The next
	// Refresh rebuilds it.
	ErrCorrupt = errors.New("damaged index")
	// ErrClosed means that the snapshot was used after Close.
	ErrClosed = errors.New("index snapshot is closed")
)

// Doc is one document to index. Its text is analysed but not stored.
type Doc struct {
	ID                                                string // citation id, unique in the shard
	Source                                            string // key of the source's mark
	Layer, Type, Role, Project, Session, Author, File string
	Order                                             int64     // position within the session
	Time                                              time.Time // zero: unknown; stored with millisecond precision
	Offset, Length                                    int64     // in bytes within File
	Title, Text, Tool                                 string
	DiffTerms                                         string // see the field of this name
	Paths                                             []string
	// Churn is the number of changed lines for each of Paths, 0 if unknown; nil for none. Values beyond the last of Paths
	// are dropped.
	Churn []uint32
	// Also lists other contributors, in the form of Author.
	Also []string
	// Reviewers lists the reviewers, in the form of Author.
	Reviewers []string
	// Release is the first release that contains the document, empty for none.
	Release string
}

// Update contains the changes of a refresh.
type Update struct {
	// Rebuild drops everything first: Docs and Marks must then be complete.
	Rebuild bool
	// Drop lists sources whose documents are all removed, before Docs are added.
	Drop []string
	// Docs are the new documents, nil for none. A document with the id of one in an earlier generation replaces it; of
	// several with the same id in one update the first is kept, and the others are counted. Docs is read once, one
	// document at a time; an error ends the refresh.
	Docs iter.Seq2[Doc, error]
	// Remove lists ids of documents of earlier generations to remove, nil for none. It is read after Docs, which may add
	// to it.
	Remove *[]string
	// Marks is called after Docs was read and replaces the marks with the same keys; nil for none.
	Marks func() []Mark
	// Forget lists the keys of marks to remove.
	Forget []string
}

// Empty reports whether the update changes nothing.
func (u Update) Empty() bool {
	return !u.Rebuild && len(u.Drop) == 0 && u.Docs == nil && u.Remove == nil && u.Marks == nil && len(u.Forget) == 0
}

// Options are the settings of a shard.
type Options struct {
	// Fingerprint is the caller's part of the settings that a generation was built with, such as the version of its
	// redaction: another value causes a rebuild.
	Fingerprint string
	// Now returns the time recorded in a new generation; nil records none.
	Now func() time.Time
	// LockWait is how long Refresh waits for another writer; 0 means not at all.
	LockWait time.Duration
	// WaitForLock also compacts a large generation as soon as that is worthwhile, which may take a minute; otherwise only
	// one that is several times as large as necessary.
	WaitForLock bool
	// ReadOnly keeps reads from recording damage that they find, so that nothing is written at all.
	ReadOnly bool
	// Progress, if set, is called with the number of documents indexed so far.
	Progress func(done int)
}

// State is the condition of a shard.
type State int

// The states, from worst to best.
const (
	Missing      State = iota // no generation was built
	Corrupt                   // files of the generation are damaged or missing
	Version                   // built by another version of this package or of its engine
	OtherOptions              // built with another fingerprint
	Stale                     // usable; its sources have changed, or it should be compacted
	Current                   // usable
)

// String returns the state's name for display.
func (s State) String() string {
	return [...]string{"missing", "corrupt", "version", "options", "stale", "current"}[s]
}

// Shard is one index in one directory.
type Shard struct {
	dir     string
	opt     Options
	sizes   sizes
	noLinks bool // for tests: as on a file system without hard links
}

// Open returns the shard in dir. It reads and writes nothing.
func Open(dir string, o Options) *Shard {
	return &Shard{dir: dir, opt: o, sizes: sizes{batchDocs, batchTerms, floorDocs}}
}

// Dir returns the shard's directory.
func (s *Shard) Dir() string { return s.dir }

// State returns the shard's state: Missing, Corrupt, Version, OtherOptions or Current. It compares sizes and times of
// files, but not their bytes, unlike Verify. It returns an error if the state cannot be determined.
func (s *Shard) State() (State, error) {
	_, st, err := s.load()
	return st, err
}

// Marks returns the marks of the current generation, or nil if there is none.
func (s *Shard) Marks() map[string]Mark {
	g, _, err := s.load()
	if err != nil || g == nil {
		return nil
	}
	return maps.Clone(g.marks)
}

// Result is the outcome of a refresh.
type Result struct {
	State      State  // before the refresh
	Busy       bool   // another writer had the lock; nothing was done
	Rebuilt    bool   // the generation was built from scratch
	Compacted  bool   // dead documents were dropped, without reading the sources
	Added      int    // documents
	Removed    int    // documents
	Duplicates int    // documents skipped because of duplicate ids
	Generation string // the current one
}

// Plan compares the sources with marks and returns the changes. With empty marks and a state other than Current it must
// return everything. It may be called more than once and must have no side effects.
type Plan func(marks map[string]Mark, st State) (Update, error)

// Refresh updates the shard. If plan finds no changes in a usable generation, no lock is taken and nothing is written.
// Otherwise the next generation is built beside the current one, which remains current until the swap, or permanently
// if anything fails. A damaged generation is rebuilt.
func (s *Shard) Refresh(ctx context.Context, plan func(marks map[string]Mark, st State) (Update,
	error)) (Result, error) {
	_, res, err := s.refresh(ctx, plan)
	return res, err
}

// refresh implements Refresh. It returns the generation that was current before, or nil if it was not usable or another
// one is current now.
func (s *Shard) refresh(ctx context.Context, plan Plan) (*generation, Result, error) {
	patience := time.NewTimer(s.opt.LockWait)
	defer patience.Stop()
	for swaps := 0; ; swaps++ {
		seen, _, _ := s.current()
		g, res, err := s.compare(plan)
		if err != nil || res.State == Current {
			return g, res, err
		}
		unlock, swapped, err := s.lockUnless(ctx, patience.C, func() bool {
			name, _, err := s.current()
			return err == nil && name != seen && swaps < maxSwaps
		})
		switch {
		case err != nil:
			return g, res, err
		case swapped: // another writer has finished: usually nothing is left to do
			continue
		case unlock == nil:
			res.Busy = true
			return g, res, nil
		}
		defer unlock()
		res, err = s.refreshLocked(ctx, plan, res)
		if g != nil && res.Generation != g.name {
			g = nil
		}
		return g, res, err
	}
}

// maxSwaps is how often a refresh re-reads another writer's generation before it only waits for the lock.
const maxSwaps = 4

// compare asks plan for the changes since the current generation. If there are any, the state of the result is Stale.
func (s *Shard) compare(plan Plan) (*generation, Result, error) {
	g, st, err := s.load()
	if err != nil || st != Current {
		return g, Result{State: st}, err
	}
	res := Result{State: Current, Generation: g.name}
	if !g.man.wantsCompacting(s.opt.WaitForLock) {
		up, err := plan(g.marks, Current)
		if err != nil || up.Empty() {
			return g, res, err
		}
	}
	res.State = Stale
	return g, res, nil
}

// Fresh is Refresh followed by [Shard.Snapshot], but it reads an unchanged generation only once. The error is the
// reason why the shard could not be refreshed, or, without a snapshot, why it could not be opened.
func (s *Shard) Fresh(ctx context.Context, plan func(marks map[string]Mark, st State) (Update, error)) (*Snapshot,
	Result, error) {
	g, res, err := s.refresh(ctx, plan)
	if g != nil {
		if snap, opened := openSnapshot(g); opened == nil {
			return snap, res, err
		}
	}
	snap, opened := s.Snapshot() // also distinguishes damage from a generation removed meanwhile
	if opened != nil {
		return nil, res, cmp.Or(err, opened)
	}
	return snap, res, err
}

func (s *Shard) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}
