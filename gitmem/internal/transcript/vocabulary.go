package transcript

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// stemLength is how many letters of a word count: the rest is mostly an ending, in any of the
// languages that people write to agents in.
const stemLength = 6

// Words are the words of a text in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
}

// StemList are the beginnings of the words of a text in lower case, in its order; "#" stands for
// what has a digit in it.
func StemList(text string) []string { return stemsOf(Words(text)) }

// stemsOf makes stems of words, in their place.
func stemsOf(words []string) []string {
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			words[i] = "#"
		} else if r := []rune(w); len(r) > stemLength {
			words[i] = string(r[:stemLength])
		}
	}
	return words
}

// Stems are the stems of a text that have some letters.
func Stems(text string) map[string]bool { return stemSet(text, 3) }

func stemSet(text string, letters int) map[string]bool {
	set := map[string]bool{}
	for _, stem := range StemList(text) {
		if len(stem) >= letters {
			set[stem] = true
		}
	}
	return set
}

// Heard counts in how many texts a stem was. The zero value has heard nothing.
type Heard struct {
	texts int
	of    map[string]int
}

// Add takes in the stems of a text.
func (h *Heard) Add(stems map[string]bool) {
	if h.of == nil {
		h.of = map[string]int{}
	}
	h.texts++
	for s := range stems {
		h.of[s]++
	}
}

// Remove takes out the stems of a text that was taken in.
func (h *Heard) Remove(stems map[string]bool) {
	h.texts--
	for s := range stems {
		h.of[s]--
	}
}

// Weight of a stem is the higher the fewer texts have it, and 0 for those of words that sessions
// about anything have.
func (h *Heard) Weight(stem string) float64 {
	if known().common[stem] {
		return 0
	}
	return h.rarity(stem)
}

func (h *Heard) rarity(stem string) float64 {
	return math.Log(float64(h.texts+1) / float64(h.of[stem]+1))
}

// Rounded is a sum over a map without the digits that depend on the map's order.
func Rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// vocabulary is what is known of words before a session is read.
type vocabulary struct {
	cues       map[string][]cue  // by first word
	unsettled  [][]string        // phrases that say that an idea is tentative
	goingOn    [][]string        // of going on to another subject
	shifting   [][]string        // of these, what leaves no doubt
	returning  [][]string        // of going back to an earlier one
	common     map[string]bool   // stems of words that sessions about anything have
	agreements map[string]bool   // words that say nothing of a subject
	done       [][]string        // of what was to do and is done
	assertions map[string][]told // by first word
}

// told is a phrase that tells how far a sentence says that something is so.
type told struct {
	as    Assertion
	words []string
}

// cue is a phrase by which people say that something is an idea of an intent.
type cue struct {
	intent string
	words  []string
}

var vocabularies = [...]func() *vocabulary{sync.OnceValue(readVocabulary)}

// known is the vocabulary, which is read when it is first asked for.
func known() *vocabulary { return vocabularies[0]() }

func readVocabulary() *vocabulary {
	v := &vocabulary{cues: map[string][]cue{}, common: map[string]bool{}, agreements: map[string]bool{},
		assertions: map[string][]told{}}
	templates.Cues(func(intent, phrase string) {
		words := strings.Fields(phrase)
		tells := func(a Assertion) { v.assertions[words[0]] = append(v.assertions[words[0]], told{a, words}) }
		switch a := slices.Index(assertions[:], intent); {
		case a >= 0:
			tells(Assertion(a))
			return
		case intent == "done":
			v.done = append(v.done, words)
			tells(Asserted)
			return
		case intent == markdown.IntentTodo:
			tells(Open)
		}
		switch intent {
		case "topic":
			v.goingOn = append(v.goingOn, words)
		case "shift":
			v.shifting = append(v.shifting, words)
		case "return":
			v.returning = append(v.returning, words)
		case "tentative":
			v.unsettled = append(v.unsettled, words)
		default:
			v.cues[words[0]] = append(v.cues[words[0]], cue{intent, words})
		}
	})
	for _, stem := range strings.Fields(templates.CommonStems()) {
		v.common[stem] = true
	}
	for _, word := range templates.Agreements() {
		v.agreements[word] = true
	}
	return v
}

// begins reports whether words begin with those of a phrase.
func begins(words, phrase []string) bool {
	return len(phrase) <= len(words) && slices.Equal(words[:len(phrase)], phrase)
}

// holdsOneOf reports whether one of some phrases is in a text, behind so many words at most.
func holdsOneOf(phrases [][]string, text string, behind int) bool {
	words := Words(text)
	return slices.ContainsFunc(phrases, func(phrase []string) bool {
		for i := range min(behind, len(words)-len(phrase)) + 1 {
			if begins(words[i:], phrase) {
				return true
			}
		}
		return false
	})
}
