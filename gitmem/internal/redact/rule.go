package redact

import (
	"iter"
	"strings"
)

// matcher is one form of secret. It is asked at every place where one of its words
// stands, in any case, and looks closer from there on, with bounds on how far.
// It must not look left of floor, where the last finding ended.
type matcher interface {
	match(r *Redactor, s string, at, floor int, word string) (Finding, bool)
}

// rule is a matcher with code of its own.
type rule struct {
	word string // lower case, at least three bytes; see [newIndex] for several
	kind string
	find func(r *Redactor, s string, at, floor int) (Finding, bool)
}

func (t *rule) match(r *Redactor, s string, at, floor int, _ string) (Finding, bool) {
	return t.find(r, s, at, floor)
}

// entry is a word of a matcher in the index.
type entry struct {
	matcher
	word  string
	exact bool   // the word counts in its own case only
	next  uint16 // the next entry of the same hash, plus one; 0 ends the chain
}

// stands reports whether the word is at a place.
func (e *entry) stands(s string, at int) bool {
	if e.exact {
		return strings.HasPrefix(s[at:], e.word)
	}
	return hasPrefixFold(s[at:], e.word)
}

// index leads from four bytes of text to the entries whose words begin so.
//
// Most places in a text are passed over by one look at a bit: places are
// hashed by four bytes, of which the case is dropped. Words of three bytes
// have a bit for each fourth one.
type index struct {
	places  [1 << placeBits / 64]uint64
	heads   [1 << headBits]uint16 // by three bytes; plus one
	entries []entry
}

const (
	placeBits = 18
	headBits  = 10
	// fold drops the case of letters, also of those in a word of four bytes.
	fold  = 0x20
	folds = fold<<24 | fold<<16 | fold<<8 | fold
	// spread is the multiplier of the hashes: 2^32 divided by the golden ratio.
	spread = 0x9e3779b1
)

func placeHash(four uint32) uint32 { return four * spread >> (32 - placeBits) }
func headHash(three uint32) uint32 { return three * spread >> (32 - headBits) }
func threeAt(s string, at int) uint32 {
	return (uint32(s[at])<<16 | uint32(s[at+1])<<8 | uint32(s[at+2])) | folds&0xffffff
}

// newIndex puts the matchers in the order in which they are asked: what says
// by itself whose it is comes before what a name says. The word of a row in a table
// may be several with bars between them.
func newIndex() *index {
	x := &index{entries: make([]entry, 0, 1100)}
	for i := range rules {
		x.add(rules[i].word, &rules[i])
	}
	for _, row := range issued[:] {
		for kind, words := range kindsOf(row.of) {
			t := row
			t.kind = kind
			x.add(words, &t)
		}
	}
	for _, row := range vendors[:] {
		for kind, words := range kindsOf(row.of) {
			v := row
			v.kind = kind
			x.add(words, &v)
		}
	}
	for i := range commands {
		x.add(commands[i].word, &commands[i])
	}
	for i := range calls {
		x.add(calls[i].word, &calls[i])
	}
	for i := range showing {
		x.add(showing[i].word, &showing[i])
	}
	for i := range secretWords {
		x.add(secretWords[i].word, &secretWords[i])
	}
	for i := range saidWords {
		x.add(saidWords[i].word, &saidWords[i])
	}
	x.addPorts(&rule{":", kindPassword, matchPgpass})
	for _, w := range []string{markOpen, "<private", `\u003cprivate`} {
		x.place(threeAt(w, 0)<<8 | uint32(w[3]|fold))
	}
	return x
}

// kindsOf yields the kinds of a row and the words of each, of "kind word|word, kind word".
func kindsOf(row string) iter.Seq2[string, string] {
	return func(yield func(kind, words string) bool) {
		for each := range strings.SplitSeq(row, ", ") {
			if kind, words, _ := strings.Cut(each, " "); !yield(kind, words) {
				return
			}
		}
	}
}

// add adds the words of a matcher. The beginning of a token that has two bytes is
// completed by two of what may follow; a name of two letters needs a sign behind it.
func (x *index) add(words string, m matcher) {
	for word := range strings.SplitSeq(words, "|") {
		t, isToken := m.(*token)
		switch {
		case len(word) > 2:
			x.addKey(word, word, m)
		case isToken:
			x.addShort(word, t)
		default:
			for _, sign := range []byte(" =:_\"'`])\\") {
				x.addKey(word+string(sign), word, m)
			}
		}
	}
}

func (x *index) addShort(prefix string, t *token) {
	for a := range byte(128) {
		if !t.class.has(a) || a|fold != a {
			continue
		}
		three := threeAt(prefix+string(rune(a)), 0)
		x.chain(three, prefix, t)
		for b := range byte(128) {
			if t.class.has(b) && b|fold == b {
				x.place(three<<8 | uint32(b))
			}
		}
	}
}

// addPorts adds a matcher of what begins with the port of a server: a colon and at
// least three digits, or any port.
func (x *index) addPorts(m matcher) {
	x.addKey(":*:", ":", m)
	for two := range 100 {
		three := threeAt(":"+string([]byte{'0' + byte(two/10), '0' + byte(two%10)}), 0)
		x.chain(three, ":", m)
		for d := range uint32(10) {
			x.place(three<<8 | '0' + d)
		}
	}
}

// addKey adds a matcher for the text that begins with key.
func (x *index) addKey(key, word string, m matcher) {
	three := threeAt(key, 0)
	x.chain(three, word, m)
	if len(key) > 3 {
		x.place(three<<8 | uint32(key[3]|fold))
		return
	}
	for b := range uint32(256) {
		x.place(three<<8 | b | fold)
	}
}

func (x *index) place(four uint32) {
	h := placeHash(four)
	x.places[h/64] |= 1 << (h % 64)
}

// chain puts a matcher behind the others of its hash.
func (x *index) chain(three uint32, word string, m matcher) {
	_, exact := m.(*token)
	x.entries = append(x.entries, entry{matcher: m, word: word, exact: exact})
	n := uint16(len(x.entries))
	at := &x.heads[headHash(three)]
	for *at != 0 {
		at = &x.entries[*at-1].next
	}
	*at = n
}

// at yields the entries whose words stand at a place.
func (x *index) at(s string, at int) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for n := x.heads[headHash(threeAt(s, at))]; n != 0; {
			e := &x.entries[n-1]
			if e.stands(s, at) && !yield(e) {
				return
			}
			n = e.next
		}
	}
}

// secretWordsAt yields the words in names of secrets that stand at one place.
func (x *index) secretWordsAt(s string, at int) iter.Seq2[string, *secretWord] {
	return func(yield func(string, *secretWord) bool) {
		for e := range x.at(s, at) {
			if w, ok := e.matcher.(*secretWord); ok && !yield(e.word, w) {
				return
			}
		}
	}
}

// candidates returns the places of s at which a word may begin.
func (x *index) candidates(s string) []int {
	all := make([]int, 0, len(s)/64+8)
	var four uint32 = folds
	for i := range len(s) {
		four = four<<8 | uint32(s[i]|fold)
		h := placeHash(four)
		if x.places[h/64]>>(h%64)&1 != 0 && i >= 3 {
			all = append(all, i-3)
		}
	}
	// A word of three bytes may end the text.
	if h := placeHash(four<<8 | fold); len(s) >= 3 && x.places[h/64]>>(h%64)&1 != 0 {
		all = append(all, len(s)-3)
	}
	return all
}
