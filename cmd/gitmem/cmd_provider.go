package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newProviderCmd() *cobra.Command {
	list := resultCommand(a, "list", "List what the model may ask, and what it may be allowed to ask", cobra.NoArgs,
		func(_ context.Context, m *gitmem.Memory, _ []string) ([]gitmem.ResearchProvider, error) {
			return m.Research().Providers()
		}, a.printProviders)
	allow := resultCommand(a, "allow NAME", "Let the model ask a provider as long as its definition stays the same",
		cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ResearchProvider, error) {
			return m.Research().Allow(ctx, args[0])
		}, func(p gitmem.ResearchProvider) { a.printProviders([]gitmem.ResearchProvider{p}) })
	forbid := a.command("forbid NAME", "Stop the model from asking a provider", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			return m.Research().Forbid(ctx, args[0])
		})
	return group("provider", "Let the model that researches ask MCP servers",
		a.jsonFlag(list, "print the providers as JSON"),
		a.jsonFlag(allow, "print the provider as JSON"), forbid)
}

func (a *app) printProviders(all []gitmem.ResearchProvider) {
	for _, p := range all {
		fmt.Fprintf(a.out, "%s: %s\n", a.paint(cyan, printable(p.Name)),
			strings.TrimSuffix(fmt.Sprintf("%s, %s", p.State, printable(p.Problem)), ", "))
		fmt.Fprintf(a.out, "  defined in: %s\n", printable(p.File))
		for _, s := range p.Servers {
			fmt.Fprintf(a.out, "  %s: %s %s\n", printable(s.Name), printable(s.URL+s.Command),
				strings.Trim(fmt.Sprintf("%q", s.Args), "[]"))
		}
		if len(p.Tools) > 0 {
			fmt.Fprintf(a.out, "  may call: %s\n", printable(strings.Join(p.Tools, ", ")))
		}
		if text := strings.Join(strings.Fields(p.Prompt), " "); text != "" {
			fmt.Fprintf(a.out, "  is told: %s\n", printable(text))
		}
		if p.State == "off" || p.State == "changed" {
			fmt.Fprintf(a.out, "  %s gitmem provider allow %s\n", a.paint(cyan, "hint:"), printable(p.Name))
		}
	}
	if len(all) == 0 {
		fmt.Fprintln(a.out, "no provider is defined; gitmem help providers tells how")
	}
}
