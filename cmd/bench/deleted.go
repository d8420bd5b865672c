package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// deleted fills the section about sessions whose transcripts the client deleted.
func (p *publisher) deleted(ctx context.Context, s *section) error {
	before := figure{Name: "before", Text: "the right session is the first, while its transcript is there",
		Unit: unitShare, More: true}
	after := figure{Name: "after", Text: "the same, after the transcript is gone", Unit: unitShare, More: true}
	among := figure{Name: "among", Text: "the right session is among the first five, after the transcript is gone",
		Unit: unitShare, More: true}
	c := corpus.Corpus{Size: p.least(4000, 400), Sessions: p.least(50, 3), Seed: 11}
	for i, m := range p.memories() {
		of, questions := remembers(c, home{dir: filepath.Join(p.dir, "deleted", fmt.Sprint(i)), env: p.env}, p.least(50, 2))
		counts, missing := [3]int{}, m.missing
		if missing == "" {
			p.tell(fmt.Sprintf("%s: %d questions", m.who, len(questions)))
			var err error
			if counts, err = left(ctx, m, of, questions); err != nil {
				if ctx.Err() != nil || m.who == measured {
					return err
				}
				missing = reason(err)
			}
		}
		for n, f := range []*figure{&before, &after, &among} {
			if missing != "" {
				f.Sides = append(f.Sides, side{Who: m.who, Missing: missing})
			} else {
				f.Sides = append(f.Sides, shareOf(m.who, counts[n], len(questions)))
			}
		}
	}
	s.Figures = append(s.Figures, before, after, among)
	return nil
}

// left counts the questions whose session is found: first before its transcript is deleted, first afterwards,
// and among the first five afterwards.
func left(ctx context.Context, m memory, of spoken, questions []asked) (counts [3]int, err error) {
	if err := of.records(); err != nil {
		return counts, err
	}
	a, err := m.keep(ctx, of)
	if err != nil {
		return counts, err
	}
	if a.close != nil {
		defer a.close()
	}
	for after := range 2 {
		for _, q := range questions {
			got, err := a.ask(ctx, q.question, 50)
			if err != nil {
				return counts, err
			}
			sessions, want := sessionsOf(got, 5), of.byID(q.turns[0]).session
			counts[after] += one(len(sessions) > 0 && sessions[0] == want)
			if after == 1 {
				counts[2] += one(slices.Contains(sessions, want))
			}
		}
		if after == 1 {
			break
		}
		files, err := transcripts(of.home)
		for _, name := range files {
			err = errors.Join(err, os.Remove(name))
		}
		if err == nil && a.renew != nil {
			err = a.renew(ctx)
		}
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}
