// Package branch creates a branch with one commit in a user's repository and pushes it, using the git program. It uses
// the user's name, signing and hooks. It does not change the work tree, the index, the stash or the current branch. It
// must not know what is committed, and it knows no forge.
package branch
