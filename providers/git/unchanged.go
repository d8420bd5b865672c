package git

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// unchanged finds how far back along first parents a path stays the same. It computes the differences between
// versions of a folder once for all paths in it, so that the history of many files of a folder costs little
// more than that of one. It caches one folder of each depth.
type unchanged struct {
	r       *Repository
	folders []folderVersions
	looked  int // commits compared with their first parent
	most    int // limit for looked, 0 for none; the search ends there
}

// folderVersions are the versions of a folder by commit.
type folderVersions struct {
	name string
	at   map[plumbing.Hash]*folderVersion
}

// folderVersion is a folder in a commit.
type folderVersion struct {
	*pathAt
	// last is the version in the last commit along first parents in which the folder is the same, and before the
	// different version in the first parent of that commit; nil if there is none or it can't be read.
	last, before *folderVersion
	changed      [][]byte // names in it that differ
	known        bool
}

// last returns a path in the last commit along first parents in which it is the same. An unreadable object
// ends the search.
func (u *unchanged) last(ctx context.Context, s *pathAt) *pathAt {
	if s.path == "" {
		return s
	}
	dir, name := path.Split(s.path)
	v := u.version(s, strings.TrimSuffix(dir, "/"))
	for ; ; v = v.before {
		u.compare(ctx, v)
		v = v.last
		if v.before == nil || slices.ContainsFunc(v.changed, func(c []byte) bool { return string(c) == name }) {
			break
		}
	}
	if v.id == s.id {
		return s
	}
	return &pathAt{id: v.id, metadata: v.metadata, path: s.path, objects: append(slices.Clip(v.objects), s.object()),
		mode: s.mode}
}

// version returns the folder that contains a path.
func (u *unchanged) version(s *pathAt, dir string) *folderVersion {
	n := len(s.objects) - 1
	return u.keep(&pathAt{id: s.id, metadata: s.metadata, path: dir, objects: s.objects[:n:n], mode: modeDir})
}

// keep returns the cached data of a folder in a commit.
func (u *unchanged) keep(s *pathAt) *folderVersion {
	depth := len(s.objects) - 1
	for len(u.folders) <= depth {
		u.folders = append(u.folders, folderVersions{})
	}
	if f := &u.folders[depth]; f.at == nil || f.name != s.path || len(f.at) >= maxMetadata {
		*f = folderVersions{s.path, map[plumbing.Hash]*folderVersion{}}
	}
	at := u.folders[depth].at
	if v := at[s.id]; v != nil {
		return v
	}
	v := &folderVersion{pathAt: s}
	at[s.id] = v
	return v
}

// compare finds the last commit with the same folder, and the names that differ before it.
func (u *unchanged) compare(ctx context.Context, v *folderVersion) {
	if v.known {
		return
	}
	v.last, v.known = v, ctx.Err() == nil && (u.most == 0 || u.looked < u.most)
	if !v.known {
		return
	}
	u.looked++
	if last := u.last(ctx, v.pathAt); last.id != v.id {
		v.last = u.keep(last)
		u.compare(ctx, v.last)
		return
	}
	if len(v.parents) == 0 {
		return
	}
	l, err := u.r.metadataOf(v.parents[0])
	if err != nil {
		return
	}
	p, err := u.r.findPath(v.parents[0], l, v.path, v.pathAt)
	if err != nil || p == nil || p.mode&modeMask != modeDir {
		return
	}
	before := u.keep(p)
	if v.changed, err = u.r.differing(p.object(), v.object()); err == nil {
		v.before = before
	}
}

// differing returns the names whose entries differ between two trees.
func (r *Repository) differing(a, b plumbing.Hash) (names [][]byte, err error) {
	if a == b {
		return nil, nil
	}
	left, err := r.readTree(a)
	if err != nil {
		return nil, err
	}
	right, err := r.readTree(b)
	if err != nil {
		return nil, err
	}
	for len(left) > 0 || len(right) > 0 {
		if n := sameEntry(left, right); n > 0 {
			left, right = left[n:], right[n:]
			continue
		}
		x, y, n, m, err := nextEntries(left, right)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			x = y
		}
		names, left, right = append(names, bytes.Clone(x.Name)), left[n:], right[m:]
	}
	return names, nil
}
