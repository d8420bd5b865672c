package index

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/internal/freelist"
	"github.com/gitmem/gitmem/internal/mmap"
)

// Row contains what the index stores of a document.
type Row struct {
	ID, Source, Layer, Type, Role, Project, Session, Author, File string

	Order, Offset, Length int64
	Tokens                int       `differs:"token count"` // number of terms in the text
	Time                  time.Time // UTC, zero if unknown
	Hash                  uint64    `differs:"title or text"` // see Doc.Hash
	Paths                 []string
	// changed lines for each of Paths, 0 if unknown; nil if all are unknown
	Churn     []uint32 `differs:"changed lines"`
	Also      []string `differs:"people"` // other contributors, in the form of Author
	Reviewers []string // in the form of Author
	Release   string   // the first release that contains it, empty if there is none or it is unknown
	Dead      bool
}

// Snapshot reads one generation. It does not change while writers continue, and keeps its files until Close. It is safe
// for concurrent use.
type Snapshot struct {
	gen    *generation
	files  mappings
	t      *table                // nil once the files are closed
	bleve  *scorch.Scorch        // nil if there are no documents
	text   *scorch.IndexSnapshot // of bleve
	groups []segmentGroup        // in the order of rows

	mu     sync.Mutex
	closed bool
	reads  int // in progress: the last one closes the files of a closed snapshot
	unused freelist.List[*postingsReader]
}

// textSegment is a segment of bleve with the rows of its documents.
type textSegment struct {
	segmentRows
	seg   *scorch.SegmentSnapshot
	whole bool // every document has a row
}

// Snapshot opens the current generation. The error is ErrMissing if there is none that this version can use, ErrCorrupt
// if it is damaged.
func (s *Shard) Snapshot() (*Snapshot, error) {
	for {
		g, st, err := s.load()
		if err != nil {
			return nil, err
		}
		if g == nil {
			return nil, stateError(s.dir, st)
		}
		snap, err := openSnapshot(g)
		if err == nil {
			return snap, nil
		}
		if now, _, nowErr := s.current(); nowErr == nil && now != g.name {
			continue // a writer has just removed it
		}
		return nil, g.diagnose(err)
	}
}

func stateError(dir string, st State) error {
	if st == Corrupt {
		return fmt.Errorf("%w: %s", ErrCorrupt, dir)
	}
	return fmt.Errorf("%w: %s: %s", ErrMissing, dir, st)
}

// diagnose distinguishes damage from transient errors, such as too many open files: a generation is only marked damaged
// if a checksum differs or its parts do not match.
func (g *generation) diagnose(err error) error {
	if errors.Is(err, ErrCorrupt) {
		return g.markDamaged(err)
	}
	if sum := g.checksums(); errors.Is(sum, ErrCorrupt) || errors.Is(sum, fs.ErrNotExist) {
		return g.markDamaged(fmt.Errorf("%w (%w)", sum, err))
	}
	return fmt.Errorf("open the index: %w", err)
}

// openSnapshot opens the parts of a generation, some of which may be truncated meanwhile.
func openSnapshot(g *generation) (snap *Snapshot, err error) {
	err = osfile.CatchFault(func() (err error) {
		snap, err = g.open()
		return err
	})
	return snap, err
}

func (g *generation) open() (snap *Snapshot, err error) {
	s := &Snapshot{gen: g}
	defer func() {
		if snap == nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.t, err = openTable(g, &s.files); err != nil {
		return nil, err
	}
	docs, err := g.readDocs()
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return s, nil
	}
	if s.bleve, err = openBleve(g.path(bleveDir), nil, floorDocs); err != nil {
		return nil, err
	}
	if err := guarded(func() error { return s.openText(docs) }); err != nil {
		return nil, err
	}
	return s, nil
}

// openText compares what bleve opened with the expected segments, since bleve skips those that it cannot read.
func (s *Snapshot) openText(docs []segmentRows) (err error) {
	if s.text, err = snapshotOf(s.bleve); err != nil {
		return err
	}
	segments := s.text.Segments()
	if len(segments) != len(docs) {
		return fmt.Errorf("%w: %d segments of %d", errBleve, len(segments), len(docs))
	}
	for _, d := range docs {
		at := slices.IndexFunc(segments, func(seg *scorch.SegmentSnapshot) bool {
			return segmentName(seg) == d.name && int(seg.FullSize()) == d.docs
		})
		if at < 0 {
			return fmt.Errorf("%w: segment %s is not among them", errBleve, d.name)
		}
		s.groups = append(s.groups, segmentGroup{segments: []textSegment{{d, segments[at], d.rows() == d.docs}}})
		g := &s.groups[len(s.groups)-1]
		g.first, g.end, g.ascending = d.bounds()
	}
	slices.SortFunc(s.groups, func(a, b segmentGroup) int { return cmp.Compare(a.first, b.first) })
	s.groups = joinGroups(s.groups)
	return nil
}

// segmentGroup contains segments with interleaved rows, or a single one.
type segmentGroup struct {
	segments   []textSegment
	first, end uint32 // rows
	ascending  bool   // consecutive documents have ascending rows
}

// joinGroups groups consecutive segments with common row ranges.
func joinGroups(groups []segmentGroup) (out []segmentGroup) {
	for _, g := range groups {
		if len(out) == 0 || g.first >= out[len(out)-1].end {
			out = append(out, g)
			continue
		}
		last := &out[len(out)-1]
		last.segments, last.end, last.ascending = append(last.segments, g.segments...), max(last.end, g.end), false
	}
	return out
}

// Close ends the use of the snapshot. Its files are closed immediately, or by the last of the reads of terms and
// postings in progress; rows must not be read after that. They are not left to the garbage collector, which does not
// know how much memory they use.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.closeUnused()
}

// acquire keeps the files open until release. The error is ErrClosed after Close.
func (s *Snapshot) acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.reads++
	return nil
}

func (s *Snapshot) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads--
	_ = s.closeUnused() // nothing was written
}

// closeUnused closes the files if nobody reads them any more.
func (s *Snapshot) closeUnused() error {
	if !s.closed || s.reads > 0 {
		return nil
	}
	text, bleve := s.text, s.bleve
	s.t, s.text, s.bleve = nil, nil, nil
	s.unused.Clear()
	s.files.release()
	return guarded(func() (err error) {
		if text != nil {
			err = text.Close()
		}
		if bleve != nil {
			err = errors.Join(err, bleve.Close())
		}
		return err
	})
}

// ReleasePages releases the memory of the files read so far: the system maps far more of them than is read, and all of
// it counts as this process's. Reading it again is slightly slower. Other reads may continue meanwhile.
func (s *Snapshot) ReleasePages() {
	if s.acquire() != nil {
		return
	}
	defer s.release()
	for _, p := range s.t.parts {
		mmap.Release(p.data)
	}
	for _, g := range s.groups {
		for i := range g.segments {
			if file, ok := g.segments[i].seg.Segment().(*zap.Segment); ok {
				mmap.Release(file.Data())
			}
		}
	}
}

// Rows returns the number of rows, dead ones included.
func (s *Snapshot) Rows() int { return s.t.rows }

// Live returns the number of live rows.
func (s *Snapshot) Live() int { return s.t.live }

// Marks returns a copy of the marks of the generation.
func (s *Snapshot) Marks() map[string]Mark { return maps.Clone(s.gen.marks) }

// Mark returns the mark of a source.
func (s *Snapshot) Mark(key string) (Mark, bool) {
	m, ok := s.gen.marks[key]
	return m, ok
}

// EachMark yields the marks of the generation in no particular order, without copying all.
func (s *Snapshot) EachMark() iter.Seq[Mark] { return maps.Values(s.gen.marks) }

// Row decodes row i, which must be in [0, Rows).
func (s *Snapshot) Row(i int) Row { return s.t.row(i) }

// ID returns the citation id of row i, without the rest of the row.
func (s *Snapshot) ID(i int) string { return s.t.id(i) }

// Find returns the live row with a citation id. It scans all rows: about a millisecond for 350,000.
func (s *Snapshot) Find(id string) (int, bool) {
	return s.t.rowOf(id)
}

// Dead reports whether row i is a tombstone.
func (s *Snapshot) Dead(i int) bool { return s.t.dead(i) }

// Unix returns the time of row i in seconds, or 0 if it has none.
func (s *Snapshot) Unix(i int) int64 {
	ms, ok := s.t.millis(i)
	if !ok {
		return 0
	}
	if ms < 0 {
		ms -= 999 // round down, like time.Time.Unix
	}
	return ms / 1000
}

// SessionOf returns the session number of row i, or -1 if it has none.
func (s *Snapshot) SessionOf(i int) int32 { return s.t.session(i) }

// Sessions returns the number of session numbers; some may have no live rows.
func (s *Snapshot) Sessions() int { return s.t.sessions }

// SessionName returns the name of a session by its number, "" for -1.
func (s *Snapshot) SessionName(session int32) string { return s.t.sessionName(session) }

// SessionTokens returns the sum of Tokens over the live rows of a session.
func (s *Snapshot) SessionTokens(session int32) int {
	return s.t.sessionTokens(int(session))
}

// Next returns the live row after row i in its session, or -1.
func (s *Snapshot) Next(i int) int32 { return s.t.neighbour(s.t.links.next, i) }

// Prev returns the live row before row i in its session, or -1.
func (s *Snapshot) Prev(i int) int32 { return s.t.neighbour(s.t.links.prev, i) }

// Columns contains values of all rows, for callers that read very many of them. They belong to the snapshot and must
// not be modified. Damage may have changed any number: callers must compare those that they use with the number of rows
// or sessions, since most are never read.
type Columns struct {
	Session []int32 // session number; -1 for none
	Next    []int32 // the next live row in its session; -1 for none
	Prev    []int32 // the previous live row in its session; -1 for none
}

// Columns returns values of all rows.
func (s *Snapshot) Columns() Columns {
	l := s.t.links
	return Columns{Session: l.session, Next: l.next, Prev: l.prev}
}

// SourceOf returns the source of row i as a string reference.
func (s *Snapshot) SourceOf(i int) uint32 { return s.ref(colSource, i) }

// LayerOf returns the layer of row i as a string reference.
func (s *Snapshot) LayerOf(i int) uint32 { return s.ref(colLayer, i) }

// TypeOf returns the type of row i as a string reference.
func (s *Snapshot) TypeOf(i int) uint32 { return s.ref(colType, i) }

// RoleOf returns the role of row i as a string reference.
func (s *Snapshot) RoleOf(i int) uint32 { return s.ref(colRole, i) }

// ProjectOf returns the project of row i as a string reference.
func (s *Snapshot) ProjectOf(i int) uint32 { return s.ref(colProject, i) }

// AuthorOf returns the author of row i as a string reference.
func (s *Snapshot) AuthorOf(i int) uint32 { return s.ref(colAuthor, i) }

// FileOf returns the file of row i as a string reference.
func (s *Snapshot) FileOf(i int) uint32 { return s.ref(colFile, i) }

// PathRefs yields the paths of row i as string references.
func (s *Snapshot) PathRefs(i int) iter.Seq[uint32] { return s.refs(i, colPathEnd, colPath) }

// ChurnOf returns the number of changed lines for each path of row i, in the order of [Snapshot.PathRefs] and 0 if
// unknown; nil if all are unknown.
func (s *Snapshot) ChurnOf(i int) []uint32 {
	p, at := s.t.partOf(i)
	return p.churn(at)
}

// AlsoRefs yields the other contributors of row i as string references.
func (s *Snapshot) AlsoRefs(i int) iter.Seq[uint32] { return s.refs(i, colAlsoEnd, colAlso) }

// ReviewerRefs yields the reviewers of row i as string references.
func (s *Snapshot) ReviewerRefs(i int) iter.Seq[uint32] {
	return s.refs(i, colReviewerEnd, colReviewer)
}

func (s *Snapshot) refs(i, endColumn, column int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		p, at := s.t.partOf(i)
		start, end := p.span(at, endColumn, column)
		for n := start; n < end; n++ {
			if !yield(uint32(p.cols[column].at(n))) {
				return
			}
		}
	}
}

// IDPrefixOf returns the prefix of row i's id as a string reference: the whole id, or what precedes the number of a
// part.
func (s *Snapshot) IDPrefixOf(i int) uint32 { return s.ref(colIDPrefix, i) }

func (s *Snapshot) ref(c, i int) uint32 { return uint32(s.t.at(c, i)) }

// StringRef returns the reference of a string; false if no row has it.
func (s *Snapshot) StringRef(str string) (uint32, bool) {
	return s.t.find(str)
}

// String returns the string of a reference.
func (s *Snapshot) String(ref uint32) string { return s.t.str(uint64(ref)) }

// AverageLength returns the mean number of terms of a field over the live rows that have the field, or 0 if none has.
func (s *Snapshot) AverageLength(f Field) float64 {
	sum := s.t.sums[f.number()]
	if sum.docs == 0 {
		return 0
	}
	return float64(sum.tokens) / float64(sum.docs)
}

// Strings yields every string of the table, and the keys and data of the marks, to search for content that must not be
// there.
func (s *Snapshot) Strings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for ref := 1; ref < s.t.strings(); ref++ {
			if !yield(s.String(uint32(ref))) {
				return
			}
		}
		for key, m := range s.gen.marks {
			if !yield(key) || !yield(m.Data) {
				return
			}
		}
	}
}
