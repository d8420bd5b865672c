// Package sync brings the memories of several machines together through a git remote.
//
// It knows the order of the steps: commit, fetch, check what was fetched, merge, commit the
// merge, check what is pushed, push. How files are merged is package merge's, and how commits
// are made, fetched and pushed is the store's.
package sync
