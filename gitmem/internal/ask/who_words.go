package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Shares of synonyms and of short and long forms.
const (
	formShare    = 0.9
	synonymShare = 0.6
	shortShare   = 0.6 // a prefix of a long word, as in identifiers
)

var presentWord = lazy.Pattern(`(?i)\b(these days|nowadays|currently|at present|at the moment|right now)\b`)

// withoutPresent removes words from a question that refer to the present without limiting it: somebody who maintains
// something these days may not have changed it this week.
func withoutPresent(text string) string {
	return presentWord().ReplaceAllString(text, "")
}

// sidesOf returns the terms of each side of a group.
func sidesOf(g search.Group) [][]string {
	sides := make([][]string, len(g.Sides))
	for i, s := range g.Sides {
		for w := range strings.FieldsSeq(s) {
			if t := index.QueryTerms(w); len(t) > 0 {
				sides[i] = append(sides[i], t[0])
			}
		}
	}
	return sides
}

func shareOf(g search.Group) float64 {
	if g.Acronym {
		return formShare
	}
	return synonymShare
}

// phrase returns the index at which words follow each other among the concepts, or -1.
func (s *topic) phrase(words []string) int {
	for i := 0; i+len(words) <= len(s.concepts); i++ {
		if slices.EqualFunc(s.concepts[i:i+len(words)], words, func(c concept, w string) bool { return c.whole == w }) {
			return i
		}
	}
	return -1
}

// widen adds synonyms to each concept. It merges words that only together have a synonym: continuous integration is CI,
// but neither word alone is.
func (s *topic) widen(groups []search.Group) {
	for _, g := range groups {
		sides := sidesOf(g)
		for i, side := range sides {
			at := s.phrase(side)
			if len(side) == 0 || at < 0 {
				continue
			}
			if len(side) > 1 {
				s.concepts = slices.Replace(s.concepts, at, at+len(side),
					concept{word: g.Sides[i], whole: strings.Join(side, " "), parts: side})
			}
			for _, other := range sides {
				s.concepts[at].addNear(alias{other, shareOf(g)})
			}
		}
	}
}

// joinNeighbours adds the compound of two adjacent words: the reverse proxy is in a folder reverseproxy.
func (s *topic) joinNeighbours() {
	for i := 1; i < len(s.concepts); i++ {
		a, b := &s.concepts[i-1], &s.concepts[i]
		if joined := index.QueryTerms(a.word + b.word); len(joined) == 1 {
			a.addNear(alias{joined, formShare})
			b.addNear(alias{joined, formShare})
		}
	}
}

func (c *concept) addNear(a alias) {
	known := func(b alias) bool { return slices.Equal(a.terms, b.terms) }
	if len(a.terms) > 0 && !slices.Equal(a.terms, []string{c.whole}) && !slices.ContainsFunc(c.near, known) {
		c.near = append(c.near, a)
	}
}

// isAuxiliary reports whether a path is outside the repository's own work: vendored code, examples, changelogs and lock
// files.
func isAuxiliary(p string) bool {
	base := strings.ToLower(path.Base(p))
	if strings.HasPrefix(base, "changelog") || strings.HasPrefix(base, "changes.") || strings.HasPrefix(base, "news.") ||
		strings.HasPrefix(base, "history.") || strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".sum") {
		return true // every change touches them
	}
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "vendor", "godeps", "_workspace", "third_party", "bower_components", "node_modules", "examples", "example",
			"_examples", "testdata", "fixtures":
			return true
		}
	}
	return false
}

// asksAuxiliary reports whether a subject refers to such paths.
func (s topic) asksAuxiliary() bool {
	return slices.ContainsFunc(s.concepts, func(c concept) bool {
		return slices.Contains([]string{"vendor", "exampl", "testdata", "fixtur", "tutori", "sampl", "demo"}, c.whole)
	})
}

// placeTerms returns the terms of a path. Paths of CI configurations also get the terms of CI.
func placeTerms(p string) []string {
	terms := index.Terms(p)
	if slices.ContainsFunc(ciPlaces[:], func(prefix string) bool { return strings.HasPrefix(p, prefix) }) {
		terms = append(terms, index.Terms("ci pipeline workflow")...)
	}
	return terms
}

var ciPlaces = [...]string{".github/workflows/", ".github/actions/", ".circleci/", ".travis", ".gitlab-ci",
	".buildkite/", "appveyor", ".appveyor", "azure-pipelines", "Jenkinsfile"}
