package corpus

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scribe generates the texts of one session. It is for one goroutine.
type scribe struct {
	l    *lexicon
	r    *rand.Rand
	home uint64 // seed of the project, which determines its names
	ext  string
	now  time.Time // for the lines of logs

	noun, verb, adjective, adverb, person *rand.Zipf // ranks of words
	local                                 *rand.Zipf // ranks in the project's own order
	name                                  *rand.Zipf // ranks of an unlimited number of names

	// What this session is about; it occurs repeatedly.
	focus  []int // nouns
	names  []uint64
	paths  []uint64
	errors []uint64
	issue  uint64
	rival  uint64 // a product or host
}

// nameRanks is large, so that a project has many names and rare ones occur once.
const nameRanks = 1 << 22

func newScribe(l *lexicon, seed, session uint64, project int) *scribe {
	r := rand.New(rand.NewPCG(seed, session))
	s := &scribe{
		l: l, r: r, home: mix(uint64(project)+1, 7), ext: l.projects[project].ext,
		noun:      rand.NewZipf(r, 1.15, 8, uint64(len(l.nouns)-1)),
		verb:      rand.NewZipf(r, 1.2, 12, uint64(len(l.verbs)-1)),
		adjective: rand.NewZipf(r, 1.2, 8, uint64(len(l.adjectives)-1)),
		adverb:    rand.NewZipf(r, 1.2, 6, uint64(len(l.adverbs)-1)),
		person:    rand.NewZipf(r, 1.3, 4, uint64(len(l.people)-1)),
		local:     rand.NewZipf(r, 1.3, 8, uint64(len(l.nouns)-1)),
		name:      rand.NewZipf(r, 1.12, 20, nameRanks),
	}
	for range 3 + r.IntN(4) {
		s.focus = append(s.focus, l.some(r.Uint64()))
	}
	for range 4 + r.IntN(5) {
		s.names, s.paths = append(s.names, s.name.Uint64()), append(s.paths, s.name.Uint64())
	}
	for range 1 + r.IntN(3) {
		s.errors = append(s.errors, s.name.Uint64())
	}
	s.issue, s.rival = 1+r.Uint64N(4000), s.name.Uint64()
	return s
}

// mix is a fixed pseudo-random function of two numbers (splitmix64).
func mix(a, b uint64) uint64 {
	z := a*0x9e3779b97f4a7c15 + b
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fill appends one sentence or line made from a template.
func (s *scribe) fill(b []byte, t template) []byte {
	for i, at := range t.slots {
		b = append(b, t.parts[i]...)
		n := len(b)
		b = article(s.word(b, at), n)
	}
	return append(b, t.parts[len(t.slots)]...)
}

// article changes "a " before the word at n to "an " if necessary.
func article(b []byte, n int) []byte {
	if n < 3 || n == len(b) || string(b[n-3:n]) != " a " || !strings.ContainsRune("aeio", rune(b[n])) {
		return b
	}
	return slices.Insert(b, n-1, 'n')
}

// one appends a random template, filled.
func (s *scribe) one(b []byte, from []template) []byte {
	return s.fill(b, from[s.r.IntN(len(from))])
}

// sentences appends n of the templates, each starting with a capital.
func (s *scribe) sentences(b []byte, from []template, n int) []byte {
	for i := range n {
		if i > 0 {
			b = append(b, ' ')
		}
		b = s.one(b, from)
	}
	return b
}

func (s *scribe) word(b []byte, at slot) []byte {
	switch at {
	case slotNoun:
		return append(b, s.l.nouns[s.nounRank()]...)
	case slotPlural:
		return append(b, s.l.plurals[s.nounRank()]...)
	case slotVerb:
		return append(b, s.l.verbs[s.verb.Uint64()].base...)
	case slotThird:
		return append(b, s.l.verbs[s.verb.Uint64()].third...)
	case slotPast:
		return append(b, s.l.verbs[s.verb.Uint64()].past...)
	case slotGerund:
		return append(b, s.l.verbs[s.verb.Uint64()].gerund...)
	case slotAdjective:
		return append(b, s.l.adjectives[s.adjective.Uint64()]...)
	case slotAdverb, slotManner:
		return append(b, s.l.adverbs[s.adverb.Uint64()]...)
	case slotPerson:
		return append(b, s.l.people[s.person.Uint64()]...)
	case slotNumber:
		return strconv.AppendUint(b, s.number(), 10)
	case slotStamp:
		s.now = s.now.Add(time.Duration(s.r.IntN(900)) * time.Millisecond)
		return s.now.AppendFormat(b, "2006-01-02T15:04:05.000Z")
	}
	return s.special(b, at)
}

// special appends names and numbers that people search for exactly.
func (s *scribe) special(b []byte, at slot) []byte {
	switch at {
	case slotIdentifier:
		if s.ext == "py" || s.ext == "rs" || s.ext == "rb" || s.r.IntN(6) == 0 {
			return s.identifier(b, s.nameRank(s.names), '_')
		}
		return s.identifier(b, s.nameRank(s.names), 0)
	case slotCall:
		b = s.identifier(b, s.nameRank(s.names), 0)
		return append(b, "()"...)
	case slotCamel:
		n := len(b)
		b = s.identifier(b, s.nameRank(s.names), 0)
		b[n] -= 'a' - 'A'
		return b
	case slotSnake:
		return s.identifier(b, s.nameRank(s.names), '_')
	case slotPath:
		return s.path(b, s.nameRank(s.paths))
	case slotDir, slotPackage:
		return append(b, s.l.nouns[s.l.some(mix(s.home, s.nameRank(s.paths)%97))]...)
	case slotError:
		return s.errorCode(b)
	case slotIssue:
		return strconv.AppendUint(append(b, '#'), s.issueNumber(), 10)
	case slotTicket:
		b = append(b, [...]string{"OPS", "WEB", "DATA", "CORE", "PAY"}[s.home%5]...)
		return strconv.AppendUint(append(b, '-'), s.issueNumber(), 10)
	case slotHash:
		return s.hash(b, 7)
	case slotVersion:
		b = strconv.AppendUint(append(b, 'v'), uint64(s.r.IntN(4)), 10)
		b = strconv.AppendUint(append(b, '.'), uint64(s.r.IntN(30)), 10)
		return strconv.AppendUint(append(b, '.'), uint64(s.r.IntN(12)), 10)
	case slotProduct:
		n := len(b)
		b = syllables(b, s.rivalRank())
		b[n] -= 'a' - 'A'
		return b
	case slotHost:
		b = syllables(b, s.rivalRank())
		return strconv.AppendUint(append(b, '-'), 1+uint64(s.r.IntN(12)), 10)
	}
	return b
}

// nounRank chooses a noun: one of the session's own, of the project's favourites, or any.
func (s *scribe) nounRank() int {
	switch p := s.r.IntN(100); {
	case p < 18:
		return s.focus[s.r.IntN(len(s.focus))]
	case p < 50:
		return s.l.some(mix(s.home, s.local.Uint64()))
	}
	return int(s.noun.Uint64())
}

// nameRank chooses a name by its rank in the project.
func (s *scribe) nameRank(own []uint64) uint64 {
	if s.r.IntN(100) < 45 {
		return own[s.r.IntN(len(own))]
	}
	return s.name.Uint64()
}

func (s *scribe) rivalRank() uint64 {
	if s.r.IntN(100) < 60 {
		return s.rival
	}
	return s.name.Uint64()
}

func (s *scribe) issueNumber() uint64 {
	if s.r.IntN(100) < 60 {
		return s.issue
	}
	return 1 + s.r.Uint64N(4000)
}

// number returns a number that is more often small than large, like counts, ports and sizes.
func (s *scribe) number() uint64 { return s.r.Uint64N(4 << s.r.Uint64N(16)) }

// identifier appends the name with a rank: a verb and one or two nouns, in camelCase, or joined by sep.
func (s *scribe) identifier(b []byte, rank uint64, sep byte) []byte {
	h := mix(s.home, rank<<2)
	b = append(b, s.l.verbs[h%uint64(len(s.l.verbs))].base...)
	for range 1 + h>>60&1 {
		h = mix(h, rank)
		noun := s.l.nouns[s.l.some(h)]
		if sep != 0 {
			b = append(append(b, sep), noun...)
			continue
		}
		n := len(b)
		b = append(b, noun...)
		b[n] -= 'a' - 'A'
	}
	return b
}

// path appends the file with a rank.
func (s *scribe) path(b []byte, rank uint64) []byte {
	h := mix(s.home, rank<<2|1)
	b = append(b, [...]string{"src/", "internal/", "lib/", "cmd/", "pkg/", "app/", "test/"}[h%7]...)
	b = append(append(b, s.l.nouns[s.l.some(mix(s.home, rank%97))]...), '/')
	if h>>50&1 == 1 {
		b = append(append(b, s.l.nouns[s.l.some(mix(s.home, h%211))]...), '/')
	}
	b = append(b, s.l.nouns[s.l.some(mix(h, 1))]...)
	if h>>51&1 == 1 {
		b = append(append(b, '_'), s.l.nouns[s.l.some(mix(h, 2))]...)
	}
	return append(append(b, '.'), s.ext...)
}

func (s *scribe) errorCode(b []byte) []byte {
	h := mix(s.home, s.nameRank(s.errors)<<2|2)
	if h%3 == 0 {
		return strconv.AppendUint(append(b, 'E'), 1000+h>>8%9000, 10)
	}
	noun, adjective := s.l.nouns[s.l.some(h)], s.l.adjectives[h>>32%uint64(len(s.l.adjectives))]
	b = append(b, "ERR_"...)
	b = append(append(b, strings.ToUpper(strings.ReplaceAll(adjective, "-", "_"))...), '_')
	return append(b, strings.ToUpper(noun)...)
}

func (s *scribe) hash(b []byte, n int) []byte {
	h := s.r.Uint64()
	for range n {
		b = append(b, "0123456789abcdef"[h&15])
		h >>= 4
	}
	return b
}

// syllables appends a pronounceable name, a different one for each rank.
func syllables(b []byte, rank uint64) []byte {
	const heads, tails = "b br c d dr f g gr h j k l m n p pr qu r s st t tr v w z",
		"al an ar el en er il in or on os um ia eo ax ix"
	h := mix(rank, 3)
	for range 2 + h>>62&1 {
		b = append(b, nth(heads, h%25)...)
		b = append(b, nth(tails, h>>8%16)...)
		h = mix(h, rank)
	}
	return b
}

// nth returns the nth word of a space-separated list.
func nth(words string, n uint64) string {
	for ; n > 0; n-- {
		_, words, _ = strings.Cut(words, " ")
	}
	word, _, _ := strings.Cut(words, " ")
	return word
}
