package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// recaller is what a prompt's subject is looked for in: the indexes as they are, and
// the files of the project's memory that are newer.
type recaller struct {
	query.View
	s       *Sessions
	here    *workspace.Place
	scope   func(project string) bool
	fresh   []freshDoc
	changed map[string]bool // files whose rows in the index are old
	newer   map[string]bool // ids, as the index has them, of rows that are old
	texts   map[string]fileText
	whole   map[string]bool // files of which all is in units
	units   map[string]map[string]cite.Source
	counted int             // terms that docs was asked for
	loaded  map[string]bool // whether the client loads a file of rules by itself
}

// freshDoc is a unit of a file that the index does not hold as it is now.
type freshDoc struct {
	doc   index.Doc
	terms map[string]bool
}

// recaller opens what there is. Nothing indexed is no error.
func (m *Sessions) recaller(ctx context.Context, p *workspace.Place) (*recaller, error) {
	r := &recaller{
		s: m, here: p, changed: map[string]bool{}, newer: map[string]bool{}, texts: map[string]fileText{}, whole: map[string]bool{},
		units: map[string]map[string]cite.Source{}, loaded: map[string]bool{},
	}
	r.Reader = m.reader
	var err error
	r.scope = m.recallScope(p)
	if r.Cache, err = m.src.Resolver(p, true); err != nil {
		return nil, err
	}
	names := m.recallShards(p)
	r.Snaps = make([]*index.Snapshot, len(names))
	o := index.Options{Fingerprint: m.src.Fingerprint(), Now: m.ws.Options.Now, ReadOnly: true}
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() { // one that can't be opened adds nothing: the indexer mends it
			r.Snaps[i], _ = index.Open(filepath.Join(m.ws.IndexDir(), "shards", name), o).Snapshot()
		})
	}
	group.Wait()
	r.scan(r.Snaps[0])
	return r, nil
}

// recallShards names the folders of the indexes of a place, memory's first.
func (m *Sessions) recallShards(p *workspace.Place) []string {
	names := []string{"memory", "transcripts"}
	if p.InRepo {
		names = append(names, "history-"+store.ShortHash(p.Loc.CommonDir), "rules-"+store.ShortHash(p.Loc.CommonDir+"\x00"+p.Loc.WorkTree))
	}
	return names
}

// recallScope is the project of a place, also outside a repository: what nobody
// asked for must not come from elsewhere.
func (m *Sessions) recallScope(p *workspace.Place) func(string) bool {
	return m.ws.Unexcluded(p, workspace.ScopeOfPlace(p).Holds)
}

func (r *recaller) close() { ingest.CloseAll(r.Snaps) }

// spoken leaves out what was not said but done: calls, their results, thoughts, logs,
// and prompts, which ask and do not tell.
func spoken() []search.Condition {
	done := []string{"tool", "result", "thinking", string(cite.KindPrompt), string(cite.KindObservation)}
	match := func(v string) bool { return slices.Contains(done, v) }
	return []search.Condition{{On: search.OnType, Match: match, Not: true}, {On: search.OnRole, Match: match, Not: true}}
}

// frugalTerms is how many terms are counted before memory is given back.
const frugalTerms = 2

// docs counts the documents that hold a term in their text, or in their title.
func (r *recaller) docs(ctx context.Context, term string) int {
	n := 0
	for _, s := range r.Snaps {
		if s == nil {
			continue
		}
		most := 0
		for _, f := range []index.Field{index.Text, index.Title} { // a commit's subject is no part of its text
			if k, err := s.DocFreq(ctx, f, term); err == nil {
				most = max(most, k)
			}
		}
		n += most
		if r.counted%frugalTerms == 0 {
			s.LetGo()
		}
	}
	r.counted++
	for _, d := range r.fresh {
		if d.terms[term] {
			n++
		}
	}
	return n
}

// total counts the documents.
func (r *recaller) total() int {
	n := len(r.fresh)
	for _, s := range r.Snaps {
		if s != nil {
			n += s.Live()
		}
	}
	return n
}

// search ranks what the indexes and the fresh files hold.
func (r *recaller) search(ctx context.Context, q search.Query) (search.Result, error) {
	res, err := search.Run(ctx, r.Snaps, q)
	if err != nil && !errors.Is(err, index.ErrCorrupt) {
		return res, err
	}
	if res.Terms == nil {
		for _, t := range q.Terms {
			res.Terms = append(res.Terms, search.Term{Text: t.Text})
		}
	}
	res.Hits = slices.DeleteFunc(res.Hits, func(h search.Hit) bool { return r.changed[h.Doc.File] || r.newer[h.Doc.ID] || r.passedOver(h.Doc) })
	r.searchFresh(&res, q)
	return res, nil
}

// searchFresh adds the fresh documents, by the share of the query that they hold.
func (r *recaller) searchFresh(res *search.Result, q search.Query) {
	if len(r.fresh) == 0 {
		return
	}
	n, all := r.total(), 0.0
	for i := range res.Terms {
		t := &res.Terms[i]
		for _, d := range r.fresh {
			if d.terms[t.Text] {
				t.Docs++
			}
		}
		t.Rarity = search.IDF(n, t.Docs)
		all += t.Rarity
	}
	for i, d := range r.fresh {
		h := search.Hit{Shard: -1, Row: i, Doc: rowOf(d.doc)}
		for _, t := range res.Terms {
			if d.terms[t.Text] {
				h.Coverage, h.Matched = h.Coverage+t.Rarity/all, append(h.Matched, t.Text)
			}
		}
		if h.Score = h.Coverage; h.Score > 0 && !r.passedOver(h.Doc) && (q.Except == "" || h.Doc.Session != q.Except) {
			res.Hits = append(res.Hits, h)
		}
	}
}

func rowOf(d index.Doc) index.Row {
	id, _, _ := strings.Cut(d.ID, ingest.IdFile)
	return index.Row{
		ID: id, Source: d.Source, Layer: d.Layer, Type: d.Type, Role: d.Role, Project: d.Project, Session: d.Session, File: d.File,
		Order: d.Order, Offset: d.Offset, Length: d.Length, Time: d.Time,
	}
}

// fetch reads a hit's source.
func (r *recaller) fetch(h search.Hit) (cite.Source, error) {
	h.Doc.ID, _, _ = strings.Cut(h.Doc.ID, ingest.IdFile)
	switch h.Doc.Layer {
	case cite.LayerMemory, cite.LayerSummaries:
		return r.unit(h.Doc)
	}
	return r.View.Fetch(h)
}

// unit is a unit of memory. Of an archive its section is cut, of other files all,
// once.
func (r *recaller) unit(d index.Row) (cite.Source, error) {
	f := cite.File{Path: d.File, Area: cite.AreaOf(d.File), Project: d.Project}
	if src, ok := r.units[d.File][d.ID]; ok {
		return src, nil
	}
	if f.Area == cite.AreaArchive && !r.whole[d.File] {
		section := func(_, b []byte) []byte { return archive.SectionAt(b, int(d.Order)-1, int(d.Length)) }
		if _, err := r.cut(f, section); err != nil {
			return cite.Source{}, err
		}
		if src, ok := r.units[d.File][d.ID]; ok {
			return src, nil
		}
	}
	if !r.whole[d.File] {
		if _, err := r.cut(f, nil); err != nil {
			return cite.Source{}, err
		}
	}
	src, ok := r.units[d.File][d.ID]
	if !ok {
		return cite.Source{}, fmt.Errorf("%s: %w", d.ID, cite.ErrNotFound)
	}
	return src, nil
}

// Bounds of what is read of memory for one prompt, in bytes: of a file, and of what
// is newer than the index in all.
const (
	mostRead  = 1 << 20
	mostFresh = 512 << 10
)

// errTooLong says that a file is not read for a prompt.
var errTooLong = errors.New("too long for a prompt")

// text reads a file and redacts it, as a whole: a private block may span sections.
// It is read once.
func (r *recaller) text(f cite.File) (fileText, error) {
	if t, ok := r.texts[f.Path]; ok {
		return t, nil
	}
	b, err := r.s.src.MemoryTree().Read(f)
	if err != nil {
		return fileText{}, err
	}
	if len(b) > mostRead {
		return fileText{}, fmt.Errorf("%s: %w", f.Path, errTooLong)
	}
	t := fileText{b, []byte(r.s.ws.Redactor.Lines(string(b)))}
	r.texts[f.Path] = t
	return t, nil
}

// fileText is a file as it is, and redacted.
type fileText struct{ raw, clean []byte }

// cut cuts a file into units, whose sources are kept, or what part takes of it. That
// gets the file as it is and redacted, and gives of the latter; nil: nothing of it.
func (r *recaller) cut(f cite.File, part func(raw, clean []byte) []byte) ([]cite.Unit, error) {
	t, err := r.text(f)
	if err != nil {
		return nil, err
	}
	b := t.clean
	if part != nil {
		if b = part(t.raw, t.clean); b == nil {
			return nil, fmt.Errorf("%s: %w", f.Path, errTooLong)
		}
	}
	r.whole[f.Path] = r.whole[f.Path] || len(b) == len(t.clean)
	cut, _ := cite.Units(f, b)
	units := r.units[f.Path]
	if units == nil {
		units = map[string]cite.Source{}
		r.units[f.Path] = units
	}
	for _, u := range cut {
		if _, twice := units[u.ID]; !twice {
			units[u.ID] = r.Cache.FromUnit(f, u)
		}
	}
	return cut, nil
}

// scan reads the files of the project's memory that the index does not hold as they
// are: all, before there is an index. The newest come first, as far as the bound allows.
func (r *recaller) scan(snap *index.Snapshot) {
	files := r.s.recallFiles(r.here, r.scope)
	marks := map[string]index.Mark{}
	if snap != nil {
		for mark := range snap.EachMark() {
			marks[mark.Key] = mark
		}
	}
	slices.SortFunc(files, func(a, b ingest.TreeFile) int {
		return cmp.Or(cmp.Compare(b.Mark.MtimeNs, a.Mark.MtimeNs), cmp.Compare(a.Key, b.Key))
	})
	left := mostFresh
	for _, f := range files {
		if old := marks[f.Key]; old.Size != f.Mark.Size || old.MtimeNs != f.Mark.MtimeNs {
			left -= r.scanFile(f, old, left)
		}
	}
}

// scanFile reads a file that was marked as it was once, unless more than so many
// bytes of it are new. It returns how many those are.
func (r *recaller) scanFile(f ingest.TreeFile, old index.Mark, left int) (n int) {
	grown := false
	units, err := r.cut(f.File, func(raw, clean []byte) []byte {
		var line int
		if line, grown = appendedTo(f.File, raw, old); grown {
			clean = archive.FromLine(clean, line)
		}
		if n = len(clean); n > left {
			n = 0
			return nil
		}
		return clean
	})
	if err != nil {
		return n // the indexer tells
	}
	r.changed[f.File.Path] = !grown
	for _, d := range r.s.src.UnitDocs(f, units) {
		r.fresh = append(r.fresh, freshDoc{doc: d, terms: index.TermSet(d.Title, d.Text)})
		if grown {
			r.newer[d.ID] = true
		}
	}
	return n
}

// appendedTo is the first line of what a file may have got since it was marked: the
// last section of then, which may go on, and those behind it. False: the file is
// no archive, or not what it was.
func appendedTo(f cite.File, b []byte, old index.Mark) (line int, ok bool) {
	if f.Area != cite.AreaArchive || old.Size <= 0 || int64(len(b)) <= old.Size || ingest.HashOf(b[:old.Size]) != old.Hash {
		return 0, false
	}
	return archive.LastSection(b[:old.Size])
}

// recallFiles lists the files of a project's memory that say anything to a prompt.
func (m *Sessions) recallFiles(p *workspace.Place, scope func(string) bool) []ingest.TreeFile {
	tree := m.src.MemoryTree()
	known := m.ws.Folders()
	look, err := tree.Look()
	if err != nil {
		return nil
	}
	defer look.Close()
	var out []ingest.TreeFile
	places := []string{workspace.MemoryDir(p)}
	for _, of := range append(slices.Clone(p.Linked), p.Project) {
		if of.Dir != "" {
			places = append(places, of.Dir)
		}
	}
	_ = m.src.WalkMarkdown(m.ws.Root, places, func(rel string) { // what can't be read is told by who indexes it
		f := cite.File{Path: rel, Area: cite.AreaOf(rel), Project: m.ws.ProjectOf(known, rel)}
		switch f.Area {
		case cite.AreaMemory, cite.AreaArchive, cite.AreaDecision, cite.AreaTasks:
		default:
			return
		}
		if _, secret := m.ws.Redactor.Name(rel); secret || !scope(f.Project) || m.src.ExcludedTreeFile(f) {
			return
		}
		if info, err := look.Stat(f); err == nil {
			out = append(out, ingest.TreeFile{Tree: tree, File: f, Key: rel, Mark: ingest.Stamp(rel, info)})
		}
	})
	return out
}

// passedOver tells documents that the model has anyway: the part of MEMORY.md and the
// rules that the client loads by itself.
func (r *recaller) passedOver(d index.Row) bool {
	switch {
	case d.Layer == cite.LayerRules:
		return r.loads(d.File)
	case d.File == workspace.MemoryDir(r.here)+"/MEMORY.md":
		return d.Order <= loadedLines && d.Offset < loadedBytes
	}
	return false
}

// What the client loads of a project's MEMORY.md.
const (
	loadedLines = 200
	loadedBytes = 25 << 10
)

// loads tells whether the client loads a file of rules at the start: all but those
// that say which files they are about.
func (r *recaller) loads(file string) bool {
	if known, ok := r.loaded[file]; ok {
		return known
	}
	loads := true
	if strings.Contains(file, ".claude/rules/") {
		b, err := os.ReadFile(filepath.Join(r.here.Loc.WorkTree, filepath.FromSlash(file)))
		head, _, _ := strings.Cut(strings.TrimPrefix(string(b), "---\n"), "\n---")
		loads = err != nil || !strings.HasPrefix(string(b), "---\n") || !strings.Contains("\n"+head, "\npaths:")
	}
	r.loaded[file] = loads
	return loads
}
