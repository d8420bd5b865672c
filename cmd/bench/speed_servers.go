package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// speedOfServers compares calls of a running server with a process for each call, and measures its memory
// after many calls.
func (p *publisher) speedOfServers(ctx context.Context, s *section) error {
	names := p.need(&section{})
	if len(names) == 0 {
		s.Missing = append(s.Missing, "a running server: no clone was named")
		return nil
	}
	h := p.alone("server", p.repos[names[0]])
	if err := h.make(); err != nil {
		return err
	}
	old := h
	old.kept = ".cache-older"
	q, err := p.probe(ctx, h)
	if err != nil {
		return err
	}
	if _, err := h.run(ctx, p.gitmem, "index"); err != nil {
		return err
	}
	if p.missing == "" {
		if _, err := old.run(ctx, p.older, "index"); err != nil {
			return err
		}
	}
	for _, one := range []struct {
		tool  string
		with  func(question string) map[string]any
		fresh []string
		goal  float64
	}{
		{"memory", func(q string) map[string]any {
			return map[string]any{"question": q}
		}, []string{"ask", "--no-agent"}, 0.5},
		{"memory_search", func(q string) map[string]any {
			return map[string]any{"queries": []string{q}}
		}, []string{"search"}, 0.5},
	} {
		f := figure{Name: "server " + one.tool, Text: "tool " + one.tool + " of a running server, " + names[0] +
			", half within", Unit: unitMS, Goal: one.goal}
		warm, err := p.calls(ctx, h, p.gitmem, one.tool, one.with, q.questions)
		if err != nil {
			return err
		}
		var fresh []*contender
		for _, question := range q.questions {
			c := command("a process: gitmem "+one.fresh[0], h, p.gitmem, append(one.fresh[:len(one.fresh):len(one.fresh)],
				"--", question)...)
			if err := turns(ctx, p.rounds, true, c); err != nil {
				return err
			}
			fresh = append(fresh, c)
		}
		for _, c := range fresh[1:] {
			fresh[0].spent = append(fresh[0].spent, c.spent...)
		}
		f.Sides = append(f.Sides, medianOf(measured, warm), timed("", "", unitMS, 0, wallMS, fresh[0]).Sides[0].only())
		older := side{Who: p.olderName(), Missing: p.missing}
		if p.missing == "" {
			if warm, err := p.calls(ctx, old, p.older, one.tool, one.with, q.questions); err != nil {
				older.Missing = reason(err)
			} else {
				older = medianOf(p.olderName(), warm)
			}
		}
		f.Sides = append(f.Sides, older)
		s.Figures = append(s.Figures, f)
	}
	return p.leaks(ctx, s, h, q)
}

// calls returns the times of many calls of one server.
func (p *publisher) calls(ctx context.Context, h home, program, tool string, with func(string) map[string]any,
	questions []string) (took []float64, err error) {
	server, err := startServer(ctx, h, program, "mcp")
	if err != nil {
		return nil, err
	}
	defer server.ends()
	for round := range p.least(8, 1)*p.rounds + 1 {
		for _, question := range questions {
			began := time.Now()
			if _, err := server.use(tool, with(question)); err != nil {
				return nil, err
			}
			if round > 0 {
				took = append(took, milliseconds(time.Since(began)))
			}
		}
	}
	return took, nil
}

// leaks measures the memory of a server after 20 calls and after 2,000.
func (p *publisher) leaks(ctx context.Context, s *section, h home, q probes) error {
	h.own = append(h.own[:len(h.own):len(h.own)], "GOGC=400")
	server, err := startServer(ctx, h, p.gitmem, "mcp")
	if err != nil {
		return err
	}
	defer server.ends()
	var few, many float64
	for n := range p.least(2000, 40) {
		// A number makes each question different, so that no answer comes from a cache.
		query := strings.TrimSuffix(q.questions[n%len(q.questions)], "?") + fmt.Sprintf(" %d", n)
		if _, err := server.use("memory_search", map[string]any{"queries": []string{query}}); err != nil {
			return fmt.Errorf("call %d of a server: %w", n+1, err)
		}
		if n == 19 {
			few = resident(server.cmd.Process.Pid)
		}
	}
	if many = resident(server.cmd.Process.Pid); many == 0 {
		s.Missing = append(s.Missing, "the memory of a server: this system does not tell it")
		return nil
	}
	s.Figures = append(s.Figures, figure{
		Name: "server memory", Text: fmt.Sprintf("memory of a server after %d calls, GOGC=400", p.least(2000, 40)),
		Unit: unitMB, Goal: 1.2,
		Sides: []side{single(measured, number(many), ""), single("the same after 20 calls", number(few), "").only()},
	})
	return nil
}
