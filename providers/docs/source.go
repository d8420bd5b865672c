package docs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// MaxFiles is how many documents of a repository are read at most, those with the
// shortest paths first.
const MaxFiles = 2000

// File is a document as a commit has it.
type File struct {
	Path string // with slashes, from the top of the repository
	Hash string // hexadecimal, another one for other bytes
}

// Tree is where documents are read from: a commit of a repository.
type Tree struct {
	// Files lists the files of the tree; those that are no documents may be among them.
	Files func(ctx context.Context) ([]File, error)
	// Read returns the bytes of one of them.
	Read func(ctx context.Context, f File) ([]byte, error)
	// Touched tells who changed documents last, by path. A path may be missing. nil
	// stands for nothing known.
	Touched func(ctx context.Context, paths []string) (map[string]LastChange, error)
}

// Choose are the documents among files, sorted, and how many were left out since there
// are too many.
func Choose(files []File) (chosen []File, left int) {
	for _, f := range files {
		if Wanted(f.Path) {
			chosen = append(chosen, f)
		}
	}
	if left = len(chosen) - MaxFiles; left > 0 {
		slices.SortFunc(chosen, func(a, b File) int {
			return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
		})
		chosen = chosen[:MaxFiles]
	}
	slices.SortFunc(chosen, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return chosen, max(0, left)
}

// Paths are those of files.
func Paths(files []File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}

// Source hands out the sections of a tree's documents as items. It implements
// [providers.Source] and [providers.Resolver]. A document that changed is handed out
// whole; one that is gone is not noticed, and its caller compares the tree.
type Source struct {
	tree Tree
	last opened
}

// opened is the document of which a section was looked up last: who looks up several
// mostly wants them of the same one.
type opened struct {
	file     File
	touched  LastChange
	siblings []string
	src      []byte
	parts    []Section
}

// NewSource returns a source over a tree, for one goroutine.
func NewSource(t Tree) *Source { return &Source{tree: t} }

// cursor is the documents that were handed out, by path, with the beginning of their hashes.
type cursor struct {
	Docs map[string]string `json:"docs"`
}

// Fetch hands out the sections of the documents that are new or changed. See
// [providers.Source].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor, yield func(providers.Item) error) (providers.Cursor, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	old, err := parseCursor(from)
	if err != nil {
		return from, err
	}
	all, err := s.tree.Files(ctx)
	if err != nil {
		return from, fmt.Errorf("docs: %w", err)
	}
	files, _ := Choose(all)
	siblings := Paths(files)
	touched, err := s.touched(ctx, siblings)
	if err != nil {
		return from, err
	}
	now := cursor{Docs: map[string]string{}}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		hash := f.Hash[:min(16, len(f.Hash))]
		if now.Docs[f.Path] = hash; old.Docs[f.Path] == hash {
			continue
		}
		src, err := s.tree.Read(ctx, f)
		if err != nil {
			return from, fmt.Errorf("docs: %s: %w", f.Path, err)
		}
		for _, part := range Cut(f.Path, src, touched[f.Path], siblings) {
			if err := yield(part.Item); err != nil {
				return from, err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return from, err
	}
	if maps.Equal(now.Docs, old.Docs) && from != (providers.Cursor{}) {
		return from, nil
	}
	b, err := json.Marshal(now)
	return providers.Cursor{Value: string(b)}, err
}

func (s *Source) touched(ctx context.Context, paths []string) (map[string]LastChange, error) {
	if s.tree.Touched == nil {
		return nil, nil
	}
	return s.tree.Touched(ctx, paths)
}

func parseCursor(from providers.Cursor) (cursor, error) {
	var c cursor
	if from == (providers.Cursor{}) {
		return c, nil
	}
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil || d.More() || c.Docs == nil {
		return c, fmt.Errorf("docs: %w", providers.ErrBadCursor)
	}
	for _, hash := range c.Docs {
		if !regexp.MustCompile(`^[0-9a-f]{1,16}$`).MatchString(hash) {
			return c, fmt.Errorf("docs: %w", providers.ErrBadCursor)
		}
	}
	return c, nil
}

// Resolve returns the section with an id; docs:<path> is the whole document unless text
// stands before its first heading.
func (s *Source) Resolve(ctx context.Context, id string) (providers.Item, error) {
	part, err := s.Section(ctx, id)
	return part.Item, err
}

// Section is [Source.Resolve] with the line at which the text begins. The notes of a
// release have an id as a whole beside those of their entries.
func (s *Source) Section(ctx context.Context, id string) (Section, error) {
	if err := ctx.Err(); err != nil {
		return Section{}, err
	}
	notFound := fmt.Errorf("%q: %w", id, providers.ErrNotFound)
	rest, ok := strings.CutPrefix(id, scheme)
	name, anchored := rest, false
	if i := strings.LastIndexByte(rest, '#'); i >= 0 {
		name, anchored = rest[:i], rest[i+1:] != ""
	}
	if !ok || !Wanted(name) {
		return Section{}, notFound
	}
	all, err := s.tree.Files(ctx)
	if err != nil {
		return Section{}, fmt.Errorf("docs: %w", err)
	}
	files, _ := Choose(all)
	at := slices.IndexFunc(files, func(f File) bool { return f.Path == name })
	if at < 0 {
		return Section{}, notFound
	}
	d, err := s.open(ctx, files[at], Paths(files))
	if err != nil {
		return Section{}, err
	}
	isIt := func(part Section) bool { return part.ID == id }
	if i := slices.IndexFunc(d.parts, isIt); i >= 0 {
		return d.parts[i], nil
	}
	if whole := headed(name, d.src, d.touched, d.siblings); slices.ContainsFunc(whole, isIt) {
		return whole[slices.IndexFunc(whole, isIt)], nil
	}
	if whole, ok := Whole(name, d.src, d.touched, d.siblings); ok && !anchored {
		return whole, nil
	}
	return Section{}, notFound
}

// open reads and cuts a document, unless that was done last.
func (s *Source) open(ctx context.Context, f File, siblings []string) (opened, error) {
	touched, err := s.touched(ctx, []string{f.Path})
	if err != nil {
		return opened{}, err
	}
	d := opened{file: f, touched: touched[f.Path], siblings: siblings}
	if l := s.last; l.file == d.file && l.touched == d.touched && slices.Equal(l.siblings, siblings) {
		return l, nil
	}
	if d.src, err = s.tree.Read(ctx, f); err != nil {
		return opened{}, fmt.Errorf("docs: %s: %w", f.Path, err)
	}
	d.parts = Cut(f.Path, d.src, d.touched, siblings)
	s.last = d
	return d, nil
}
