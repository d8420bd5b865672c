package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// askRun answers judged questions about repositories.
type askRun struct {
	*setup
	questions, expand string
	// folder of each repository by its name in questions; the key "" is for any other name
	repos   map[string]string
	limit   int
	rows    bool
	claims  string          // output file for examples of claims, "" for none
	meaning bool            // index all texts for semantic search first, as the background process would in time
	homes   map[string]home // of the indexed repositories
}

// reversedMark begins the answer to a question about the opposite of what happened.
const reversedMark = "Recorded is the reverse"

func askVerb(s *setup) func(context.Context) (report, error) {
	r := &askRun{setup: s, repos: map[string]string{}, homes: map[string]home{}}
	s.StringVar(&r.questions, "questions", "",
		`file of judged questions, a JSON list of {"id": "1", "repo": "owner/name", "kind": "why", "words": "own",
"question": "why …?", "gold": ["commit:<hash>", "docs:<path>~<words>", "person:<name>"]}; what never happened has
"none": true, and "reversed": true or "nameless": "<name>"`)
	s.repoFlag(r.repos)
	s.IntVar(&r.limit, "limit", 5, "sources asked for")
	s.StringVar(&r.expand, "expand", "", "as in gitmem ask: none, minimal or full")
	s.StringVar(&r.claims, "claims", "",
		"write to this file, for each source that was cited, whether it is right and how it stands to the question")
	s.BoolVar(&r.rows, "rows", false, "print each question too")
	s.BoolVar(&r.meaning, "meaning", false, "have all texts read for meaning first, as the background does in time")
	return func(ctx context.Context) (report, error) {
		if r.questions == "" {
			return nil, fmt.Errorf("%w: -questions names a file of judged questions", errUsage)
		}
		if len(r.repos) == 0 {
			dir, err := os.Getwd()
			if err != nil {
				return nil, err
			}
			r.repos[""] = dir
		}
		questions, err := openJudged(r.questions)
		if err != nil {
			return nil, err
		}
		if err := s.enter(ctx); err != nil {
			return nil, err
		}
		replies, err := r.askAll(ctx, questions)
		if err != nil {
			return nil, err
		}
		if r.claims != "" {
			if err := writeClaims(r.claims, questions, replies); err != nil {
				return nil, err
			}
		}
		rep := judge(questions, replies)
		rep.rows = r.rows
		return &rep, nil
	}
}

// repoFlag adds the flag for the folders of repositories, by their names in questions.
func (s *setup) repoFlag(repos map[string]string) {
	s.Func("repo", "folder of a repository that questions name: name=folder; several times for several",
		func(v string) error {
			name, dir, ok := strings.Cut(v, "=")
			if !ok {
				return errors.New("expected name=folder")
			}
			var err error
			repos[name], err = filepath.Abs(dir)
			return err
		})
}

// askAll answers all questions, one after another.
func (r *askRun) askAll(ctx context.Context, questions []judged) (replies []replied, err error) {
	for _, q := range questions {
		reply, err := r.ask(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// ask runs a process for one question. The process contacts no forge.
func (r *askRun) ask(ctx context.Context, q judged) (replied, error) {
	h, err := r.indexed(ctx, q.Repo)
	if err != nil {
		return replied{}, err
	}
	args := []string{"ask", "--json", "--limit", strconv.Itoa(r.limit)}
	if r.claims != "" {
		args = append(args, "--trace")
	}
	if r.expand != "" {
		args = append(args, "--expand", r.expand)
	}
	var got struct {
		Verdict, Confidence, Answer string
		Citations                   []struct{ ID, Author string }
		People                      []struct{ Name string }
		Trail                       []struct{ Lead, By, Gave string }
	}
	s, err := h.answer(ctx, &got, r.gitmem, append(args, "--", q.Question)...)
	if err != nil {
		return replied{}, err
	}
	reply := replied{Verdict: got.Verdict, Confidence: got.Confidence,
		Reversed: strings.HasPrefix(got.Answer, reversedMark), MS: milliseconds(s.wall)}
	for _, c := range got.Citations {
		reply.Sources = append(reply.Sources, source{ID: c.ID, Author: c.Author, Text: func() string {
			var shown struct{ Title, Text string }
			_, _ = h.answer(ctx, &shown, r.gitmem, "show", "--json", c.ID) // a source that no longer exists has no output
			return shown.Title + "\n" + shown.Text
		}})
	}
	for _, step := range got.Trail {
		if step.By == "claim" {
			reply.Claims = append(reply.Claims, claimed{step.Lead, step.Gave})
		}
	}
	for _, p := range got.People {
		reply.People = append(reply.People, p.Name)
	}
	return reply, nil
}

// indexed returns a home with the complete index of a repository.
func (r *askRun) indexed(ctx context.Context, repo string) (home, error) {
	if h, ok := r.homes[repo]; ok {
		return h, nil
	}
	dir, ok := r.repos[repo]
	if !ok {
		dir, ok = r.repos[""]
	}
	if !ok {
		return home{}, fmt.Errorf("%w: no folder is named for the repository %q: -repo %s=DIR", errUsage, repo, repo)
	}
	h := home{dir: filepath.Join(r.dir, "ask", strconv.Itoa(len(r.homes))), in: dir, env: r.env,
		own: []string{"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1"}}
	r.homes[repo] = h
	if err := h.make(); err != nil {
		return h, err
	}
	r.tell("index " + dir)
	_, err := h.run(ctx, r.gitmem, "index")
	if err == nil && r.meaning {
		r.tell("read for meaning " + dir)
		_, err = h.run(ctx, r.gitmem, "model", "embed")
	}
	return h, err
}

func (r *judgedReport) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if r.rows {
		for _, row := range r.Rows {
			fmt.Fprintf(w, "%s\t%s\t%s\trank %d\t%s\n", row.ID, row.Verdict, row.Confidence, row.Rank, row.Question)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "questions\tn\tfirst\tuseful\trefused")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d (%.0f %%)\t%d\n", g.Name, g.Questions, g.First, g.Useful,
			100*float64(g.Useful)/float64(g.Questions), g.Refused)
	}
	fmt.Fprintln(w, "\nconfidence\tn\tright\tnever happened")
	for _, l := range r.Levels {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", l.Confidence, l.Answers, l.Right, l.Never)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out,
		"\nof %d that never happened %d answered; of %d reversed %d told as such; of %d with a name that occurs nowhere %d "+
			"not recorded; median %.1f ms\n",
		r.Never, r.NeverAnswered, r.Reversed, r.ReversedTold, r.Nameless, r.NamelessRefused, r.P50MS)
	return err
}
