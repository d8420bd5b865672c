package redact

import (
	"iter"
	"strings"
)

// matcher is one form of secret. It is called wherever one of its words begins, and reads on from there, with limits.
// It must not read left of floor, the end of the last finding.
type matcher interface {
	match(r *Redactor, s, word string, at, floor int) (Finding, bool)
}

// rule is a matcher with code of its own.
type rule struct {
	kind string
	find func(r *Redactor, s string, at, floor int) (Finding, bool) // nil for a rule that only marks the start of a table
	// whether the byte may precede the word; nil allows any
	after func(before byte) bool
	words []string // lower case, at least three bytes
}

func (t *rule) match(r *Redactor, s, _ string, at, floor int) (Finding, bool) {
	if t.find == nil || t.after != nil && at > floor && !t.after(s[at-1]) {
		return Finding{}, false
	}
	return t.find(r, s, at, floor)
}

func noAlnum(b byte) bool          { return !isAlnum(b) }
func noName(b byte) bool           { return !path.has(b) && b != '.' }
func noWord(b byte) bool           { return isSpace(b) || b == '-' }
func precedesArgument(b byte) bool { return b < 0x80 && delimits(b) }

// entry is a word of a matcher in the index.
type entry struct {
	matcher
	word  string // lower case, and matches any case unless exact is set
	exact bool
	next  uint16 // the next entry of the same hash, plus one; 0 ends the chain
}

// index maps the first four bytes of a word to the entries with such words.
//
// Most positions in a text are rejected by one lookup of a bit: they are hashed by four
// bytes without their case. Words of three bytes have a bit for every fourth one.
type index struct {
	bitmap  [1 << bitmapBits / 64]uint64
	heads   [1 << headBits]uint16 // by three bytes; plus one
	entries []entry
}

const (
	bitmapBits = 18
	headBits   = 10
	// fold removes the case of letters, also of those in a word of four bytes.
	fold  = 0x20
	folds = fold<<24 | fold<<16 | fold<<8 | fold
	// spread is the multiplier of the hashes: 2^32 divided by the golden ratio.
	spread = 0x9e3779b1
)

func bitHash(four uint32) uint32   { return four * spread >> (32 - bitmapBits) }
func headHash(three uint32) uint32 { return three * spread >> (32 - headBits) }
func threeAt(s string, at int) uint32 {
	return (uint32(s[at])<<16 | uint32(s[at+1])<<8 | uint32(s[at+2])) | folds&0xffffff
}

// newIndex adds the matchers in the order in which they are called: forms that identify the issuer come before names.
func newIndex() *index {
	x := &index{entries: make([]entry, 0, 1100)} // slightly more than needed
	addAll(x, rules[:], func(m *rule) []string { return m.words })
	for i := range issued {
		for _, prefix := range issued[i].prefixes {
			x.addToken(&issued[i], prefix)
		}
	}
	addAll(x, vendors[:], func(m *vendor) []string { return m.words })
	addAll(x, commands[:], func(m *command) []string { return m.words })
	addAll(x, calls[:], func(m *call) []string { return m.words })
	addAll(x, printers[:], func(m *printer) []string { return m.words })
	addAll(x, secretWords[:], func(m *secretWord) []string { return m.words })
	addAll(x, proseWords[:], func(m *secretWord) []string { return m.words })
	x.addPorts(&rule{kind: kindPassword, find: matchPgpass})
	for _, w := range []string{markOpen, "<private", `\u003cprivate`} {
		x.setBit(threeAt(w, 0)<<8 | uint32(w[3]|fold))
	}
	return x
}

// addAll adds the matchers of a table with their words.
func addAll[T any, M interface {
	*T
	matcher
}](x *index, table []T, words func(*T) []string) {
	for i := range table {
		x.add(M(&table[i]), words(&table[i])...)
	}
}

// addToken adds a token. A prefix of two bytes is extended by all pairs that may follow it.
func (x *index) addToken(t *token, prefix string) {
	e := entry{matcher: t, word: prefix, exact: true}
	if len(prefix) > 2 {
		x.addWord(e, prefix)
		return
	}
	for a := range byte(128) {
		if !t.class.has(a) || a|fold != a {
			continue
		}
		three := threeAt(prefix+string(rune(a)), 0)
		x.link(three, e)
		for b := range byte(128) {
			if t.class.has(b) && b|fold == b {
				x.setBit(three<<8 | uint32(b))
			}
		}
	}
}

// addPorts adds a matcher for text that begins with a server's port: a colon and at least three digits, or any port.
func (x *index) addPorts(m matcher) {
	e := entry{matcher: m, word: ":"}
	x.addWord(e, ":*:")
	for two := range 100 {
		three := threeAt(":"+string([]byte{'0' + byte(two/10), '0' + byte(two%10)}), 0)
		x.link(three, e)
		for d := range uint32(10) {
			x.setBit(three<<8 | '0' + d)
		}
	}
}

// add adds the words of a matcher. A word of two letters needs a separator after it.
func (x *index) add(m matcher, words ...string) {
	for _, word := range words {
		e := entry{matcher: m, word: word}
		if len(word) > 2 {
			x.addWord(e, word)
			continue
		}
		for _, sign := range []byte(" =:_\"'`])\\") {
			x.addWord(e, word+string(sign))
		}
	}
}

// addWord adds an entry where a word of at least three bytes begins.
func (x *index) addWord(e entry, word string) {
	three := threeAt(word, 0)
	x.link(three, e)
	if len(word) > 3 {
		x.setBit(three<<8 | uint32(word[3]|fold))
		return
	}
	for b := range uint32(256) {
		x.setBit(three<<8 | b | fold)
	}
}

func (x *index) setBit(four uint32) {
	h := bitHash(four)
	x.bitmap[h/64] |= 1 << (h % 64)
}

// link appends an entry to the chain of its hash.
func (x *index) link(three uint32, e entry) {
	x.entries = append(x.entries, e)
	n := uint16(len(x.entries))
	at := &x.heads[headHash(three)]
	for *at != 0 {
		at = &x.entries[*at-1].next
	}
	*at = n
}

// entriesAt yields the entries whose words are at a position.
func (x *index) entriesAt(s string, at int) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for n := x.heads[headHash(threeAt(s, at))]; n != 0; n = x.entries[n-1].next {
			e := &x.entries[n-1]
			begins := e.exact && strings.HasPrefix(s[at:], e.word) || !e.exact && hasPrefixFold(s[at:], e.word)
			if begins && !yield(e) {
				return
			}
		}
	}
}

// secretWordsAt yields the words in names of secrets at a position.
func (x *index) secretWordsAt(s string, at int) iter.Seq2[string, *secretWord] {
	return func(yield func(string, *secretWord) bool) {
		for e := range x.entriesAt(s, at) {
			if w, ok := e.matcher.(*secretWord); ok && !yield(e.word, w) {
				return
			}
		}
	}
}

// candidates returns the positions in s at which a word may begin.
func (x *index) candidates(s string) []int {
	all := make([]int, 0, len(s)/64+8)
	var four uint32 = folds
	for i := range len(s) {
		four = four<<8 | uint32(s[i]|fold)
		h := bitHash(four)
		if x.bitmap[h/64]>>(h%64)&1 != 0 && i >= 3 {
			all = append(all, i-3)
		}
	}
	// A word of three bytes may end the text.
	if h := bitHash(four<<8 | fold); len(s) >= 3 && x.bitmap[h/64]>>(h%64)&1 != 0 {
		all = append(all, len(s)-3)
	}
	return all
}
