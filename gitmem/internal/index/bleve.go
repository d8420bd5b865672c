package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// bleveDir contains the bleve index of a generation with documents.
const bleveDir = "bleve"

// registered is set once [byRow] is registered as bleve's segment format: bleve's list of
// formats is global.
var registered sync.Once

func register() {
	registered.Do(func() { scorch.RegisterSegmentPlugin(byRow{&zap.ZapPlugin{}}, true) })
}

// byRow is bleve's segment format with documents in the order of their ids, which is that of rows: bleve itself orders
// the documents of a batch like a map.
type byRow struct{ *zap.ZapPlugin }

func (p byRow) New(docs []bleveindex.Document) (segmentapi.Segment, uint64, error) {
	return p.NewUsing(docs, nil)
}

func (p byRow) NewUsing(docs []bleveindex.Document, config map[string]any) (segmentapi.Segment, uint64, error) {
	slices.SortFunc(docs, func(a, b bleveindex.Document) int { return strings.Compare(a.ID(), b.ID()) })
	return p.ZapPlugin.NewUsing(docs, config)
}

func (p byRow) Merge(segments []segmentapi.Segment, drops []*roaring.Bitmap, path string, stop chan struct{},
	s segmentapi.StatsReporter) ([][]uint64, uint64, error) {
	return p.MergeUsing(segments, drops, path, stop, s, nil)
}

// MergeUsing merges segments by their first rows.
func (p byRow) MergeUsing(segments []segmentapi.Segment, drops []*roaring.Bitmap, path string, stop chan struct{},
	s segmentapi.StatsReporter, config map[string]any) (numbers [][]uint64, size uint64, err error) {
	err = guarded(func() error {
		order, firsts := make([]int, len(segments)), make([]string, len(segments))
		for i, seg := range segments {
			first, err := seg.DocID(0)
			if err != nil {
				return err
			}
			order[i], firsts[i] = i, string(first)
		}
		slices.SortFunc(order, func(a, b int) int { return strings.Compare(firsts[a], firsts[b]) })
		sorted, sortedDrops := make([]segmentapi.Segment, len(order)), make([]*roaring.Bitmap, len(order))
		for to, from := range order {
			sorted[to], sortedDrops[to] = segments[from], drops[from]
		}
		merged, n, err := p.ZapPlugin.MergeUsing(sorted, sortedDrops, path, stop, s, config)
		if err != nil {
			return err
		}
		numbers, size = make([][]uint64, len(order)), n
		for to, from := range order {
			numbers[from] = merged[to]
		}
		return nil
	})
	return numbers, size, err
}

// openBleve opens a bleve index. queue analyses documents, nil for reading only; for floor
// see floorDocs.
func openBleve(dir string, queue *bleveindex.AnalysisQueue, floor int) (*scorch.Scorch, error) {
	register()
	var opened *scorch.Scorch
	err := guarded(func() error {
		made, err := scorch.NewScorch(scorch.Name, map[string]any{
			"path": dir, "read_only": queue == nil,
			// A reported batch is on disk.
			"unsafe_batch": false, "bolt_timeout": "5s",
			"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": tierSegments, "FloorSegmentSize": floor},
		}, queue)
		if err != nil {
			return err
		}
		if err := made.Open(); err != nil {
			return err
		}
		opened = made.(*scorch.Scorch)
		return nil
	})
	return opened, err
}

// bleveID returns the id of a document in bleve: its serial number, see [tableWriter].
func bleveID(serial uint32) string {
	return string(binary.BigEndian.AppendUint32(nil, serial))
}

// terms contains the terms of a document's field for bleve: with frequencies, without positions or values. The lengths
// of fields are in the document table. bleve writes a length with each term of each document, so it gets the shortest
// one.
type terms struct {
	name  string
	freqs bleveindex.TokenFrequencies
}

// Name implements bleve's field, as do the following methods.
func (t *terms) Name() string                                          { return t.name }
func (t *terms) Value() []byte                                         { return nil }
func (t *terms) ArrayPositions() []uint64                              { return nil }
func (t *terms) EncodedFieldType() byte                                { return 't' }
func (t *terms) Analyze()                                              {}
func (t *terms) Options() bleveindex.FieldIndexingOptions              { return bleveindex.IndexField }
func (t *terms) AnalyzedLength() int                                   { return 1 }
func (t *terms) AnalyzedTokenFrequencies() bleveindex.TokenFrequencies { return t.freqs }
func (t *terms) NumPlainTextBytes() uint64                             { return 0 }
func (t *terms) Size() int                                             { return 64 * len(t.freqs) }

// document converts a document to a bleve document, and returns the lengths of its fields.
func (a *analyzer) document(serial uint32, d *Doc) (*document.Document, [fields]uint32) {
	out, lengths := document.NewDocument(bleveID(serial)), [fields]uint32{}
	for n, texts := range [fields][]string{{d.Text}, {d.Title}, {d.Tool}, d.Paths, {d.DiffTerms}} {
		t := &terms{name: string(allFields[n])}
		if lengths[n] = a.count(texts, t); lengths[n] > 0 {
			out.AddField(t)
		}
	}
	return out, lengths
}

// count counts the terms of texts, and returns their total. Counts exist for each term of each document until a segment
// is written, so the most frequent count, 1, and the names of terms are shared. bleve uses the key of the map, not
// Term.
func (a *analyzer) count(texts []string, t *terms) (length uint32) {
	var slab []bleveindex.TokenFreq
	for _, text := range texts {
		a.scan(text, func(term, _ []byte, _, _ int) {
			length++
			if t.freqs == nil {
				t.freqs = make(bleveindex.TokenFrequencies, min(256, 1+len(text)/8))
			}
			switch f, known := t.freqs[string(term)]; {
			case !known:
				t.freqs[a.name(term)] = a.one()
			case f == a.once:
				if len(slab) == 0 {
					slab = make([]bleveindex.TokenFreq, min(16, 2+len(t.freqs)/8))
				}
				slab[0].SetFrequency(2)
				t.freqs[a.name(term)] = &slab[0]
				slab = slab[1:]
			default:
				f.SetFrequency(f.Frequency() + 1)
			}
		})
	}
	return length
}

// one returns the shared count of terms that occur once. It must not be changed.
func (a *analyzer) one() *bleveindex.TokenFreq {
	if a.once == nil {
		a.once = &bleveindex.TokenFreq{}
		a.once.SetFrequency(1)
	}
	return a.once
}

// name returns a term as a string that is shared by many documents.
func (a *analyzer) name(term []byte) string {
	if s, ok := a.names[string(term)]; ok {
		return s
	}
	s := string(term)
	if len(a.names) >= maxStems || a.names == nil {
		a.names = map[string]string{}
	}
	a.names[s] = s
	return s
}

// errBleve means that bleve could not read its index: it is damaged, or the cause is transient, such as too many open
// files. The checksums distinguish these.
var errBleve = errors.New("the bleve index can't be read")

// guarded converts a panic on damaged bytes into an error, also if a file was truncated
// while mapped.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errBleve, p)
		}
	}()
	return f()
}
