package ingest

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// ListDeleted brings the list of tombstones up to date with what a person did to those of the files
// that are of the archive: it takes in the sections, topics and ideas that the last commit has and the
// files have no more, and drops those that are there again. It returns the file of the list, which
// belongs into the commit of the files, where it has to do with any of them.
//
// What is in another file of the archive now was moved and not deleted, and so was a file whose
// project has no folder any more. While git merges, or is in the middle of something else, nobody
// knows who took out what.
func (src *Sources) ListDeleted(ctx context.Context, paths []string) (list []string, err error) {
	deleted, back, err := src.deletedFrom(ctx, paths)
	if err != nil || len(deleted)+len(back) == 0 {
		return nil, err
	}
	err = src.ws.Store.Rewrite(ctx, tombstone.File, func(old []byte) ([]store.Insertion, error) {
		b := src.TombstoneBuilder(tombstone.ParseSet(old))
		return src.ws.Insertions(old, b.Listed(old, deleted, back)), nil
	})
	src.ForgetSet()
	if err != nil {
		return nil, err
	}
	return []string{tombstone.File}, nil
}

// DropSections takes into account, in what a day's file has of a session, the sections that a
// person deleted from it, and reports whether there were any.
func (src *Sources) DropSections(a *archive.Session, session, date string) (deleted bool) {
	set, has := src.Forgotten(), a.LastID()
	for n := 1; set.AnyDeleted(); n++ {
		switch gone := set.HasDeleted(tombstone.SectionKey(session, date, archive.NthID(session, n))); {
		case gone:
			deleted = true
			a.Deleted(n)
		case n > has:
			return deleted
		}
	}
	return false
}

// ReachDeleted moves the end of what is archived of a session to the last line that a deleted section
// covered. It reports whether the transcript has such a line: a transcript that was written anew may have none.
func (src *Sources) ReachDeleted(a *archive.Session, session, file string) (known bool) {
	for msg, err := range transcript.All(file) {
		mark := archive.MarkOf(msg.UUID)
		if err != nil || !src.Forgotten().HasDeleted(tombstone.ThroughKey(session, msg.Line, mark)) {
			continue
		}
		if known = true; msg.Line >= a.Through {
			a.Through, a.Mark = msg.Line, mark
		}
	}
	return known
}

// SupposeDeleted lets this call know what [Sources.ListDeleted] would list, and writes nothing.
func (src *Sources) SupposeDeleted(ctx context.Context, paths []string) error {
	deleted, back, err := src.deletedFrom(ctx, paths)
	if err != nil || len(deleted)+len(back) == 0 {
		return err
	}
	old, err := src.ws.Store.ReadMaybe("", tombstone.File)
	list := src.TombstoneBuilder(src.Forgotten()).Listed(old, deleted, back)
	src.tombstones, src.listedIn = tombstone.ParseSet(list), src.ws.Store
	return err
}

// deletedFrom are the keys of what was deleted from files of the archive, and of what was put back.
func (src *Sources) deletedFrom(ctx context.Context, paths []string) (deleted, back []string, err error) {
	s := src.ws.Store
	if s.Unfinished() != "" || s.InMerge() {
		return nil, nil, nil
	}
	var m *moved
	for _, rel := range paths {
		if cite.AreaOf(rel) != cite.AreaArchive {
			continue
		}
		was, now, blocksErr := src.blocks(rel)
		if blocksErr != nil {
			return nil, nil, blocksErr
		}
		for id, b := range without(now, was) {
			back = append(back, blockKeys(rel, id, b)...)
		}
		back = slices.DeleteFunc(back, func(key string) bool { return !src.Forgotten().HasDeleted(key) })
		gone := without(was, now)
		project, _, _ := strings.Cut(rel, "/sessions/")
		if len(gone) == 0 || len(now) == 0 && src.isGone(project) {
			continue
		}
		if m == nil {
			if m, err = src.moved(ctx); err != nil {
				return nil, nil, err
			}
		}
		m.drop(rel, gone)
		for _, id := range slices.Sorted(maps.Keys(gone)) {
			deleted = append(deleted, deletedKeys(rel, id, gone, now)...)
		}
	}
	return deleted, back, nil
}

// blocks are what a file of the archive names by block ids at the last commit, and what it does now.
func (src *Sources) blocks(rel string) (was, now map[string]archive.Block, err error) {
	head, headErr := src.ws.Store.ReadMaybe("HEAD", rel)
	disk, err := src.ws.Store.ReadMaybe("", rel)
	return archive.Blocks(head), archive.Blocks(disk), errors.Join(headErr, err)
}

// without are those blocks whose ids others do not have.
func without(blocks, others map[string]archive.Block) map[string]archive.Block {
	blocks = maps.Clone(blocks)
	maps.DeleteFunc(blocks, func(id string, _ archive.Block) bool { _, there := others[id]; return there })
	return blocks
}

// moved is what files of the archive have that may have been in another one.
type moved struct {
	came map[string]bool // block ids that a file had not at the last commit
	// how far sections reach, by session and file: a file may have been committed before
	sessions map[string]map[string]int
}

// moved reads all files of the archive.
func (src *Sources) moved(ctx context.Context) (*moved, error) {
	m := &moved{came: map[string]bool{}, sessions: map[string]map[string]int{}}
	pending, err := src.ws.Store.Pending(ctx)
	if err != nil {
		return nil, err
	}
	for _, rel := range pending {
		if cite.AreaOf(rel) != cite.AreaArchive {
			continue
		}
		was, now, err := src.blocks(rel)
		if err != nil {
			return nil, err
		}
		for id := range without(now, was) {
			m.came[id] = true
		}
	}
	for f, err := range src.ws.Store.Files() {
		if err != nil {
			return nil, err
		}
		if cite.AreaOf(f.Path) != cite.AreaArchive {
			continue
		}
		b, err := src.ws.Store.ReadMaybe("", f.Path)
		if err != nil {
			return nil, err
		}
		for session, a := range archive.Sessions(b) {
			if m.sessions[session] == nil {
				m.sessions[session] = map[string]int{}
			}
			m.sessions[session][f.Path] = a.Through
		}
	}
	return m, nil
}

// drop leaves out of what is gone from a file what another file has now.
func (m *moved) drop(rel string, gone map[string]archive.Block) {
	for id, b := range gone {
		elsewhere := m.came[id]
		for other, through := range m.sessions[b.Session] {
			elsewhere = elsewhere || other != rel && b.Through > 0 && through >= b.Through
		}
		if elsewhere {
			delete(gone, id)
			maps.DeleteFunc(gone, func(held string, _ archive.Block) bool { return slices.Contains(b.Holds, held) })
		}
	}
}

// blockKeys are the keys under which a block of a file is listed as deleted.
func blockKeys(rel, id string, b archive.Block) []string {
	keys := []string{tombstone.BlockKey(rel, id)}
	if b.Session != "" {
		keys = append(keys, tombstone.SectionKey(b.Session, strings.TrimSuffix(path.Base(rel), ".md"), id))
	}
	if b.Session != "" && b.Through > 0 {
		keys = append(keys, tombstone.ThroughKey(b.Session, b.Through, b.Mark))
	}
	return keys
}

// deletedKeys are the keys of a block that is gone. Where something of what it held is left, it was
// taken apart: a merge must not take that away. What goes with a block needs no keys of its own.
func deletedKeys(rel, id string, gone, now map[string]archive.Block) []string {
	whole := func(id string) bool {
		return !slices.ContainsFunc(gone[id].Holds, func(held string) bool { _, left := now[held]; return left })
	}
	for around, b := range gone {
		if slices.Contains(b.Holds, id) && whole(around) {
			return nil
		}
	}
	keys := blockKeys(rel, id, gone[id])
	if !whole(id) {
		return keys[1:]
	}
	return keys
}
