package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/browse"
	"github.com/gitmem/gitmem/gitmem"
)

// browseOptions are the flags of browse.
type browseOptions struct {
	edit, noOpen bool
}

func (a *app) newBrowseCmd() *cobra.Command {
	var o browseOptions
	c := a.command("browse [page or citation]", "Open the pages of memory in the browser, until Ctrl-C", cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error { return a.runBrowse(ctx, m, o, args) })
	c.Flags().BoolVar(&o.edit, "edit", false, "let the pages change memory")
	c.Flags().BoolVar(&o.noOpen, "no-open", false, "print an address that opens them once, within a minute, instead of starting the browser")
	return c
}

func (a *app) runBrowse(ctx context.Context, m *gitmem.Memory, o browseOptions, args []string) error {
	s, err := browse.New(browse.Options{Memory: m, Now: a.now, Edit: o.edit})
	if err != nil {
		return err
	}
	to := "/"
	if len(args) > 0 {
		to = args[0]
	}
	fmt.Fprintf(a.out, "%s/open#%s,%s\n", s.Address(), s.Code(), to)
	return s.Serve(ctx)
}
