package ask

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// How far words count that stand for others: short and long forms, synonyms, and
// synonyms of those.
const (
	formShare    = 0.9
	synonymShare = 0.6
	secondShare  = 0.4
	shortShare   = 0.6 // the beginning of a long word, as names have it
)

// vague takes out of a question the words that mean the present without bounding it:
// who looks after something these days may have done nothing for it this week.
func vague(text string) string {
	return regexp.MustCompile(`(?i)\b(these days|nowadays|currently|at present|at the moment|right now)\b`).ReplaceAllString(text, "")
}

// sidesOf are the terms of each side of a group.
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

// joinPhrases makes one concept of words that stand together for something: continuous
// integration is CI, and neither word says so alone.
func (s *topic) joinPhrases(groups []search.Group) {
	for _, g := range groups {
		sides := sidesOf(g)
		for i, side := range sides {
			at := s.phrase(side)
			if len(side) < 2 || at < 0 {
				continue
			}
			c := concept{word: g.Sides[i], whole: strings.Join(side, " "), parts: side}
			for j, other := range sides {
				if j != i && len(other) > 0 {
					c.near = append(c.near, alias{other, shareOf(g)})
				}
			}
			s.concepts = slices.Replace(s.concepts, at, at+len(side), c)
		}
	}
}

// phrase is where words stand in a row among the concepts, -1 when they don't.
func (s *topic) phrase(words []string) int {
	for i := 0; i+len(words) <= len(s.concepts); i++ {
		k := 0
		for k < len(words) && s.concepts[i+k].whole == words[k] {
			k++
		}
		if k == len(words) && k > 0 {
			return i
		}
	}
	return -1
}

// widen adds to each concept what stands for it, and what stands for that: parameters
// are arguments, and those are args.
func (s *topic) widen(groups []search.Group) {
	all := make([][][]string, len(groups))
	for i, g := range groups {
		all[i] = sidesOf(g)
	}
	near := func(term string) (out []alias) {
		for i, sides := range all {
			for _, side := range sides {
				if len(side) != 1 || side[0] != term {
					continue
				}
				for _, other := range sides {
					if len(other) > 0 && !slices.Equal(other, side) {
						out = append(out, alias{other, shareOf(groups[i])})
					}
				}
			}
		}
		return out
	}
	for i := range s.concepts {
		c := &s.concepts[i]
		first := near(c.whole)
		for _, a := range first {
			c.addNear(a)
		}
		for _, a := range first {
			if len(a.terms) > 1 {
				continue
			}
			for _, b := range near(a.terms[0]) {
				c.addNear(alias{b.terms, min(secondShare, b.share)})
			}
		}
	}
}

// joinNeighbours lets two words in a row be found where a name writes them as one: the
// reverse proxy is in a folder reverseproxy.
func (s *topic) joinNeighbours() {
	for i := 1; i < len(s.concepts); i++ {
		a, b := &s.concepts[i-1], &s.concepts[i]
		if joined := index.QueryTerms(a.word + b.word); len(joined) == 1 {
			a.addNear(alias{joined, formShare})
			b.addNear(alias{joined, formShare})
		}
	}
}

// addDeeds lets what does something be found by what it does: the parser is in parse.go.
func (s *topic) addDeeds() {
	for i := range s.concepts {
		c := &s.concepts[i]
		word := strings.TrimSuffix(strings.ToLower(c.word), "s")
		deed, ok := strings.CutSuffix(word, "er")
		if !ok {
			deed, ok = strings.CutSuffix(word, "or")
		}
		if !ok || len(deed) < 4 {
			continue
		}
		if n := len(deed); deed[n-1] == deed[n-2] { // scanner
			deed = deed[:n-1]
		}
		for _, form := range []string{deed, deed + "e"} {
			c.addNear(alias{index.QueryTerms(form), formShare})
		}
	}
}

func (c *concept) addNear(a alias) {
	known := func(b alias) bool { return slices.Equal(a.terms, b.terms) }
	if !slices.Equal(a.terms, []string{c.whole}) && !slices.ContainsFunc(c.near, known) {
		c.near = append(c.near, a)
	}
}

// aside tells the paths of what a repository holds beside its own work: copies of
// others' and examples, which have files about anything.
func aside(p string) bool {
	base := strings.ToLower(path.Base(p))
	if strings.HasPrefix(base, "changelog") || strings.HasPrefix(base, "changes.") || strings.HasPrefix(base, "news.") || strings.HasPrefix(base, "history.") || strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".sum") {
		return true // every change touches them
	}
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "vendor", "godeps", "_workspace", "third_party", "bower_components", "node_modules", "examples", "example", "_examples", "testdata", "fixtures":
			return true
		}
	}
	return false
}

// asksAside tells whether a subject says that such paths are meant.
func (s topic) asksAside() bool {
	return slices.ContainsFunc(s.concepts, func(c concept) bool {
		return slices.Contains([]string{"vendor", "exampl", "testdata", "fixtur", "tutori", "sampl", "demo"}, c.whole)
	})
}

// placeTerms are the terms of a path, and what paths like it are for by the
// conventions of forges and tools, whatever their names say.
func placeTerms(p string) []string {
	terms := index.Terms(p)
	add := func(words string) { terms = append(terms, index.Terms(words)...) }
	base, dir := path.Base(p), path.Dir(p)+"/"
	starts := func(list ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(p, s) })
	}
	named := func(list ...string) bool { return slices.Contains(list, base) }
	switch {
	case starts(".github/workflows/", ".github/actions/", ".circleci/", ".travis", ".gitlab-ci", "azure-pipelines", ".azure-pipelines", ".buildkite/", ".appveyor", "appveyor", ".cirrus", ".drone", ".woodpecker") || named("Jenkinsfile", "bitbucket-pipelines.yml"):
		add("ci pipeline workflow")
	case strings.HasPrefix(base, "Dockerfile") || strings.HasPrefix(base, "docker-compose"):
		add("docker container")
	case named("Makefile", "CMakeLists.txt", "meson.build", "BUILD", "BUILD.bazel", "build.gradle", "configure.ac", "Rakefile"):
		add("build")
	case named("go.mod", "go.sum", "package.json", "package-lock.json", "yarn.lock", "requirements.txt", "Cargo.toml", "Cargo.lock", "poetry.lock", "uv.lock", "Gemfile", "pom.xml"):
		add("dependencies")
	case strings.HasPrefix(base, "LICENSE") || strings.HasPrefix(base, "COPYING"):
		add("license")
	case strings.Contains(dir, "docs/") || strings.Contains(dir, "doc/") || strings.Contains(dir, "Documentation/"):
		add("documentation")
	case strings.Contains(dir, "locale/") || strings.HasSuffix(base, ".po"):
		add("translation localization")
	}
	return terms
}
