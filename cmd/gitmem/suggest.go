package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggested is a usage error with the names of commands that are spelled nearly like
// what was typed.
func suggested(err error, c *cobra.Command, typed string, quote func(string) string) error {
	c.SuggestionsMinimumDistance = min(2, len(typed)/2)
	found := c.SuggestionsFor(typed)
	if typed == "" || len(found) == 0 {
		return &usageError{err}
	}
	for i := range found {
		found[i] = quote(found[i])
	}
	return hinted{&usageError{err}, "did you mean " + strings.Join(found[:min(3, len(found))], " or ") + "?"}
}

// flagError is the error of a flag that can't be meant.
func flagError(c *cobra.Command, err error) error {
	var unknown interface{ GetSpecifiedName() string }
	if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), "unknown flag") {
		return &usageError{err}
	}
	flags := &cobra.Command{} // whose commands are named like flags, as commands know what is spelled alike
	c.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return suggested(err, flags, unknown.GetSpecifiedName(), func(name string) string { return "--" + name })
}
