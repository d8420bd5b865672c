package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// remembers returns questions about the content of a corpus, with the session that answers each, and all
// turns.
func remembers(c corpus.Corpus, h home, most int) (of spoken, questions []asked) {
	of = spoken{home: h, name: "pump"}
	session, some := "", false
	for m := range c.Messages() {
		if m.Session != session {
			session, some = m.Session, false
		}
		if m.Kind != "prompt" && m.Kind != "text" {
			continue
		}
		n := len(of.turns)
		id := fmt.Sprintf("40000000-0000-4000-8000-%012x", n+1)
		of.turns = append(of.turns, turn{ID: id, Session: m.Session, Speaker: m.Kind, Text: m.Text, At: m.Time,
			Answers: m.Kind == "text"})
		if !some && m.Kind == "text" && len(questions) < most {
			var q remembered
			if q, some = rememberedOf(m); some {
				questions = append(questions, asked{question: q.prompt, turns: []string{id}})
			}
		}
	}
	return of, questions
}

// injection fills the section about what is injected into prompts.
func (p *publisher) injection(ctx context.Context, s *section) error {
	unrelated, err := unrelatedPrompts()
	if err != nil {
		return err
	}
	c := corpus.Corpus{Size: p.least(5000, 600), Sessions: p.least(50, 4), Seed: 7}
	right := figure{Name: "right", Text: "related prompts that are told of the right session", Unit: unitShare, More: true}
	anything := figure{Name: "told", Text: "related prompts that are told anything", Unit: unitShare, More: true}
	wrong := figure{Name: "unrelated", Text: "unrelated prompts that are told anything", Unit: unitShare}
	took := figure{Name: "cpu", Text: "hook of a prompt, CPU, half within", Unit: unitMS}
	for i, who := range p.prompters() {
		of, questions := remembers(c, home{dir: filepath.Join(p.dir, "told", fmt.Sprint(i)), env: p.env}, p.least(50, 3))
		one, err := p.prompted(ctx, who, of, questions, unrelated[:min(len(unrelated), p.least(len(unrelated), 3))])
		if err != nil && (ctx.Err() != nil || i == 0) {
			return err
		}
		if err != nil {
			one.missing = reason(err)
		}
		if one.missing != "" {
			for _, f := range []*figure{&right, &anything, &wrong, &took} {
				f.Sides = append(f.Sides, side{Who: who.name, Missing: one.missing})
			}
			continue
		}
		right.Sides = append(right.Sides, shareOf(who.name, one.right, len(questions)))
		anything.Sides = append(anything.Sides, shareOf(who.name, one.related, len(questions)))
		wrong.Sides = append(wrong.Sides, shareOf(who.name, one.unrelated, one.others))
		took.Sides = append(took.Sides, medianOf(who.name, one.took))
	}
	s.Figures = append(s.Figures, right, anything, wrong, took)
	for _, peer := range p.peers {
		if peer.name != "deja-vu" && peer.missing == "" {
			s.Missing = append(s.Missing, peer.name+": it has no hook that a prompt goes through without a model or a server")
		}
	}
	return nil
}

// prompter is a program with a prompt hook.
type prompter struct {
	name, missing, program string
	own                    []string   // additional environment variables
	before                 [][]string // commands that store the sessions
	hook                   []string
}

func (p *publisher) prompters() (all []prompter) {
	archive := [][]string{{"init"}, {"backfill", "--all"}, {"index"}}
	for _, one := range []prompter{{name: measured, program: p.gitmem},
		{name: p.olderName(), program: p.older, missing: p.missing}} {
		one.own, one.before, one.hook = []string{"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1"}, archive,
			[]string{"hook", "user-prompt-submit"}
		all = append(all, one)
	}
	for _, peer := range p.peers {
		if peer.name == "deja-vu" {
			all = append(all, prompter{name: peer.name, missing: peer.missing, program: peer.program,
				before: [][]string{{"index"}}, hook: []string{"hook-prompt"}})
		}
	}
	return all
}

// tally counts the results of a hook.
type tally struct {
	missing                           string
	right, related, unrelated, others int
	took                              []float64
}

// prompted stores sessions in a program, and sends it prompts, each from a session of its own.
func (p *publisher) prompted(ctx context.Context, who prompter, of spoken, related []asked,
	unrelated []string) (t tally, err error) {
	if t.missing = who.missing; t.missing != "" {
		return t, nil
	}
	p.tell(fmt.Sprintf("%s: %d related prompts, %d others", who.name, len(related), len(unrelated)))
	of.home.own = append(of.home.own, who.own...)
	of.home.in = filepath.Join(of.home.dir, "dev", of.name)
	if err := os.MkdirAll(of.home.in, 0o700); err != nil {
		return t, err
	}
	of.cwd = of.home.in
	if err := of.records(); err != nil {
		return t, err
	}
	for _, args := range who.before {
		if _, err := of.home.run(ctx, who.program, args...); err != nil {
			return t, err
		}
	}
	w := &hookWorld{home: of.home}
	ask := func(n int, prompt string) (string, error) {
		in, err := w.call(fmt.Sprintf("20000000-0000-4000-8000-%012x", n+1), "UserPromptSubmit",
			map[string]any{"prompt": prompt})
		if err != nil {
			return "", err
		}
		s, err := of.home.feed(ctx, in, who.program, who.hook...)
		t.took = append(t.took, cpuMS(s))
		return string(s.out), err
	}
	for i, q := range related {
		out, err := ask(i, q.question)
		if err != nil {
			return t, err
		}
		session := of.byID(q.turns[0]).session
		t.related += one(spokenOut(out))
		t.right += one(strings.Contains(out, session) || strings.Contains(out, session[:8]))
	}
	for i, prompt := range unrelated {
		out, err := ask(len(related)+i, prompt)
		if err != nil {
			return t, err
		}
		t.others++
		t.unrelated += one(spokenOut(out))
	}
	return t, nil
}

// spokenOut reports whether a hook injected anything.
func spokenOut(out string) bool {
	var reply struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(out), &reply) == nil {
		return strings.TrimSpace(reply.Output.Context) != ""
	}
	return strings.TrimSpace(out) != ""
}

// unrelatedPrompts returns prompts that are unrelated to the invented sessions.
func unrelatedPrompts() ([]string, error) {
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(root, "cmd", "bench", "testdata", "unrelated-prompts.txt"))
	return strings.Split(strings.TrimSpace(string(b)), "\n"), err
}
