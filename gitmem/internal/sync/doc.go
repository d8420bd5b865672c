// Package sync synchronises the memories of several machines through a git remote.
//
// It knows the order of the steps: commit, fetch, check what was fetched, merge, commit the merge, check what is
// pushed, push. Package merge knows how files are merged, and the store how commits are made, fetched and pushed.
package sync
