package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// abbreviates is the relation of an abbreviated hash to its commit.
const abbreviates providers.Rel = "is short for"

// leastHash is the minimum length of an abbreviated hash.
const leastHash = 7

// isHash reports whether a word may be a hash with up to most digits or a prefix of one. A word without a digit, such
// as defaced, is not a hash.
func isHash(word string, most int) bool {
	return len(word) >= leastHash && len(word) <= most && strings.ContainsAny(word, "0123456789") &&
		strings.Trim(word, "0123456789abcdef") == ""
}

// hashes returns the words of a question that may be commit hashes or prefixes of them.
func hashes(words []string) (out []string) {
	for _, w := range words {
		w = strings.ToLower(strings.Trim(w, "?!.,;:\"'()`[]"))
		const sha256 = 64
		if isHash(w, sha256) {
			out = append(out, w)
		}
	}
	return out
}

// withHash adds the hash in the question to the source's title, because commit messages do not contain their own hash.
func (w *weigher) withHash(src cite.Source) cite.Source {
	for _, hash := range w.hashes {
		if strings.HasPrefix(src.ID, string(cite.KindCommit)+":"+hash) {
			src.Title += " " + hash
		}
	}
	return src
}
