package transcript

// SetLimit lowers the length of lines that r reads.
func SetLimit(r *Reader, bytes int) { r.limit = bytes }
