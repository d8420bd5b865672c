// Package git reads a git repository: its history, its files at any commit, its
// refs and remotes. It also offers the history as a team source ([Source]).
//
// It never writes, runs no program and touches nothing outside the repository's
// own directories. It knows nothing about stores, indexes or projects.
//
// # How it reads
//
// [Discover] finds the repository and [Open] opens its object storage directly,
// without judging the configuration: linked worktrees, sparse checkouts, partial
// and shallow clones, clones that borrow objects from others, and repositories
// with a damaged configuration all can be read. Commits, trees and tags are
// parsed here from their raw bytes. Differences between trees come from merging
// their sorted entries; equal ids end a comparison, so the cost of a commit is
// the number of directories that it changed.
//
// Damage costs only what it hits. A commit or tree that is missing or can't be
// parsed is left out, and [Repository.Skipped] says which and why.
//
// Replace refs and grafts are not honoured; the list of shallow commits is.
//
// # Concurrency
//
// A [Repository] is not safe for concurrent use. Open one for each goroutine.
package git
