// Package branch makes a branch with one commit in somebody's repository, and pushes it, by
// the git program: with the name, the signing and the hooks of whoever commits, and without
// touching the work tree, the index, the stash or the current branch. It knows git's
// repositories and nothing of what is committed, nor of any forge.
package branch
