// Package team computes from the contributions to a repository which people know an area. It
// tells who of them still contributes, how many would have to leave until nobody knows the
// area, and which areas are busy, shared or abandoned.
//
// It knows people, paths, times and lines. It knows nothing of git, of indexes and of
// questions: the caller adds contributions to a [History] and says which paths an area
// has. All of it is pure: the same contributions in any order give the same answer.
//
// # What a contribution is worth
//
// A contribution counts for an area with
//
//		(1 + size) × focus × freshness × part
//
//	  - size grows with the square root of the lines changed in the area up to 400 lines,
//	    and from there on with their logarithm: who wrote 300 lines knows more than who
//	    wrote 30, but not ten times as much, and one imported library must not outweigh a
//	    year of work. The 1 lets a commit count that changed a single line. Where the
//	    lines are not known, a commit counts as one of average size.
//	  - focus is the square root of the share of a commit's paths that lie in the area: a
//	    change of the whole tree says little about any one part of it.
//	  - freshness is ½ + ½ · 2^(−age in years), the age counted from the newest
//	    contribution of the history. Half of what somebody knew fades with a half-life of
//	    one year. The other half stays, or else one passing commit of last week would
//	    outrank the author of most that is there. A history that rests ages nobody.
//	  - part is 1 for an author and ½ for those who share the work. A review counts as a
//	    commit of one line, whether a forge names it or the commit's message; one that
//	    both name counts once.
//
// Where the caller knows which lines of an area are still as a contribution wrote them, these
// rank people, and what contributions are worth orders those who have as many: who wrote what is
// there now knows it.
//
// Merges are no work in any area and bots are nobody: both are left out, and bots counted.
package team
