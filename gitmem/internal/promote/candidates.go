package promote

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/templates"
)

const (
	// A pattern is ready to be proposed when it was seen so often, in independent places, and
	// its confidence is so high.
	leastSeen       = 3
	leastConfidence = 0.8
	// likeShare is how much of their words two statements share that want the same.
	likeShare = 0.5
	// saidShare is how much of a pattern's words a rule has that says it already.
	saidShare = 0.5
	// maxHolders is how many statements have a word at most by which others are looked for.
	maxHolders = 300
)

// Said is one thing that somebody said, which may be evidence for a rule.
type Said struct {
	ask.Citation        // its id, author and time; Excerpt is one statement, verbatim
	Text         string // what that wants
	Place        string // session, thread or file: what one person says twice in one place counts once
	Paths        []string
	Weight       float64 // how likely one such statement alone is meant to hold, 0 to 1
	Settled      bool    // a decision or an order: it needs no word that asks for something
}

// Candidate is a rule that a team, or one person again and again, seems to go by. The JSON
// form is a public contract.
type Candidate struct {
	ID         string         `json:"id"`
	Rule       string         `json:"rule"`
	Seen       int            `json:"seen"`       // in independent places
	Confidence float64        `json:"confidence"` // 1 − ∏(1 − c) over these
	Ready      bool           `json:"ready"`
	Why        string         `json:"why"` // why it is ready, or not
	Evidence   []ask.Citation `json:"evidence"`
}

// statement is something said that may be a rule, with the weight of each of its words.
type statement struct {
	*Said
	number int
	asks   bool // it says in so many words that something is wanted
	words  map[string]float64
	parts  []map[string]float64 // of its clauses, and all of them
}

// candidates finds what is said again and again: around each statement those that want the
// same, the largest such group first, each statement in one group at most.
func candidates(all []Said, rules []lint.Statement) (list []Candidate) {
	left := weigh(all)
	near := neighbours(left)
	taken := make([]bool, len(left))
	group := func(s statement) []statement {
		out := []statement{s}
		for _, j := range near[s.number] {
			if !taken[j] {
				out = append(out, left[j])
			}
		}
		return out
	}
	worth := make([]float64, len(left))
	for i, s := range left {
		if len(near[i]) > 0 {
			worth[i] = confidence(group(s), s) * float64(seen(group(s)))
		}
	}
	centers := slices.Clone(left)
	slices.SortStableFunc(centers, func(a, b statement) int { return cmp.Compare(worth[b.number], worth[a.number]) })
	for _, s := range centers {
		if taken[s.number] || len(near[s.number]) == 0 {
			continue
		}
		found := group(s)
		for _, o := range found {
			taken[o.number] = true
		}
		if asked(found) > 1 {
			list = append(list, candidate(found, rules))
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int {
		if a.Ready != b.Ready {
			return map[bool]int{true: -1, false: 1}[a.Ready]
		}
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// neighbours are by the number of a statement those that want the same.
func neighbours(list []statement) [][]int {
	holders := map[string][]int{}
	for _, s := range list {
		for t := range s.words {
			holders[t] = append(holders[t], s.number)
		}
	}
	out := make([][]int, len(list))
	for i, s := range list {
		seen := map[int]bool{i: true}
		for t := range s.words {
			if len(holders[t]) > maxHolders {
				continue
			}
			for _, j := range holders[t] {
				if !seen[j] && like(s, list[j]) >= likeShare {
					out[i] = append(out[i], j)
				}
				seen[j] = true
			}
		}
		slices.Sort(out[i])
	}
	return out
}

// weigh takes what may be a rule out of what was said. A word weighs more the fewer
// statements have it, and most where it is no ordinary one: names of tools carry what people
// say in different words.
func weigh(all []Said) (out []statement) {
	ordinary := map[string]bool{}
	for w := range strings.FieldsSeq(templates.English()) {
		for _, t := range index.QueryTerms(w) {
			ordinary[t] = true
		}
	}
	holders := map[string]int{}
	for i := range all {
		if !mayAsk(&all[i]) {
			continue
		}
		s := statement{Said: &all[i], number: len(out), asks: all[i].Settled || wants(all[i].Text), words: termsOf(all[i].Text)}
		for t := range s.words {
			holders[t]++
		}
		out = append(out, s)
	}
	for i := range out {
		for t, share := range out[i].words {
			w := share * math.Log(2+float64(len(out)+5)/float64(holders[t]+1))
			if !ordinary[t] {
				w *= 2
			}
			out[i].words[t] = w
		}
		out[i].parts = clauses(out[i])
	}
	return out
}

// clauses are the words of a statement, and of those of its clauses that say enough to be
// compared alone: the reason behind a wish is another one each time.
func clauses(s statement) []map[string]float64 {
	list := []map[string]float64{s.words}
	for _, part := range regexp.MustCompile(`[,;:()—–]\s|\s-\s|\b(?:because|since|so that|otherwise|but|and)\b`).Split(s.Text, -1) {
		words := termsOf(part)
		for t := range words {
			words[t] = s.words[t]
		}
		if len(words) > 1 && len(words) < len(s.words) {
			list = append(list, words)
		}
	}
	return list
}

// termsOf are the terms of a text with their share of the word that they come from, without
// stop words and words that only say that something is wanted.
func termsOf(text string) map[string]float64 {
	out := map[string]float64{}
	for w := range strings.FieldsSeq(text) {
		w = strings.ToLower(strings.Trim(w, ".,;:!?`'\"()[]*_"))
		if w == "" || index.IsStopword(w) || isCue(w) {
			continue
		}
		terms := index.QueryTerms(w)
		for _, t := range terms {
			out[t] = max(out[t], 1/float64(len(terms)))
		}
	}
	return out
}

// mayAsk reports whether a statement may want something to hold from now on: questions for
// information and what is about a person do not.
func mayAsk(s *Said) bool {
	switch {
	case len(s.Text) > 3*maxRule, regexp.MustCompile(`(?i)^(why|what|how|is|are|does|do|did|should|when|where|who|which|isn't|aren't|was|has|have|any)\b.*\?\s*$`).MatchString(s.Text):
		return false
	}
	return !regexp.MustCompile(`@\w|(?i:\b(?:ask|ping|talk to|check with|tell))\s[A-Z]\w+`).MatchString(s.Text)
}

// isCue reports whether a word only says that something is wanted or done.
func isCue(word string) bool {
	return strings.Contains(" please pls always never must should use using used prefer avoid instead rather don't dont need needs want let let's stop start make sure go keep everything everywhere "+
		"add adds change fix rename remove move handle check we're it's that's can't doesn't via also now new one still again thing things way code ", " "+word+" ")
}

// like is how much of their weight two statements, or clauses of them, have in common.
func like(a, b statement) (most float64) {
	for _, x := range a.parts {
		for _, y := range b.parts {
			most = max(most, share(x, y))
		}
	}
	return most
}

// share is Tversky's index of two sets of weighted words: the shorter one counts for more.
// Those that name different numbers want different things.
func share(a, b map[string]float64) float64 {
	var common, totalA, totalB float64
	var numberA, numberB, same bool
	for t, w := range a {
		has := b[t] > 0
		totalA += w
		if has {
			common += w
		}
		numberA, same = numberA || isNumber(t), same || has && isNumber(t)
	}
	for t, w := range b {
		totalB += w
		numberB = numberB || isNumber(t)
	}
	if common == 0 || numberA && numberB && !same {
		return 0
	}
	return common / (0.7*min(totalA, totalB) + 0.3*max(totalA, totalB))
}

func isNumber(term string) bool { return term[0] >= '0' && term[0] <= '9' }

// independent keeps of each person and place the first statement.
func independent(group []statement) (out []statement) {
	for _, s := range group {
		if !slices.ContainsFunc(out, func(o statement) bool {
			return o.Author == s.Author && o.Place == s.Place || strings.EqualFold(o.Text, s.Text)
		}) {
			out = append(out, s)
		}
	}
	return out
}

func seen(group []statement) int { return len(independent(group)) }

// asked is in how many independent places of a group somebody asks in so many words: without
// two it is only a subject.
func asked(group []statement) int {
	return seen(slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return !s.asks }))
}

// confidence is that of a group around a statement.
func confidence(group []statement, center statement) float64 {
	doubt := 1.0
	for _, s := range independent(group) {
		c := s.Weight
		if !s.asks {
			c *= 0.6
		}
		if s.Said != center.Said {
			c *= min(1, 0.3+like(s, center))
		}
		doubt *= 1 - c
	}
	return 1 - doubt
}

// candidate words a group as a rule and judges it.
func candidate(group []statement, rules []lint.Statement) Candidate {
	slices.SortStableFunc(group, func(a, b statement) int { return cmp.Compare(a.Time, b.Time) })
	worded := slices.MaxFunc(group, func(a, b statement) int { return cmp.Compare(fitness(a, group), fitness(b, group)) })
	c := Candidate{Rule: imperative(strings.TrimSpace(worded.Text)), Seen: seen(group), Confidence: math.Round(100*confidence(group, worded)) / 100}
	c.ID = idOf(c.Rule)
	for _, s := range independent(append([]statement{worded}, group...)) {
		c.Evidence = append(c.Evidence, s.Citation)
	}
	c.Why = c.doubt(group, worded, rules)
	if c.Ready = c.Why == ""; c.Ready {
		c.Why = fmt.Sprintf("seen in %d independent places", c.Seen)
	}
	return c
}

// doubt is why a candidate is not ready, "" for nothing.
func (c Candidate) doubt(group []statement, worded statement, rules []lint.Statement) string {
	newest := group[len(group)-1]
	for _, r := range rules {
		if has := covered(worded, r.Text); has >= saidShare || same(r.Text, c.Rule) {
			return fmt.Sprintf("%s:%d says it: %s", r.File, r.Line, r.Text)
		}
	}
	against := slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return !contradict(s.Text, newest.Text) })
	if rivals := rivals(group); len(rivals) > 1 {
		return "people want different things: " + strings.Join(rivals, ", ")
	}
	if 3*len(against) >= len(group) {
		return "people say otherwise: [" + against[0].ID + "] and [" + newest.ID + "]"
	}
	switch {
	case c.Seen < leastSeen:
		return fmt.Sprintf("seen in %d independent places, of %d", c.Seen, leastSeen)
	case c.Confidence < leastConfidence:
		return fmt.Sprintf("confidence %.2f, of %.2f", c.Confidence, leastConfidence)
	}
	return ""
}

// rivals are those of things that exclude each other which a group wants several of.
func rivals(group []statement) []string {
	for _, names := range templates.Rivals() {
		var wanted []string
		for _, name := range names {
			want := regexp.MustCompile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(name) + `([^\pL]|$)`)
			deny := regexp.MustCompile(`(?i)\b(no|not|never|don't|avoid|over|than|of|from|replace|without)\s+(\w+\s+)?` + regexp.QuoteMeta(name))
			if slices.ContainsFunc(group, func(s statement) bool { return want.MatchString(s.Text) && !deny.MatchString(s.Text) }) {
				wanted = append(wanted, name)
			}
		}
		if len(wanted) > 1 {
			return wanted
		}
	}
	return nil
}

// covered is the share of a statement's weight that a rule's words have.
func covered(s statement, rule string) float64 {
	has, total := 0.0, 0.0
	terms := termsOf(rule)
	for t, w := range s.words {
		total += w
		if terms[t] > 0 {
			has += w
		}
	}
	return has / max(total, 1e-9)
}

// fitness is how well a statement would stand as the rule of its group: it says what the
// others say, briefly, and of nothing else.
func fitness(s statement, group []statement) float64 {
	sum := 0.0
	for _, o := range group {
		sum += like(s, o)
	}
	sum /= float64(len(group))
	n := len(strings.Fields(s.Text))
	switch {
	case n < 4 || n > 30:
		sum *= 0.5
	case n > 18:
		sum *= 0.8
	}
	if s.Settled {
		sum *= 1.2
	}
	if regexp.MustCompile(`(?i)\b(i|i'm|me|my|this|here|again|these|that|it|you|lgtm|thx|thanks|nit|u|pls)\b`).MatchString(s.Text) {
		sum *= 0.6
	}
	return sum
}
