package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// prepareIndex writes the new index into its lock, unless the index has a form that only git writes.
func (w *commitWriter) prepareIndex() error {
	if w.snap.index == nil {
		if !errors.Is(w.snap.broken, fs.ErrNotExist) && !errors.Is(w.snap.broken, errIndexForm) {
			w.store.o.Warn("the git index was unreadable and is made anew: " + w.snap.broken.Error())
		}
		return w.writeNewIndex()
	}
	ix := w.snap.index
	ix.smudge(ix.written)
	var changes []indexChange
	for _, t := range w.targets {
		changes = append(changes, indexChange{t.path, t.entry()})
	}
	ix.edit(changes)
	return w.indexLock.write(ix.bytes())
}

// entry returns the index entry of the path, or nil to remove it.
func (t target) entry() *indexEntry {
	if t.mode == 0 {
		return nil
	}
	e := newEntry(t.path, t.mode, t.id, t.info)
	return &e
}

// writeNewIndex builds an index of the new tree from scratch.
func (w *commitWriter) writeNewIndex() error {
	info := map[string]fs.FileInfo{}
	for _, t := range w.targets {
		info[t.path] = t.info
	}
	ix := &indexFile{version: 2, changed: true}
	err := flatten(w.batch.get, w.root, everywhere, func(path string, f file) error {
		e := newEntry(path, f.mode, f.id, info[path])
		if !w.store.allowed(path) {
			e, ix.version = e.skipped(), 3
		}
		ix.entries = append(ix.entries, e)
		return nil
	})
	if err != nil {
		return fmt.Errorf("make index: %w", err)
	}
	return w.indexLock.write(ix.bytes())
}

// appendReflogs records the move of the branch and of HEAD in the reflogs, as git does.
func (w *commitWriter) appendReflogs() error {
	s, h := w.store, w.snap.head
	verb := "commit"
	switch {
	case w.verb != "":
		verb = w.verb
	case h.id.IsZero():
		verb = "commit (initial)"
	case s.exists(s.gitPath("MERGE_HEAD")): // the files may contain changes from elsewhere, see [Store.ForeignMoves]
		verb = "commit (in a merge)"
	}
	subject, _, _ := strings.Cut(w.message(), "\n")
	line := fmt.Sprintf("%s %s %s\t%s: %s\n", h.id, w.id, s.o.who(w.change.Time), verb, subject)
	err := s.appendLog("logs/HEAD", line)
	if h.ref != "HEAD" {
		err = errors.Join(err, s.appendLog("logs/"+h.ref, line))
	}
	return err
}

func (s *Store) appendLog(name, line string) error {
	if err := s.regular(s.gitPath(name)); err != nil {
		return err
	}
	f, err := s.disk.openMaking(s.gitPath(name), os.O_WRONLY|os.O_APPEND|os.O_CREATE, filePerm)
	if err != nil {
		return err
	}
	_, err = s.disk.write(f, []byte(line))
	return errors.Join(err, f.Close())
}

// abs returns the absolute path of a file of the store.
func (s *Store) abs(rel string) string { return filepath.Join(s.o.Root, filepath.FromSlash(rel)) }
