package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// whoForm is what exactly is asked about people.
type whoForm int

const (
	whoKnows whoForm = iota
	whoBegan         // introduced, added, created
	whoReviewed
)

// formOf reads what is asked about people, and whether only those are meant who are
// still there.
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

// topic is what a question about people is about.
type topic struct {
	named    []string // words that name a path
	missing  []string // words that can only be paths, of which there is none
	concepts []concept
	event    bool // something that was done once is asked for
}

// concept is one word of the subject.
type concept struct {
	word       string
	whole      string
	parts      []string
	near       []alias // what means about the same
	idf        float64 // how rare it is
	incidental bool    // no path has it and hardly a title: messages may only mention it
	idle       bool    // asks or says how much, and names nothing by itself
}

// alias is other terms for a concept, all of which are needed, and how far they count.
type alias struct {
	terms []string
	share float64
}

// inPath is how far the terms of a path have the concept, 0 to 1. A name in a path
// may be the beginning of the word.
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

// inMessage is how far the terms of a message have the concept. Two letters that
// abbreviate it may mean anything there.
func (c concept) inMessage(terms []string) float64 {
	if slices.ContainsFunc(c.parts, func(p string) bool { return len(p) < 2 }) {
		c.parts = nil // the 2 of HTTP/2 occurs anywhere
	}
	return c.in(func(t string) bool { return slices.Contains(terms, t) }, 3)
}

// capital reports whether the word is written as a name is.
func (c concept) capital() bool { return strings.ToLower(c.word) != c.word }

// in is how far a set of terms has the concept, by itself or by a synonym
// and has no fewer letters.
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

// isAskingWord are words by which people are asked for, and words that say how much or what
// sort of thing without naming any.
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

// topicOf takes the subject of a question apart. What can be found as a path is one.
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

// passEveryday passes over the words in small letters that name nothing in a project, but for
// those that a path has.
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

// namesPath reports whether a word is written as a path and there is one: a file's name with
// its ending, or folders with slashes between them.
func namesPath(word string, paths []string) bool {
	inFolder := strings.ContainsAny(word, "/") || strings.ContainsAny(word, "*?[") && strings.Contains(word, ".")
	if !inFolder && !strings.ContainsAny(word, "._-") && !isFileName(word) {
		return false
	}
	return slices.ContainsFunc(paths, func(p string) bool {
		return pathMatches(word, p) && (inFolder || pathMatches(word, path.Base(p)))
	})
}

// isFileName recognises names without an ending by their form.
func isFileName(word string) bool {
	return strings.ToUpper(word) == word && len(word) > 3 || word == "Makefile" || word == "Dockerfile"
}

// onlyPath reports whether a word that names no path can be nothing else: it begins with
// a folder of the top, or has a file's ending and a slash.
func onlyPath(word string, paths []string) bool {
	first, rest, ok := strings.Cut(strings.TrimPrefix(word, "./"), "/")
	ending := path.Ext(word)
	return ok && slices.ContainsFunc(paths, func(p string) bool {
		return rest != "" && strings.HasPrefix(p, first+"/") || len(ending) > 1 && path.Ext(p) == ending
	})
}

// pathMatches reports whether a word means a path: the path itself, folders that it is
// in, or its last parts; or a glob over all of it or its name.
func pathMatches(word, p string) bool {
	word = strings.Trim(strings.TrimPrefix(word, "./"), "/")
	base := path.Base(p)
	return strings.Contains("/"+p+"/", "/"+word+"/") || strings.ContainsAny(word, "*?[") && search.MatchesPath(word, p) ||
		strings.ContainsAny(word, "._-") && strings.TrimSuffix(base, path.Ext(base)) == word
}
