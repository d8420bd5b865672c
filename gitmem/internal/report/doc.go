// Package report derives information about a team from a repository's history: who knows an area, its current state,
// and why lines are as they are. It must not change anything.
package report
