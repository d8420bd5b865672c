package ingest

import (
	"context"
	"errors"
	"io/fs"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// removedLogs is a tree of a session's logs that were removed from memory, in the versions of the newest commits that
// contain them. It implements cite.Tree.
type removedLogs struct {
	src     *Sources
	session string
	commits map[string]string // last commit that contained or removed a file, by path
}

// RemovedLogs returns a tree of a session's logs that only the store's history contains. Listing them searches the
// whole history.
func (src *Sources) RemovedLogs(session string) cite.Tree {
	return &removedLogs{src, session, map[string]string{}}
}

// Files lists the logs, newest commit first.
func (t *removedLogs) Files() (files []cite.File, err error) {
	if !t.src.ws.HasStore() {
		return nil, nil
	}
	known := t.src.ws.Folders()
	// Without a context, which [cite.Tree] does not pass.
	for c, err := range t.src.ws.Store.Log(context.Background(), 0, "gitmem/projects") {
		if err != nil {
			return files, err
		}
		if t.src.ws.Newer(c.Time) {
			continue
		}
		for _, rel := range c.Paths {
			if t.commits[rel] == "" && t.holds(rel) {
				t.commits[rel] = c.Hash
				files = append(files, cite.File{Path: rel, Area: cite.AreaObservations, Project: t.src.ws.ProjectOf(known, rel)})
			}
		}
	}
	return files, nil
}

// holds reports whether a path is that of a log of the session, under its current or an older name.
func (t *removedLogs) holds(rel string) bool {
	name := LogSession(rel)
	return cite.AreaOf(rel) == cite.AreaObservations && (name == t.src.ws.SessionName(t.session) ||
		name == transcript.ShortID(t.session))
}

// Read returns the content of a log without content that was forgotten since.
func (t *removedLogs) Read(f cite.File) ([]byte, error) {
	b, err := t.src.ws.Store.Read(t.commits[f.Path], f.Path)
	if errors.Is(err, store.ErrNotFound) { // that commit removed it
		b, err = t.src.ws.Store.Read(t.commits[f.Path]+"~1", f.Path)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: fs.ErrNotExist}
	}
	b, _ = t.src.blanked(f, b)
	return b, err
}
