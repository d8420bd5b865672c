package transcript

// SetLimit lowers the length of lines that r reads.
func SetLimit(r *Reader, bytes int) { r.limit = bytes }

// Sentences gives tests the sentences of a text.
func Sentences(text string) []string {
	var all []string
	for s := range sentences(text) {
		all = append(all, s.Text)
	}
	return all
}
