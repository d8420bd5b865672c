package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/gitmem/gitmem/gitmem"
)

// usesAgent reports whether a model researches a question: if the user requested it, or if it is configured
// and no option requires the built-in search.
func (a *app) usesAgent(m *gitmem.Memory, o askOptions) (bool, error) {
	f := o.filter
	narrow := f.Since+f.Until+f.Type+f.Layer+f.Project+f.Session+f.AsOf+f.Expand != "" || len(f.Author)+len(f.Path) > 0 ||
		o.explain || o.trace
	switch {
	case o.agent && (narrow || o.noAgent || o.raw):
		return false, hintError{
			&usageError{errors.New("--agent goes with no filter, --raw, --explain, --trace or --no-agent")},
			"say in the question what it is about",
		}
	case o.model != "" && !o.agent:
		return false, &usageError{errors.New("--model is for --agent")}
	}
	return o.agent || !narrow && !o.noAgent && !o.raw && !a.json && m.Research().Configured(), nil
}

// runAgent lets a model research a question, and prints its steps on a terminal.
func (a *app) runAgent(ctx context.Context, m *gitmem.Memory, o askOptions, question string) error {
	tools, err := a.agentTools()
	if err != nil {
		return err
	}
	res, err := m.Research().Ask(ctx, gitmem.ResearchQuestion{
		Text: question, Model: o.model, Session: a.getenv("CLAUDE_CODE_SESSION_ID"), Tools: tools, Follow: a.printStep,
	})
	if err != nil {
		return err
	}
	return orNothing(emit(a, res, a.printResearch), res.Confidence == gitmem.None)
}

// agentTools returns the command of the model's tool server, which reads the project of the working folder,
// regardless of the folder it is started in.
func (a *app) agentTools() (gitmem.Command, error) {
	return a.ownCommand("-C", a.dir, "mcp", "memory")
}

// printStep prints a step of a run on a terminal, and elsewhere only its id.
func (a *app) printStep(e gitmem.ResearchEvent) {
	switch {
	case e.Kind == "started":
		fmt.Fprintf(a.err, "gitmem: a model researches it; gitmem attach %s follows\n", e.Run)
	case e.Kind != "ended" && a.errTTY:
		fmt.Fprintf(a.err, "%s %s\n", e.Kind, printable(e.Text))
	}
}

func (a *app) printResearch(r gitmem.ResearchResult) {
	a.printMarkdown(r.Answer)
	for _, c := range r.Citations {
		if r.Success {
			fmt.Fprintf(a.out, "> %s [%s]\n", a.paint(dim, printable(c.Excerpt)), a.paint(cyan, shorten(printable(c.Source))))
		}
	}
	by := fmt.Sprintf("by %s: %s, %s", r.Spent.Model, count(r.Spent.Turns, "turn"), count(r.Spent.Tokens, "token"))
	if r.Spent.Dollars > 0 {
		by += fmt.Sprintf(", $%.3f", r.Spent.Dollars)
	}
	fmt.Fprintf(a.out, "verdict: %s (%s)\n", a.verdict(r.Confidence), by)
	if !r.Success {
		fmt.Fprintf(a.out, "%s the model gave no answer, so this is the one without it: %s\n", a.paint(yellow, "caveat:"),
			printable(r.Failure))
	}
	a.printCaveats(r.Caveats)
	for _, c := range r.Cut {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "cut:"), shorten(printable(c)))
	}
}

// offerAgent asks once whether questions may use the user's claude.
func (a *app) offerAgent(ctx context.Context, m *gitmem.Memory) error {
	if _, err := exec.LookPath("claude"); err != nil || !a.outTTY || !a.inTTY() || m.Research().Decided() {
		return nil
	}
	fmt.Fprint(a.out,
		"\nMay gitmem ask use your claude to research questions? It reads only, and counts as your use. [y/N] ")
	backend := ""
	if a.readYes() {
		backend = "claude"
	}
	return m.Research().Use(ctx, backend)
}
