// Package report derives from a repository's history what is known of a team: who knows an area, what
// state it is in, why lines are as they are. It must not change anything.
package report
