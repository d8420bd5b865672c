package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// answered is the report of one program on judged questions.
type answered struct {
	who, missing string
	report       judgedReport
}

// questionSet has the judged questions of one half.
type questionSet struct {
	half      string // open or sealed
	questions []judged
	sides     []answered
}

// judgedSets reads the judged questions whose repositories are given; for a quick run only a few of each.
func (p *publisher) judgedSets(s *section) (sets []*questionSet, err error) {
	dir, err := questionsDir()
	if err != nil {
		return nil, err
	}
	var unnamed []string
	for _, half := range []string{"open", "sealed"} {
		set := &questionSet{half: half}
		files, err := filepath.Glob(filepath.Join(dir, half, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			questions, err := openJudged(file)
			if err != nil {
				return nil, err
			}
			if _, ok := p.repos[questions[0].Repo]; !ok {
				unnamed = append(unnamed, questions[0].Repo)
				continue
			}
			set.questions = append(set.questions, questions[:min(len(questions), p.least(len(questions), 4))]...)
		}
		if len(set.questions) > 0 {
			sets = append(sets, set)
		}
	}
	if len(unnamed) > 0 {
		s.Missing = append(s.Missing, "no clone was named with -repo of "+strings.Join(unnamed, ", "))
	}
	return sets, nil
}

// judgedOnce asks the questions once, for both sections that show them.
func (p *publisher) judgedOnce(ctx context.Context, s *section) error {
	if p.judged != nil {
		return nil
	}
	sets, err := p.judgedSets(s)
	if err != nil {
		return err
	}
	for _, set := range sets {
		for _, who := range []struct {
			name, missing string
			ask           func(context.Context, []judged) ([]replied, error)
		}{
			{measured, "", p.asksGitmem(p.gitmem, "")}, {p.olderName(), p.missing, p.asksGitmem(p.older, ".cache-older")},
			{"git log --grep -i", "", p.asksGit}, {"FTS5 of messages", noPeer, p.asksFTS5},
		} {
			one := answered{who: who.name, missing: who.missing}
			if one.missing == "" {
				p.tell(fmt.Sprintf("%s: %d %s questions", who.name, len(set.questions), set.half))
				replies, err := who.ask(ctx, set.questions)
				if ctx.Err() != nil || err != nil && who.name == measured {
					return err
				}
				if err != nil {
					one.missing = reason(err)
				} else {
					one.report = judge(set.questions, replies)
				}
			}
			set.sides = append(set.sides, one)
		}
	}
	p.judged = append([]*questionSet{}, sets...)
	return nil
}

// asksGitmem asks a gitmem program. Whether an older one indexes for semantic search is left to it.
func (p *publisher) asksGitmem(program, kept string) func(context.Context, []judged) ([]replied, error) {
	return func(ctx context.Context, questions []judged) ([]replied, error) {
		s := *p.setup
		s.gitmem, s.dir = program, filepath.Join(p.dir, "natural"+kept)
		return (&askRun{setup: &s, repos: p.repos, homes: map[string]home{}, limit: 5, meaning: kept == "" &&
			!p.quick}).askAll(ctx, questions)
	}
}

// commits returns the commits of a repository, each formatted with format.
func (p *publisher) commits(ctx context.Context, repo, format string, more ...string) ([][]string, error) {
	h := p.alone("git", p.repos[repo])
	if err := h.make(); err != nil {
		return nil, err
	}
	s, err := h.run(ctx, p.git, append([]string{"log", "--format=" + format}, more...)...)
	var rows [][]string
	for text := range strings.SplitSeq(string(s.out), "\x1e") {
		if text = strings.TrimSpace(text); text != "" {
			rows = append(rows, strings.Split(text, "\x1f"))
		}
	}
	return rows, err
}

// replyOf converts commits to a reply: any result is an answer.
func replyOf(rows [][]string) replied {
	r := replied{Verdict: "none", Confidence: "none"}
	for _, row := range rows {
		r.Verdict, r.Confidence = "answered", "low"
		r.Sources = append(r.Sources, source{ID: "git:commit:" + row[0], Author: row[1], Text: func() string { return "" }})
	}
	return r
}

// asksGit searches messages for the words of a question. It drops the shortest word until some message
// contains all the remaining ones.
func (p *publisher) asksGit(ctx context.Context, questions []judged) (replies []replied, err error) {
	const most = 6
	for _, q := range questions {
		words := longestFirst(q.Question)
		words = words[:min(most, len(words))]
		var rows [][]string
		for ; len(words) > 0 && len(rows) == 0; words = words[:len(words)-1] {
			args := []string{"-n", "5", "-i", "-F", "--all-match"}
			for _, w := range words {
				args = append(args, "--grep="+w)
			}
			if rows, err = p.commits(ctx, q.Repo, "%H%x1f%aN%x1e", args...); err != nil {
				return nil, err
			}
		}
		replies = append(replies, replyOf(rows))
	}
	return replies, nil
}

// asksFTS5 searches a table of all messages.
func (p *publisher) asksFTS5(ctx context.Context, questions []judged) (replies []replied, err error) {
	tables := map[string]asker{}
	authors := map[string]string{}
	for _, q := range questions {
		a, ok := tables[q.Repo]
		if !ok {
			rows, err := p.commits(ctx, q.Repo, "%H%x1f%aN%x1f%B%x1e")
			if err != nil {
				return nil, err
			}
			of := spoken{home: home{dir: filepath.Join(p.dir, "messages-fts5", strconv.Itoa(len(tables))), env: p.env}}
			if err := of.home.make(); err != nil {
				return nil, err
			}
			for _, row := range rows {
				if authors[row[0]] = row[1]; len(row) == 3 {
					of.turns = append(of.turns, turn{ID: row[0], Session: "s", Text: row[2]})
				}
			}
			if a, err = p.fts5Memory().keep(ctx, of); err != nil {
				return nil, err
			}
			tables[q.Repo] = a
		}
		got, err := a.ask(ctx, q.Question, 5)
		if err != nil {
			return nil, err
		}
		var rows [][]string
		for _, f := range got {
			rows = append(rows, []string{f.turn, authors[f.turn]})
		}
		replies = append(replies, replyOf(rows))
	}
	return replies, nil
}

// natural fills the section about questions that the repositories answer.
func (p *publisher) natural(ctx context.Context, s *section) error {
	if err := p.judgedOnce(ctx, s); err != nil {
		return err
	}
	for _, set := range p.judged {
		for _, group := range []struct{ name, text string }{{"all", "all"}, {"own", "in the project's own words"},
			{"mixed", "in mixed words"}, {"para", "paraphrased"}} {
			useful := figure{Name: set.half + " " + group.name, Text: "useful, " + set.half + " half, " + group.text,
				Unit: unitShare, More: true}
			for _, one := range set.sides {
				useful.Sides = append(useful.Sides, one.share(func(r judgedReport) (int, int) {
					g := r.group(group.name)
					return g.Useful, g.Questions
				}))
			}
			s.Figures = append(s.Figures, useful)
		}
		for _, level := range []string{"high", "medium"} {
			r := set.sides[0].report
			i := slices.IndexFunc(r.Levels, func(l judgedLevel) bool { return l.Confidence == level })
			s.Figures = append(s.Figures, figure{Name: set.half + " " + level, Text: "right where confidence is " + level +
				", " + set.half + " half", Unit: unitShare, More: true,
				Sides: []side{shareOf(measured, r.Levels[i].Right, r.Levels[i].Answers)}})
		}
		s.Asked = append(s.Asked, set.verdicts()...)
	}
	return nil
}

// share returns a side with a share from a report.
func (a answered) share(of func(judgedReport) (part, all int)) side {
	if a.missing != "" {
		return side{Who: a.who, Missing: a.missing}
	}
	part, all := of(a.report)
	return shareOf(a.who, part, all)
}

// verdicts returns gitmem's verdicts on each question; a sealed one is only identified by its hash.
func (set *questionSet) verdicts() (list []verdicts) {
	for _, row := range set.sides[0].report.Rows {
		one := verdicts{ID: row.ID, Question: row.Question, Verdict: row.Verdict, Rank: row.Rank}
		if set.half == "sealed" {
			one.ID, one.Question, one.Hash = "", "", questionHash(row.ID, row.Question)
		}
		list = append(list, one)
	}
	return list
}

// questionHash identifies a sealed question.
func questionHash(id, question string) string {
	sum := sha256.Sum256([]byte(id + "\n" + question))
	return hex.EncodeToString(sum[:])
}

// premises fills the section about questions with false premises.
func (p *publisher) premises(ctx context.Context, s *section) error {
	if err := p.judgedOnce(ctx, s); err != nil {
		return err
	}
	if len(p.judged) == 0 {
		s.Missing = append(s.Missing, "no repository that judged questions name was given with -repo")
	}
	for _, set := range p.judged {
		for _, row := range []struct {
			name, text string
			more       bool
			of         func(judgedReport) (int, int)
		}{
			{"told", "something is told as an answer", false, func(r judgedReport) (int, int) {
				return r.NeverAnswered, r.Never
			}},
			{"reversed", "the opposite happened, and the reply says so", true, func(r judgedReport) (int, int) {
				return r.ReversedTold, r.Reversed
			}},
			{"nameless", "a name occurs nowhere, and nothing is told", true, func(r judgedReport) (int, int) {
				return r.NamelessRefused, r.Nameless
			}},
		} {
			f := figure{Name: set.half + " " + row.name, Text: row.text + ", " + set.half + " half", Unit: unitShare,
				More: row.more}
			for _, one := range set.sides {
				f.Sides = append(f.Sides, one.share(row.of))
			}
			s.Figures = append(s.Figures, f)
		}
	}
	return nil
}

// questionsDir returns the folder of the judged questions in this checkout.
func questionsDir() (string, error) {
	root, err := checkout()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "cmd", "bench", "testdata", "questions")
	_, err = os.Stat(dir)
	return dir, err
}

// documents yields turns as documents of a table.
func (s spoken) documents() iter.Seq[corpus.Document] {
	return func(yield func(corpus.Document) bool) {
		for _, t := range s.turns {
			if !yield(corpus.Document{ID: t.ID, Session: t.Session, Text: t.Text}) {
				return
			}
		}
	}
}
