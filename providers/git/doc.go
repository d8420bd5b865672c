// Package git reads a git repository: its history, its files at any commit, its refs and remotes. It also
// offers the history as a team source ([Source]).
//
// It never writes, and it only reads the repository's own directories and those of its alternates. It runs
// git itself in one case: to list the refs of a repository that does not store them as files (reftable). That
// git process does not prompt, runs no hook and has no network access. Objects that were never fetched stay
// unknown. The package must not know stores, indexes or projects.
//
// # How it reads
//
// [Discover] finds the repository and [Open] opens its object storage directly, without validating the
// configuration: linked worktrees, sparse checkouts, partial and shallow clones, clones with alternates, and
// repositories with a damaged configuration can all be read. Packs and their indexes are mapped into memory
// where that does not hinder git, and otherwise read with ReadAt; commits, trees and tags are parsed from
// their raw bytes. Differences between trees come from merging their sorted entries; equal ids end a
// comparison, so the cost of a commit is the number of directories that it changed.
//
// go-git reads the configuration and the list of shallow commits, and resolves symbolic refs. This package
// reads the files of refs, packs and objects itself; comments there state where go-git would fail or be slow.
//
// In a repository with SHA-256, ids are truncated to their first 40 digits everywhere in this package. Git
// accepts them as abbreviated ids.
//
// Damage only affects the damaged objects. A commit or tree that is missing or can't be parsed is left out,
// and [Repository.Skipped] lists it with the reason.
//
// Replace refs and grafts are ignored; the list of shallow commits is respected.
//
// # Concurrency
//
// A [Repository] is not safe for concurrent use. Open one for each goroutine. A walk has helpers that compare
// trees; they end with it.
package git
