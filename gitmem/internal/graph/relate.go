package graph

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Node is an idea in a form for comparison.
type Node struct {
	ID      string // its block id
	Day     string // of the archive file that contains it
	Intent  string
	Text    string
	Session string
	Time    time.Time // of the session
	Line    int       // of the session's transcript
	Closed  bool      // superseded, answered or done

	stems   map[string]bool
	earlier *Node // with the same id
}

// Known contains the ideas of a project that later ones may relate to, oldest first. It is not safe for concurrent use.
type Known struct {
	nodes  []*Node
	ids    map[string]*Node
	holder map[string][]int // by stem: the nodes whose text contains it
	heard  transcript.Heard

	dropping []templates.Phrase
}

// NewKnown returns an empty Known.
func NewKnown() *Known {
	return &Known{ids: map[string]*Node{}, holder: map[string][]int{}, dropping: templates.Dropping()}
}

// Add adds an idea, unless it exists and is not closed.
func (k *Known) Add(n Node) {
	if n.earlier = k.ids[n.ID]; n.earlier != nil && !n.earlier.Closed {
		return
	}
	k.ids[n.ID] = &n
	n.stems = transcript.Stems(n.Text)
	k.heard.Add(n.stems)
	for s := range n.stems {
		k.holder[s] = append(k.holder[s], len(k.nodes))
	}
	k.nodes = append(k.nodes, &n)
}

// Mark returns a function that removes later additions and reopens ideas that were closed since.
func (k *Known) Mark() (reset func()) {
	closed := slice.Map(k.nodes, func(n *Node) bool { return n.Closed })
	return func() {
		for _, n := range slices.Backward(k.nodes[len(closed):]) {
			k.ids[n.ID] = n.earlier
			k.heard.Remove(n.stems)
			for s := range n.stems {
				k.holder[s] = k.holder[s][:len(k.holder[s])-1]
			}
		}
		k.nodes = k.nodes[:len(closed)]
		for i, n := range k.nodes {
			n.Closed = closed[i]
		}
	}
}

// mostStanding is the maximum number of ideas that a model receives.
const mostStanding = 60

// Standing returns the newest ideas that a later one may supersede, answer or complete, oldest first.
func (k *Known) Standing() (list []Node) {
	for _, n := range k.nodes {
		if !n.Closed && (Waits(n.Intent) || n.Intent == markdown.IntentDecision || n.Intent == markdown.IntentProblem) {
			list = append(list, *n)
		}
	}
	return list[max(0, len(list)-mostStanding):]
}

// Hear adds the statements of a session to the word statistics until unhear is called. The results for the next session
// must not depend on whether the same process has seen this one.
func (k *Known) Hear(said []transcript.Quote) (unhear func()) {
	stems := make([]map[string]bool, len(said))
	for i, q := range said {
		stems[i] = transcript.Stems(q.Text)
		k.heard.Add(stems[i])
	}
	return func() {
		for _, s := range stems {
			k.heard.Remove(s)
		}
	}
}

// share returns the weighted share of a's stems that b contains, the largest weight among those, and their number.
func (k *Known) share(a, b map[string]bool) (part, most float64, n int) {
	var both, all float64
	for s := range a {
		w := k.heard.Weight(s)
		if all += w; b[s] && w > 0 {
			both, most, n = both+w, max(most, w), n+1
		}
	}
	if all == 0 {
		return 0, 0, 0
	}
	return transcript.Rounded(both / all), most, n
}

// sharing returns the wanted nodes that share a stem with positive weight with a text, oldest first.
func (k *Known) sharing(stems map[string]bool, wanted func(*Node) bool) (list []*Node) {
	var at []int
	for s := range stems {
		if k.heard.Weight(s) <= 0 {
			continue
		}
		at = append(at, slice.Filter(k.holder[s], func(n int) bool { return wanted(k.nodes[n]) })...)
	}
	slices.Sort(at)
	return slice.Map(slices.Compact(at), func(n int) *Node { return k.nodes[n] })
}

// mostNamed is the maximum number of open decisions, all of one session, that may contain a dropped word. A word in
// more decisions is not specific.
const mostNamed = 2

// Replaced returns the decisions that a new one supersedes by its text: it drops their subject ("out with dynamo",
// "switched from slog to zerolog"). They are the decisions of the session with the largest share of the dropped words.
func (k *Known) Replaced(n Node) (list []*Node) {
	if n.Intent != markdown.IntentDecision {
		return nil
	}
	gone := k.dropped(n.Text)
	if transcript.AssertionOf(n.Text, gone) >= transcript.Open {
		return nil
	}
	most := 0.0
	replaceable := func(old *Node) bool {
		return old.Intent == markdown.IntentDecision && !old.Closed && old.ID != n.ID && !old.Time.After(n.Time) &&
			(old.Session != n.Session || old.Line < n.Line)
	}
	candidates := k.sharing(gone, replaceable)
	if last := len(candidates) - 1; last < 0 || last >= mostNamed || candidates[0].Session != candidates[last].Session {
		return nil
	}
	for _, old := range candidates {
		about := maps.Clone(old.stems)
		for stem := range k.dropped(old.Text) { // that decision dropped it, too
			delete(about, stem)
		}
		part, _, shared := k.share(gone, about)
		if shared == 0 || part < most {
			continue
		}
		if part > most {
			list = nil
		}
		list, most = append(list, old), part
	}
	return list
}

// dropped returns the stems of what a sentence drops: the words directly after a dropping phrase, or directly before
// one that ends a clause.
func (k *Known) dropped(text string) map[string]bool {
	const reach = 3
	set := map[string]bool{}
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",.;:!?()", r) }) {
		words := transcript.Words(clause)
		for i := range words {
			for _, p := range k.dropping {
				end := i + len(p.Words)
				if end > len(words) || !slices.Equal(words[i:end], p.Words) || p.Stands == "before" && end < len(words) ||
					p.Stands == "last" && end+1 != len(words) {
					continue
				}
				if denies(slices.Concat(words[:end], words[max(end, len(words)-1):])) {
					continue
				}
				near := words[end:min(len(words), end+reach)]
				if p.Stands == "before" {
					near = words[max(0, i-reach):i]
				}
				for stem := range transcript.Stems(strings.Join(near, " ")) {
					set[stem] = true
				}
			}
		}
	}
	delete(set, "#")
	return set
}

// denies reports whether a clause contains a negation. words are those before a phrase, and the last word of the
// clause, where German has its negation.
func denies(words []string) bool {
	return transcript.AssertionOf(strings.Join(words, " "), nil) == transcript.Denied
}

// Answer is a sentence that answers an open question or reports that a task is done.
type Answer struct {
	Quote transcript.Quote
	Open  *Node
}

// Intent returns the intent of the sentence if it is not an idea otherwise.
func (a Answer) Intent() string {
	if a.Open.Intent == markdown.IntentTodo {
		return markdown.IntentSolution
	}
	return markdown.IntentConclusion
}

// Minimum probabilities: answers that a sentence closes something; did the same if it contains the past form of the
// same verb; worth that a sentence which answers a question is an idea by itself, unlike "Let me check the tests".
// Hiding an open item is worse than listing a done one.
const answers, did, worth = 0.9, 0.7, 0.2

// Minimum similarity of a sentence to an open item of an earlier session, and minimum number of shared words: a project
// has hundreds of sessions, each with some sentence that shares a word.
const leastLike, leastShared = 0.5, 2

// Answers returns the open questions and tasks of a project that the statements of a session close, each with the
// sentence. sure returns the probability that a sentence is an idea.
func (k *Known) Answers(session string, said []transcript.Quote, sure func(transcript.Quote) float64) (list []Answer) {
	for _, c := range k.candidates(session, said) {
		near := c.open.Session == session || c.shared >= leastShared && (c.score >= leastLike || c.past)
		least := answers
		if c.past {
			least = did
		}
		if near && models[0]().Predict(c.features)[1] >= least && (c.open.Intent == markdown.IntentTodo ||
			sure(c.said) >= worth) {
			list = append(list, Answer{c.said, c.open})
		}
	}
	return list
}

// models were trained on the labelled sessions, see the tests of this package.
var models = [...]func() *linear.Model{linear.Built(templates.Closes)}

// candidate is an open question or task with the most similar sentence.
type candidate struct {
	open     *Node
	said     transcript.Quote
	score    float64
	shared   int  // stems with positive weight
	past     bool // the sentence reports a completed task
	features []string
}

// candidates returns, for each open question and task, including those of the session itself, the most similar sentence
// of a session that is not a question.
func (k *Known) candidates(session string, said []transcript.Quote) []candidate {
	best, again := map[*Node]*candidate{}, map[string]bool{}
	for _, n := range k.nodes {
		again[n.Text] = again[n.Text] || n.Session == session && n.Intent == markdown.IntentTodo
	}
	for _, q := range said {
		stems := transcript.Stems(q.Text)
		open := func(n *Node) bool {
			return !n.Closed && Waits(n.Intent) && !n.Time.After(q.Time) && (n.Session != session || n.Line < q.Line)
		}
		for _, n := range k.sharing(stems, open) {
			there, _, shared := k.share(n.stems, stems)
			here, _, _ := k.share(stems, n.stems)
			score := transcript.Rounded(math.Sqrt(there * here))
			if best[n] != nil && score <= best[n].score || again[q.Text] && n.Intent == markdown.IntentTodo {
				continue
			}
			if closes(q.Text, n) {
				past := tellsPast(transcript.Words(q.Text), transcript.Words(n.Text))
				best[n] = &candidate{open: n, said: q, score: score, shared: shared, past: past && n.Intent == markdown.IntentTodo}
			}
		}
	}
	var list []candidate
	for _, c := range best {
		c.features = k.features(c)
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.said.Line, b.said.Line), cmp.Compare(a.open.ID, b.open.ID))
	})
	return list
}

// closes reports whether a sentence can answer a question or complete a task: it must assert something. A denial or an
// intention can only answer a question.
func closes(said string, open *Node) bool {
	switch transcript.AssertionOf(said, open.stems) {
	case transcript.Asserted:
		return true
	case transcript.Denied, transcript.Intended:
		return open.Intent == markdown.IntentQuestion
	}
	return false
}

// participles are the affixes of past participles.
var participles = [...]struct{ prefix, suffix string }{{"", "ed"}, {"ge", "t"}, {"ge", "en"}, {"", "é"}, {"", "ée"},
	{"", "ado"}, {"", "ido"}}

// tellsPast reports whether words contain the past participle of a verb that the others contain in another form, such
// as "measured" for "measure".
func tellsPast(words, others []string) bool {
	const least, most = 3, 4 // number of common initial letters
	return slices.ContainsFunc(words, func(w string) bool {
		return !slices.Contains(others, w) &&
			slices.ContainsFunc(participles[:], func(p struct{ prefix, suffix string }) bool {
				root, ok := strings.CutPrefix(w, p.prefix)
				root, ends := strings.CutSuffix(root, p.suffix)
				root = root[:min(len(root), most)]
				return ok && ends && len(root) >= least && slices.ContainsFunc(others, func(o string) bool {
					return strings.HasPrefix(o, root)
				})
			})
	})
}

// features returns the model features of a candidate.
func (k *Known) features(c *candidate) []string {
	f := []string{"bias", c.open.Intent}
	add := func(name string, step int) {
		feature := name + "=" + strconv.Itoa(step)
		f = append(f, feature, c.open.Intent+":"+feature)
	}
	part, most, shared := k.share(c.open.stems, transcript.Stems(c.said.Text))
	add("part", linear.Step(part, 0.1, 0.2, 0.3, 0.45, 0.6))
	add("score", linear.Step(c.score, 0.1, 0.2, 0.3, 0.4))
	add("most", linear.Step(most, 1.5, 2.5, 3.5))
	add("shared", min(shared, 4))
	if c.past {
		f = append(f, "past")
	}
	for i, s := range transcript.StemList(c.said.Text) {
		f = append(f, "w="+s, c.open.Intent+":w="+s)
		if i < 2 {
			f = append(f, "begin="+s)
		}
	}
	for _, s := range transcript.StemList(c.open.Text) {
		f = append(f, "open="+s)
	}
	slices.Sort(f)
	return slices.Compact(f)
}
