package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// isObjectTemp says whether git, or we, write objects under a name until they are
// whole. For what is pushed to us that is a folder.
func isObjectTemp(name string) bool {
	return strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".tmp-")
}

// eachObjectFile calls f for each file below objects, two levels deep.
func (s *Store) eachObjectFile(f func(rel string, fi fs.FileInfo)) error {
	top := s.gitPath("objects")
	dirs, err := s.readDir(top)
	if err != nil {
		return err
	}
	var errs []error
	see := func(rel string, d fs.DirEntry) {
		if fi, err := d.Info(); err == nil && (fi.Mode().IsRegular() || isObjectTemp(d.Name())) {
			f(rel, fi)
		}
	}
	for _, d := range dirs {
		rel := top + "/" + d.Name()
		if !d.IsDir() || isObjectTemp(d.Name()) {
			see(rel, d)
			continue
		}
		entries, err := s.readDir(rel)
		errs = append(errs, err)
		for _, e := range entries {
			see(rel+"/"+e.Name(), e)
		}
	}
	return errors.Join(errs...)
}

// objectSizes returns the disk space of every object, reachable or not.
func (s *Store) objectSizes(ctx context.Context) (map[hash]int64, error) {
	out, err := s.ourGit(ctx, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize:disk)", "--unordered")
	all := map[hash]int64{}
	for line := range strings.Lines(string(out)) {
		name, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id, ok := parseHash(name); ok {
			all[id], _ = strconv.ParseInt(size, 10, 64) // a number, as git writes it
		}
	}
	return all, err
}

// rootIDs returns the objects from which everything that counts is reached: those
// that references, reflogs, HEAD and its kin name.
func (s *Store) rootIDs() (ids []hash, err error) {
	seen := map[hash]bool{}
	add := func(text string) {
		id, ok := parseHash(text)
		if ok && !id.isZero() && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	h, err := s.head()
	if err != nil {
		return nil, err
	}
	add(h.id.String())
	err = s.eachGitFile(func(rel string, _ fs.DirEntry) error {
		below := strings.TrimPrefix(rel, s.gitDir+"/")
		isRef := strings.HasPrefix(below, "refs/") || below == "packed-refs" || strings.HasSuffix(below, "_HEAD")
		if !isRef && !strings.HasPrefix(below, "logs/") {
			return nil
		}
		b, err := s.disk.readFile(rel)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for line := range strings.Lines(string(b)) {
			first, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			add(strings.TrimPrefix(first, "^"))
			if !isRef {
				second, _, _ := strings.Cut(rest, " ")
				add(second)
			}
		}
		return err
	})
	return ids, err
}

// modeLink is a commit of another repository in a tree.
const modeLink = 0o160000

// parentsOf returns the parents that the body of a commit names.
func parentsOf(body []byte) []hash {
	var out []hash
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "parent "); ok {
			if id, ok := parseHash(name); ok {
				out = append(out, id)
			}
		} else if !strings.HasPrefix(line, "tree ") {
			break
		}
	}
	return out
}

// readWhole reads a file of ours that may be large or no plain file: at most limit
// bytes of it.
func (s *Store) readWhole(rel string, limit int64) ([]byte, error) {
	f, err := os.Open(s.abs(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
