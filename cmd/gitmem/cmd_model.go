package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newModelCmd() *cobra.Command {
	remove := resultCommand(a, "remove NAME", "Delete an installed model and its vectors", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Model, error) {
			return m.Models().Remove(ctx, args[0])
		},
		func(gone gitmem.Model) {
			fmt.Fprintf(a.out, "removed %s: %s\n", gone.Name, megabytes(gone.Bytes))
			if gone.InUse {
				fmt.Fprintln(a.out, "it is still in local.yaml: "+
					"searches go by words alone and say so until gitmem model use off")
			}
		})
	list := resultCommand(a, "list", "List the installed models", cobra.NoArgs,
		func(_ context.Context, m *gitmem.Memory, _ []string) (gitmem.InstalledModels, error) {
			return m.Models().List()
		}, a.printModels)
	embed := resultCommand(a, "embed", "Embed every text that is not embedded yet", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) ([]gitmem.Embedded, error) {
			return m.Indexes().Embed(ctx)
		}, a.printEmbedded)
	return group("model", "Choose or install the model for search by meaning", a.newModelImportCmd(), remove,
		a.newModelUseCmd(),
		a.jsonFlag(list, "print the models as JSON"), a.jsonFlag(embed, "print the counts as JSON"))
}

func (a *app) newModelImportCmd() *cobra.Command {
	var name string
	c := resultCommand(a, "import DIR", "Install the model in a folder", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Model, error) {
			return m.Models().Import(ctx, args[0], name)
		},
		func(got gitmem.Model) {
			fmt.Fprintf(a.out, "installed %s: %s, %d dimensions, %d tokens\n", got.Name, megabytes(got.Bytes),
				got.Dimensions, got.Tokens)
			if !got.InUse {
				fmt.Fprintf(a.out, "%s gitmem model use %s\n", a.paint(cyan, "hint:"), got.Name)
			}
		})
	c.Flags().StringVar(&name, "name", "", "the name; by default that of the folder")
	return c
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func (a *app) printModels(l gitmem.InstalledModels) {
	for _, m := range l.Models {
		used := " "
		if m.InUse {
			used = "*"
		}
		fmt.Fprintf(a.out, "%s %-24s %9s %5d dimensions  %.12s\n", used, m.Name, megabytes(m.Bytes), m.Dimensions,
			m.Fingerprint)
		if m.Error != "" {
			fmt.Fprintf(a.out, "  %s %s\n", a.paint(red, "can't be used:"), printable(m.Error))
		}
	}
	if len(l.Models) == 0 {
		fmt.Fprintf(a.out, "no models in %s; gitmem model import installs one\n", l.Dir)
	}
}

func (a *app) newModelUseCmd() *cobra.Command {
	const short = "Choose the model that searches use, in gitmem/local.yaml"
	return a.command("use NAME|builtin|off", short, cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			if err := m.Models().Use(ctx, args[0]); err != nil {
				return err
			}
			if args[0] == "off" {
				fmt.Fprintln(a.out, "searches go by words alone")
				return nil
			}
			fmt.Fprintf(a.out, "searches use %s\n%s gitmem model embed reads what is indexed already\n", args[0],
				a.paint(cyan, "hint:"))
			return nil
		})
}

func (a *app) printEmbedded(done []gitmem.Embedded) {
	for _, e := range done {
		fmt.Fprintf(a.out, "%-12s %d of %d texts embedded, %d of them now\n", e.Name, e.Embedded, e.Texts, e.Added)
	}
	if len(done) == 0 {
		fmt.Fprintln(a.out, "search by meaning is off: see gitmem model")
	}
}
