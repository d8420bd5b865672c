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

// stemLength is the number of letters of a stem: the rest of a word is mostly an ending, in any of the languages that
// people use with agents.
const stemLength = 6

// Words returns the words of a text in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
}

// StemList returns the stems of a text's words in lower case, in order; "#" replaces words with a digit.
func StemList(text string) []string { return stemsOf(Words(text)) }

// stemsOf replaces words by their stems in place.
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

// Stems returns the stems of a text with a minimum number of letters.
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

// Heard counts the number of texts that contain a stem. The zero value is empty.
type Heard struct {
	texts int
	of    map[string]int
}

// Add adds the stems of a text.
func (h *Heard) Add(stems map[string]bool) {
	if h.of == nil {
		h.of = map[string]int{}
	}
	h.texts++
	for s := range stems {
		h.of[s]++
	}
}

// Remove removes the stems of a text that was added.
func (h *Heard) Remove(stems map[string]bool) {
	h.texts--
	for s := range stems {
		h.of[s]--
	}
}

// Weight returns a weight that is higher the fewer texts contain the stem, and 0 for stems common to all sessions.
func (h *Heard) Weight(stem string) float64 {
	if known().common[stem] {
		return 0
	}
	return h.rarity(stem)
}

func (h *Heard) rarity(stem string) float64 {
	return math.Log(float64(h.texts+1) / float64(h.of[stem]+1))
}

// Rounded returns a sum over a map without the digits that depend on the map's order.
func Rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// vocabulary contains the built-in word lists.
type vocabulary struct {
	cues       map[string][]cue  // by first word
	unsettled  [][]string        // phrases that mark an idea as tentative
	goingOn    [][]string        // phrases for continuing with another subject
	shifting   [][]string        // the unambiguous ones of these
	returning  [][]string        // phrases for returning to an earlier subject
	common     map[string]bool   // stems of words common to all sessions
	agreements map[string]bool   // words without a subject
	done       [][]string        // phrases for a task that is done
	assertions map[string][]told // by first word
}

// told is a phrase that marks how far a sentence asserts something.
type told struct {
	as    Assertion
	words []string
}

// cue is a phrase that marks an idea of an intent.
type cue struct {
	intent string
	words  []string
}

var vocabularies = [...]func() *vocabulary{sync.OnceValue(readVocabulary)}

// known returns the vocabulary, which is parsed at first use.
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

// begins reports whether words begin with a phrase.
func begins(words, phrase []string) bool {
	return len(phrase) <= len(words) && slices.Equal(words[:len(phrase)], phrase)
}

// holdsOneOf reports whether a text contains one of the phrases, after at most behind words.
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
