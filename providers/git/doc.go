// Package git reads a git repository: its history, its files at any commit, its
// refs and remotes. It also offers the history as a team source ([Source]).
//
// It never writes and touches nothing outside the repository's own directories and
// those that it borrows objects from. It runs one program, git itself, for one thing:
// to list the refs of a repository that keeps them in another format than files
// (reftable). That git does not prompt, runs no hook and has no way to the network.
// Objects that were never fetched stay unknown. It knows nothing about stores,
// indexes or projects.
//
// # How it reads
//
// [Discover] finds the repository and [Open] opens its object storage directly,
// without judging the configuration: linked worktrees, sparse checkouts, partial
// and shallow clones, clones that borrow objects from others, and repositories
// with a damaged configuration all can be read. Packs and their indexes are mapped
// into memory where that does not hinder git, and read where they are; commits,
// trees and tags are parsed from their raw bytes. Differences between trees come
// from merging their sorted entries; equal ids end a comparison, so the cost of a
// commit is the number of directories that it changed.
//
// go-git reads the configuration and the list of shallow commits, and follows refs that
// name other refs. Files of refs, packs and objects are read here: where go-git would fail
// or be slow is stated there.
//
// In a repository with SHA-256 an id is cut to its first 40 digits everywhere in
// this package. Git takes those for the whole.
//
// Damage costs only what it hits. A commit or tree that is missing or can't be
// parsed is left out, and [Repository.Skipped] says which and why.
//
// Replace refs and grafts are not honoured; the list of shallow commits is.
//
// # Concurrency
//
// A [Repository] is not safe for concurrent use. Open one for each goroutine. A walk
// has helpers that compare trees; they end with it.
package git
