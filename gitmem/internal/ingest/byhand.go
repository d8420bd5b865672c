package ingest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// KeepEdits commits the uncommitted changes of others in files, so that the next commit contains one change only and
// can be undone without losing theirs. It commits each file that the client's model wrote separately, and then a
// person's changes, including deletions from the archive, see [Sources.ListDeleted]. It skips files with secrets, which
// the next commit reports, and files that gitmem has yet to commit. The user receives a message about their notes that
// the model's changes removed, see [Sources.Untold].
func (src *Sources) KeepEdits(ctx context.Context, paths []string) error {
	paths, err := src.ws.Store.Differing(ctx, paths) // usually avoids waiting for git's lock
	if err != nil || len(paths) == 0 {
		return err
	}
	late, err := src.ws.Store.Waiting()
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(late, p) })
	models, err := src.modelWrote(ctx, paths)
	if err != nil {
		return err // the author of these changes is unknown, so they wait
	}
	var byHand []string
	for _, rel := range paths {
		session, model := models[rel]
		switch {
		case model:
			c := store.Change{Paths: []string{rel}, Subject: "memory: written by the client's model",
				Trailers: []string{"Gitmem-Op: " + opModel}}
			if session != "" {
				c.Trailers = append(c.Trailers, "Gitmem-Session: "+session)
			}
			err = errors.Join(err, src.keep(ctx, c, "the client's model took %s out of "+path.Base(rel)))
		case path.Base(rel) == indexFile && src.isGone(path.Dir(rel)):
			all, listErr := src.ws.Store.Pending(ctx)
			all = slices.DeleteFunc(all, func(other string) bool { return path.Dir(other) != path.Dir(rel) || other == rel })
			c := store.Change{Paths: append(all, rel), Subject: "memory: the client's folder is gone",
				Trailers: []string{"Gitmem-Op: keep"}}
			err = errors.Join(err, listErr, src.keep(ctx, c, "the folder of the client's memory is gone with %s"))
		default:
			byHand = append(byHand, rel)
		}
	}
	if len(byHand) == 0 {
		return err
	}
	list, listErr := src.ListDeleted(ctx, byHand)
	return errors.Join(err, listErr, src.keep(ctx, store.HandEdits(append(byHand, list...), src.ws.Options.Now()), ""))
}

// indexFile is the file of the client's memory that the client loads at every start.
const indexFile = "MEMORY.md"

// isGone reports whether a folder of the store does not exist.
func (src *Sources) isGone(dir string) bool {
	_, err := os.Stat(src.ws.Path(dir))
	return errors.Is(err, os.ErrNotExist)
}

// keep commits a change of somebody else and reports which of the user's notes it removed. how is the message format,
// with %s for these notes; "" means that the user needs no message.
func (src *Sources) keep(ctx context.Context, c store.Change, how string) error {
	var lost []string
	if how != "" {
		lost = src.lostNotes(ctx, c.Paths)
	}
	c.Time = src.ws.Options.Now()
	id, err := src.ws.Store.Commit(ctx, c)
	if errors.Is(err, store.ErrHeld) {
		return nil
	}
	if id != "" && len(lost) > 0 {
		src.tellLost(path.Dir(c.Paths[0]), how, lost, id)
	}
	return err
}

// KeepRewritten is like KeepEdits for files to which gitmem only appends: uncommitted appended text is not an edit.
func (src *Sources) KeepRewritten(ctx context.Context, paths ...string) error {
	s := src.ws.Store
	paths, err := s.Differing(ctx, paths)
	var edited []string
	for _, rel := range paths {
		head, headErr := s.Read("HEAD", rel)
		now, nowErr := s.Read("", rel)
		switch {
		case errors.Is(headErr, store.ErrNotFound):
		case headErr != nil || nowErr != nil && !errors.Is(nowErr, store.ErrNotFound):
			err = errors.Join(err, headErr, nowErr)
		case !bytes.HasPrefix(now, head):
			edited = append(edited, rel)
		}
	}
	return errors.Join(err, src.KeepEdits(ctx, edited))
}

// KeepMemory is like KeepEdits for the files in a folder of the client's memory.
func (src *Sources) KeepMemory(ctx context.Context, dir string) error {
	if !src.ws.HasStore() {
		return nil
	}
	paths := []string{path.Join(dir, indexFile)}
	entries, _ := os.ReadDir(src.ws.Path(dir)) // there may be none
	for _, e := range entries {
		if rel := path.Join(dir, e.Name()); cite.AreaOf(rel) == cite.AreaMemory && strings.HasSuffix(rel, ".md") &&
			rel != paths[0] {
			paths = append(paths, rel)
		}
	}
	return src.KeepEdits(ctx, paths)
}

// WrittenByHand returns the paths without the files that hooks and the archive write.
func WrittenByHand(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(rel string) bool {
		_, ours := store.ProjectOf(rel)
		return ours && (path.Base(rel) == "project.md" || strings.Contains(rel, "/sessions/") ||
			strings.Contains(rel, "/observations/"))
	})
}
