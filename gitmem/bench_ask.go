package gitmem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/bench"
)

// BenchAskReport is how well judged questions were answered. The JSON form is a
// public contract.
type BenchAskReport = bench.JudgedReport

// BenchAskOptions say what is asked of which repositories.
type BenchAskOptions struct {
	Questions string            // file of judged questions
	Repos     map[string]string // folder of each repository by the name that questions have for it; "" for any other name
	Dir       string            // empty folder for indexes: nothing of the user's is read or written
	Path      string            // of programs, where git is looked for
	Limit     int               // citations asked for; 0 means 5
	Expand    string            // as in Filter
	Now       func() time.Time
	Tell      func(string) // one line about each step; nil drops them
}

// RunBenchAsk asks judged questions and compares the answers with what was judged.
func RunBenchAsk(ctx context.Context, o BenchAskOptions) (BenchAskReport, error) {
	f, err := os.Open(o.Questions)
	if err != nil {
		return BenchAskReport{}, err
	}
	defer f.Close()
	questions, err := bench.ReadJudged(f)
	if err != nil {
		return BenchAskReport{}, fmt.Errorf("%s: %w", o.Questions, err)
	}
	if o.Limit == 0 {
		o.Limit = 5
	}
	asking := asking{BenchAskOptions: o, memories: map[string]*Memory{}}
	var replies []bench.Replied
	for _, q := range questions {
		r, askErr := asking.ask(ctx, q)
		if err = askErr; err != nil {
			break
		}
		replies = append(replies, r)
	}
	var report BenchAskReport
	if err == nil {
		report = bench.Judge(questions, replies) // before the sources are closed
	}
	return report, errors.Join(err, asking.close())
}

// asking keeps the memory of each repository open.
type asking struct {
	BenchAskOptions
	memories map[string]*Memory
}

func (a *asking) ask(ctx context.Context, q bench.Judged) (bench.Replied, error) {
	m, err := a.memory(ctx, q.Repo)
	if err != nil {
		return bench.Replied{}, err
	}
	start := a.Now()
	got, err := m.Ask(ctx, q.Question, Filter{Limit: a.Limit, Expand: a.Expand})
	if err != nil {
		return bench.Replied{}, fmt.Errorf("%s: %w", q.ID, err)
	}
	r := bench.Replied{
		Verdict: string(got.Verdict), Confidence: string(got.Confidence), Reversed: strings.HasPrefix(got.Answer, ask.Reversed),
		MS: float64(a.Now().Sub(start).Microseconds()) / 1e3,
	}
	for _, c := range got.Citations {
		r.Sources = append(r.Sources, bench.RepliedSource{ID: c.ID, Author: c.Author, Text: func() string {
			src, err := m.Show(ctx, c.ID)
			if err != nil {
				return "" // what is gone answers nothing
			}
			return src.Title + "\n" + src.Text
		}})
	}
	for _, p := range got.People {
		r.People = append(r.People, p.Name)
	}
	return r, nil
}

// memory opens a repository's memory and indexes all of it.
func (a *asking) memory(ctx context.Context, repo string) (*Memory, error) {
	if m := a.memories[repo]; m != nil {
		return m, nil
	}
	dir, ok := a.Repos[repo]
	if !ok {
		dir, ok = a.Repos[""]
	}
	if !ok {
		return nil, fmt.Errorf("%w: no folder is named for the repository %q", ErrUsage, repo)
	}
	if a.Tell != nil {
		a.Tell("index " + dir)
	}
	m, err := Open(Options{
		Dir: dir, Home: a.Dir, CacheDir: filepath.Join(a.Dir, "cache"), Now: a.Now,
		Getenv: func(name string) string {
			if name == "PATH" {
				return a.Path
			}
			return ""
		},
	})
	if err != nil {
		return nil, err
	}
	a.memories[repo] = m
	_, err = m.Indexes().Update(ctx) // what changes do as well, which is indexed behind the first answer
	return m, err
}

func (a *asking) close() error {
	var errs []error
	for _, m := range a.memories {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
