package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Judged is a question with what people judged to be its answer.
type Judged struct {
	ID   string `json:"id"`
	Repo string `json:"repo"` // name of the repository it is asked of
	// Kind is how the question is grouped in the report: decision, when, who …
	Kind     string `json:"kind"`
	Question string `json:"question"`
	// Gold are the ids that answer: commits by seven digits or more of their hash,
	// other sources by their citation id, people by name for the kind who. An entry
	// may hold several that count as one, parted by |. None at all say that nothing
	// in the repository answers.
	Gold []string `json:"gold"`
	// Answerable says the same in so many words, where it is set to false.
	Answerable *bool `json:"answerable"`
}

// answerable tells whether the repository holds an answer.
func (j Judged) answerable() bool { return len(j.Gold) > 0 && (j.Answerable == nil || *j.Answerable) }

// Replied is what came back for a judged question.
type Replied struct {
	Confidence string   // high, medium, low or none
	Evidence   []string // citation ids that support the answer, best first
	Ranked     []string // all citation ids, best first; people for the kind who
	MS         float64
}

// ReadJudged reads questions: a JSON list of them, or an object whose field
// questions is one.
func ReadJudged(r io.Reader) ([]Judged, error) {
	var raw json.RawMessage
	if err := json.NewDecoder(r).Decode(&raw); err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	var set struct {
		Questions []Judged `json:"questions"`
	}
	err := json.Unmarshal(raw, &set.Questions)
	if raw[0] == '{' {
		err = json.Unmarshal(raw, &set)
	}
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	if len(set.Questions) == 0 {
		return nil, fmt.Errorf("read questions: there are none: list objects with repo, kind, question and gold")
	}
	for i, q := range set.Questions {
		if strings.TrimSpace(q.Question) == "" {
			return nil, fmt.Errorf("read questions: number %d (%s) has no question", i+1, q.ID)
		}
	}
	return set.Questions, nil
}

// JudgedGroup are the figures of some of the questions that can be answered.
type JudgedGroup struct {
	Name      string  `json:"name"`
	Questions int     `json:"questions"`
	Hit1      float64 `json:"hit_1"` // share whose first source is right
	Hit5      float64 `json:"hit_5"` // share with a right source among the first five
	MRR       float64 `json:"mrr"`   // mean of 1 / rank of the first right source
}

// JudgedLevel tells how far a level of confidence can be relied on.
type JudgedLevel struct {
	Confidence string `json:"confidence"`
	Answers    int    `json:"answers"`
	Right      int    `json:"right"`        // a right source is among the evidence
	Wrong      int    `json:"wrong"`        // there is an answer, and it is another
	Made       int    `json:"unanswerable"` // there is none
}

// JudgedReport is how well a set of questions was answered. The JSON form is a
// public contract.
type JudgedReport struct {
	Answerable   int           `json:"answerable"`
	Unanswerable int           `json:"unanswerable"`
	FalseAnswers int           `json:"false_answers"` // questions without an answer that were given one
	HighRight    float64       `json:"high_right"`    // share of the answers marked high that are right
	HighShare    float64       `json:"high_share"`    // share of the answerable questions answered so
	Groups       []JudgedGroup `json:"groups"`
	Levels       []JudgedLevel `json:"levels"`
	Rows         []JudgedRow   `json:"asked"`
	P50MS        float64       `json:"p50_ms"`
}

// JudgedRow is how one question went.
type JudgedRow struct {
	ID         string `json:"id"`
	Repo       string `json:"repo"`
	Kind       string `json:"kind"`
	Question   string `json:"question"`
	Confidence string `json:"confidence"`
	Rank       int    `json:"rank"`  // of the first right source, 0 where there is none
	Right      bool   `json:"right"` // a right source is among the evidence, or there is rightly no answer
}

const (
	firstFew = 5 // sources that a reader looks at
	people   = "who"
)

// Judge compares what came back with what was judged; both lists are in one order.
func Judge(questions []Judged, replies []Replied) JudgedReport {
	r := JudgedReport{Groups: []JudgedGroup{}, Levels: []JudgedLevel{}, Rows: []JudgedRow{}}
	levels := map[string]*JudgedLevel{}
	for _, name := range []string{"high", "medium", "low", "none"} {
		levels[name] = &JudgedLevel{Confidence: name}
	}
	var ms []float64
	for i, q := range questions {
		reply := replies[i]
		row := JudgedRow{
			ID: q.ID, Repo: q.Repo, Kind: q.Kind, Question: q.Question, Confidence: reply.Confidence,
			Rank: firstRight(q.Gold, reply.Ranked), Right: q.right(reply),
		}
		r.Rows = append(r.Rows, row)
		ms = append(ms, reply.MS)
		if level := levels[reply.Confidence]; level != nil {
			level.count(q, row)
		}
		switch {
		case q.answerable():
			r.Answerable++
		default:
			r.Unanswerable++
			if reply.Confidence != "none" {
				r.FalseAnswers++
			}
		}
	}
	for _, name := range []string{"high", "medium", "low", "none"} {
		r.Levels = append(r.Levels, *levels[name])
	}
	high := levels["high"]
	r.HighRight = share(high.Right, high.Answers)
	r.HighShare = share(high.Right+high.Wrong, r.Answerable)
	r.Groups = judgedGroups(questions, r.Rows)
	if slices.Sort(ms); len(ms) > 0 {
		r.P50MS = ms[len(ms)/2]
	}
	return r
}

func (l *JudgedLevel) count(q Judged, row JudgedRow) {
	l.Answers++
	switch {
	case !q.answerable():
		l.Made++
	case row.Right:
		l.Right++
	default:
		l.Wrong++
	}
}

// right tells whether a reply is right: a right source is among the first of its
// evidence, or it says rightly that there is none.
func (j Judged) right(r Replied) bool {
	if !j.answerable() || r.Confidence == "none" {
		return j.answerable() == (r.Confidence != "none")
	}
	evidence := r.Evidence
	if j.Kind == people {
		evidence = r.Ranked[:min(len(r.Ranked), 1)]
	}
	return firstRight(j.Gold, evidence[:min(len(evidence), firstFew)]) > 0
}

// judgedGroups are the figures of all questions but those for people, and of each kind.
func judgedGroups(questions []Judged, rows []JudgedRow) []JudgedGroup {
	byName := map[string]*JudgedGroup{}
	var names []string
	add := func(name string, rank int) {
		g := byName[name]
		if g == nil {
			g = &JudgedGroup{Name: name}
			byName[name], names = g, append(names, name)
		}
		g.Questions++
		if rank > 0 {
			g.MRR += 1 / float64(rank)
		}
		if rank == 1 {
			g.Hit1++
		}
		if rank > 0 && rank <= firstFew {
			g.Hit5++
		}
	}
	for i, q := range questions {
		if !q.answerable() {
			continue
		}
		if q.Kind != people {
			add("all but who", rows[i].Rank)
		}
		add(cmp.Or(q.Kind, "other"), rows[i].Rank)
	}
	slices.Sort(names)
	out := []JudgedGroup{}
	for _, name := range names {
		g := *byName[name]
		n := float64(g.Questions)
		g.Hit1, g.Hit5, g.MRR = g.Hit1/n, g.Hit5/n, g.MRR/n
		out = append(out, g)
	}
	return out
}

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// firstRight is the rank of the first id that is gold, 0 where none is.
func firstRight(gold, ids []string) int {
	for i, id := range ids {
		for _, g := range gold {
			for one := range strings.SplitSeq(g, "|") {
				if sameSource(strings.TrimSpace(one), id) {
					return i + 1
				}
			}
		}
	}
	return 0
}

// sameSource compares ids as people write them: hashes by their beginning.
func sameSource(gold, id string) bool {
	gold, id = strings.ToLower(gold), strings.ToLower(id)
	if gold == id {
		return true
	}
	gold, id = strings.TrimPrefix(gold, "git:commit:"), strings.TrimPrefix(id, "git:commit:")
	const shortest = 7
	n := min(len(gold), len(id))
	return n >= shortest && strings.Trim(gold+id, "0123456789abcdef") == "" && gold[:n] == id[:n]
}
