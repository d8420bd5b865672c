package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// pieces returns lines and parts of lines with a meaning in some context.
func pieces() []string {
	return []string{
		"# a\n", "## b ^id\n", "### c (L1-2) ##\n", "#", "=\n", "===\n", "---\n", "---", "+++\n", "...\n", "***\n",
		"- ", "- [ ] ", "- [x] t ^id\n", "- [note] n #a/b (0.5 L3 10:11) ^id2\n", "[decision]", "[todo] ", "1. ", "* ",
		"+ [bug] x\n",
		"  - answers [[#^id]]\n", "    - supersedes [[a|b]] [[c]]\n", "\t- relates_to [[\n", "  ", "    ", "\t", "> ", ">",
		"\n", "\n\n", "\r\n", "\r", " \n", "text\n", "text", "a: b\n", "a: 'b'\n", "'a' : [1, 2] # c\n", "b: \"x\n",
		"c: |\n  x\n",
		"d:\n  - 1\n", "d:\n- 1\n", "e: {f: 1}\n", "e = 1\n", "e.f = '''\nx'''\n", "[e]\n", "[[e]]\n", "? x\n: y\n",
		"# c\n", "&a x: *a\n",
		"```\n", "~~~~\n", "``` x\n", "<!-- ", "-->\n", "<div>\n", "</div>\n", "<?\n", "[a]: b\n", "[a]: b 'c'\n", "[[a]]",
		"`", "``", "^id",
		" ^id\n", " #tag", " (L9)", "\xff", "\x00", "\xef\xbb\xbf", "\u2028", "\u0085", "é", "\\", "|\n", "%x\n",
	}
}

// TestRandomDocuments joins pieces at random, which covers more structures than random bytes. A failing seed
// can be run alone by its number.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	all := pieces()
	rounds := uint64(2_000)
	if isNightly() {
		rounds = 20_000
	}
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		switch rnd.IntN(4) {
		case 0:
			b.WriteString("---\n")
		case 1:
			b.WriteString([]string{"+++\n", "\xef\xbb\xbf---\r\n", "---\na: b\nc: d\n"}[rnd.IntN(3)])
		}
		for range 1 + rnd.IntN(14) {
			b.WriteString(all[rnd.IntN(len(all))])
		}
		src := b.String()
		d := markdown.Parse([]byte(src))
		checkDoc(t, d, []byte(src))
		checkEdits(t, d, rnd.IntN(8))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
