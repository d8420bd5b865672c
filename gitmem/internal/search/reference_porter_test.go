package search_test

import (
	"regexp"
	"strings"
)

// An implementation of "An algorithm for suffix stripping" (M. F. Porter, 1980),
// with the two later rules for -bli and -logi, that works on the pattern of a
// word's vowels and consonants.

// stemmed returns the stem of a word of three to forty English letters, and any other word unchanged.
func stemmed(word string) string {
	if len(word) < 3 || len(word) > 40 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return word
	}
	for _, step := range []func(string) string{
		step1a, step1b, step1c,
		rules(0, "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e ousli ous "+
			"ization ize ation ate ator ate alism al iveness ive fulness ful ousness ous "+
			"aliti al iviti ive biliti ble logi log"),
		rules(0, "icate ic ative - alize al iciti ic ical ic ful - ness -"),
		step4, step5,
	} {
		word = step(word)
	}
	return word
}

// pattern spells a word with v for each vowel and c for each consonant; y is a
// vowel after a consonant.
func pattern(word string) string {
	p := make([]byte, len(word))
	for i := range p {
		p[i] = 'c'
		if strings.IndexByte("aeiou", word[i]) >= 0 || word[i] == 'y' && i > 0 && p[i-1] == 'c' {
			p[i] = 'v'
		}
	}
	return string(p)
}

var vowelConsonant = regexp.MustCompile(`v+c+`)

// measure returns the number of times that consonants follow vowels.
func measure(word string) int { return len(vowelConsonant.FindAllString(pattern(word), -1)) }

func hasVowel(word string) bool { return strings.Contains(pattern(word), "v") }

func doubled(word string) bool {
	n := len(word)
	return n > 1 && word[n-1] == word[n-2] && strings.HasSuffix(pattern(word), "c")
}

// short reports whether a word ends in consonant, vowel, consonant, the last not w, x or y.
func short(word string) bool {
	return strings.HasSuffix(pattern(word), "cvc") && strings.IndexByte("wxy", word[len(word)-1]) < 0
}

// cutEnd removes an ending, but not the whole word.
func cutEnd(word, end string) (string, bool) {
	return strings.TrimSuffix(word, end), len(word) > len(end) && strings.HasSuffix(word, end)
}

// rules replaces the longest matching ending, if enough of the word remains.
func rules(least int, pairs string) func(string) string {
	list := strings.Fields(pairs)
	return func(word string) string {
		longest, with := "", ""
		for i := 0; i < len(list); i += 2 {
			if _, ok := cutEnd(word, list[i]); ok && len(list[i]) > len(longest) {
				longest, with = list[i], strings.Trim(list[i+1], "-")
			}
		}
		if stem, ok := cutEnd(word, longest); longest != "" && ok && measure(stem) > least {
			return stem + with
		}
		return word
	}
}

func step1a(word string) string {
	for _, end := range []string{"sses", "ies", "ss", "s"} {
		if stem, ok := cutEnd(word, end); ok {
			return stem + map[string]string{"sses": "ss", "ies": "i", "ss": "ss"}[end]
		}
	}
	return word
}

func step1b(word string) string {
	if stem, ok := cutEnd(word, "eed"); ok {
		if measure(stem) > 0 {
			return stem + "ee"
		}
		return word
	}
	for _, end := range []string{"ed", "ing"} {
		if stem, ok := cutEnd(word, end); ok && hasVowel(stem) {
			return mended(stem)
		}
	}
	return word
}

// mended restores the e of a stem that has lost ed or ing, or removes one of two equal letters.
func mended(stem string) string {
	for _, end := range []string{"at", "bl", "iz"} {
		if _, ok := cutEnd(stem, end); ok {
			return stem + "e"
		}
	}
	switch {
	case doubled(stem) && strings.IndexByte("lsz", stem[len(stem)-1]) < 0:
		return stem[:len(stem)-1]
	case measure(stem) == 1 && short(stem):
		return stem + "e"
	}
	return stem
}

func step1c(word string) string {
	if stem, ok := cutEnd(word, "y"); ok && hasVowel(stem) {
		return stem + "i"
	}
	return word
}

func step4(word string) string {
	if stem, ok := cutEnd(word, "ion"); ok {
		if measure(stem) > 1 && strings.IndexByte("st", stem[len(stem)-1]) >= 0 {
			return stem
		}
		return word
	}
	return rules(1,
		"al - ance - ence - er - ic - able - ible - ant - ement - ment - ent - ou - ism - ate - "+
			"iti - ous - ive - ize -")(word)
}

func step5(word string) string {
	if stem, ok := cutEnd(word, "e"); ok {
		if m := measure(stem); m > 1 || m == 1 && !short(stem) {
			word = stem
		}
	}
	if measure(word) > 1 && doubled(word) && strings.HasSuffix(word, "ll") {
		word = word[:len(word)-1]
	}
	return word
}
