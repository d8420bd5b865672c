package providers

import (
	"context"
	"errors"
	"time"
)

// ErrBadCursor says that a cursor was not written by this source, or was
// damaged. The caller forgets the cursor and fetches from the start.
var ErrBadCursor = errors.New("cursor is not one of this source")

// ErrDiverged says that the history of the cursor is no longer part of the
// source (rewritten history, another branch). Items handed out earlier may be
// gone, so the caller drops them and fetches from the start.
var ErrDiverged = errors.New("source no longer continues from the cursor")

// ErrNotFound says that an id does not name an item of this source.
var ErrNotFound = errors.New("no such item")

// Person is somebody as a source names them. Either field may be empty.
type Person struct {
	Name  string
	Email string
}

// Item is one thing that a team left behind: a commit, a pull request, an
// issue, a document.
type Item struct {
	// ID is the citation id: the source's name, the kind and the source's own
	// key, such as "git:commit:" and 40 hex digits. It is unique in a source
	// and never changes its meaning.
	ID string
	// Kind is what the source calls it: commit, pr, review, issue, mr, page.
	Kind string
	// Type is what it is about: decision, discussion, feature, fix, refactor,
	// docs, test, chore, incident or idea. See [InferType].
	Type string
	// Title is one line and never empty. Text is the rest, without the title;
	// it may be empty. Both are valid UTF-8.
	Title string
	Text  string
	// Author wrote it, at Time.
	Author Person
	Time   time.Time
	// Paths are the files it touches, with slashes, relative to the top of the
	// repository, in the source's order; nil where there are none or where they
	// are not known. Valid UTF-8.
	Paths []string
	// Refs are the references found in Title and Text. See [References].
	Refs []string
	// URL is a page for people, or empty.
	URL string
	// Merge marks an item that only joins others, such as a merge commit.
	Merge bool
	// Also are the others who share the work, without Author and without
	// doubles: co-authors of a commit, reviewers of a pull request.
	Also []Person
	// Reviewers are those of whom a commit's message says that they reviewed it,
	// without Author and without doubles. Reviews that are items of their own tell
	// who wrote them instead.
	Reviewers []Person
	// State is how far a thread has come: open, closed, merged or draft; empty
	// for what has no state, such as a commit.
	State string
	// Links lead to other items, in the source's order and without doubles.
	Links []Link
	// Files say how much of each of Paths changed, in the same order; nil where
	// that is not known.
	Files []FileChange
	// Gist is one line that says what the change does, read from the change
	// itself and not from what its author wrote; empty where that is not known.
	Gist string
	// Words are the identifiers and the words of comments that the change adds
	// or removes, separated by spaces: for searching, never for showing.
	Words string
	// Release is the first release that holds the item, such as v1.4.0; empty
	// where none does or it is not known.
	Release string
}

// FileChange is how much of a file changed.
type FileChange struct {
	// Path is one of the item's Paths. From is what it was called before, or
	// empty.
	Path, From string
	// Added and Removed count lines. Both are 0 for a binary file, one that is
	// too large to be compared, and a mere renaming.
	Added, Removed int
}

// Link is a relation to another item.
type Link struct {
	// Rel is the relation of this item to the other one.
	Rel Rel
	// ID is the other's citation id. It may be of another source, and need not
	// name anything that can be read.
	ID string
}

// Rel is a kind of relation between items.
type Rel string

// The relations.
const (
	PartOf   Rel = "part of"   // a commit of a pull request, a review or comment of a thread
	Contains Rel = "contains"  // the pull request of a commit: its commits
	Closes   Rel = "closes"    // a pull request or commit: the issue that it settles
	ClosedBy Rel = "closed by" // an issue: what settled it
	Reverts  Rel = "reverts"   // a commit: the one that it takes back
	PickOf   Rel = "pick of"   // a commit: the one that it repeats on another line
	Mentions Rel = "mentions"  // anything else

	Supersedes   Rel = "supersedes"    // a decision: the one whose place it takes
	SupersededBy Rel = "superseded by" // a decision: the one that takes its place
	AnsweredBy   Rel = "answered by"   // a question, a problem or something to do: what settled it
)

// Cursor marks how far a source has been read. Only the source that made it
// understands Value; everybody else stores it as it is. The zero Cursor
// means that nothing was read yet.
type Cursor struct {
	Value string
}

// Source hands out the items of one place.
type Source interface {
	// Fetch calls yield for every item that is new or changed since from, in an
	// order of the source's choosing and each id once, and returns the cursor for
	// the next call. The cursor is only known after the last item, so it comes as
	// a result.
	//
	// On any error the returned cursor is from, unchanged: what was yielded up
	// to then stays valid but will be yielded again, so callers replace by ID.
	// A source that can go on from the middle returns a [*Partial], whose cursor
	// covers what was yielded: fetching on from there until there is no error
	// gives every item that one fetch from the start would have given. Fetches
	// that are cut short again and again still get on. See [Progress].
	//
	//   - ctx ends: Fetch returns soon, with an error that wraps ctx.Err().
	//   - yield returns an error: Fetch calls it no more and returns an error
	//     that wraps it.
	//   - from is not a cursor of this source: [ErrBadCursor], nothing yielded.
	//   - the place no longer continues from the cursor: [ErrDiverged], nothing
	//     yielded.
	//   - the place says no more for now, or the way to it was cut: the errors
	//     beside [ErrRateLimited] say what helps.
	//
	// A place without any items is not an error. A single item that can't be
	// read is not an error either: the source skips it and counts it.
	Fetch(ctx context.Context, from Cursor, yield func(Item) error) (Cursor, error)
}

// CommitFinder is implemented by sources that know which threads brought a
// commit.
type CommitFinder interface {
	// ByCommit returns the pull or merge requests that hold the commit with this
	// full id, in the source's order; none is not an error.
	ByCommit(ctx context.Context, sha string) ([]Item, error)
}
