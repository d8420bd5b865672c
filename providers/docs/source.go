package docs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// MaxFiles is the maximum number of documents read from a repository; those with the shortest paths come
// first.
const MaxFiles = 2000

// File is a document in a commit.
type File struct {
	Path string // slash-separated, relative to the root of the repository
	Hash string // hexadecimal, different for different contents
}

// Choose returns the documents among files, sorted, and how many were left out because there are too many.
func Choose(files []File) (chosen []File, left int) {
	chosen = slice.Filter(files, func(f File) bool { return Wanted(f.Path) })
	if left = len(chosen) - MaxFiles; left > 0 {
		slices.SortFunc(chosen, func(a, b File) int {
			return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
		})
		chosen = chosen[:MaxFiles]
	}
	slices.SortFunc(chosen, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return chosen, max(0, left)
}

// Paths returns the paths of files.
func Paths(files []File) []string {
	return slice.Map(files, func(f File) string { return f.Path })
}

// Source looks up sections of the documents in a commit.
type Source struct {
	files    []File
	siblings []string
	read     func(f File) ([]byte, error)
	touched  func(path string) LastChange
	opened   []document // cached documents, the most recently used last
}

// maxOpened limits the bytes of the cached documents. A question reads a few of them repeatedly, and some are
// long.
const maxOpened = 8 << 20

// document is a cached document.
type document struct {
	outlined
	file    File
	touched LastChange
	size    int
	cutAs   map[int][]Section // parts whose sections were looked up, by index
}

// NewSource returns a source of documents, see [Choose], for one goroutine. read returns the bytes of a
// document, and touched returns its last change, if known.
func NewSource(files []File, read func(f File) ([]byte, error), touched func(path string) LastChange) *Source {
	return &Source{files: files, siblings: Paths(files), read: read, touched: touched}
}

// Section returns the section with an id; docs:<path> is the whole document unless text precedes its first
// heading. The notes of a release have an id of their own in addition to those of their entries.
func (s *Source) Section(id string) (Section, error) {
	rest, ok := strings.CutPrefix(id, scheme)
	name, anchored := rest, false
	if i := strings.LastIndexByte(rest, '#'); i >= 0 {
		name, anchored = rest[:i], rest[i+1:] != ""
	}
	at := slices.IndexFunc(s.files, func(f File) bool { return f.Path == name })
	if !ok || at < 0 {
		return Section{}, fmt.Errorf("%q: %w", id, providers.ErrNotFound)
	}
	d, err := s.open(s.files[at])
	if err != nil {
		return Section{}, err
	}
	if part, ok := d.find(id); ok {
		return part, nil
	}
	if whole, ok := d.whole(d.touched); ok && !anchored {
		return whole, nil
	}
	return Section{}, fmt.Errorf("%q: %w", id, providers.ErrNotFound)
}

// find returns the section with an id: a section, an entry of a release, or a whole release. It does not
// build the others, because for a long document that costs more than the rest of a question.
func (d document) find(of string) (Section, bool) {
	isIt := func(s Section) bool { return s.ID == of }
	for i, p := range d.parts {
		own := id(d.about.name, p.anchor)
		if own != of && !(p.released && strings.HasPrefix(of, own+"/")) {
			continue
		}
		if _, known := d.cutAs[i]; !known {
			d.cutAs[i] = d.cut(p, d.touched)
		}
		if at := slices.IndexFunc(d.cutAs[i], isIt); at >= 0 {
			return d.cutAs[i][at], true
		}
		if own == of {
			return d.section(p, d.touched)
		}
	}
	return Section{}, false
}

// open reads and splits a document, unless the same version is cached.
func (s *Source) open(f File) (d document, err error) {
	d = document{file: f, touched: s.touched(f.Path)}
	if i := slices.IndexFunc(s.opened, func(o document) bool { return o.file == f }); i >= 0 {
		if s.opened[i].touched == d.touched {
			return s.opened[i], nil
		}
		s.opened = slices.Delete(s.opened, i, i+1)
	}
	src, err := s.read(f)
	if err != nil {
		return d, fmt.Errorf("docs: %s: %w", f.Path, err)
	}
	d.outlined, d.size, d.cutAs = parse(f.Path, src, s.siblings), len(src), map[int][]Section{}
	size := d.size
	for i, o := range slices.Backward(s.opened) {
		if size += o.size; size > maxOpened {
			s.opened = slices.Delete(s.opened, 0, i+1)
			break
		}
	}
	s.opened = append(s.opened, d)
	return d, nil
}
