package remote

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gitmem/gitmem/providers"
)

// maxText is how much of one text is kept, in bytes: longer texts are logs.
const maxText = 64 << 10

// cutMark ends a text that was truncated.
const cutMark = "\n[…]"

// Tally counts what a source leaves out. The zero Tally is ready for use.
type Tally struct {
	counts map[string]int
}

// Add increments the count of a reason.
func (t *Tally) Add(reason string) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[reason]++
}

// Skips returns the counts, sorted by reason.
func (t *Tally) Skips() (out []providers.Skip) {
	for _, reason := range slices.Sorted(maps.Keys(t.counts)) {
		out = append(out, providers.Skip{Reason: reason, Items: t.counts[reason]})
	}
	return out
}

var htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

// Text cleans a body: valid UTF-8, \n line ends, without HTML comments, and truncated at maxText.
func (t *Tally) Text(body string) string {
	body = strings.ToValidUTF8(body, "\uFFFD")
	body = strings.ReplaceAll(body, "\r\n", "\n")
	body = strings.ReplaceAll(body, "\x00", "")
	// Templates use comments to instruct authors. A comment without an end is kept.
	body = strings.TrimSpace(htmlComment().ReplaceAllString(body, ""))
	if len(body) <= maxText {
		return body
	}
	t.Add("texts cut at 64 KiB")
	return cutWords(body, maxText-len(cutMark)) + cutMark
}

// Title returns a title as one line, or otherwise if it is empty.
func Title(title, otherwise string) string {
	title = strings.Join(strings.Fields(strings.ToValidUTF8(title, "\uFFFD")), " ")
	if title == "" {
		return otherwise
	}
	return cutWords(title, 1000)
}

// cutWords returns at most n bytes of s, which is valid UTF-8, and does not split an ASCII word: the first
// half of a secret would not be recognised as one.
func cutWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && (!utf8.RuneStart(s[n]) || s[n] > ' ' && s[n] < utf8.RuneSelf && s[n-1] > ' ' && s[n-1] < utf8.RuneSelf) {
		n--
	}
	return strings.TrimRight(s[:n], " \t\n")
}
