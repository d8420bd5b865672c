// Package forge knows the forges and trackers that serve a repository: which they are, who
// signs in, when each is asked and for how long, and the caches of what they gave. It must
// not know of indexes, of citations beyond whether one is well formed, or of the workspace:
// whoever asks hands it what it needs.
package forge
