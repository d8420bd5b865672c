// Package team computes from the contributions to a repository which people know an area: who of them still
// contributes, how many would have to leave until nobody knows it, and which areas are busy, shared or abandoned.
//
// It knows people, paths, times and lines. It does not know git, indexes or questions: the caller adds contributions to
// a [History] and specifies the paths of an area. It is pure: the same contributions in any order give the same answer.
//
// # The worth of a contribution
//
// A contribution counts for an area with
//
//		(1 + size) × focus × freshness × part
//
//	  - size grows with the square root of the lines changed in the area up to 400 lines,
//	    and with their logarithm above that: the author of 300 lines knows more than the
//	    author of 30, but not ten times as much, and one imported library must not outweigh
//	    a year of work. The 1 makes a commit of a single line count. If the number of
//	    lines is unknown, a commit counts as one of average size.
//	  - focus is the square root of the share of a commit's paths in the area: a change of
//	    the whole tree shows little about any one part of it.
//	  - freshness is ½ + ½ · 2^(−age in years), where the age is relative to the newest
//	    contribution of the history. Half of a person's knowledge fades with a half-life of
//	    one year. The other half stays; otherwise one minor commit of last week would
//	    outrank the author of most of the area. Nobody ages in an inactive history.
//	  - part is 1 for an author and ½ for those who share the work. A review counts as a
//	    commit of one line, whether a forge or the commit's message names it; one that
//	    both name counts once.
//
// If the caller knows which lines of an area are still as a contribution wrote them, people are ranked by these lines,
// and those with equal numbers by the worth of their contributions: the authors of the present lines know the area.
//
// Merges are not work in any area and bots are not people: both are excluded, and bots are counted.
package team
