package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// fingerprint must change when the indexed content changes for the same sources: with the redactor's rules, the split
// into units or the choice of records.
const fingerprint = "ingest 15"

// racy is the minimum age of a file at its last scan for its stamps to be reliable: file system clocks may tick in
// steps of two seconds.
const racy = 2 * time.Second

// Stamp returns the file system's metadata of a file as a mark.
func Stamp(key string, info fs.FileInfo) index.Mark {
	ctime, inode := osfile.ChangeTime(info)
	return index.Mark{Key: key, Size: info.Size(), MtimeNs: info.ModTime().UnixNano(), CtimeNs: ctime, Inode: inode}
}

// untouched reports whether the stamps prove that a file is unchanged since its scan. A file that was too new at its
// scan may have changed within one tick of the clock, and without a change time an editor may have restored the old
// times.
func untouched(old, now index.Mark) bool {
	return now.CtimeNs != 0 && old.Size == now.Size && old.MtimeNs == now.MtimeNs && old.CtimeNs == now.CtimeNs &&
		old.Inode == now.Inode &&
		old.ScannedNs-max(now.MtimeNs, now.CtimeNs) > racy.Nanoseconds()
}

// manyRestamps is the number of files with changed stamps but unchanged content above which an index is written only to
// update their marks. Reading such a file for every question takes about 20 µs, a new generation about 50 ms. Restoring
// a backup, a change of owner or a hard link changes the change time of every file.
const manyRestamps = 64

// restamps collects the marks of files of which only the stamps changed.
type restamps struct {
	at    time.Time // before the files were read
	marks []index.Mark
}

// add records a file that is unchanged since its scan.
func (r *restamps) add(old, now index.Mark) {
	m := old
	m.MtimeNs, m.CtimeNs, m.Inode, m.ScannedNs = now.MtimeNs, now.CtimeNs, now.Inode, r.at.UnixNano()
	if untouched(m, now) { // newer files are read again
		r.marks = append(r.marks, m)
	}
}

// into adds the marks to an update if it has other changes, or if there are many marks.
func (r *restamps) into(u *index.Update) {
	if len(r.marks) > 0 && (!u.Empty() || len(r.marks) >= manyRestamps) {
		addMarks(u, r.marks...)
	}
}

// addMarks inserts marks before those of an update.
func addMarks(u *index.Update, marks ...index.Mark) {
	others := u.Marks
	u.Marks = func() []index.Mark {
		if others == nil {
			return marks
		}
		return append(slices.Clone(marks), others()...)
	}
}

// HashOf returns the SHA-256 of bytes in hexadecimal digits.
func HashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// markdownSource refreshes a shard from trees of Markdown files.
type markdownSource struct {
	m      *Sources
	trees  []cite.Tree
	memory bool       // they belong to memory, whose excluded files are not indexed
	listed *listing   // determines which session logs are not indexed
	files  []TreeFile // found by the last plan
	hidden []string   // keys of excluded files, found by the last plan
}

// TreeFile is a file of a tree with its mark.
type TreeFile struct {
	Tree cite.Tree
	File cite.File
	Key  string
	Mark index.Mark
}

// plan compares the files with the marks of the last scan. A mark's data is the project of the file, which affects its
// ids. Changed stamps are only a hint: a file with unchanged content is skipped.
func (f *markdownSource) plan(marks map[string]index.Mark, _ index.State) (index.Update, error) {
	if err := f.list(marks); err != nil {
		return index.Update{}, err
	}
	var u index.Update
	// The words of deleted documents remain in an index for a while, so newly excluded content requires a rebuild.
	if slices.ContainsFunc(f.hidden, func(key string) bool { _, known := marks[key]; return known }) {
		u.Rebuild, marks = true, nil
	}
	var changed []TreeFile
	again := restamps{at: f.m.ws.Options.Now()}
	present := map[string]bool{}
	for _, tf := range f.files {
		present[tf.Key] = true
		old, known := marks[tf.Key]
		if known && old.Data == tf.Mark.Data {
			if untouched(old, tf.Mark) {
				continue
			}
			if f.sameBytes(tf, old) {
				again.add(old, tf.Mark)
				continue
			}
		}
		if known {
			u.Drop = append(u.Drop, tf.Key)
		}
		changed = append(changed, tf)
	}
	forget(&u, marks, present)
	if len(changed) > 0 {
		u.Docs, u.Marks = f.docs(changed)
	}
	again.into(&u)
	return u, nil
}

// forget drops the documents of removed sources.
func forget(u *index.Update, marks map[string]index.Mark, present map[string]bool) {
	for _, key := range slices.Sorted(maps.Keys(marks)) {
		if !present[key] {
			u.Drop = append(u.Drop, key)
			u.Forget = append(u.Forget, key)
		}
	}
}

func (f *markdownSource) list(marks map[string]index.Mark) error {
	f.files, f.hidden = f.files[:0], f.hidden[:0]
	live := sync.OnceValue(f.listed.sessions) // most stores have no session logs
	for _, t := range f.trees {
		if err := f.listTree(t, marks, live); err != nil {
			return err
		}
	}
	return nil
}

func (f *markdownSource) listTree(t cite.Tree, marks map[string]index.Mark, live func() map[string]bool) error {
	files, err := t.Files()
	if err != nil || len(files) == 0 {
		return err
	}
	look, err := t.(FolderTree).Stats()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer look.Close()
	for _, file := range files {
		if file.Area == cite.AreaObservations && live()[LogSession(file.Path)] {
			continue
		}
		if f.memory && f.m.ExcludedTreeFile(file) {
			f.hidden = append(f.hidden, file.Path)
			continue
		}
		if _, known := marks[file.Path]; !known && f.m.SecretName(file.Path) { // no mark has such a name
			continue
		}
		info, err := look.Stat(file)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // the next scan handles a file that was deleted since it was listed
				f.m.ws.Caveat("%s can't be read and is not searched: %v", file.Path, err)
			}
			continue
		}
		mark := Stamp(file.Path, info)
		mark.Data = file.Project
		f.files = append(f.files, TreeFile{Tree: t, File: file, Key: file.Path, Mark: mark})
	}
	return nil
}

func (f *markdownSource) sameBytes(tf TreeFile, old index.Mark) bool {
	if tf.Mark.Size != old.Size {
		return false
	}
	b, err := tf.Tree.Read(tf.File)
	return err == nil && HashOf(b) == old.Hash
}

// docs parses the changed files. A file's mark is made from the indexed bytes, so that the next scan detects a write in
// between.
func (f *markdownSource) docs(changed []TreeFile) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	var marks []index.Mark
	seq := func(yield func(index.Doc, error) bool) {
		marks = marks[:0]
		for _, tf := range changed {
			b, err := tf.Tree.Read(tf.File)
			if err != nil {
				f.m.ws.Caveat("%s could not be read and is not searched: %v", tf.File.Path, err)
				continue
			}
			// Redacted as a whole before it is split: a private block may span sections, and a heading becomes part of an id.
			units, skips := cite.Units(tf.File, []byte(f.m.ws.Redactor.Lines(string(b))))
			tf.Mark.Hash, tf.Mark.ScannedNs, tf.Mark.Lines = HashOf(b), f.m.ws.Options.Now().UnixNano(), int64(len(skips))
			marks = append(marks, tf.Mark)
			for _, d := range f.m.UnitDocs(tf, units) {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
	return seq, func() []index.Mark { return marks }
}

// IdFile separates a unit's id in the index from the file that contains it: ids of tasks and decisions are unique only
// within a project.
const IdFile = "\x00"

// UnitDocs converts a file's units to index documents. For a duplicate id the first unit counts, as for lookups.
func (src *Sources) UnitDocs(tf TreeFile, units []cite.Unit) []index.Doc {
	seen := map[string]bool{}
	var docs []index.Doc
	for _, u := range units {
		said := u.Source == cite.SourceTopic || u.Intent != "" && tf.File.Area == cite.AreaObservations
		if seen[u.ID] || said { // contained in its session's section, or in the entry of the answer
			continue
		}
		seen[u.ID] = true
		docs = append(docs, index.Doc{
			ID: u.ID + IdFile + tf.File.Path, Source: tf.Key, Layer: u.Layer, Type: u.Type, Role: u.Role(),
			Project: tf.File.Project, Session: u.Session,
			File: tf.File.Path, Order: int64(u.Line), Time: u.Time, Offset: int64(u.Span.Start), Length: int64(u.Span.Len()),
			Title: src.ws.Clean(u.Title), Text: src.ws.Clean(u.Text),
		})
	}
	return docs
}

// SecretName reports whether the name of a file contains a secret. Such a file is not indexed or shown, since the index
// stores file names.
func (src *Sources) SecretName(path string) bool {
	if _, found := src.ws.Redactor.Name(path); !found {
		return false
	}
	src.ws.Caveat("%s has a secret in its name and is not searched: give it another name.", src.ws.Redactor.Path(path))
	return true
}
