package git

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// unchanged finds how far back along first parents a path stays as it is. What a folder's
// versions differ in is found once for all that lies in it, so that the history of many files
// of a folder costs little more than that of one. It is kept for one folder of each depth.
type unchanged struct {
	r       *Repository
	folders []folderVersions
	looked  int // commits that were compared with their first parent
	most    int // and how many may be, 0 for any; the search ends there
}

// folderVersions are the versions of a folder by the commit.
type folderVersions struct {
	name string
	at   map[plumbing.Hash]*folderVersion
}

// folderVersion is a folder in a commit.
type folderVersion struct {
	*pathAt
	// last is the one in the last commit along first parents in which it is the same, and before
	// the one that it differs from, in the first parent of that; nil where there is none or one
	// can't be read.
	last, before *folderVersion
	changed      [][]byte // names in it that differ
	known        bool
}

// last returns a path in the last commit along first parents in which it is the same. What
// can't be read ends the search before.
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

// version is the folder that a path lies in.
func (u *unchanged) version(s *pathAt, dir string) *folderVersion {
	n := len(s.objects) - 1
	return u.keep(&pathAt{id: s.id, metadata: s.metadata, path: dir, objects: s.objects[:n:n], mode: modeDir})
}

// keep returns what is known of a folder in a commit.
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

// compare finds the last commit with the same folder, and what was different before.
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

// differing lists the names that are not the same in two trees.
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
