package providers

import (
	"net/url"
	"strings"
)

// Closing returns the references of issues that text says to settle, in order
// and without doubles, by the words that GitHub and GitLab act on: close, fix
// and resolve in their forms, then a reference, as in "Fixes #12", "closes:
// owner/repo#3" and "Resolved https://host/owner/repo/issues/4", which becomes
// "owner/repo#4". Of "fixes #1, #2 and #3" it returns all three, as people mean
// it.
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

// isClosingWord knows the forms of close, fix and resolve.
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

// issueRef is the reference that a word is, or "".
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

// refOfAddress reads …/owner/repo/issues/4 and GitLab's …/group/repo/-/issues/4.
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
