package index

import (
	"fmt"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"
	bleveindex "github.com/blevesearch/bleve_index_api"
)

// Field is a part of a document that is searched by itself.
type Field string

// The fields. Day holds the document's date, 20060102 in UTC, as one term
// without frequency or length.
const (
	Text  Field = "text"
	Title Field = "title"
	Tool  Field = "tool"
	Paths Field = "paths"
	Day   Field = "day"
)

// fields is the number of those with lengths: Text, Title, Tool, Paths.
const fields = 4

// number returns a field's place among those with lengths.
func (f Field) number() (int, bool) {
	switch f {
	case Text:
		return 0, true
	case Title:
		return 1, true
	case Tool:
		return 2, true
	case Paths:
		return 3, true
	}
	return 0, false
}

// analyzed is a document whose fields bleve can take as they are. The text is
// split here rather than by a bleve analyzer, because those live in a registry
// that the whole process shares.
type analyzed struct {
	fields []*tokenField
	tokens [fields]int
}

// analyze splits the fields of a document. An empty field is left out.
func (a *analyzer) analyze(d *Doc) *analyzed {
	out := &analyzed{}
	for n, part := range [fields]struct {
		name  Field
		texts []string
	}{{Text, []string{d.Text}}, {Title, []string{d.Title}}, {Tool, []string{d.Tool}}, {Paths, d.Paths}} {
		f := a.field(part.name, part.texts)
		if f.length > 0 {
			out.fields = append(out.fields, f)
			out.tokens[n] = f.length
		}
	}
	if !d.Time.IsZero() {
		out.fields = append(out.fields, dayField(d.Time.UTC().Format("20060102")))
	}
	return out
}

func (a *analyzer) field(name Field, texts []string) *tokenField {
	f := &tokenField{name: string(name), options: bleveindex.IndexField, freqs: bleveindex.TokenFrequencies{}}
	// Token frequencies are cut from slabs: there is one for each distinct
	// term of each document, and they die together. Their Term stays empty:
	// bleve goes by the key of the map.
	var slab []bleveindex.TokenFreq
	for _, text := range texts {
		f.bytes += len(text)
		a.scan(text, func(term, _ []byte, _, _ int) {
			f.length++
			if t, ok := f.freqs[string(term)]; ok {
				t.SetFrequency(t.Frequency() + 1)
				return
			}
			if len(slab) == 0 {
				slab = make([]bleveindex.TokenFreq, min(64, 8+len(f.freqs)))
			}
			t := &slab[0]
			slab = slab[1:]
			t.SetFrequency(1)
			f.freqs[string(term)] = t
		})
	}
	return f
}

func dayField(day string) *tokenField {
	t := &bleveindex.TokenFreq{}
	t.SetFrequency(1)
	return &tokenField{
		name: string(Day), options: bleveindex.IndexField | bleveindex.SkipFreqNorm,
		length: 1, bytes: len(day), freqs: bleveindex.TokenFrequencies{day: t},
	}
}

// tokenField is a bleve field that brings its terms with it.
type tokenField struct {
	name    string
	options bleveindex.FieldIndexingOptions
	length  int
	bytes   int
	freqs   bleveindex.TokenFrequencies
}

func (f *tokenField) Name() string                                          { return f.name }
func (f *tokenField) Value() []byte                                         { return nil }
func (f *tokenField) ArrayPositions() []uint64                              { return nil }
func (f *tokenField) EncodedFieldType() byte                                { return 't' }
func (f *tokenField) Analyze()                                              {}
func (f *tokenField) Options() bleveindex.FieldIndexingOptions              { return f.options }
func (f *tokenField) AnalyzedLength() int                                   { return f.length }
func (f *tokenField) AnalyzedTokenFrequencies() bleveindex.TokenFrequencies { return f.freqs }
func (f *tokenField) NumPlainTextBytes() uint64                             { return uint64(f.bytes) }
func (f *tokenField) Size() int                                             { return f.bytes + 64*len(f.freqs) }

// addTo puts the fields into a bleve document.
func (a *analyzed) addTo(d *document.Document) {
	for _, f := range a.fields {
		d.AddField(f)
	}
}

// docKey is the external id of a row in bleve.
func docKey(row int) string { return fmt.Sprintf("%08x", row) }

// passThrough is the mapping given to bleve's builder: it takes analyzed
// documents and nothing else. What is stored in the index is the static
// mapping within.
type passThrough struct{ *mapping.IndexMappingImpl }

func newMapping() passThrough {
	m := mapping.NewIndexMapping()
	m.DefaultMapping = mapping.NewDocumentStaticMapping()
	m.DefaultMapping.AddSubDocumentMapping("_all", mapping.NewDocumentDisabledMapping())
	return passThrough{m}
}

// MapDocument implements bleve's mapping.IndexMapping.
func (passThrough) MapDocument(d *document.Document, data any) error {
	a, ok := data.(*analyzed)
	if !ok {
		return fmt.Errorf("not an analyzed document: %T", data)
	}
	a.addTo(d)
	return nil
}
