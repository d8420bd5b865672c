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
	// ErrMissing means that the shard has no usable generation: none was built yet, or it
	// was built by another version or with other options. Refresh builds one.
	ErrMissing = errors.New("no usable index")
	// ErrCorrupt means that files of the generation are damaged. The next
	// Refresh rebuilds it.
	ErrCorrupt = errors.New("damaged index")
	// ErrClosed means that the snapshot was used after Close.
	ErrClosed = errors.New("index snapshot is closed")
)

// Doc is one document to index. Its text is analysed and not kept.
type Doc struct {
	ID                                                string // citation id, unique in the shard
	Source                                            string // the key of the mark it came from
	Layer, Type, Role, Project, Session, Author, File string
	Order                                             int64     // position within the session
	Time                                              time.Time // zero: unknown; kept to the millisecond
	Offset, Length                                    int64     // bytes within File
	Title, Text, Tool                                 string
	DiffTerms                                         string // see the field of this name
	Paths                                             []string
	// Churn is how many lines of each of Paths changed, 0 where unknown; nil for none.
	// Values beyond the last of Paths are dropped.
	Churn []uint32
	// Also are others who share the work, in the form of Author.
	Also []string
	// Reviewers are those who reviewed it, in the form of Author.
	Reviewers []string
	// Release is the first release that contains the document, empty for none.
	Release string
}

// Update is what a refresh changes.
type Update struct {
	// Rebuild drops everything first: Docs and Marks are then complete.
	Rebuild bool
	// Drop lists sources all of whose documents are removed, before Docs are added.
	Drop []string
	// Docs are the new documents, nil for none. One with the id of an earlier generation's
	// document replaces it; of two with the same id in one update the first is kept, and
	// the others are counted. It is read once, one document at a time; an error ends the
	// refresh.
	Docs iter.Seq2[Doc, error]
	// Remove lists ids of documents of earlier generations to remove, nil for none. It is
	// read after Docs, which may add to it.
	Remove *[]string
	// Marks is called after Docs were read and replaces the marks of the same keys; nil for
	// none.
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
	// Fingerprint is the caller's part of the settings that a generation was built with,
	// such as the version of its redaction: another value causes a rebuild.
	Fingerprint string
	// Now gives the time recorded in a new generation; nil records none.
	Now func() time.Time
	// LockWait is how long Refresh waits for another writer; 0: not at all.
	LockWait time.Duration
	// WaitForLock compacts also a large generation as soon as that is worthwhile, which may
	// take a minute; otherwise only one that is several times as large as necessary.
	WaitForLock bool
	// ReadOnly keeps reads from recording damage that they find, so that nothing at all is
	// written.
	ReadOnly bool
	// Progress, if set, is called with the number of documents indexed so far.
	Progress func(done int)
}

// State is the condition of a shard.
type State int

// The states, from worst to best.
const (
	Missing      State = iota // no generation was built
	Corrupt                   // files of the generation are damaged or gone
	Version                   // built by another version of this package or of its engine
	OtherOptions              // built with another fingerprint
	Stale                     // usable; its sources have changed, or it wants compacting
	Current                   // usable
)

// String returns the state's name as people read it.
func (s State) String() string {
	return [...]string{"missing", "corrupt", "version", "options", "stale", "current"}[s]
}

// Shard is one index in one directory.
type Shard struct {
	dir     string
	opt     Options
	sizes   sizes
	noLinks bool // in tests: as on a file system without hard links
}

// Open names the shard in dir. It reads and writes nothing.
func Open(dir string, o Options) *Shard {
	return &Shard{dir: dir, opt: o, sizes: sizes{batchDocs, batchTerms, floorDocs}}
}

// Dir returns the shard's directory.
func (s *Shard) Dir() string { return s.dir }

// State returns the shard's state: Missing, Corrupt, Version, OtherOptions or Current. It
// compares sizes and times of files, not their bytes; that is Verify. An error means that
// it could not be determined.
func (s *Shard) State() (State, error) {
	_, st, err := s.load()
	return st, err
}

// Marks are the marks of the generation in use, none where there is no such generation.
func (s *Shard) Marks() map[string]Mark {
	g, _, err := s.load()
	if err != nil || g == nil {
		return nil
	}
	return maps.Clone(g.marks)
}

// Result is the outcome of a refresh.
type Result struct {
	State      State  // before
	Busy       bool   // another writer had the lock; nothing was done
	Rebuilt    bool   // the generation was built from nothing
	Compacted  bool   // dead documents were dropped, without reading the sources
	Added      int    // documents
	Removed    int    // documents
	Duplicates int    // documents left out because their id occurred twice
	Generation string // the one in use now
}

// Plan compares the sources with marks and returns what has changed. With
// empty marks and a state other than Current it must return everything. It
// may be called more than once and must have no effects.
type Plan func(marks map[string]Mark, st State) (Update, error)

// Refresh brings the shard up to date. If plan finds nothing to change in a usable
// generation, no lock is taken and nothing is written. Otherwise the next generation is
// built beside the present one, which stays in use until the swap, and for good if anything
// fails. A damaged generation is rebuilt.
func (s *Shard) Refresh(ctx context.Context, plan func(marks map[string]Mark, st State) (Update,
	error)) (Result, error) {
	_, res, err := s.refresh(ctx, plan)
	return res, err
}

// refresh is Refresh. It returns the generation that was in use before, nil if none was
// usable or another one is in use now.
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
		case swapped: // another writer has finished: mostly nothing is left to do
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

// maxSwaps is how often a refresh re-reads another writer's generation before it only waits
// for the lock.
const maxSwaps = 4

// compare asks plan what has changed since the generation in use. The state of the result
// is Stale if something has.
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

// Fresh is Refresh and then [Shard.Snapshot], but reads an unchanged generation only once.
// The error is why the shard could not be brought up to date, or, without a snapshot, why
// it could not be opened.
func (s *Shard) Fresh(ctx context.Context, plan func(marks map[string]Mark, st State) (Update, error)) (*Snapshot,
	Result, error) {
	g, res, err := s.refresh(ctx, plan)
	if g != nil {
		if snap, opened := openSnapshot(g); opened == nil {
			return snap, res, err
		}
	}
	snap, opened := s.Snapshot() // which also distinguishes damage from a generation removed meanwhile
	if opened != nil {
		return nil, res, cmp.Or(err, opened)
	}
	return snap, res, err
}

func (s *Shard) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}
