package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// naming determines the relation of a source to its references. It reads the text only once, since release notes may
// contain hundreds.
type naming struct {
	src     cite.Source
	inTitle []string
	closing []int // text offsets after closing words, where a reference may begin
}

var closingWord = lazy.Pattern(`(?i)\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):?\s+`)

func newNaming(src cite.Source) naming {
	n := naming{src: src}
	if strings.HasPrefix(src.ID, "git:commit:") {
		n.inTitle = providers.References(src.Title)
	}
	for _, m := range closingWord().FindAllStringIndex(src.Text, -1) {
		n.closing = append(n.closing, m[1])
	}
	return n
}

// refers returns the relation of a source to a reference: the pull request in a commit's title, an item that it closes,
// or a mention.
func (n naming) refers(ref string) providers.Rel {
	if slices.Contains(n.inTitle, ref) {
		return providers.PartOf
	}
	for _, at := range n.closing {
		if rest := n.src.Text[at:]; len(rest) >= len(ref) && strings.EqualFold(rest[:len(ref)], ref) &&
			!goesOn(rest[len(ref):]) {
			return providers.Closes
		}
	}
	return providers.Mentions
}

// Closes returns the issue and ticket numbers that a source fixes or closes.
func Closes(src cite.Source) []string {
	n := newNaming(src)
	return slices.DeleteFunc(providers.References(src.Text), func(ref string) bool {
		return n.refers(ref) != providers.Closes
	})
}

// goesOn reports whether a word continues in rest.
func goesOn(rest string) bool {
	if rest == "" {
		return false
	}
	b := rest[0] | 0x20
	return rest[0] == '_' || '0' <= rest[0] && rest[0] <= '9' || 'a' <= b && b <= 'z'
}
