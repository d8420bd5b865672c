package promote

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/templates"
)

// holdersOf maps each word to the numbers of the statements that contain it and may be evidence.
func holdersOf(list []statement) map[string][]int {
	out := map[string][]int{}
	for _, s := range list {
		for t := range s.words {
			if s.force > Silent {
				out[t] = append(out[t], s.number)
			}
		}
	}
	return out
}

// widen adds statements to a group that are similar to the common words of the group.
func widen(group, said []statement, holders map[string][]int, taken []bool) []statement {
	for _, j := range akin(core(group), said, holders) {
		if !taken[j] && !slices.ContainsFunc(group, func(s statement) bool { return s.number == j }) {
			group = append(group, said[j])
		}
	}
	return group
}

// akin returns the numbers of the statements with the same wish as s.
func akin(s statement, said []statement, holders map[string][]int) (out []int) {
	seen := map[int]bool{}
	for t := range s.words {
		if len(holders[t]) > maxHolders {
			continue
		}
		for _, j := range holders[t] {
			if !seen[j] && like(s, said[j]) >= alike(len(said)) {
				out = append(out, j)
			}
			seen[j] = true
		}
	}
	slices.Sort(out)
	return out
}

const (
	// rarest is the frequency of a word that is in no list, as a share of all texts.
	rarest = 0.0005
	// prior is the number of statements without a word that are added to the real ones: in few statements, a word in all
	// of them may just be their subject.
	prior = 16_000
)

// weigh computes the force and subject of statements. A word weighs more the fewer developers use it, and the fewer of
// the statements contain it: names of tools weigh most when people use different words.
func weigh(all []Said) []statement {
	common := templates.Common()
	groups, _ := search.ReadGroups(templates.Synonyms(), false)
	people := peopleIn(all)
	out := make([]statement, len(all))
	holders := map[string]int{}
	for i := range all {
		s := statement{Said: &all[i], number: i, text: strings.Join(all[i].Sentences, " ")}
		s.words = termsOf(s.text)
		if s.IsRule { // people seldom use the words of the rule
			for _, t := range (search.Thesaurus{Groups: groups}).Expand(search.PlainTerms(index.QueryTerms(s.text)),
				search.ExpandFull) {
				s.words[t.Text] = 1
			}
		}
		force := Silent // of its sentences
		for _, sentence := range s.Sentences {
			force = max(force, forceOf(sentence))
		}
		if force > Silent && !s.IsRule && !aside(s.text, people) {
			s.force = max(s.Force, force)
			if s.Thread {
				s.force = min(s.force, Asks)
			}
		}
		for t := range s.words {
			holders[t]++
		}
		out[i] = s
	}
	for i := range out {
		for t := range out[i].words {
			out[i].words[t] = math.Log2(1 / max(rarest, common[t], float64(holders[t])/float64(len(out)+prior)))
		}
		out[i].main = mainly(out[i].words)
	}
	return out
}

// mainly returns the weight of the mainWords heaviest words.
func mainly(words map[string]float64) (sum float64) {
	weights := slices.Sorted(maps.Values(words))
	for _, w := range weights[max(0, len(weights)-mainWords):] {
		sum += w
	}
	return sum
}

// termsOf returns the terms of a text, all with one weight, without stop words and words that only express a wish.
func termsOf(text string) map[string]float64 {
	out := map[string]float64{}
	for w := range strings.FieldsSeq(text) {
		w = strings.ToLower(strings.Trim(w, ".,;:!?`'\"()[]*_"))
		if w == "" || index.IsStopword(w) || isCue(w) {
			continue
		}
		for _, t := range index.QueryTerms(w) {
			if len(t) > 1 && !isCue(t) {
				out[t] = 1
			}
		}
	}
	return out
}

// alike returns the minimum similarity of two of n statements with the same wish: the more there are, the more of them
// share a word by accident.
func alike(n int) float64 { return 0.125 * math.Log10(float64(max(5*n, 130))) }

// like returns the similarity of the subjects of two statements.
func like(a, b statement) float64 {
	var common float64
	for t, w := range a.words {
		if b.words[t] > 0 {
			common += w
		}
	}
	if common == 0 {
		return 0
	}
	if len(a.words) == 1 || len(b.words) == 1 {
		return common / max(a.main, b.main)
	}
	return min(1, common/min(a.main, b.main))
}

// core returns the common words of several statements of a group.
func core(group []statement) statement {
	shared := common(group)
	out := statement{words: map[string]float64{}}
	for _, s := range group {
		for t, w := range s.words {
			if shared[t] > 1 {
				out.words[t] = w
			}
		}
	}
	out.main = mainly(out.words)
	return out
}

// sharesMore reports whether most of a group share more than the name of a thing, about which each may want something
// else: two of its common words, or one with nearly half of their weight.
func sharesMore(group []statement) bool {
	subject, apart := core(group), independent(group)
	few := 0
	for _, s := range apart {
		n := 0
		for t := range s.words {
			if subject.words[t] > 0 {
				n++
			}
		}
		if n < 2 && (len(subject.words) != 1 || like(subject, s) <= 0.45) {
			few++
		}
	}
	return 2*few <= len(apart)
}

// common counts, for each word, the statements of a group that contain it.
func common(group []statement) map[string]int {
	out := map[string]int{}
	for _, s := range group {
		for t := range s.words {
			out[t]++
		}
	}
	return out
}
