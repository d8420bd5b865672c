package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// judged is a question with its answer as judged by people.
type judged struct {
	ID   string `json:"id"`
	Repo string `json:"repo"` // owner/name of the repository that it is about
	// Kind and Words group the questions in the report: why, when, who …; and own, mixed or para, for whose
	// words the question uses.
	Kind     string `json:"kind"`
	Words    string `json:"words"`
	Question string `json:"question"`
	// Gold are the sources that answer the question, each of which is enough: commit:<beginning of a hash>,
	// docs:<path>~<words in it>, person:<name>.
	Gold []string `json:"gold"`
	// None is set if it never happened. Then Reversed is set if the opposite happened, which Gold documents, and
	// Nameless is the name in the question that occurs nowhere.
	None     bool   `json:"none"`
	Reversed bool   `json:"reversed"`
	Nameless string `json:"nameless"`
}

// replied is the reply to a judged question.
type replied struct {
	Verdict    string // answered, closest or none
	Confidence string // high, medium, low or none
	Reversed   bool   // the answer reports that the opposite happened
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

// readJudged decodes a JSON list of questions.
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

// judgedGroup has the figures of a group of answerable questions.
type judgedGroup struct {
	Name      string `json:"name"`
	Questions int    `json:"questions"`
	First     int    `json:"first"`   // the first source is right
	Useful    int    `json:"useful"`  // a right one is among the first three, and the verdict is not none
	Refused   int    `json:"refused"` // the verdict is none
}

// judgedLevel is how reliable a level of confidence is.
type judgedLevel struct {
	Confidence string `json:"confidence"`
	Answers    int    `json:"answers"`
	Right      int    `json:"right"`          // a right source is among the first three
	Never      int    `json:"never_happened"` // the question has no answer
}

// judgedReport is how well a set of questions was answered.
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

// judgedRow is the result of one question.
type judgedRow struct {
	ID         string `json:"id"`
	Question   string `json:"question"`
	Verdict    string `json:"verdict"`
	Confidence string `json:"confidence"`
	Rank       int    `json:"rank"` // of the first right source or person, 0 for none
}

// judge compares the replies with the judged answers; both lists have the same order.
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

// never counts a question about something that never happened.
func (r *judgedReport) never(q judged, reply replied) {
	r.Never++
	r.NeverAnswered += one(reply.Verdict == "answered")
	r.Reversed += one(q.Reversed)
	r.ReversedTold += one(q.Reversed && reply.Reversed)
	r.Nameless += one(q.Nameless != "")
	r.NamelessRefused += one(q.Nameless != "" && reply.Verdict == "none")
}

// group returns the group with a name, and creates it if necessary.
func (r *judgedReport) group(name string) *judgedGroup {
	i := slices.IndexFunc(r.Groups, func(g judgedGroup) bool { return g.Name == name })
	if i < 0 {
		i = len(r.Groups)
		r.Groups = append(r.Groups, judgedGroup{Name: name})
	}
	return &r.Groups[i]
}

// rank returns the rank of the first right source, or of the first right person if people are named; 0 if
// there is none.
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

// is reports whether a source is the given one of the judged answers.
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

// plainText returns a text in lower case, without Markdown markup and with single spaces.
func plainText(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("`", " ", "*", " ", "_", " ", ">",
		" ").Replace(strings.ToLower(s))), " ")
}
