package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// namedIt is how a part of a commit's hash stands to the commit.
const namedIt providers.Rel = "is short for"

const (
	leastHash = 7
	mostHash  = 64
)

// hashes are the words of a question that can be hashes of commits, or their beginnings.
// A word without a figure, such as defaced, is none.
func hashes(words []string) (out []string) {
	for _, w := range words {
		w = strings.ToLower(strings.Trim(w, "?!.,;:\"'()`[]"))
		if len(w) < leastHash || len(w) > mostHash || !strings.ContainsAny(w, "0123456789") || strings.Trim(w, "0123456789abcdef") != "" {
			continue
		}
		out = append(out, w)
	}
	return out
}

// called is a source whose title also names what the question calls it by: nobody writes
// a commit's hash into its message.
func (w *weigher) called(src cite.Source) cite.Source {
	for _, hash := range w.hashes {
		if strings.HasPrefix(src.ID, string(cite.KindCommit)+":"+hash) {
			src.Title += " " + hash
		}
	}
	return src
}
