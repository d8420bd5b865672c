// Package clip shortens texts for people. It knows characters and words, and nothing of what the
// texts are or where they are shown.
package clip

import "strings"

// Within is a text of at most n characters: one that is longer ends in a mark.
func Within(s string, n int) string {
	if end := runes(s, n); end < len(s) {
		return strings.TrimRight(s[:runes(s, n-1)], " ") + "…"
	}
	return s
}

// Words is the beginning of a text, cut between words where one of these ends in its second
// half, of at most n characters and a mark where it was cut. An n of 0 cuts nothing.
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

// runes is how many bytes the first n characters have.
func runes(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}
