package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// abbreviates is the relation of a part of a commit's hash to the commit.
const abbreviates providers.Rel = "is short for"

// leastHash is how many digits people write of a hash at least.
const leastHash = 7

// isHash recognises words that can be hashes with most digits, or their beginnings. A word
// without a figure, such as defaced, is none.
func isHash(word string, most int) bool {
	return len(word) >= leastHash && len(word) <= most && strings.ContainsAny(word, "0123456789") &&
		strings.Trim(word, "0123456789abcdef") == ""
}

// hashes are the words of a question that can be hashes of commits, or their beginnings.
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

// withHash is a source whose title also names what the question calls it by: nobody writes
// a commit's hash into its message.
func (w *weigher) withHash(src cite.Source) cite.Source {
	for _, hash := range w.hashes {
		if strings.HasPrefix(src.ID, string(cite.KindCommit)+":"+hash) {
			src.Title += " " + hash
		}
	}
	return src
}
