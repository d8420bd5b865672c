// Package forge knows the forges and trackers that serve a repository: which they are, who
// signs in, when each is asked and for how long, and the caches of what they gave. It must
// not know of indexes, of citations beyond whether one is well formed, or of the workspace:
// its callers pass in what it needs.
package forge
