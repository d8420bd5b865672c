package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// refreshLocked does the work of Refresh under the writer's lock.
func (s *Shard) refreshLocked(ctx context.Context, plan Plan, res Result) (Result, error) {
	g, st, err := s.load() // another writer may have been here
	if err != nil {
		return res, err
	}
	if st != Current {
		return s.rebuild(ctx, plan, st, res)
	}
	res.Generation = g.name
	if g.man.wantsRebuild() {
		return s.rebuild(ctx, plan, Stale, res)
	}
	up, err := plan(g.marks, Current)
	if err != nil || up.Empty() {
		return res, err
	}
	if up.Rebuild {
		return s.build(ctx, nil, up, res)
	}
	done, err := s.build(ctx, g, up, res)
	if errors.Is(err, ErrCorrupt) {
		res.State = Corrupt
		return s.rebuild(ctx, plan, Corrupt, res)
	}
	return done, err
}

// rebuild asks plan for everything and builds from nothing.
func (s *Shard) rebuild(ctx context.Context, plan Plan, st State, res Result) (Result, error) {
	up, err := plan(map[string]Mark{}, st)
	if err != nil {
		return res, err
	}
	return s.build(ctx, nil, up, res)
}

// build makes the next generation, from base or from nothing, and swaps it in.
func (s *Shard) build(ctx context.Context, base *generation, up Update, res Result) (Result, error) {
	name, err := s.nextName() // before the sweep, so that no name comes twice
	if err != nil {
		return res, fmt.Errorf("build the index: %w", err)
	}
	if err := s.sweep(s.keep()); err != nil {
		return res, fmt.Errorf("clear the index: %w", err)
	}
	b := &build{
		ctx: ctx, shard: s, base: base, up: up, analyzer: newAnalyzer(),
		gen: &generation{dir: s.path(name), name: name, marks: map[string]Mark{}},
	}
	if err := b.run(); err != nil {
		if b.engine != nil {
			b.engine.abort()
		}
		_ = os.RemoveAll(b.gen.dir) // the next writer sweeps what stays
		return res, fmt.Errorf("build the index: %w", err)
	}
	if err := s.setCurrent(name); err != nil {
		return res, fmt.Errorf("swap the index: %w", err)
	}
	res.Generation, res.Rebuilt = name, base == nil
	res.Added, res.Removed, res.Duplicates = b.added, b.removed, b.duplicates
	if err := s.sweep(name); err != nil {
		return res, fmt.Errorf("clear the index: %w", err)
	}
	return res, nil
}

// keep names the generation that must not be swept: whatever CURRENT names,
// even if it is damaged, because readers may still use parts of it.
func (s *Shard) keep() string {
	name, _, _ := s.current()
	return name
}

// build is one generation in the making.
type build struct {
	ctx      context.Context
	shard    *Shard
	base     *generation // nil: from nothing
	up       Update
	gen      *generation
	analyzer *analyzer

	table  *tableWriter
	docs   *docmap // of base; then of the new generation
	engine engine
	ids    map[docID]bool // those that this build adds

	indexed                              bool // bleve has documents
	added, removed, duplicates, segments int
}

// docID is a citation id as the table holds it.
type docID struct{ prefix, number uint64 }

func (b *build) run() (err error) {
	if err := os.Mkdir(b.gen.dir, 0o700); err != nil {
		return err
	}
	if err := b.start(); err != nil {
		return err
	}
	if err := b.documents(); err != nil {
		return err
	}
	if err := b.removeReplaced(); err != nil {
		return err
	}
	if err := b.engine.close(); err != nil {
		return err
	}
	if err := b.writeParts(); err != nil {
		return err
	}
	return b.writeManifest()
}

// start opens what the generation is made from.
func (b *build) start() error {
	b.ids = map[docID]bool{}
	b.docs = &docmap{rows: grow(column{}, 0).column}
	if b.base == nil {
		b.table = newTableWriter(nil)
		b.engine = newQueued(newFullEngine(b.gen.dir), fullBatch)
		return nil
	}
	// Once for each generation, so that damage is never carried on and bleve
	// never merges damaged segments, which can hang.
	if err := b.base.checksums(); err != nil {
		return b.condemned(err)
	}
	old, err := openTable(b.base.path(tableFile))
	if err != nil {
		return b.condemned(err)
	}
	raw, err := os.ReadFile(b.base.path(docmapFile))
	if err != nil {
		return b.condemned(err)
	}
	if b.docs, err = decodeDocmap(raw); err != nil {
		return b.condemned(err)
	}
	b.table = newTableWriter(old)
	b.gen.marks = maps.Clone(b.base.marks)
	if !b.base.man.Indexed {
		b.engine = newQueued(newFullEngine(b.gen.dir), fullBatch)
		return nil
	}
	b.indexed = true
	b.engine = newStepEngine(b.base.path(bleveDir), filepath.Join(b.gen.dir, bleveDir))
	return b.drop()
}

// condemned marks the base as damaged where err says so.
func (b *build) condemned(err error) error {
	if errors.Is(err, ErrCorrupt) || errors.Is(err, errTable) || errors.Is(err, errDocmap) || errors.Is(err, fs.ErrNotExist) {
		return b.base.condemn(err)
	}
	return err
}

// drop removes the rows of the sources that leave.
func (b *build) drop() error {
	leaving := map[uint64]bool{}
	for _, source := range b.up.Drop {
		if ref, ok := b.table.old.find(source); ok {
			leaving[uint64(ref)] = true
		}
	}
	if len(leaving) == 0 {
		return nil
	}
	sources := &b.table.old.cols[colSource]
	for row := range b.table.old.rows {
		if leaving[sources.at(row)] && !b.table.isDead(row) {
			if err := b.remove(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *build) remove(row int) error {
	b.table.kill(row)
	b.removed++
	return b.engine.remove(docKey(row))
}

// documents analyses and adds what comes.
func (b *build) documents() error {
	if b.up.Docs == nil {
		return b.ctx.Err()
	}
	for d, err := range b.up.Docs {
		if err == nil {
			err = b.ctx.Err()
		}
		if err == nil {
			err = b.add(&d)
		}
		if err != nil {
			return err
		}
	}
	b.progress()
	return nil
}

func (b *build) add(d *Doc) error {
	prefix, number := splitID(d.ID)
	id := docID{b.table.intern(prefix), number}
	if b.ids[id] {
		b.duplicates++
		return nil
	}
	b.ids[id] = true
	a := b.analyzer.analyze(d)
	row, err := b.table.add(d, a.tokens)
	if err != nil {
		return err
	}
	b.added++
	if b.added%256 == 0 {
		b.progress()
	}
	b.indexed = true
	return b.engine.add(docKey(row), a)
}

func (b *build) progress() {
	if b.shard.opt.Progress != nil {
		b.shard.opt.Progress(b.added)
	}
}

// removeReplaced removes the rows of earlier generations whose ids came again.
func (b *build) removeReplaced() error {
	if b.table.old == nil || len(b.ids) == 0 {
		return nil
	}
	// Every row is asked, so the map is left to those with a prefix that came.
	came := make([]bool, b.table.cols[colStringEnd].n)
	for id := range b.ids {
		came[id.prefix] = true
	}
	prefixes, numbers := &b.table.old.cols[colIDPrefix], &b.table.old.cols[colIDNumber]
	for row := range b.table.old.rows {
		prefix := prefixes.at(row)
		if came[prefix] && b.ids[docID{prefix, numbers.at(row)}] && !b.table.isDead(row) {
			if err := b.remove(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// newMarks returns the marks of the new generation.
func (b *build) newMarks() map[string]Mark {
	marks := b.gen.marks
	for _, key := range b.up.Forget {
		delete(marks, key)
	}
	if b.up.Marks != nil {
		for _, m := range b.up.Marks() {
			marks[m.Key] = m
		}
	}
	return marks
}

// writeParts writes table, document map and marks.
func (b *build) writeParts() error {
	if err := b.writeDocmap(); err != nil {
		return err
	}
	table := b.gen.path(tableFile)
	if b.base != nil && b.added == 0 && b.removed == 0 {
		if err := linkOrCopy(b.base.path(tableFile), table); err != nil {
			return err
		}
	} else {
		b.table.finish()
		if err := writeFile(table, b.table.writeTo); err != nil {
			return err
		}
	}
	return writeBytes(b.gen.path(marksFile), encodeMarks(b.newMarks()))
}

// writeDocmap maps the documents of the finished bleve index.
func (b *build) writeDocmap() error {
	if b.indexed {
		idx, r, err := openBleve(b.gen.path(bleveDir), true)
		if err != nil {
			return err
		}
		count, err := r.DocCount()
		if err == nil && count != uint64(b.table.live) {
			err = fmt.Errorf("%w: %d documents in bleve, %d in the table", ErrCorrupt, count, b.table.live)
		}
		if err == nil {
			b.docs, err = newDocmap(r, b.docs)
		}
		if err = errors.Join(err, r.Close(), idx.Close()); err != nil {
			return err
		}
	}
	b.segments = len(b.docs.segments)
	return writeBytes(b.gen.path(docmapFile), b.docs.encode())
}

// writeManifest notes all files as they are now, and makes the generation last.
func (b *build) writeManifest() error {
	m := b.shard.newManifest()
	m.Rows, m.Live, m.Segments, m.Indexed = b.table.rows, b.table.live, b.segments, b.indexed
	known := map[string]fileState{}
	if b.base != nil {
		for _, f := range b.base.man.Files {
			known[f.Path] = f
		}
	}
	var err error
	if m.Files, err = b.gen.list(known); err != nil {
		return err
	}
	raw, err := m.encode()
	if err != nil {
		return err
	}
	if err := writeBytes(b.gen.path(manifestFile), raw); err != nil {
		return err
	}
	return syncDir(b.gen.dir)
}

// list returns the files of a generation. One that is as it was in the base is
// the same file, and its checksum was compared at the start.
func (g *generation) list(known map[string]fileState) ([]fileState, error) {
	var files []fileState
	err := filepath.WalkDir(g.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return syncDir(path)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(g.dir, path)
		if err != nil {
			return err
		}
		f := fileState{Path: filepath.ToSlash(rel), Size: info.Size(), MtimeNs: info.ModTime().UnixNano()}
		if k := known[f.Path]; k.Size == f.Size && k.MtimeNs == f.MtimeNs {
			f.CRC = k.CRC
		} else if f.CRC, err = fileCRC(path); err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	return files, err
}
