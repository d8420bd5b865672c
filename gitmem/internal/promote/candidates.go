package promote

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/templates"
)

const (
	// A pattern is ready to be proposed at this number of independent locations and this confidence.
	leastSeen       = 3
	leastConfidence = 0.8
	// mainWords is the number of words that define the subject of a statement: people hardly share more than the name of
	// the thing, and give other reasons each time.
	mainWords = 4
	// maxHolders is the maximum number of statements that contain a word used to find similar ones.
	maxHolders = 300
)

// Force is the degree to which a statement claims to apply in general.
type Force int

// In order: a statement without a claim, such as a question; a description; a single request or decision; an explicit
// general statement.
const (
	Silent Force = iota
	Tells
	Asks
	Holds
)

// Said is a statement by somebody that may be evidence for a rule.
type Said struct {
	answer.Citation          // its id, author and time
	Sentences       []string // of one statement
	Quote           string   // replaces them in quotations, "" if they are verbatim
	Place           string   // session, thread or file: repetitions by one person in one place count once
	Weight          float64  // probability that such a statement alone is a general rule, 0 to 1
	Force           Force    // minimum from its source; its words may raise it
	Thread          bool     // in a thread that is not about a line of code, where wishes are frequent
	IsRule          bool     // it is already a rule
}

// Candidate is a rule that a team, or one person repeatedly, seems to follow. The JSON form is a public contract.
type Candidate struct {
	ID         string            `json:"id"`
	Rule       string            `json:"rule"`
	Seen       int               `json:"seen"`       // number of independent locations
	Confidence float64           `json:"confidence"` // 1 − ∏(1 − c) over these
	Ready      bool              `json:"ready"`
	Why        string            `json:"why"` // why it is ready, or not
	Evidence   []answer.Citation `json:"evidence"`

	byModel bool // found by a model
}

// IDs returns the ids of the evidence.
func (c Candidate) IDs() (list []string) {
	return slice.Map(c.Evidence, func(e answer.Citation) string { return e.ID })
}

// statement is a Said with the weight of each of its words.
type statement struct {
	*Said
	text   string
	number int
	force  Force
	words  map[string]float64
	main   float64 // the weight of its mainWords heaviest words
}

// pattern is a rule and the statements that support it.
type pattern struct {
	rule  string // in a model's words, "" for none
	group []statement
	unfit bool // a model read all of them and found no rule in them
}

// merger finds patterns in statements, for example with a model, and returns the numbers of the statements that it
// read.
type merger func([]statement) (list []pattern, read map[int]bool)

// candidates returns repeated statements: the patterns of merge, and for each remaining statement the group of similar
// ones, the largest group first. Each statement is in at most one group.
func candidates(all []Said, rules []lint.Statement, merge merger) (list []Candidate) {
	all = slices.Clip(all)
	for _, r := range rules {
		all = append(all, Said{Citation: answer.Citation{ID: fmt.Sprintf("%s:%d", r.File, r.Line)},
			Sentences: []string{r.Text}, IsRule: true})
	}
	said := weigh(all)
	holders := holdersOf(said)
	near := make([][]int, len(said))
	for i, s := range said {
		if s.force > Silent {
			near[i] = akin(s, said, holders)
		}
	}
	taken, compare := make([]bool, len(said)), comparer()
	add := func(p pattern) {
		for _, s := range p.group {
			taken[s.number] = true
		}
		if len(independent(p.group)) > 1 && (p.rule != "" || sharesMore(p.group)) {
			list = append(list, p.candidate(said, compare))
		}
	}
	patterns, read := merge(said)
	for _, p := range patterns {
		p.group = slices.DeleteFunc(p.group, func(s statement) bool { return taken[s.number] })
		if len(independent(p.group)) >= leastSeen { // a model cites only some of many
			p.group = widen(p.group, said, holders, taken)
		}
		add(p)
	}
	group := func(s statement) []statement {
		out := []statement{s}
		for _, j := range near[s.number] {
			if !taken[j] && j != s.number {
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
		if taken[s.number] || len(near[s.number]) < 2 {
			continue
		}
		p := pattern{group: widen(group(s), said, holders, taken)}
		p.unfit = len(read) > 0 && !slices.ContainsFunc(p.group, func(s statement) bool { return !read[s.number] })
		add(p)
	}
	slices.SortStableFunc(list, func(a, b Candidate) int {
		if a.Ready != b.Ready {
			return map[bool]int{true: -1, false: 1}[a.Ready]
		}
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// independent keeps the first statement of each person and place.
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

// confidence returns 1 − ∏(1 − c) over the independent statements.
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

// candidate chooses the text of a pattern's rule and evaluates it.
func (p pattern) candidate(said []statement, compare *lint.Comparer) Candidate {
	group := p.group
	for i := range group {
		if p.rule != "" { // a model has determined that they ask for it
			group[i].force = max(group[i].force, Asks)
		}
	}
	slices.SortStableFunc(group, func(a, b statement) int { return cmp.Compare(a.Time, b.Time) })
	rule, from := worded(group)
	c := Candidate{Rule: cmp.Or(p.rule, rule), Confidence: math.Round(100*confidence(group)) / 100, byModel: p.rule != ""}
	c.ID = idOf(c.Rule)
	apart := independent(append([]statement{from}, group...))
	c.Seen = len(apart)
	for _, s := range apart {
		e := s.Citation
		e.Excerpt = cmp.Or(s.Quote, slices.MaxFunc(s.Sentences, func(a, b string) int {
			return cmp.Compare(fitness(a, group), fitness(b, group))
		}))
		c.Evidence = append(c.Evidence, e)
	}
	c.Why = p.doubt(c, said, compare)
	if c.Ready = c.Why == ""; c.Ready {
		c.Why = fmt.Sprintf("seen in %d independent places", c.Seen)
	}
	return c
}

// worded returns the sentence of a group that fits best as its rule, and its statement.
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

// doubt returns why a candidate is not ready, "" if it is.
func (p pattern) doubt(c Candidate, said []statement, compare *lint.Comparer) string {
	subject := core(p.group)
	about := func(s statement) bool { return like(subject, s) >= alike(len(said)) }
	for _, r := range said {
		if r.IsRule && (about(r) || compare.Same(r.text, c.Rule)) {
			return r.ID + " is about it: " + r.text
		}
	}
	switch {
	case p.rule != "": // a model has read their meaning
		if i := slices.IndexFunc(p.group, func(s statement) bool { return compare.Contradict(s.text, p.rule) }); i >= 0 {
			return "it says otherwise than [" + p.group[i].ID + "]"
		}
	case p.unfit:
		return "the model sees no rule in it"
	default:
		if why := cmp.Or(disagreement(p.group, compare), disputed(p.group, said, about), unsaid(p.group)); why != "" {
			return why
		}
	}
	switch {
	case c.Seen < leastSeen:
		return fmt.Sprintf("seen in %d independent places, of %d", c.Seen, leastSeen)
	case c.Confidence < leastConfidence:
		return fmt.Sprintf("confidence %.2f, of %.2f", c.Confidence, leastConfidence)
	}
	return ""
}

// disagreement describes contradicting wishes in a group, or returns "" if there are none.
func disagreement(group []statement, compare *lint.Comparer) string {
	if rivals := rivals(group); len(rivals) > 1 {
		return "people want different things: " + strings.Join(rivals, ", ")
	}
	newest := group[len(group)-1]
	against := slices.DeleteFunc(slices.Clone(group), func(s statement) bool {
		return !compare.Contradict(s.text, newest.text)
	})
	if 3*len(against) >= len(group) {
		return "people say otherwise: [" + against[0].ID + "] and [" + newest.ID + "]"
	}
	return ""
}

// unsaid describes what is missing in the words of a group to show that a rule is wanted.
func unsaid(group []statement) string {
	switch {
	case !slices.ContainsFunc(group, func(s statement) bool { return s.force == Holds }):
		return "nobody says that it holds in general"
	case len(slices.DeleteFunc(independent(group), func(s statement) bool { return s.force < Asks })) < 2:
		return "told more often than asked for"
	}
	return ""
}

// disputed returns why a group is not a general rule: somebody disagrees, there or about the same subject, its subject
// was given up later, or it is temporary.
func disputed(group, said []statement, about func(statement) bool) string {
	for _, s := range said {
		member := slices.ContainsFunc(group, func(g statement) bool { return g.number == s.number })
		answers := slices.ContainsFunc(group, func(g statement) bool {
			return g.Place == s.Place && g.Author != s.Author && g.Time <= s.Time
		})
		switch on := !s.IsRule && about(s); {
		case on && moment().MatchString(s.text):
			return "for the moment: [" + s.ID + "]"
		case on && s.Time > group[0].Time && takesBack().MatchString(s.text):
			return "decided otherwise later: [" + s.ID + "]"
		case !member && (on || answers) && dissent().MatchString(s.text):
			return "not everybody agrees: [" + s.ID + "]"
		}
	}
	return ""
}

// rivals returns the mutually exclusive terms of which a group wants several.
func rivals(group []statement) []string {
	for _, names := range templates.Rivals() {
		wanted := slices.DeleteFunc(names, func(name string) bool {
			n := len(slices.DeleteFunc(slices.Clone(group), func(s statement) bool { return !wants(s.text, name) }))
			return 4*n <= len(group)
		})
		if len(wanted) > 1 {
			return wanted
		}
	}
	return nil
}

// wants reports whether a text names a thing without rejecting it.
func wants(text, name string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		if strings.Trim(w, ".,;:!?`'\"()") == name && !slices.ContainsFunc(words[max(0, i-2):i], func(w string) bool {
			return strings.Contains(" no not never don't avoid over than of from replace without ", " "+w+" ")
		}) {
			return true
		}
	}
	return false
}

// fitness returns how well a sentence fits as the rule of a group: it contains what the others contain, is short, and
// contains nothing else.
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
	if hereAndNow().MatchString(sentence) {
		fit *= 0.6
	}
	if opening().MatchString(sentence) {
		fit *= 1.3
	}
	return fit / math.Pow(float64(len(words)+2), 0.7)
}
