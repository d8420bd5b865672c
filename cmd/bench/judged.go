package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// judged is a question with what people judged to be its answer.
type judged struct {
	ID   string `json:"id"`
	Repo string `json:"repo"` // owner/name of the repository that it is asked of
	// Kind and Words are how the question is grouped in the report: why, when, who …; own,
	// mixed or para, after whose words it uses.
	Kind     string `json:"kind"`
	Words    string `json:"words"`
	Question string `json:"question"`
	// Gold are the sources that answer, any of which will do: commit:<beginning of a hash>,
	// docs:<path>~<words that stand there>, person:<name>.
	Gold []string `json:"gold"`
	// None says that it never happened; of it Reversed that the opposite did, which Gold
	// tells then, and Nameless which name in it occurs nowhere.
	None     bool   `json:"none"`
	Reversed bool   `json:"reversed"`
	Nameless string `json:"nameless"`
}

// replied is what came back for a judged question.
type replied struct {
	Verdict    string // answered, closest or none
	Confidence string // high, medium, low or none
	Reversed   bool   // the answer says that the reverse is recorded
	Sources    []source
	People     []string // names, best first
	Claims     []claimed
	MS         float64
}

// source is one source of an answer, best first.
type source struct {
	ID, Author string
	Text       func() string // of the source, with its title
}

// openJudged reads a file of questions.
func openJudged(name string) ([]judged, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	questions, err := readJudged(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return questions, nil
}

// readJudged reads questions: a JSON list of them.
func readJudged(r io.Reader) (questions []judged, err error) {
	if err := json.NewDecoder(r).Decode(&questions); err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("read questions: there are none: list objects with repo, kind, question and gold")
	}
	for i, q := range questions {
		if strings.TrimSpace(q.Question) == "" {
			return nil, fmt.Errorf("read questions: number %d (%s) has no question", i+1, q.ID)
		}
		if !q.None && len(q.Gold) == 0 {
			return nil, fmt.Errorf("read questions: %s has neither gold nor none", q.ID)
		}
	}
	return questions, nil
}

// firstFew is how many sources a reader looks at.
const firstFew = 3

// judgedGroup are the figures of some of the questions that can be answered.
type judgedGroup struct {
	Name      string `json:"name"`
	Questions int    `json:"questions"`
	First     int    `json:"first"`   // the first source is right
	Useful    int    `json:"useful"`  // a right one is among the first three, and the verdict is not none
	Refused   int    `json:"refused"` // the verdict is none
}

// judgedLevel tells how far a level of confidence can be relied on.
type judgedLevel struct {
	Confidence string `json:"confidence"`
	Answers    int    `json:"answers"`
	Right      int    `json:"right"`          // a right source is among the first three
	Never      int    `json:"never_happened"` // there is nothing to answer
}

// judgedReport is how well a set of questions was answered..
type judgedReport struct {
	Answerable      int           `json:"answerable"`
	Never           int           `json:"never_happened"`
	NeverAnswered   int           `json:"never_happened_answered"`
	Reversed        int           `json:"reversed"`
	ReversedTold    int           `json:"reversed_told"`
	Nameless        int           `json:"nameless"`
	NamelessRefused int           `json:"nameless_refused"`
	Groups          []judgedGroup `json:"groups"`
	Levels          []judgedLevel `json:"levels"`
	Rows            []judgedRow   `json:"asked"`
	P50MS           float64       `json:"p50_ms"` // of a process

	rows bool // print them too
}

// judgedRow is how one question went.
type judgedRow struct {
	ID         string `json:"id"`
	Question   string `json:"question"`
	Verdict    string `json:"verdict"`
	Confidence string `json:"confidence"`
	Rank       int    `json:"rank"` // of the first right source or person, 0 where there is none
}

// judge compares what came back with what was judged; both lists are in one order.
func judge(questions []judged, replies []replied) judgedReport {
	r := judgedReport{Groups: []judgedGroup{}, Levels: []judgedLevel{}, Rows: []judgedRow{}}
	for _, name := range []string{"high", "medium", "low", "none"} {
		r.Levels = append(r.Levels, judgedLevel{Confidence: name})
	}
	ms := make([]float64, 0, len(replies))
	for i, q := range questions {
		reply := replies[i]
		row := judgedRow{ID: q.ID, Question: q.Question, Verdict: reply.Verdict, Confidence: reply.Confidence,
			Rank: q.rank(reply)}
		r.Rows, ms = append(r.Rows, row), append(ms, reply.MS)
		few := row.Rank > 0 && row.Rank <= firstFew
		for j := range r.Levels {
			if l := &r.Levels[j]; l.Confidence == reply.Confidence {
				l.Answers++
				l.Right += one(few && !q.None)
				l.Never += one(q.None)
			}
		}
		if q.None {
			r.never(q, reply)
			continue
		}
		r.Answerable++
		for _, name := range []string{"all", q.Words, q.Kind, q.Repo} {
			g := r.group(name)
			g.Questions++
			g.First += one(row.Rank == 1)
			g.Useful += one(few && reply.Verdict != "none")
			g.Refused += one(reply.Verdict == "none")
		}
	}
	if slices.Sort(ms); len(ms) > 0 {
		r.P50MS = ms[len(ms)/2]
	}
	return r
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// never counts a question about what never happened.
func (r *judgedReport) never(q judged, reply replied) {
	r.Never++
	r.NeverAnswered += one(reply.Verdict == "answered")
	r.Reversed += one(q.Reversed)
	r.ReversedTold += one(q.Reversed && reply.Reversed)
	r.Nameless += one(q.Nameless != "")
	r.NamelessRefused += one(q.Nameless != "" && reply.Verdict == "none")
}

// group is the one of a name, made where there is none yet.
func (r *judgedReport) group(name string) *judgedGroup {
	i := slices.IndexFunc(r.Groups, func(g judgedGroup) bool { return g.Name == name })
	if i < 0 {
		i = len(r.Groups)
		r.Groups = append(r.Groups, judgedGroup{Name: name})
	}
	return &r.Groups[i]
}

// rank is the place of the first right source, or of the first right person where
// people are named, 0 where there is none.
func (j judged) rank(r replied) int {
	for i, name := range r.People {
		if slices.ContainsFunc(j.Gold, func(gold string) bool { return isPerson(gold, name) }) {
			return i + 1
		}
	}
	for i, s := range r.Sources {
		if slices.ContainsFunc(j.Gold, func(gold string) bool { return s.is(gold) }) {
			return i + 1
		}
	}
	return 0
}

// is tells whether a source is one that was judged to answer.
func (s source) is(gold string) bool {
	kind, rest, _ := strings.Cut(gold, ":")
	switch kind {
	case "commit":
		const shortest = 7
		return len(rest) >= shortest && strings.HasPrefix(s.ID, "git:commit:"+rest)
	case "docs":
		file, words, _ := strings.Cut(rest, "~")
		id, _, _ := strings.Cut(s.ID, "#")
		return id == "docs:"+file && strings.Contains(plainText(s.Text()), plainText(words))
	}
	return isPerson(gold, s.Author)
}

func isPerson(gold, name string) bool {
	who, ok := strings.CutPrefix(strings.ToLower(gold), "person:")
	return ok && who != "" && strings.Contains(strings.ToLower(name), who)
}

// plainText is a text in lower case without marks of Markdown and with single blanks.
func plainText(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("`", " ", "*", " ", "_", " ", ">",
		" ").Replace(strings.ToLower(s))), " ")
}
