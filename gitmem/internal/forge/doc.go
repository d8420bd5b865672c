// Package forge selects the forges and trackers that serve a repository, finds their tokens, decides when to ask each
// and how long to wait, and caches the results. It must not know indexes or the workspace, and of citation ids only
// whether they are well formed: its caller passes in what it needs.
package forge
