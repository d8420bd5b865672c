package providers

import (
	"context"
	"errors"
	"time"
)

// ErrBadCursor means that a cursor was damaged or not written by this source. The caller discards the cursor
// and fetches from the start.
var ErrBadCursor = errors.New("cursor is not one of this source")

// ErrDiverged means that the history of the cursor is no longer part of the source (rewritten history,
// another branch). Items yielded earlier may no longer exist, so the caller discards them and fetches from
// the start.
var ErrDiverged = errors.New("source no longer continues from the cursor")

// ErrNotFound means that an id does not identify an item of this source.
var ErrNotFound = errors.New("no such item")

// Person is somebody as named by a source. Either field may be empty.
type Person struct {
	Name  string
	Email string
}

// Item is one record of a team's work: a commit, a pull request, an issue, a document.
type Item struct {
	// ID is the citation id: the source's name, the kind and the source's own key, such as "git:commit:" and 40
	// hex digits. It is unique in a source and never reused for another item.
	ID string
	// Kind is the source's name for this kind of item: commit, pr, review, issue, mr, page.
	Kind string
	// Type classifies the content: decision, discussion, feature, fix, refactor, docs, test, chore, incident or
	// idea. See [InferType].
	Type string
	// Title is one line and never empty. Text is the rest, without the title; it may be empty. Both are valid
	// UTF-8.
	Title string
	Text  string
	// Author wrote it, at Time.
	Author Person
	Time   time.Time
	// Paths are the files it touches, slash-separated, relative to the root of the repository, in the source's
	// order; nil if there are none or they are unknown. Valid UTF-8.
	Paths []string
	// Refs are the references found in Title and Text. See [References].
	Refs []string
	// URL is the address of a web page about the item, or empty.
	URL string
	// Merge is set for an item that only joins others, such as a merge commit.
	Merge bool
	// Also lists other contributors, without Author and without duplicates: co-authors of a commit, reviewers of
	// a pull request.
	Also []Person
	// Reviewers lists the reviewers that a commit message names, without Author and without duplicates. Where
	// reviews are items of their own, their Author is the reviewer instead.
	Reviewers []Person
	// State is the state of a thread: open, closed, merged or draft; empty for items without a state, such as a
	// commit.
	State string
	// Links are relations to other items, in the source's order and without duplicates.
	Links []Link
	// Files are the sizes of the changes to each of Paths, in the same order; nil if unknown.
	Files []FileChange
	// Gist is a one-line diff summary, computed from the change itself and not from its message; empty if
	// unknown.
	Gist string
	// Words are the diff terms: the identifiers and the words of comments that the change adds or removes,
	// separated by spaces. They are searched but never shown.
	Words string
	// Release is the first release that contains the item, such as v1.4.0; empty if there is none or it is
	// unknown.
	Release string
}

// FileChange is the size of the change to a file.
type FileChange struct {
	// Path is one of the item's Paths. From is its former name, or empty.
	Path, From string
	// Added and Removed count lines. Both are 0 for a binary file, a file that is too large to compare, and a
	// pure rename.
	Added, Removed int
}

// Link is a relation to another item.
type Link struct {
	// Rel is the relation of this item to the other one.
	Rel Rel
	// ID is the other's citation id. It may belong to another source, and the item need not exist.
	ID string
}

// Rel is a kind of relation between items.
type Rel string

// The relations.
const (
	PartOf   Rel = "part of"   // a commit of a pull request, a review or comment of a thread
	Contains Rel = "contains"  // a pull request: its commits
	Closes   Rel = "closes"    // a pull request or commit: the issue that it closes
	ClosedBy Rel = "closed by" // an issue: the item that closed it
	Reverts  Rel = "reverts"   // a commit: the commit that it undoes
	PickOf   Rel = "pick of"   // a commit: the commit that it copies from another branch
	Mentions Rel = "mentions"  // any other reference

	Supersedes   Rel = "supersedes"    // a decision: the decision that it replaces
	SupersededBy Rel = "superseded by" // a decision: the decision that replaces it
	AnsweredBy   Rel = "answered by"   // a question, a problem or a task: what answered or completed it
)

// Cursor marks how far a source has been read. Only the source that made it understands Value; everybody else
// stores it unchanged. The zero Cursor means that nothing was read yet.
type Cursor struct {
	Value string
}

// Source yields the items of one repository, project or site.
type Source interface {
	// Fetch calls yield once for every item that is new or changed since from, in an order that the source
	// chooses, and returns the cursor for the next call. The cursor is only known after the last item, so it is
	// a result.
	//
	// On any error the returned cursor is from, unchanged: items that were yielded stay valid but will be
	// yielded again, so callers replace by ID. A source that can continue after an interruption returns a
	// [*Partial], whose cursor covers what was yielded: repeated fetches from there, until one returns no error,
	// yield every item that a single fetch from the start would have yielded. Fetches make progress even if each
	// is interrupted. See [Progress].
	//
	//   - ctx ends: Fetch returns soon, with an error that wraps ctx.Err().
	//   - yield returns an error: Fetch does not call it again and returns an error that wraps it.
	//   - from is not a cursor of this source: [ErrBadCursor], nothing yielded.
	//   - the history no longer contains that of the cursor: [ErrDiverged], nothing yielded.
	//   - the server refuses for now, or the connection fails: one of the errors declared next to
	//     [ErrRateLimited].
	//
	// A source without any items is not an error. A single item that can't be read is not an error either: the
	// source skips it and counts it.
	Fetch(ctx context.Context, from Cursor, yield func(Item) error) (Cursor, error)
}

// CommitFinder is implemented by sources that can find the threads that contain a commit.
type CommitFinder interface {
	// ByCommit returns the pull or merge requests that contain the commit with this full id, in the source's
	// order. If there are none, the error is nil.
	ByCommit(ctx context.Context, sha string) ([]Item, error)
}
