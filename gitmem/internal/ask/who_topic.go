package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// whoForm is the form of a question about people.
type whoForm int

const (
	whoKnows whoForm = iota
	whoBegan         // introduced, added, created
	whoReviewed
)

// formOf returns the form of a question about people, and whether it asks only for people who are still active.
func formOf(text string) (form whoForm, present bool) {
	words := spaced(text)
	present = withoutPresent(text) != text || says(words, "still around", "still here", "still active", "still there",
		"still with us", "still works", "still contributes", "still knows", "has not left", "hasn't left")
	switch {
	case says(words, "most", "mostly"):
		return whoKnows, present
	case says(words, "introduced", "who added", "who created", "first", "came up with", "originally wrote",
		"started", "original author", "behind"):
		return whoBegan, present
	case says(words, "reviewed", "who approved"):
		return whoReviewed, present
	}
	return whoKnows, present
}

// topic is the subject of a question about people.
type topic struct {
	named    []string // words that name a path
	missing  []string // words in the form of a path that does not exist
	concepts []concept
	event    bool // it asks for a single event
}

// concept is one word of the subject.
type concept struct {
	word       string
	whole      string
	parts      []string
	near       []alias // synonyms
	idf        float64 // inverse document frequency
	incidental bool    // no path and hardly any title contains it: messages may only mention it
	idle       bool    // a question word or quantity without meaning of its own
}

// alias is a list of terms that together replace a concept, with the share that they count.
type alias struct {
	terms []string
	share float64
}

// inPath returns the share of the concept in the terms of a path, 0 to 1. A path may contain a prefix of the word.
func (c concept) inPath(terms []string) float64 {
	v := c.in(func(t string) bool { return slices.Contains(terms, t) }, 1)
	if v >= shortShare {
		return v
	}
	for _, t := range terms {
		if len(t) >= 4 && len(c.whole) >= 2*len(t) && strings.HasPrefix(c.whole, t) {
			return shortShare
		}
	}
	return v
}

// inMessage returns the share of the concept in the terms of a message. It ignores abbreviations of two letters, which
// are ambiguous there.
func (c concept) inMessage(terms []string) float64 {
	if slices.ContainsFunc(c.parts, func(p string) bool { return len(p) < 2 }) {
		c.parts = nil // the 2 of HTTP/2 occurs anywhere
	}
	return c.in(func(t string) bool { return slices.Contains(terms, t) }, 3)
}

// capital reports whether the word contains a capital, as names do.
func (c concept) capital() bool { return strings.ToLower(c.word) != c.word }

// in returns the share of the concept in a set of terms, by the word itself or by a synonym of at least letters
// letters.
func (c concept) in(has func(term string) bool, letters int) float64 {
	all := func(terms []string) bool {
		return !slices.ContainsFunc(terms, func(t string) bool { return !has(t) })
	}
	if has(c.whole) || len(c.parts) > 0 && all(c.parts) {
		return 1
	}
	best := 0.0
	for _, a := range c.near {
		if a.share > best && len(strings.Join(a.terms, "")) >= letters && all(a.terms) {
			best = a.share
		}
	}
	return best
}

// isAskingWord reports whether a word asks for people or expresses a quantity or a kind without naming one.
func isAskingWord(word string) bool {
	return isOneOf(" know knows knew known knowing knowledge expert expertise experts should would could can look looks "+
		"looking after take takes care these days day review reviews reviewed reviewer reviewers approve "+
		"approved introduced introduce add added adds created create creator first original originally broke broken break "+
		"reverted revert rolled back undid around here there left still active with about main "+
		"lead leads top go-to person someone somebody anybody anyone everyone contributor contributors committer "+
		"committers commit commits committed change changes pr prs pull request patch under inside "+
		"currently present recently lately mostly past one charge point responsible accountable in for of owner owners "+
		"owned ownership maintainer maintainers maintaining behind built build builds implemented "+
		"implements did done developed designed came up started fixed fixes fix touches handles handled help helps better "+
		"good well while lived once used use uses using make makes making made do does doing "+
		"several many some various multiple different kind kinds sort sorts all any every whole entire our its their file "+
		"files folder directory package module area part parts piece support stuff thing things "+
		"logic handling functionality implementation implementing feature features system layer integration nowadays ", word)
}

// topicOf parses the subject of a question. A word that matches a path names that path.
func topicOf(q Question, h *team.History, groups []search.Group) topic {
	var s topic
	paths := h.Paths()
	for _, w := range q.Words {
		bare := strings.Trim(w, "?!,;:\"'`()[]")
		bare = strings.TrimSuffix(strings.TrimRight(bare, "."), "'s")
		switch {
		case bare == "":
		case namesPath(bare, paths):
			s.named = append(s.named, bare)
		case onlyPath(bare, paths):
			s.missing = append(s.missing, bare)
		default:
			s.addConcept(bare)
		}
	}
	s.passEveryday(paths)
	s.widen(groups)
	s.concepts = slices.DeleteFunc(s.concepts, func(c concept) bool { return c.idle })
	s.joinNeighbours()
	return s
}

// passEveryday marks lowercase everyday words as idle unless a path contains them.
func (s *topic) passEveryday(paths []string) {
	everyday := lowIDFTerms()
	for i := range s.concepts {
		c := &s.concepts[i]
		c.idle = c.idle || everyday[c.whole] && !c.capital() &&
			!slices.ContainsFunc(paths, func(p string) bool {
				begin := c.whole[:min(len(c.whole), 3)]
				return strings.Contains(strings.ToLower(p), begin) && slices.Contains(placeTerms(p), c.whole)
			})
	}
}

func (s *topic) addConcept(word string) {
	if allStop(word) {
		return
	}
	terms := index.QueryTerms(word)
	if len(terms) == 0 || slices.ContainsFunc(s.concepts, func(c concept) bool { return c.whole == terms[0] }) {
		return
	}
	s.concepts = append(s.concepts, concept{word: word, whole: terms[0], parts: terms[1:],
		idle: isAskingWord(strings.ToLower(word))})
}

// namesPath reports whether a word has the form of an existing path: a file name with extension, or folders separated
// by slashes.
func namesPath(word string, paths []string) bool {
	inFolder := strings.ContainsAny(word, "/") || strings.ContainsAny(word, "*?[") && strings.Contains(word, ".")
	if !inFolder && !strings.ContainsAny(word, "._-") && !isFileName(word) {
		return false
	}
	return slices.ContainsFunc(paths, func(p string) bool {
		return pathMatches(word, p) && (inFolder || pathMatches(word, path.Base(p)))
	})
}

// isFileName reports whether a word has the form of a file name without extension.
func isFileName(word string) bool {
	return strings.ToUpper(word) == word && len(word) > 3 || word == "Makefile" || word == "Dockerfile"
}

// onlyPath reports whether a word that matches no path must be one: it begins with a top-level folder, or it has a
// slash and the extension of a file.
func onlyPath(word string, paths []string) bool {
	first, rest, ok := strings.Cut(strings.TrimPrefix(word, "./"), "/")
	ending := path.Ext(word)
	return ok && slices.ContainsFunc(paths, func(p string) bool {
		return rest != "" && strings.HasPrefix(p, first+"/") || len(ending) > 1 && path.Ext(p) == ending
	})
}

// pathMatches reports whether a word denotes a path: the path itself, one of its folders, its last parts, or a glob for
// the path or its name.
func pathMatches(word, p string) bool {
	word = strings.Trim(strings.TrimPrefix(word, "./"), "/")
	base := path.Base(p)
	return strings.Contains("/"+p+"/", "/"+word+"/") || strings.ContainsAny(word, "*?[") && search.MatchesPath(word, p) ||
		strings.ContainsAny(word, "._-") && strings.TrimSuffix(base, path.Ext(base)) == word
}
