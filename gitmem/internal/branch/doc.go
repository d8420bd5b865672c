// Package branch makes a branch with one commit in a user's repository, and pushes it, by the git
// program. It uses the user's name, signing and hooks, and leaves the work tree, the index, the
// stash and the current branch as they are. It knows nothing of what is committed, nor of any
// forge.
package branch
