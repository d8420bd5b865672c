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

// ListDeleted updates the tombstone list with a person's changes to archive files among the paths. It adds the
// sections, topics and ideas that are in the last commit but no longer in the files, and removes those that were
// restored. It returns the file of the list, which belongs in the same commit, if it concerns any of the files.
//
// Content that is now in another archive file was moved and not deleted, and so was a file whose project folder no
// longer exists. During a merge or another unfinished git operation the author of deletions is unknown, so nothing is
// listed.
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

// DropSections adds the sections of a session that a person deleted from a day's file to its archived state, and
// reports whether there were any.
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

// ReachDeleted moves the end of a session's archived part to the last line that a deleted section covered. It reports
// whether the transcript contains such a line: a rewritten transcript may not.
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

// SupposeDeleted applies the changes of [Sources.ListDeleted] to this call's list in memory without writing it.
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

// deletedFrom returns the keys of blocks that were deleted from archive files, and of those that were restored.
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

// blocks returns the blocks of an archive file by id, in the last commit and now.
func (src *Sources) blocks(rel string) (was, now map[string]archive.Block, err error) {
	head, headErr := src.ws.Store.ReadMaybe("HEAD", rel)
	disk, err := src.ws.Store.ReadMaybe("", rel)
	return archive.Blocks(head), archive.Blocks(disk), errors.Join(headErr, err)
}

// without returns the blocks whose ids the others lack.
func without(blocks, others map[string]archive.Block) map[string]archive.Block {
	blocks = maps.Clone(blocks)
	maps.DeleteFunc(blocks, func(id string, _ archive.Block) bool { _, there := others[id]; return there })
	return blocks
}

// moved contains blocks that may have been moved between archive files.
type moved struct {
	came map[string]bool // block ids that a file lacked in the last commit
	// ends of sections by session and file, since a file may have been committed before
	sessions map[string]map[string]int
}

// moved reads all archive files.
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

// drop removes blocks from gone that another file now contains.
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

// blockKeys returns the keys under which a block of a file is listed as deleted.
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

// deletedKeys returns the keys of a deleted block. If a part of its content remains, it was split up, and a merge must
// not delete that part. Blocks inside a deleted block need no keys.
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
