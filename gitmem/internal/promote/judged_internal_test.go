package promote

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
)

// history contains a team's statements, with the rules that follow from them.
type history struct {
	ID    string `json:"id"`
	About string `json:"about"`
	Rules []struct{ File, Text string }
	Items []struct {
		Kind, Author, Session, Date, Text string
		PR                                int
		Paths                             []string
	}
	Want []struct {
		Rule  string
		Items []int
	}
}

// said returns what the program would gather from a history. The ids are the numbers of the items.
func (h history) said() (out []Said, rules []lint.Statement) {
	for i, it := range h.Items {
		s := Said{Citation: answer.Citation{ID: fmt.Sprint(i), Author: it.Author, Time: it.Date}, Place: it.Session,
			Weight: orderWeight, Force: Holds}
		if s.Place == "" {
			s.Place = fmt.Sprint(it.PR, it.Date)
		}
		switch it.Kind {
		case "review", "comment":
			s.Place, s.Weight, s.Force = fmt.Sprint(it.PR), reviewWeight, Tells
			if it.Kind == "comment" {
				s.Weight, s.Thread = threadWeight, true
			}
		case "note":
			s.Place, s.Weight, s.Force = "notes", noteWeight, Tells
		case "commit":
			subject, _, _ := strings.Cut(it.Text, "\n")
			out = append(out, ofCommit(s, subject)...)
			continue
		case "idea":
			s.Weight, s.Force = 0.8, Asks
		case "decision":
			it.Text, _, _ = strings.Cut(it.Text, "\n")
		}
		out = append(out, statementsIn(s, it.Text)...)
	}
	for _, f := range h.Rules {
		rules = append(rules, lint.Statements(f.File, []byte(f.Text))...)
	}
	return out, rules
}

// judgement counts the results of candidates on a set of histories.
type judgement struct {
	right, wrong, missed, solo int
	verbose                    bool // print each candidate
}

func (j judgement) String() string {
	return fmt.Sprintf("precision %d/%d, recall %d/%d, of one person's single session %d", j.right, j.right+j.wrong,
		j.right, j.right+j.missed, j.solo)
}

// judge compares candidates with the wanted rules: one is right if its evidence is mostly that of a wanted rule.
func (j *judgement) judge(t *testing.T, h history, model merger) {
	said, rules := h.said()
	found := make([]bool, len(h.Want))
	for _, c := range candidates(said, rules, model) {
		if !c.Ready {
			if j.verbose {
				t.Logf("%s: not ready: %s (%s) %v", h.ID, c.Rule, c.Why, c.IDs())
			}
			continue
		}
		right := false
		for i, w := range h.Want {
			hits := 0
			for _, e := range c.Evidence {
				if slices.ContainsFunc(w.Items, func(n int) bool { return fmt.Sprint(n) == e.ID }) {
					hits++
				}
			}
			if 2*hits > len(c.Evidence) && hits > 1 && !found[i] {
				found[i], right = true, true
			}
		}
		places := map[string]bool{}
		for _, e := range c.Evidence {
			for i := range said {
				if said[i].ID == e.ID {
					places[said[i].Author+"\x00"+said[i].Place] = true
				}
			}
		}
		if len(places) < 2 {
			j.solo++
		}
		if right {
			j.right++
		} else {
			j.wrong++
		}
		if j.verbose {
			t.Logf("%s: %v: %s %v", h.ID, map[bool]string{true: "right", false: "WRONG"}[right], c.Rule, c.IDs())
		}
	}
	for i, ok := range found {
		if !ok {
			j.missed++
			if j.verbose {
				t.Logf("%s: MISSED: %s %v", h.ID, h.Want[i].Rule, h.Want[i].Items)
			}
		}
	}
}

// nobody is a merger without a model.
func nobody([]statement) ([]pattern, map[int]bool) { return nil, nil }

var everyHistory = flag.Bool("histories", false,
	"print each candidate of the judged histories, but not of those that are sealed")

func histories(t *testing.T, file string) (out []history) {
	t.Helper()
	for line := range lines(t, file) {
		var h history
		if err := json.Unmarshal(line, &h); err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

// lines yields the lines of a file of test data.
func lines(t *testing.T, file string) iter.Seq[[]byte] {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Lines(b)
}

// TestExamples checks what must and must not be found in histories that were written with the program.
func TestExamples(t *testing.T) {
	t.Parallel()
	var j judgement
	for _, h := range histories(t, "examples.jsonl") {
		j.judge(t, h, nobody)
	}
	if j.wrong > 0 || j.solo > 0 || j.missed > 2 {
		t.Error(j)
	}
}

// BenchmarkCandidates uses a repository with 20,000 sentences of review.
func BenchmarkCandidates(b *testing.B) {
	words := strings.Fields("use slog logging handler parser test error wrap timeout context mutex channel cache user " +
		"profile token theme color migration down step table driven keyword upper case pnpm npm lockfile retry delay " +
		"upload server client request response body header field name variable function method type struct interface " +
		"package module import export index query join select update delete insert")
	var all []Said
	for i := range 20000 {
		text := "Please use"
		for k := range 8 {
			text += " " + words[(i*7+k*k*13+i/11)%len(words)] + fmt.Sprint((i*31+k)%997)
		}
		all = append(all, Said{Citation: answer.Citation{ID: fmt.Sprint(i), Author: fmt.Sprint("a", i%40)},
			Sentences: []string{text}, Place: fmt.Sprint(i), Weight: 0.7})
	}
	for b.Loop() {
		candidates(all, nil, nobody)
	}
}

// TestHistories checks the results on histories by people who did not see the program.
func TestHistories(t *testing.T) {
	for _, file := range []string{"histories-dev.jsonl", "histories-sealed.jsonl"} {
		j := judgement{verbose: *everyHistory && !strings.Contains(file, "sealed")}
		for _, h := range histories(t, file) {
			j.judge(t, h, nobody)
		}
		if j.solo > 0 || 10*j.right < 7*(j.right+j.wrong) || 2*j.right < j.right+j.missed {
			t.Errorf("%s: %v", file, j)
		}
		t.Log(file, j)
	}
}

// TestHistoriesByModel is [TestHistories] with the answers of a model that was given the sealed histories in the form
// of [Promoter.byModel], and nothing else.
func TestHistoriesByModel(t *testing.T) {
	answers := map[string][]struct {
		Text      string
		Citations []struct{ Source, Excerpt string }
	}{}
	for line := range lines(t, "histories-sealed-model.jsonl") {
		var a struct {
			ID     string
			Claims []struct {
				Text      string
				Citations []struct{ Source, Excerpt string }
			}
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers[a.ID] = a.Claims
	}
	var j judgement
	for _, h := range histories(t, "histories-sealed.jsonl") {
		j.judge(t, h, func(all []statement) (list []pattern, read map[int]bool) {
			offered := offered(all)
			read = map[int]bool{}
			for _, s := range offered {
				read[s.number] = true
			}
			for _, claim := range answers[h.ID] {
				p := pattern{rule: claim.Text}
				for _, c := range claim.Citations {
					if n, err := strconv.Atoi(c.Source[1:]); err == nil && strings.Contains(offered[n].text, c.Excerpt) {
						p.group = append(p.group, offered[n])
					}
				}
				list = append(list, p)
			}
			return list, read
		})
	}
	if j.solo > 0 || 10*j.right < 9*(j.right+j.wrong) || 10*j.right < 9*(j.right+j.missed) {
		t.Error(j)
	}
	t.Log(j)
}
