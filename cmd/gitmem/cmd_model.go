package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newModelCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "Search by meaning, too: install a model and choose it",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.newModelImportCmd(), a.newModelListCmd(), a.newModelRemoveCmd(), a.newModelUseCmd(), a.newModelEmbedCmd())
	return c
}

func (a *app) newModelImportCmd() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "import DIR", Short: "Install the static model in a folder", Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			install := func(m *gitmem.Memory) (gitmem.Model, error) { return m.Models().Import(c.Context(), args[0], name) }
			return emitFrom(a, false, install, func(got gitmem.Model) {
				fmt.Fprintf(a.out, "installed %s: %s, %d dimensions, %d tokens\n", got.Name, megabytes(got.Bytes), got.Dimensions, got.Tokens)
				if !got.InUse {
					fmt.Fprintf(a.out, "%s gitmem model use %s\n", a.paint(cyan, "hint:"), got.Name)
				}
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "what to call it; the folder's name without this")
	return c
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func (a *app) newModelListCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the installed models", Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return emitFrom(a, asJSON, func(m *gitmem.Memory) (modelList, error) {
				models, err := m.Models().List()
				return modelList{m.Models().Dir(), models}, err
			}, a.printModels)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the models as JSON")
	return c
}

// modelList is the JSON form of the installed models.
type modelList struct {
	Dir    string         `json:"dir"`
	Models []gitmem.Model `json:"models"`
}

func (a *app) printModels(l modelList) {
	for _, m := range l.Models {
		used := " "
		if m.InUse {
			used = "*"
		}
		fmt.Fprintf(a.out, "%s %-24s %9s %5d dimensions  %.12s\n", used, m.Name, megabytes(m.Bytes), m.Dimensions, m.Fingerprint)
		if m.Error != "" {
			fmt.Fprintf(a.out, "  %s %s\n", a.paint(red, "can't be used:"), printable(m.Error))
		}
	}
	if len(l.Models) == 0 {
		fmt.Fprintf(a.out, "no models in %s; gitmem model import installs one\n", l.Dir)
	}
}

func (a *app) newModelRemoveCmd() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Delete an installed model and its vectors", Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			remove := func(m *gitmem.Memory) (gitmem.Model, error) { return m.Models().Remove(c.Context(), args[0]) }
			return emitFrom(a, false, remove, func(gone gitmem.Model) {
				fmt.Fprintf(a.out, "removed %s: %s\n", gone.Name, megabytes(gone.Bytes))
				if gone.InUse {
					fmt.Fprintf(a.out, "it is still in config.yaml: searches go by words alone and say so until gitmem model use off\n")
				}
			})
		},
	}
}

func (a *app) newModelUseCmd() *cobra.Command {
	return &cobra.Command{
		Use: "use NAME|off", Short: "Choose the model that searches use, in gitmem/config.yaml", Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				if err := m.Models().Use(c.Context(), args[0]); err != nil {
					return err
				}
				if args[0] == "off" {
					fmt.Fprintln(a.out, "searches go by words alone")
					return nil
				}
				fmt.Fprintf(a.out, "searches use %s\n%s gitmem index embeds what is indexed already; where that is little, the next question does\n", args[0], a.paint(cyan, "hint:"))
				return nil
			})
		},
	}
}

func (a *app) newModelEmbedCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "embed", Short: "Embed every text that is not embedded yet", Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return emitFrom(a, asJSON, func(m *gitmem.Memory) ([]gitmem.Embedded, error) { return m.Indexes().Embed(c.Context()) }, a.printEmbedded)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return c
}

func (a *app) printEmbedded(done []gitmem.Embedded) {
	for _, e := range done {
		fmt.Fprintf(a.out, "%-12s %d of %d texts embedded, %d of them now\n", e.Name, e.Embedded, e.Texts, e.Added)
	}
	if len(done) == 0 {
		fmt.Fprintln(a.out, "no model is in use: see gitmem model")
	}
}
