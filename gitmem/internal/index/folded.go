package index

// Folded returns a word as terms have it before stemming: in lower case, without
// accents and apostrophes.
func Folded(word string) string { return string(fold(nil, word)) }
