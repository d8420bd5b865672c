package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// CommitInfo is one commit of the memory's history.
type CommitInfo struct {
	Hash     string    // 40 hex digits
	Parents  []string  // 40 hex digits each
	Time     time.Time // of the committer
	Subject  string
	Trailers []string // "Key: value", as in the message
	Paths    []string // the changed paths; empty for a merge
	Cut      bool     // a shallow history begins here, so Paths are all files; set by [Store.Log] only
}

// Log yields the commits reachable from HEAD, newest first: at most limit of them (0 means all), and only those that
// changed path, or a file below it if it is a folder (with or without a trailing slash), unless path is "". Without any
// commit it yields nothing.
func (s *Store) Log(ctx context.Context, limit int, path string) iter.Seq2[CommitInfo, error] {
	return s.log(ctx, limit, path, nil)
}

// LogAfter is Log without a commit and its ancestors: it yields later commits regardless of their timestamps.
func (s *Store) LogAfter(ctx context.Context, rev, path string) iter.Seq2[CommitInfo, error] {
	return s.log(ctx, 0, path, []string{rev})
}

func (s *Store) log(ctx context.Context, limit int, path string, not []string) iter.Seq2[CommitInfo, error] {
	return func(yield func(CommitInfo, error) bool) {
		repo, err := s.openHistory()
		if err != nil {
			yield(CommitInfo{}, err)
			return
		}
		defer repo.Close()
		if _, err := repo.Head(); errors.Is(err, git.ErrEmpty) {
			return
		}
		n := 0
		for c, err := range repo.Walk(ctx, []string{"HEAD"}, git.WalkOptions{Paths: true, Not: not}) {
			if err != nil {
				yield(CommitInfo{}, fmt.Errorf("history: %w", err))
				return
			}
			info := commitInfo(c)
			info.Cut = repo.IsShallowEnd(c.Hash)
			if !info.touches(path) {
				continue
			}
			if n++; !yield(info, nil) || n == limit {
				break
			}
		}
		s.warnSkipped(repo)
	}
}

// warnSkipped reports the parts of a history that could not be read.
func (s *Store) warnSkipped(repo *git.Repository) {
	for _, skip := range repo.Skipped() {
		s.o.Warn("history: " + fmt.Sprint(skip))
	}
}

func commitInfo(c git.Commit) CommitInfo {
	info := CommitInfo{Hash: c.Hash, Parents: c.Parents, Time: c.Committer.When, Subject: c.Subject,
		Trailers: trailers(c.Body)}
	for _, ch := range c.Changes {
		info.Paths = append(info.Paths, ch.Path)
	}
	return info
}

func (c CommitInfo) touches(path string) bool {
	if path == "" {
		return true
	}
	dir := strings.TrimSuffix(path, "/") + "/"
	return slices.ContainsFunc(c.Paths, func(p string) bool { return p == path || strings.HasPrefix(p, dir) })
}

// trailers returns the lines of the last paragraph of a message's body, if all of them have the form "Key: value".
func trailers(body string) []string {
	body = strings.TrimRight(body, "\n")
	lines := strings.Split(body[strings.LastIndex(body, "\n\n")+1:], "\n")
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for _, line := range lines {
		key, _, ok := strings.Cut(line, ": ")
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			return nil
		}
	}
	return lines
}

// openHistory opens our repository for reading. Each caller gets its own instance, which is not safe for concurrent
// use.
func (s *Store) openHistory() (*git.Repository, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	dir := s.GitDir()
	return git.Open(git.Location{GitDir: dir, CommonDir: dir, WorkTree: s.o.Root})
}

// orAbsent wraps the error of a revision that can't be read, with ErrNotFound if there is no such revision.
func orAbsent(rev string, err error) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrEmpty) || errors.Is(err, git.ErrAmbiguous) {
		return fmt.Errorf("%w: revision %s: %w", ErrNotFound, rev, err)
	}
	return fmt.Errorf("revision %s: %w", rev, err)
}
