package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newPromoteCmd() *cobra.Command {
	var r gitmem.RuleRequest
	yes := false
	c := a.command("promote [<candidate> [rule] | <citation | rule>…]",
		"Propose a rule for the repository in a pull request that shows its evidence", cobra.ArbitraryArgs,
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			r.What = args
			if len(args) == 0 && r.Demote == "" {
				found, err := m.Rules().Candidates(ctx)
				a.bar.clear()
				if err != nil {
					return err
				}
				return cmp.Or(emit(a, found, a.printCandidates), orNothing(nil, len(found.Candidates) == 0))
			}
			return a.runPromote(ctx, m, r, yes)
		})
	f := c.Flags()
	f.BoolVar(&r.Local, "local", false, "write the rule to the work tree, and commit nothing")
	f.StringVar(&r.Demote, "demote", "",
		"propose to remove a rule, by its file and line, or to put other words in its place")
	f.BoolVar(&yes, "yes", false, "do it without asking")
	f.StringVar(&r.Domain, "domain", "", "the rules file, by its name without .md")
	f.StringArrayVar(&r.Paths, "paths", nil, "a glob of the files that a new rules file applies to; may be repeated")
	f.StringArrayVar(&r.Labels, "label", nil, "a label of the pull request; may be repeated")
	f.BoolVar(&r.Draft, "draft", false, "open the pull request as a draft")
	a.addOfflineFlag(c)
	return a.jsonFlag(c, "print what would be proposed or, with --yes, what was, as JSON")
}

func (a *app) runPromote(ctx context.Context, m *gitmem.Memory, r gitmem.RuleRequest, yes bool) error {
	plan, err := m.Rules().Plan(ctx, r)
	a.bar.clear()
	if err != nil {
		return err
	}
	if !yes {
		if err := emit(a, plan, a.printRulePlan); err != nil || a.json {
			return err
		}
		question, verb := "Open this pull request?", "propose"
		if r.Local {
			question, verb = "Write this rule?", "change"
		}
		if err := a.agreed(question, verb); err != nil {
			return err
		}
	}
	done, err := m.Rules().Open(ctx, plan)
	a.bar.clear()
	if err != nil && done.State == "" {
		return err
	}
	return cmp.Or(err, emit(a, done, a.printProposed))
}

func (a *app) newRulesCmd() *cobra.Command {
	c := resultCommand(a, "rules",
		"List the repository's rules, their authors, evidence and problems",
		cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.RuleList, error) {
			l, err := m.Rules().List(ctx)
			a.bar.clear()
			return l, orNothing(err, len(l.Rules) == 0)
		}, a.printRules)
	a.addOfflineFlag(c)
	return a.jsonFlag(c, "print the rules as JSON")
}

func (a *app) printRules(l gitmem.RuleList) {
	if len(l.Rules) == 0 {
		fmt.Fprintf(a.out, "The repository has no rules.\n%s See what could be one: gitmem promote\n",
			a.paint(yellow, "hint:"))
	}
	for _, r := range l.Rules {
		from := "not committed"
		if r.Commit != "" {
			from = r.Author + ", " + strings.SplitN(r.Time, "T", 2)[0] + " [" + shorten("git:commit:"+r.Commit) + "]"
		}
		if len(r.Paths) > 0 {
			from += ", for " + count(r.Files, "file") + " (" + strings.Join(r.Paths, ", ") + ")"
		}
		fmt.Fprintf(a.out, "%s %s\n  %s\n", a.paint(cyan, printable(r.At)), printable(r.Text), a.paint(dim, printable(from)))
		for _, e := range r.Evidence {
			fmt.Fprintf(a.out, "  on [%s] %s\n", a.paint(cyan, printable(shorten(e.ID))), e.Status)
		}
		for _, p := range r.Problems {
			fmt.Fprintf(a.out, "  %s %s\n", a.paint(yellow, "problem:"), printable(p))
		}
	}
	a.printCaveats(l.Caveats)
}

// maxCandidates is how many candidates are printed for people.
const maxCandidates = 10

func (a *app) printCandidates(found gitmem.RuleCandidates) {
	if len(found.Candidates) == 0 {
		fmt.Fprintf(a.out,
			"Nothing is said again and again, in independent places, yet.\n%s Name a rule yourself: gitmem promote \"…\"\n",
			a.paint(yellow, "hint:"))
	}
	for i, c := range found.Candidates {
		if i == maxCandidates {
			fmt.Fprintf(a.out, "… and %d more, with --json\n", len(found.Candidates)-i)
			break
		}
		state := a.paint(green, "ready")
		if !c.Ready {
			state = a.paint(yellow, "not ready")
		}
		fmt.Fprintf(a.out, "%s %s\n  %s: %s\n", a.paint(cyan, c.ID), printable(c.Rule), state, printable(c.Why))
		for _, e := range c.Evidence {
			fmt.Fprintf(a.out, "  > %s [%s]\n", printable(e.Excerpt), a.paint(cyan, printable(shorten(e.ID))))
		}
	}
	if len(found.Candidates) > 0 && found.Candidates[0].Ready {
		fmt.Fprintf(a.out, "%s Propose one in its words or in your own: gitmem promote %s [\"…\"]\n",
			a.paint(yellow, "hint:"), found.Candidates[0].ID)
	}
	a.printCaveats(found.Caveats)
}

func (a *app) printRulePlan(p *gitmem.RulePlan) {
	a.printPatch(p.Diff)
	if p.Body != "" {
		where := cmp.Or(p.Repository, "this repository") + ", branch " + p.Base
		if p.Open != "" {
			where += ", updates " + p.Open
		}
		fmt.Fprintf(a.out, "\n%s %s\n%s %s\n%s %s\n", a.paint(bold, "title:"), printable(p.Title), a.paint(bold, "for:"),
			printable(where), a.paint(bold, "branch:"), printable(p.Branch))
		if len(p.Reviewers) > 0 {
			fmt.Fprintf(a.out, "%s %s\n", a.paint(bold, "reviewers:"), printable(strings.Join(p.Reviewers, ", ")))
		}
		fmt.Fprintf(a.out, "\n%s\n", printable(p.Body))
	}
	a.printCaveats(p.Caveats)
}

func (a *app) printProposed(p gitmem.RuleProposed) {
	switch p.State {
	case "written":
		fmt.Fprintf(a.out, "written: %s\n", printable(p.File))
	case "committed":
		fmt.Fprintf(a.out, "committed: %s on the branch %s\n", p.Commit[:12], printable(p.Branch))
	default:
		fmt.Fprintf(a.out, "%s: %s\n", p.State, cmp.Or(printable(p.URL), printable(p.Branch)))
	}
	for _, next := range p.Next {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(cyan, "next:"), printable(next))
	}
	a.printCaveats(p.Caveats)
}
