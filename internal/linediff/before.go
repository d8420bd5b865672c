package linediff

import "iter"

// Before tells where a range of lines stood before the changes, and whether they
// touch it. A change that lies wholly before or behind the range does not. The
// changes are the lines of the old and of the new text, in order.
func Before(r Range, changes iter.Seq2[Range, Range]) (before Range, touched bool) {
	before = r
	for old, now := range changes {
		switch {
		case now.End <= r.Start:
			before.Start = r.Start + old.End - now.End
			before.End = r.End + old.End - now.End
		case now.Start >= r.End:
			return before, touched
		default:
			touched = true
			if now.Start <= r.Start {
				before.Start = old.Start
			}
			before.End = old.End + max(r.End-now.End, 0)
		}
	}
	return before, touched
}
