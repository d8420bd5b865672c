package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FileDiff is a file of memory in two states. Before or After is nil where it
// is not there, and empty, but not nil, for an empty file. The bytes are as they
// are stored: not redacted.
type FileDiff struct {
	Path          string
	Before, After []byte
}

// Difference returns the files of memory that differ between two states, sorted
// by path: revisions as Read knows them, where from "" is the state before there
// was anything and to "" is what lies on disk now. under narrows to a file or to
// what lies below a folder. Files that memory does not track are left out.
func (s *Store) Difference(ctx context.Context, from, to, under string) ([]FileDiff, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	paths, err := s.differingPaths(ctx, from, to)
	if err != nil {
		return nil, err
	}
	dir := strings.TrimSuffix(under, "/") + "/"
	var out []FileDiff
	for _, p := range paths {
		if under != "" && p != under && !strings.HasPrefix(p, dir) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := FileDiff{Path: p}
		if from != "" {
			if d.Before, err = s.readMaybe(from, p); err != nil {
				return nil, err
			}
		}
		if d.After, err = s.readMaybe(to, p); err != nil {
			return nil, err
		}
		if (d.Before == nil) != (d.After == nil) || !bytes.Equal(d.Before, d.After) {
			out = append(out, d)
		}
	}
	return out, nil
}

// readMaybe returns nil for a file that is not there.
func (s *Store) readMaybe(rev, rel string) ([]byte, error) {
	b, err := s.Read(rev, rel)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// differingPaths lists what may differ: what differs between the two trees, and
// on disk what differs from HEAD.
func (s *Store) differingPaths(ctx context.Context, from, to string) ([]string, error) {
	paths := map[string]bool{}
	if to == "" {
		pending, err := s.Pending(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range pending {
			paths[p] = true
		}
		to = "HEAD"
	}
	var trees [2]hash
	for i, rev := range []string{from, to} {
		if rev == "" {
			continue
		}
		tree, err := s.revisionTree(rev)
		if rev == "HEAD" && errors.Is(err, ErrNotFound) {
			continue // no commit yet
		}
		if err != nil {
			return nil, err
		}
		trees[i] = tree
	}
	if err := s.compareTrees(trees[0], trees[1], "", paths); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(paths)), nil
}

// compareTrees adds the allowed files that differ between two trees; a zero one
// is empty. What is equal is not read.
func (s *Store) compareTrees(a, b hash, dir string, paths map[string]bool) error {
	if a == b {
		return nil
	}
	before, err := s.entriesOf(a, dir)
	if err != nil {
		return err
	}
	after, err := s.entriesOf(b, dir)
	if err != nil {
		return err
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			before[name] = treeEntry{}
		}
	}
	for name, x := range before {
		y, p := after[name], dir+name
		if x.id == y.id && x.mode == y.mode {
			continue
		}
		if (isRegularMode(x.mode) || isRegularMode(y.mode)) && s.allowed(p) {
			paths[p] = true
		}
		var sub [2]hash
		for i, e := range []treeEntry{x, y} {
			if e.mode == modeTree {
				sub[i] = e.id
			}
		}
		if mayHold(p + "/") {
			if err := s.compareTrees(sub[0], sub[1], p+"/", paths); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) entriesOf(tree hash, dir string) (map[string]treeEntry, error) {
	out := map[string]treeEntry{}
	if tree.isZero() {
		return out, nil
	}
	body, err := s.objects.get(tree, "tree")
	if err != nil {
		return nil, fmt.Errorf("tree of /%s: %w", dir, err)
	}
	entries, err := parseTree(body)
	if err != nil {
		return nil, fmt.Errorf("tree of /%s: %w", dir, err)
	}
	for _, e := range entries {
		out[string(e.name)] = e
	}
	return out, nil
}
