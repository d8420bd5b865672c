package redact

import "iter"

// matcher is one form of secret. It is asked at every place where its word
// stands, in any case, and looks closer from there on, with bounds on how far.
// It must not look left of floor, where the last finding ended.
type matcher interface {
	match(r *Redactor, s string, at, floor int) (Finding, bool)
}

// rule is a matcher with code of its own.
type rule struct {
	word string // lower case, at least three bytes
	kind string
	find func(r *Redactor, s string, at, floor int) (Finding, bool)
}

func (t *rule) match(r *Redactor, s string, at, floor int) (Finding, bool) {
	if !hasPrefixFold(s[at:], t.word) {
		return Finding{}, false
	}
	return t.find(r, s, at, floor)
}

// entry is a matcher in the index of words.
type entry struct {
	matcher
	next uint16 // the next entry of the same hash, plus one; 0 ends the chain
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
// by itself whose it is comes before what a name says.
func newIndex() *index {
	x := &index{entries: make([]entry, 0, len(rules)+len(issued)+len(vendors)+len(secretWords)+len(saidWords)+len(commands)+len(calls)+len(showing)+160)}
	for i := range rules {
		x.add(rules[i].word, &rules[i])
	}
	for i := range issued {
		x.addToken(&issued[i])
	}
	for i := range vendors {
		x.add(vendors[i].word, &vendors[i])
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
		x.addWord(&secretWords[i])
	}
	for i := range saidWords {
		x.addWord(&saidWords[i])
	}
	x.addPorts(&rule{":", kindPassword, matchPgpass})
	for _, w := range []string{markOpen, "<private", `\u003cprivate`} {
		x.place(threeAt(w, 0)<<8 | uint32(w[3]|fold))
	}
	return x
}

// addToken adds a token. A beginning of two bytes is completed by two of what
// may follow.
func (x *index) addToken(t *token) {
	if len(t.prefix) > 2 {
		x.add(t.prefix, t)
		return
	}
	for a := range byte(128) {
		if !t.class.has(a) || a|fold != a {
			continue
		}
		three := threeAt(t.prefix+string(rune(a)), 0)
		x.chain(three, t)
		for b := range byte(128) {
			if t.class.has(b) && b|fold == b {
				x.place(three<<8 | uint32(b))
			}
		}
	}
}

// addWord adds a word in names of secrets. One of two letters needs a sign behind it.
func (x *index) addWord(t *secretWord) {
	if len(t.word) > 2 {
		x.add(t.word, t)
		return
	}
	for _, sign := range []byte(" =:_\"'`])\\") {
		x.add(t.word+string(sign), t)
	}
}

// addPorts adds a matcher of what begins with the port of a server: a colon and at
// least three digits, or any port.
func (x *index) addPorts(m matcher) {
	x.add(":*:", m)
	for two := range 100 {
		three := threeAt(":"+string([]byte{'0' + byte(two/10), '0' + byte(two%10)}), 0)
		x.chain(three, m)
		for d := range uint32(10) {
			x.place(three<<8 | '0' + d)
		}
	}
}

func (x *index) add(word string, m matcher) {
	three := threeAt(word, 0)
	x.chain(three, m)
	if len(word) > 3 {
		x.place(three<<8 | uint32(word[3]|fold))
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
func (x *index) chain(three uint32, m matcher) {
	x.entries = append(x.entries, entry{matcher: m})
	n := uint16(len(x.entries))
	at := &x.heads[headHash(three)]
	for *at != 0 {
		at = &x.entries[*at-1].next
	}
	*at = n
}

// secretWordsAt yields the words in names of secrets that stand at one place.
func (x *index) secretWordsAt(s string, at int) iter.Seq[*secretWord] {
	return func(yield func(*secretWord) bool) {
		for n := x.heads[headHash(threeAt(s, at))]; n != 0; n = x.entries[n-1].next {
			if w, ok := x.entries[n-1].matcher.(*secretWord); ok && hasPrefixFold(s[at:], w.word) && !yield(w) {
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
