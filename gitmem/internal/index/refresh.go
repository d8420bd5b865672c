package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// refreshLocked does the work of Refresh under the writer's lock.
func (s *Shard) refreshLocked(ctx context.Context, plan Plan, res Result) (Result, error) {
	g, st, err := s.load() // another writer may have finished meanwhile
	if err != nil {
		return res, err
	}
	if st != Current {
		return s.rebuild(ctx, plan, st, res)
	}
	res.Generation = g.name
	up, err := plan(g.marks, Current)
	if err != nil || up.Empty() && !g.man.wantsCompacting(s.opt.WaitForLock) {
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

// rebuild asks plan for everything and builds from scratch.
func (s *Shard) rebuild(ctx context.Context, plan Plan, st State, res Result) (Result, error) {
	up, err := plan(map[string]Mark{}, st)
	if err != nil {
		return res, err
	}
	return s.build(ctx, nil, up, res)
}

// build builds the next generation, from base or from scratch, and swaps it in.
func (s *Shard) build(ctx context.Context, base *generation, up Update, res Result) (Result, error) {
	name, err := s.nextName() // before others are removed, so that no name is reused
	if err != nil {
		return res, fmt.Errorf("build the index: %w", err)
	}
	inUse, _, _ := s.current() // readers may use parts of it even if it is damaged
	if err := s.removeGenerations(inUse); err != nil {
		return res, fmt.Errorf("clear the index: %w", err)
	}
	b := &build{
		shard: s, base: base, up: up,
		gen: &generation{dir: s.path(name), name: name, marks: map[string]Mark{}},
	}
	if err := b.run(ctx); err != nil {
		_ = os.RemoveAll(b.gen.dir) // the next writer removes what remains
		return res, fmt.Errorf("build the index: %w", err)
	}
	if err := s.setCurrent(name); err != nil {
		return res, fmt.Errorf("swap the index: %w", err)
	}
	res.Generation, res.Rebuilt, res.Compacted = name, base == nil, b.compacted
	res.Added, res.Removed, res.Duplicates = b.added, b.removed, b.duplicates
	if err := s.removeGenerations(name); err != nil {
		return res, fmt.Errorf("clear the index: %w", err)
	}
	return res, nil
}

// build is one generation being built.
type build struct {
	shard *Shard
	base  *generation // nil: from scratch
	up    Update
	gen   *generation

	table          *tableWriter
	text           bleveWriter
	docs           []segmentRows // of the base
	indexer        *indexer
	ids            map[docID]bool // ids that this build adds
	removedSerials []uint32       // serial numbers of removed rows
	parts          []string       // files
	files          mappings       // of the tables of the base and of this generation
	lastName       int            // number of the last part

	added, removed, duplicates int
	compacted                  bool
}

func (b *build) run(ctx context.Context) (err error) {
	defer b.files.release()
	if err := os.Mkdir(b.gen.dir, 0o700); err != nil {
		return err
	}
	if err := b.start(); err != nil {
		return err
	}
	b.indexer = newIndexer(runtime.GOMAXPROCS(0), b.text)
	err = b.addDocuments(ctx)
	lengths, written := b.indexer.drain()
	if err == nil {
		err = written
	}
	if err == nil {
		b.removeRows()
		err = b.removeText()
	}
	if err := errors.Join(err, b.text.close(err == nil)); err != nil {
		return b.explain(err)
	}
	if b.added > 0 {
		if err := b.endPart(b.table, lengths); err != nil {
			return err
		}
	}
	if err := b.joinParts(); err != nil {
		return err
	}
	if err := b.writeParts(); err != nil {
		return err
	}
	return b.writeManifest()
}

// explain determines whether damage of the base caused bleve's error.
func (b *build) explain(err error) error {
	if b.base != nil {
		if sum := b.base.checksums(); errors.Is(sum, ErrCorrupt) || errors.Is(sum, fs.ErrNotExist) {
			err = sum
		}
	}
	return b.markDamage(err)
}

// removeText removes deleted documents from bleve.
func (b *build) removeText() error {
	for _, serial := range b.removedSerials {
		if err := b.text.remove(serial); err != nil {
			return err
		}
	}
	return nil
}

// joinParts joins parts if worthwhile, and writes the rows of bleve's documents.
func (b *build) joinParts() (err error) {
	m, to := manifest{Rows: b.table.rows, Live: b.table.live}, []uint32(nil)
	if b.base != nil && m.wantsCompacting(b.shard.opt.WaitForLock) {
		b.compacted = true
		to, err = b.compact()
	} else {
		err = b.mergeTail()
	}
	if err != nil {
		return err
	}
	if err := b.writeDocs(to); err != nil {
		return b.explain(err)
	}
	return nil
}

// start opens the files of the generation.
func (b *build) start() error {
	b.ids = map[docID]bool{}
	b.text = &fullWriter{dir: b.gen.dir, sizes: b.shard.sizes}
	if b.base == nil {
		b.table = newTableWriter(nil)
		return nil
	}
	if err := b.base.checkDue(b.shard.opt.Now); err != nil {
		return b.markDamage(err)
	}
	old, err := openTable(b.base, &b.files)
	if err != nil {
		return b.markDamage(err)
	}
	b.table, b.gen.marks = newTableWriter(old), maps.Clone(b.base.marks)
	b.table.serial = b.base.man.Serial
	for _, name := range b.base.man.Parts {
		if err := b.linkFile(name); err != nil {
			return b.markDamage(err)
		}
		b.parts = append(b.parts, name)
		b.lastName = max(b.lastName, partNumber(name))
	}
	if b.docs, err = b.base.readDocs(); err != nil {
		return b.markDamage(err)
	}
	if len(b.docs) > 0 {
		if err := b.cloneBleve(); err != nil {
			return b.markDamage(err)
		}
		b.text = &stepWriter{dir: b.gen.path(bleveDir), sizes: b.shard.sizes}
	}
	return nil
}

// markDamage marks the base as damaged if err reports damage.
func (b *build) markDamage(err error) error {
	if b.base == nil {
		return err // files of this build
	}
	if errors.Is(err, ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
		return b.base.markDamaged(err)
	}
	return err
}

// nextPart returns an unused file name for a part.
func (b *build) nextPart() string {
	b.lastName++
	return fmt.Sprintf("s%06d%s", b.lastName, rowsExt)
}

func partNumber(name string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "s"), rowsExt))
	return n
}

// endPart writes the rows that were added to a table since its last part.
func (b *build) endPart(w *tableWriter, lengths *[fields][]uint32) error {
	name := b.nextPart()
	if err := osfile.WriteFile(b.gen.path(name), func(out io.Writer) error {
		return w.endPart(out, lengths)
	}); err != nil {
		return err
	}
	p, err := openMapped(&b.files, b.gen.path(name), parsePart)
	if err != nil {
		return err
	}
	w.partWritten(p)
	b.parts = append(b.parts, name)
	return nil
}

func (b *build) remove(row int) {
	if !b.table.isDead(row) {
		b.removedSerials = append(b.removedSerials, b.table.markDead(row))
		b.removed++
	}
}

// addDocuments analyses and adds the new documents.
func (b *build) addDocuments(ctx context.Context) error {
	if b.up.Docs == nil {
		return ctx.Err()
	}
	for d, err := range b.up.Docs {
		if err == nil {
			err = ctx.Err()
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
	id := b.table.idOf(d)
	if b.ids[id] {
		b.duplicates++
		return nil
	}
	b.ids[id] = true
	if _, err := b.table.add(d); err != nil {
		return err
	}
	b.added++
	if b.added%256 == 0 {
		b.progress()
	}
	b.indexer.add(b.table.serial-1, d)
	return nil
}

func (b *build) progress() {
	if b.shard.opt.Progress != nil {
		b.shard.opt.Progress(b.added)
	}
}

// removeRows removes the rows of earlier generations whose sources are dropped or whose ids were added again.
func (b *build) removeRows() {
	b.addRemoved()
	if b.table.old == nil || len(b.ids)+len(b.up.Drop) == 0 {
		return
	}
	dropped := make([]bool, b.table.nStrings) // by source
	for _, source := range b.up.Drop {
		if ref, ok := b.table.old.find(source); ok {
			dropped[ref] = true
		}
	}
	// Every row is checked, so the map is only used for those with a prefix among the new ids.
	newPrefixes := make([]bool, b.table.nStrings)
	for id := range b.ids {
		newPrefixes[id.prefix] = true
	}
	for _, p := range b.table.old.parts {
		sources, prefixes, numbers, rests := &p.cols[colSource], &p.cols[colIDPrefix], &p.cols[colIDNumber],
			&p.cols[colIDRest]
		for i := range p.rows {
			source, prefix := sources.at(i), prefixes.at(i)
			if source < uint64(len(dropped)) && dropped[source] ||
				prefix < uint64(len(newPrefixes)) && newPrefixes[prefix] && b.ids[docID{prefix, numbers.at(i), rests.at(i)}] {
				b.remove(p.first + i)
			}
		}
	}
}

// addRemoved adds the removed ids to the replaced ones: a row of an earlier generation is removed for either reason.
func (b *build) addRemoved() {
	if b.up.Remove == nil || b.table.old == nil {
		return
	}
	for _, id := range *b.up.Remove {
		prefix, number, rest := splitID(id)
		ref, known := b.table.old.find(prefix)
		restRef, restKnown := b.table.old.find(rest)
		if known && restKnown {
			b.ids[docID{uint64(ref), number, uint64(restRef)}] = true
		}
	}
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

// writeParts writes the changes of the rows, and the marks.
func (b *build) writeParts() error {
	b.table.finish()
	if err := b.writeLinks(); err != nil {
		return err
	}
	if err := osfile.WriteFile(b.gen.path(liveFile), b.table.writeLive); err != nil {
		return err
	}
	return osfile.WriteFile(b.gen.path(marksFile), osfile.Bytes(encodeMarks(b.newMarks())))
}

// writeLinks links the links file of the base, or rewrites it if too many rows differ.
func (b *build) writeLinks() error {
	w := b.table
	if w.old != nil && len(w.changed)+w.rows-w.links.based <= linksChanges {
		return b.markDamage(b.linkFile(linksFile))
	}
	w.links.based = w.rows
	clear(w.changed)
	return osfile.WriteFile(b.gen.path(linksFile), w.links.writeTo)
}

// writeManifest records the state of all files, and makes the generation durable.
func (b *build) writeManifest() error {
	m := b.shard.newManifest()
	m.Rows, m.Live, m.Serial, m.Parts = b.table.rows, b.table.live, b.table.serial, b.parts
	var err error
	if m.Files, err = b.gen.list(b.base, b.shard.opt.Now); err != nil {
		return b.markDamage(err)
	}
	b.gen.man = &m
	raw, err := m.encode()
	if err != nil {
		return err
	}
	if err := osfile.WriteFile(b.gen.path(manifestFile), osfile.Bytes(raw)); err != nil {
		return err
	}
	return osfile.SyncDir(b.gen.dir)
}
