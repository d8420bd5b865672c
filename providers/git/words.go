package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// WordSearch finds the commits that added a word to the files of a repository and removed it. It caches what
// it reads. It is for one goroutine, like its [Repository].
type WordSearch struct {
	// Forms are the spellings of the word, each of which counts.
	Forms []string
	// Wanted reports whether a file counts; nil means that all do.
	Wanted func(path string) bool

	repo *Repository
	held map[plumbing.Hash]bool // by file content
}

// Words returns a search for a word in the history.
func (r *Repository) Words(wanted func(path string) bool, forms ...string) *WordSearch {
	return &WordSearch{Forms: forms, Wanted: wanted, repo: r, held: map[plumbing.Hash]bool{}}
}

const (
	wordLines = 4   // lines with the word whose origin is compared per step back
	wordSteps = 200 // maximum number of steps back
)

// Introduced returns the commit since which the files up to a revision contain the word, 40 hex digits: a
// line that was moved to another file, or changed in another part, is older than its blame. It returns
// [ErrNotFound] if no file contains it, [ErrShallow] if the commit is older than a shallow clone.
func (s *WordSearch) Introduced(ctx context.Context, rev string) (commit string, err error) {
	at, err := s.repo.resolve(rev)
	if err == nil {
		at, err = s.introduced(ctx, at)
	}
	if err != nil {
		return "", fmt.Errorf("%s at %s: %w", strings.Join(s.Forms, " or "), rev, err)
	}
	return at.String(), nil
}

func (s *WordSearch) introduced(ctx context.Context, at plumbing.Hash) (id plumbing.Hash, err error) {
	files, err := s.files(ctx, at)
	if err == nil && len(files) == 0 {
		err = ErrNotFound
	}
	for range wordSteps {
		if err != nil {
			return id, err
		}
		commit, m, err := s.oldest(ctx, at, files)
		switch {
		case err != nil:
			return id, err
		case s.repo.shallow[commit]:
			return id, ErrShallow
		}
		if at, files, err = s.before(ctx, m); err != nil || len(files) == 0 {
			return commit, err
		}
	}
	return id, ErrTooLarge
}

// before returns the first parent of a commit whose files contain the word.
func (s *WordSearch) before(ctx context.Context, m *metadata) (parent plumbing.Hash, files []Entry, err error) {
	for _, parent = range m.parents {
		if files, err = s.files(ctx, parent); err != nil || len(files) > 0 {
			break
		}
	}
	return parent, files, err
}

// oldest returns the oldest commit that wrote one of the first lines with the word in some files.
func (s *WordSearch) oldest(
	ctx context.Context, at plumbing.Hash, files []Entry,
) (id plumbing.Hash, of *metadata, err error) {
	left := wordLines
	for _, f := range files {
		body, err := s.repo.Content(f)
		if err != nil {
			return id, nil, err
		}
		line := 0
		for text := range bytes.Lines(body) {
			if line++; left == 0 || !s.in(text) {
				continue
			}
			left--
			blamed, err := s.repo.Blame(ctx, at.String(), f.Path, line, line)
			if err != nil {
				return id, nil, err
			}
			commit := plumbing.NewHash(blamed[0].Commit)
			m, err := s.repo.metadataOf(commit)
			if err != nil {
				return id, nil, err
			}
			if of == nil || m.seconds < of.seconds {
				id, of = commit, m
			}
		}
	}
	if of == nil {
		return id, nil, ErrNotFound
	}
	return id, of, nil
}

// Has reports whether a file of a revision contains the word.
func (s *WordSearch) Has(ctx context.Context, rev string) (bool, error) {
	id, err := s.repo.resolve(rev)
	if err != nil {
		return false, err
	}
	files, err := s.files(ctx, id)
	return len(files) > 0, err
}

// Removed reports whether the files before a commit contain the word and those after it don't.
func (s *WordSearch) Removed(ctx context.Context, rev string) (bool, error) {
	id, m, err := s.repo.revision(rev)
	if err != nil || len(m.parents) == 0 {
		return false, err
	}
	before, err := s.files(ctx, m.parents[0])
	if err != nil || len(before) == 0 {
		return false, err
	}
	after, err := s.files(ctx, id)
	return err == nil && len(after) == 0, err
}

// files returns the files of a commit that contain the word.
func (s *WordSearch) files(ctx context.Context, id plumbing.Hash) (list []Entry, err error) {
	all, err := s.repo.List(id.String(), "")
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.Mode&modeMask != 0o100000 || s.Wanted != nil && !s.Wanted(e.Path) {
			continue
		}
		content := plumbing.NewHash(e.Hash)
		held, known := s.held[content]
		if !known {
			body, err := s.repo.Content(e)
			if err != nil && !errors.Is(err, ErrTooLarge) {
				return nil, err
			}
			held = s.in(body)
			s.held[content] = held
		}
		if held {
			list = append(list, e)
		}
	}
	return list, nil
}

// in reports whether a text contains the word, not as a part of a longer one.
func (s *WordSearch) in(text []byte) bool {
	return slices.ContainsFunc(s.Forms, func(form string) bool {
		for from := 0; ; {
			at := bytes.Index(text[from:], []byte(form))
			if at < 0 {
				return false
			}
			at += from
			if !partOfWord(before(text[:at])) && !partOfWord(behind(text[at+len(form):])) {
				return true
			}
			from = at + 1
		}
	})
}

// before returns the last byte before a form, skipping the hyphens of an option or of a longer word.
func before(text []byte) byte {
	if text = bytes.TrimRight(text, "-"); len(text) > 0 {
		return text[len(text)-1]
	}
	return 0
}

func behind(text []byte) byte {
	if text = bytes.TrimLeft(text, "-"); len(text) > 0 {
		return text[0]
	}
	return 0
}

func partOfWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
