package linediff

// Before returns where a range of lines was before the changes, and whether they touch it. A change that is
// entirely before or after the range does not.
func Before(r Range, hunks []Hunk) (before Range, touched bool) {
	before = r
	for _, h := range hunks {
		switch old, now := h.Old, h.New; {
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
