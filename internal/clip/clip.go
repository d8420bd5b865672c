// Package clip shortens texts for people. It knows characters and words. It must not know what the texts are
// or where they are shown.
package clip

import "strings"

// Within returns a text of at most n characters: a longer one is truncated and ends in "…".
func Within(s string, n int) string {
	if end := runes(s, n); end < len(s) {
		return strings.TrimRight(s[:runes(s, n-1)], " ") + "…"
	}
	return s
}

// Words returns the beginning of a text, at most n characters followed by mark if it was cut. It cuts between
// words if a word ends in the second half. If n is 0 it cuts nothing.
func Words(s string, n int, mark string) string {
	end := runes(s, n)
	if n <= 0 || end == len(s) {
		return s
	}
	if blank := strings.LastIndexByte(s[:end], ' '); blank > end/2 {
		end = blank
	}
	return s[:end] + mark
}

// runes returns the number of bytes of the first n characters.
func runes(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}
