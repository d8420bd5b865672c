package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// latency fills the section about latency from the measurements of the verbs index and hooks.
func (p *publisher) latency(ctx context.Context, s *section) error {
	t := p.sized(p.messages()[1])
	t.gitmem = p.gitmem
	r := &indexRun{rows: plan(), rounds: p.rounds, only: []string{"warm", "cold", "cold p95", "refresh", "deletes"}}
	if p.quick {
		r.only = []string{"cold", "cold p95", "refresh", "deletes"}
	}
	rep, err := r.all(ctx, t, p.least(60, 3))
	if err != nil {
		return err
	}
	for _, row := range rep.Rows {
		s.Figures = append(s.Figures, figure{Name: row.Name, Text: row.Figure, Unit: row.Unit, Note: row.Note,
			Sides: []side{single(measured, row.Gitmem, ""), single("FTS5", row.FTS5, rep.Missing)}})
	}
	hooks := &hookRunner{runs: p.least(10, 2) * p.rounds}
	got, err := hooks.all(ctx, t)
	if err != nil {
		return err
	}
	for _, row := range got.Rows {
		s.Figures = append(s.Figures, figure{Name: "hook " + row.Hook + " " + row.Case, Text: "hook " + row.Hook + ", " +
			row.Case + ", wall", Unit: unitMS, Note: row.Note,
			Sides: []side{single(measured, row.Wall, ""), single("an empty Go program", got.Empty, got.Missing).only()}})
	}
	return nil
}

// sizes fills the section about index sizes.
func (p *publisher) sizes(ctx context.Context, s *section) error {
	t := p.sized(p.messages()[1])
	t.gitmem = p.gitmem
	w, err := newSessions(ctx, t, "large", p.least(60, 3))
	if err != nil {
		return err
	}
	old := w.home
	old.kept = ".cache-older"
	ratio := func(who, path string) (side, error) {
		bytes, err := sizeOf(path)
		return single(who, number(float64(bytes)/float64(w.written.Whole)), ""), err
	}
	f := figure{Name: "index", Text: fmt.Sprintf("all that an index of %d messages takes, to their text", t.corpus.Size)}
	if _, err := w.index(ctx); err != nil {
		return err
	}
	mine, err := ratio(measured, w.home.cache())
	if err != nil {
		return err
	}
	fts := side{Who: "FTS5", Missing: noPeer}
	if r := (&indexRun{sessions: w}); noPeer == "" {
		if err := r.prepare(ctx); err != nil {
			return err
		}
		if fts, err = ratio("FTS5", r.tables()); err != nil {
			return err
		}
		f.Note = "FTS5's holds the text, too"
	}
	older := side{Who: p.olderName(), Missing: p.missing}
	if p.missing == "" {
		if _, err := old.run(ctx, p.older, "index"); err != nil {
			return err
		}
		if older, err = ratio(p.olderName(), old.cache()); err != nil {
			return err
		}
	}
	f.Sides = append(f.Sides, mine, fts, older)
	for _, peer := range p.peers {
		if peer.name != "deja-vu" {
			continue
		}
		one := side{Who: peer.name, Missing: peer.missing}
		if peer.missing == "" {
			h, own := w.home, filepath.Join(w.home.dir, "home-deja-vu")
			h.own = append(h.own[:len(h.own):len(h.own)], "HOME="+own) // its index is below the home folder
			if err := os.MkdirAll(own, 0o700); err != nil {
				return err
			}
			if _, err := h.run(ctx, peer.program, "index"); err != nil {
				one.Missing = reason(err)
			} else if one, err = ratio(peer.name, own); err != nil {
				return err
			}
		}
		f.Sides = append(f.Sides, one)
	}
	s.Figures = append(s.Figures, f)
	return p.historySizes(ctx, s)
}

// historySizes compares the size of the index of each repository's history with that of the repository.
func (p *publisher) historySizes(ctx context.Context, s *section) error {
	for i, name := range p.need(s) {
		h := p.alone(fmt.Sprintf("size-%d", i), p.repos[name])
		if err := h.make(); err != nil {
			return err
		}
		if _, err := h.run(ctx, p.gitmem, "index"); err != nil {
			return err
		}
		index, err := sizeOf(h.cache())
		if err != nil {
			return err
		}
		f := figure{Name: "history " + name, Text: "the index of " + name + " with its history", Unit: unitMB,
			Sides: []side{single(measured, number(float64(index)/megabyte), "")}}
		dir, err := h.run(ctx, p.git, "rev-parse", "--absolute-git-dir")
		if err != nil {
			return err
		}
		packs, err := sizeOf(trimmed(dir.out))
		if err != nil {
			return err
		}
		own := single("git's own objects and refs", number(float64(packs)/megabyte), "").only()
		if _, err := os.Stat(filepath.Join(trimmed(dir.out), "objects", "info", "alternates")); err == nil {
			own = side{Who: own.Who, Missing: "this clone borrows its objects from another"}
		}
		f.Sides = append(f.Sides, own)
		s.Figures = append(s.Figures, f)
	}
	return nil
}

// growth fills the section about growth: the same figures at three sizes.
func (p *publisher) growth(ctx context.Context, s *section) error {
	all := p.messages()
	sizes := []int{all[2], all[1], all[0]}
	names := []string{"index", "cold", "refresh", "deletes"}
	mine, other := map[string][]float64{}, map[string][]float64{}
	text := map[string]string{}
	for _, messages := range sizes {
		t := p.sized(messages)
		t.gitmem = p.gitmem
		r := &indexRun{rows: plan(), rounds: p.rounds, only: names}
		rep, err := r.all(ctx, t, p.least(60, 3))
		if err != nil {
			return err
		}
		for _, row := range rep.Rows {
			text[row.Name] = row.Figure
			mine[row.Name], other[row.Name] = append(mine[row.Name], valueOf(row.Gitmem)),
				append(other[row.Name], valueOf(row.FTS5))
		}
	}
	for _, name := range names {
		note := fmt.Sprintf("%d, %d and %d messages", sizes[0], sizes[1], sizes[2])
		for i := range sizes {
			note += fmt.Sprintf("; %.3g", mine[name][i])
		}
		s.Figures = append(s.Figures, figure{Name: name, Text: "exponent of: " + text[name], Note: note,
			Sides: []side{single(measured, number(exponent(sizes, mine[name])), ""),
				single("FTS5", number(exponent(sizes, other[name])), noPeer)}})
	}
	return nil
}

// valueOf returns a value, or NaN for nil.
func valueOf(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
