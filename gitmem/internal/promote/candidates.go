package promote

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/templates"
)

const (
	// A pattern is ready to be proposed when it was seen so often, in independent places, and
	// its confidence is so high.
	leastSeen       = 3
	leastConfidence = 0.8
	// mainWords is how many words say what a statement is mainly about: people hardly share more
	// than the name of the thing, and give other reasons each time.
	mainWords = 4
	// maxHolders is how many statements have a word at most by which others are looked for.
	maxHolders = 300
)

// Force is how much a statement means to hold.
type Force int

// A statement says nothing of its own, as a question; tells something; asks for, or decided,
// something once; or says in so many words that it holds in general.
const (
	Silent Force = iota
	Tells
	Asks
	Holds
)

// Said is one thing that somebody said, which may be evidence for a rule.
type Said struct {
	ask.Citation          // its id, author and time
	Sentences    []string // of one statement
	Quote        string   // what stands for them, "" where they are verbatim
	Place        string   // session, thread or file: what one person says twice in one place counts once
	Paths        []string
	Weight       float64 // how likely one such statement alone is meant to hold, 0 to 1
	Force        Force   // by where it was said: its words may say more
	IsRule       bool    // it is a rule already
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

// statement is something said, with the weight of each of its words.
type statement struct {
	*Said
	text   string
	number int
	force  Force
	words  map[string]float64
	main   float64 // the weight of its mainWords heaviest words
}

// candidates finds what is said again and again: around each statement those that want the
// same, the largest such group first, each statement in one group at most.
func candidates(all []Said, rules []lint.Statement) (list []Candidate) {
	all = slices.Clip(all)
	for _, r := range rules {
		all = append(all, Said{Citation: ask.Citation{ID: fmt.Sprintf("%s:%d", r.File, r.Line)}, Sentences: []string{r.Text}, IsRule: true})
	}
	said := weigh(all)
	holders := holdersOf(said)
	near := neighbours(said, holders)
	taken := make([]bool, len(said))
	group := func(s statement) []statement {
		out := []statement{s}
		for _, j := range near[s.number] {
			if !taken[j] {
				out = append(out, said[j])
			}
		}
		return out
	}
	worth := make([]float64, len(said))
	for i, s := range said {
		if found := group(s); len(found) > 1 {
			worth[i] = float64(len(independent(found)))
			for _, o := range found[1:] {
				worth[i] += 0.3*like(s, o) + 0.2*float64(o.force/Holds)
			}
		}
	}
	centers := slices.Clone(said)
	slices.SortStableFunc(centers, func(a, b statement) int { return cmp.Compare(worth[b.number], worth[a.number]) })
	for _, s := range centers {
		if taken[s.number] || len(near[s.number]) == 0 {
			continue
		}
		found := widen(group(s), said, holders, taken)
		for _, o := range found {
			taken[o.number] = true
		}
		if len(independent(found)) > 1 {
			list = append(list, candidate(found, said))
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

// independent keeps of each person and place the first statement.
func independent(group []statement) (out []statement) {
	for _, s := range group {
		if !slices.ContainsFunc(out, func(o statement) bool {
			return o.Author == s.Author && (o.Place == s.Place || s.Author == "" && strings.EqualFold(o.text, s.text))
		}) {
			out = append(out, s)
		}
	}
	return out
}

// confidence is 1 − ∏(1 − c) over what was said in independent places.
func confidence(group []statement) float64 {
	doubt := 1.0
	for _, s := range independent(group) {
		c := s.Weight
		switch s.force {
		case Asks:
			c *= 0.7
		case Tells:
			c *= 0.5
		}
		doubt *= 1 - c
	}
	return 1 - doubt
}

// candidate words a group as a rule and judges it.
func candidate(group, said []statement) Candidate {
	slices.SortStableFunc(group, func(a, b statement) int { return cmp.Compare(a.Time, b.Time) })
	rule, from := worded(group)
	c := Candidate{Rule: rule, Confidence: math.Round(100*confidence(group)) / 100}
	c.ID = idOf(c.Rule)
	apart := independent(append([]statement{from}, group...))
	c.Seen = len(apart)
	for _, s := range apart {
		e := s.Citation
		e.Excerpt = cmp.Or(s.Quote, slices.MaxFunc(s.Sentences, func(a, b string) int { return cmp.Compare(fitness(a, group), fitness(b, group)) }))
		c.Evidence = append(c.Evidence, e)
	}
	c.Why = c.doubt(group, said)
	if c.Ready = c.Why == ""; c.Ready {
		c.Why = fmt.Sprintf("seen in %d independent places", c.Seen)
	}
	return c
}

// worded is the sentence of a group that stands best as its rule, and the statement that it
// is of.
func worded(group []statement) (rule string, from statement) {
	best := -1.0
	for _, s := range group {
		for _, sentence := range s.Sentences {
			fit := fitness(sentence, group)
			if s.Force > Tells {
				fit *= 1.2
			}
			if s.force < Holds {
				fit *= 0.6
			}
			if fit > best {
				best, rule, from = fit, sentence, s
			}
		}
	}
	return imperative(withoutAside(strings.TrimSpace(rule))), from
}

// doubt is why a candidate is not ready, "" for nothing.
func (c Candidate) doubt(group, said []statement) string {
	subject := core(group)
	for _, r := range said {
		if r.IsRule && like(subject, r) >= alike(len(said))+0.05 {
			return r.ID + " is about it: " + r.text
		}
	}
	if rivals := rivals(group); len(rivals) > 1 {
		return "people want different things: " + strings.Join(rivals, ", ")
	}
	newest, apart := group[len(group)-1], independent(group)
	against := slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return !contradict(s.text, newest.text) })
	if 3*len(against) >= len(group) {
		return "people say otherwise: [" + against[0].ID + "] and [" + newest.ID + "]"
	}
	if id := takenBack(group, said); id != "" {
		return "decided otherwise later: [" + id + "]"
	}
	switch {
	case opposed(group, subject):
		return "people want it and do not want it"
	case 2*len(slices.DeleteFunc(slices.Clone(apart), func(s statement) bool { return !sharesMore(s, subject) })) < len(apart):
		return "they share the name of a thing, and want other things of it"
	case c.Seen < leastSeen:
		return fmt.Sprintf("seen in %d independent places, of %d", c.Seen, leastSeen)
	case !slices.ContainsFunc(group, func(s statement) bool { return s.force == Holds }):
		return "nobody says that it holds in general"
	case len(slices.DeleteFunc(slices.Clone(apart), func(s statement) bool { return s.force < Asks })) < 2:
		return "told more often than asked for"
	case c.Confidence < leastConfidence:
		return fmt.Sprintf("confidence %.2f, of %.2f", c.Confidence, leastConfidence)
	}
	return ""
}

// takenBack is the id of what says, after a group began, that its subject is given up.
func takenBack(group, said []statement) string {
	subject := core(group)
	ban := 3*len(slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return len(objects(refusing, s, subject)) == 0 })) >= len(group)
	for _, s := range said {
		if !s.IsRule && s.Time > group[0].Time && like(subject, s) >= alike(len(said)) && givesUp(s.text, s.Weight >= orderWeight, ban) {
			return s.ID
		}
	}
	return ""
}

// opposed reports whether some of a group ask for a thing that others of it do not want.
func opposed(group []statement, subject statement) bool {
	wanted, unwanted := map[string]int{}, map[string]int{}
	for _, s := range group {
		for t := range objects(wanting, s, subject) {
			wanted[t]++
		}
		for t := range objects(refusing, s, subject) {
			unwanted[t]++
		}
	}
	for t, n := range wanted {
		if n > 0 && unwanted[t] > 0 {
			return true
		}
	}
	return false
}

// rivals are those of things that exclude each other which a group wants several of.
func rivals(group []statement) []string {
	for _, names := range templates.Rivals() {
		var wanted []string
		for _, name := range names {
			want := regexp.MustCompile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(name) + `([^\pL]|$)`)
			deny := regexp.MustCompile(`(?i)\b(no|not|never|don't|avoid|over|than|of|from|replace|without)\s+(\w+\s+)?` + regexp.QuoteMeta(name))
			n := len(slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return !want.MatchString(s.text) || deny.MatchString(s.text) }))
			if 4*n > len(group) {
				wanted = append(wanted, name)
			}
		}
		if len(wanted) > 1 {
			return wanted
		}
	}
	return nil
}

// fitness is how well a sentence would stand as the rule of a group: it says what the others
// say, briefly, and of nothing else.
func fitness(sentence string, group []statement) float64 {
	shared := common(group)
	words := termsOf(sentence)
	fit := 0.0
	for t := range words {
		if shared[t] > 1 {
			fit += float64(shared[t]) / float64(len(group))
		}
	}
	fit *= 1 + float64(forceOf(sentence))
	switch n := len(strings.Fields(sentence)); {
	case n < 4 || n > 30:
		fit *= 0.5
	case n > 18:
		fit *= 0.8
	}
	if speaksOfHere(sentence) {
		fit *= 0.6
	}
	if opening.MatchString(sentence) {
		fit *= 1.3
	}
	return fit / math.Pow(float64(len(words)+2), 0.7)
}
