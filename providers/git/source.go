package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
	"github.com/go-git/go-git/v5/plumbing"
)

// commitID begins the citation id of every commit.
const commitID = providers.CommitID

// Source yields the commits of a repository as items. It implements [providers.Source].
type Source struct {
	repo      *Repository
	diffTerms bool
}

// NewSource returns a source for an open repository, which the caller closes. Like the repository it is not
// safe for concurrent use.
func NewSource(r *Repository) *Source { return &Source{repo: r} }

// WithDiffTerms returns a source for the same repository whose items also have Files, Words and Gist. That
// costs many times as much, because it reads and compares the contents of all changed files. Cursors are the
// same as without.
//
// hide replaces the secrets in a text and keeps its line ends. It is called with the contents of files,
// because a word alone does not show that it is secret, and by several goroutines at once. If it is nil,
// nothing is hidden.
func (s *Source) WithDiffTerms(hide func(text string) string) *Source {
	c := *s
	c.diffTerms, c.repo.hide = true, hide
	return &c
}

// Skipped returns what could not be read. See [Repository.Skipped].
func (s *Source) Skipped() []Skip { return s.repo.Skipped() }

// cursor is the state of a source between fetches, as JSON.
type cursor struct {
	// Tips are the ids whose history was yielded, sorted.
	Tips []string `json:"tips"`
	// Shallow is a hash of the commits where a shallow clone ended. If they change, commits appear behind the
	// tips, where a fetch would not look for new ones.
	Shallow string `json:"shallow,omitempty"`
}

// Fetch yields the commits that are reachable from [Repository.Tips] and not from the cursor's tips, newest
// first, even if the cursor's tips are no longer part of the history (rebase, amend, branch switch). Call
// [Source.RemovedItems] before it to get the items that were removed. [providers.ErrDiverged] means that a
// shallow clone was deepened. Commits that can't be read are left out and listed by [Source.Skipped]; only a
// tip that can't be read is an error, because the cursor would otherwise claim its history. Releases are not
// set: a later release would not reach earlier items, see [Repository.Releases].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor,
	yield func(providers.Item) error) (providers.Cursor, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	old, now, err := s.between(from)
	if err != nil || slices.Equal(old.Tips, now.Tips) {
		return from, err
	}
	for c, err := range s.repo.Walk(ctx, now.Tips, WalkOptions{Not: old.Tips, Paths: true, DiffTerms: s.diffTerms}) {
		if err != nil {
			return from, fmt.Errorf("fetch commits: %w", err)
		}
		if err := yield(s.item(c)); err != nil {
			return from, err
		}
	}
	return now.encode()
}

// Now returns the cursor of a Fetch that yielded all commits.
func (s *Source) Now() (providers.Cursor, error) {
	now, err := s.position()
	if err != nil {
		return providers.Cursor{}, err
	}
	return now.encode()
}

func (c cursor) encode() (providers.Cursor, error) {
	b, err := json.Marshal(c)
	return providers.Cursor{Value: string(b)}, err
}

// Messages yields the id, the author's time in seconds and the message of each commit that Fetch yields
// without a cursor, in its order, at a fraction of the cost. The message is as it was committed, in any
// encoding.
func (s *Source) Messages(ctx context.Context, yield func(id string, seconds int64, message string)) error {
	now, err := s.position()
	if err != nil {
		return err
	}
	err = newWalker(s.repo).run(ctx, now.Tips, nil, func(n *node) (bool, error) {
		yield(commitID+n.id.String(), n.raw.author.seconds, n.raw.message)
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("read messages: %w", err)
	}
	return nil
}

// position returns the cursor that covers the current history. A repository without commits has no tips.
func (s *Source) position() (cursor, error) {
	if err := s.repo.loadShallow(); err != nil {
		return cursor{}, err
	}
	tips, err := s.repo.Tips()
	if err != nil && !errors.Is(err, ErrEmpty) {
		return cursor{}, err
	}
	var now cursor
	for _, t := range tips {
		id, err := s.repo.Resolve(t.Hash)
		if err == nil {
			_, err = s.repo.treeOf(plumbing.NewHash(id))
		}
		if err != nil {
			return cursor{}, fmt.Errorf("%s: %w", t.Name, err)
		}
		now.Tips = append(now.Tips, id)
	}
	slices.Sort(now.Tips)
	now.Tips = slices.Compact(now.Tips)
	now.Shallow = s.shallowMark()
	return now, nil
}

// Deepened reports whether a shallow clone was deepened or shortened since a cursor, which changes no branch.
func (s *Source) Deepened(since providers.Cursor) bool {
	c, err := parseCursor(since)
	return err == nil && len(c.Tips) > 0 && c.Shallow != s.shallowMark()
}

// shallowMark returns the hash for [cursor.Shallow], empty for a full clone.
func (s *Source) shallowMark() string {
	if len(s.repo.shallow) == 0 {
		return ""
	}
	var ids []string
	for id := range s.repo.shallow {
		ids = append(ids, id.String())
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return hex.EncodeToString(sum[:8])
}

func parseCursor(from providers.Cursor) (cursor, error) {
	var c cursor
	if from == (providers.Cursor{}) {
		return c, nil
	}
	d := json.NewDecoder(strings.NewReader(from.Value))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("git: %w: %w", providers.ErrBadCursor, err)
	}
	for _, t := range c.Tips {
		if len(t) != 40 || !isHex(t) {
			return c, fmt.Errorf("git: %w: %q is not a commit id", providers.ErrBadCursor, t)
		}
	}
	if d.More() || len(c.Tips) == 0 {
		return c, fmt.Errorf("git: %w: it names no commits", providers.ErrBadCursor)
	}
	return c, nil
}

// item converts a commit to an item, with links to the commits that its message mentions. Its time is the
// author's: when the work was done, and what git log prints.
func (s *Source) item(c Commit) providers.Item {
	it := providers.Item{
		ID:     commitID + c.Hash,
		Kind:   "commit",
		Title:  c.Subject,
		Text:   c.Body,
		Author: providers.Person{Name: c.Author.Name, Email: c.Author.Email},
		Time:   c.Author.When,
		Merge:  len(c.Parents) > 1,
		Also:   c.CoAuthors,

		Reviewers: c.Reviewers,
	}
	if it.Title == "" {
		it.Title = "commit " + c.Hash[:12] + " (no message)"
	}
	for _, ch := range c.Changes {
		it.Paths = append(it.Paths, valid(ch.Path))
	}
	if sub := c.DiffTerms; sub != nil {
		it.Files, it.Words, it.Gist = sub.Files, sub.Words, sub.Summary
	}
	it.Type = providers.InferType(c.Subject, c.Body, it.Paths)
	it.Refs = providers.References(c.Subject + "\n" + c.Body)
	it.Links = links(c.Body, func(id string) string {
		if len(id) < 40 {
			if found, err := s.repo.resolveShort(id); err == nil {
				return found.String()
			}
		}
		return id
	})
	return it
}
