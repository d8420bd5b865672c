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

// maxText is how much of one text is kept, in bytes: longer ones are logs.
const maxText = 64 << 10

// cutMark ends a text that was cut.
const cutMark = "\n[…]"

// Tally counts what a source leaves out. The zero Tally is ready.
type Tally struct {
	counts map[string]int
}

// Add counts one more for a reason.
func (t *Tally) Add(reason string) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[reason]++
}

// Skips lists the counts, sorted by reason.
func (t *Tally) Skips() (out []providers.Skip) {
	for _, reason := range slices.Sorted(maps.Keys(t.counts)) {
		out = append(out, providers.Skip{Reason: reason, Items: t.counts[reason]})
	}
	return out
}

var htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

// Text makes a body ready to be kept: valid UTF-8, plain line ends, without the
// comments of templates, and not too long.
func (t *Tally) Text(body string) string {
	body = strings.ToValidUTF8(body, "\uFFFD")
	body = strings.ReplaceAll(body, "\r\n", "\n")
	body = strings.ReplaceAll(body, "\x00", "")
	// Templates speak to authors in comments. One that does not end is kept.
	body = strings.TrimSpace(htmlComment().ReplaceAllString(body, ""))
	if len(body) <= maxText {
		return body
	}
	t.Add("texts cut at 64 KiB")
	return cutWords(body, maxText-len(cutMark)) + cutMark
}

// Title makes one line of a title, and never an empty one.
func Title(title, otherwise string) string {
	title = strings.Join(strings.Fields(strings.ToValidUTF8(title, "\uFFFD")), " ")
	if title == "" {
		return otherwise
	}
	return cutWords(title, 1000)
}

// cutWords returns at most n bytes of s, which is valid UTF-8, and breaks no word of
// ASCII: the first half of a secret would not be known for one.
func cutWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && (!utf8.RuneStart(s[n]) || s[n] > ' ' && s[n] < utf8.RuneSelf && s[n-1] > ' ' && s[n-1] < utf8.RuneSelf) {
		n--
	}
	return strings.TrimRight(s[:n], " \t\n")
}
