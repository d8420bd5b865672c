package providers

import (
	"net/url"
	"strings"
)

// Closing returns the references of the issues that text closes, in order and without duplicates. It
// recognises the words that GitHub and GitLab act on: forms of close, fix and resolve, followed by a
// reference, as in "Fixes #12", "closes: owner/repo#3" and "Resolved https://host/owner/repo/issues/4", which
// becomes "owner/repo#4". For "fixes #1, #2 and #3" it returns all three, which is what people mean.
func Closing(text string) []string {
	var out []string
	seen := map[string]bool{}
	listing := false
	for _, word := range strings.Fields(text) {
		if isClosingWord(word) {
			listing = true
			continue
		}
		if !listing || word == "and" || word == "," || word == "&" {
			continue
		}
		ref := issueRef(word)
		if ref != "" && !seen[ref] {
			seen[ref] = true
			out = append(out, ref)
		}
		listing = ref != "" && !strings.HasSuffix(word, ".")
	}
	return out
}

// isClosingWord reports whether word is a form of close, fix or resolve.
func isClosingWord(word string) bool {
	switch strings.ToLower(strings.TrimFunc(word, isQuoting)) {
	case "close", "closes", "closed", "closing", "fix", "fixes", "fixed", "fixing", "resolve", "resolves",
		"resolved", "resolving":
		return true
	}
	return false
}

// isQuoting reports whether a character may surround a word.
func isQuoting(r rune) bool { return strings.ContainsRune("*_`()[]<>:;,.!\"'-", r) }

// issueRef returns the reference in word, or "" if word is not a reference.
func issueRef(word string) string {
	word = strings.TrimFunc(word, isQuoting)
	if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
		return refOfAddress(word)
	}
	refs := References(word)
	if len(refs) == 1 && len(refs[0]) == len(word) || len(refs) == 1 && strings.HasPrefix(strings.ToUpper(word), "GH-") {
		return refs[0]
	}
	return ""
}

// refOfAddress parses …/owner/repo/issues/4 and GitLab's …/group/repo/-/issues/4.
func refOfAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	place, number, ok := strings.Cut(strings.Trim(u.Path, "/"), "/issues/")
	place = strings.TrimSuffix(place, "/-")
	number = "#" + number
	if refs := References(number); !ok || !strings.Contains(place, "/") || len(refs) != 1 || refs[0] != number {
		return ""
	}
	return place + number
}
