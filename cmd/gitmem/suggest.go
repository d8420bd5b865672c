package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggested returns a usage error that suggests the commands with a similar name.
func suggested(err error, c *cobra.Command, typed string, quote func(string) string) error {
	c.SuggestionsMinimumDistance = min(2, len(typed)/2)
	found := c.SuggestionsFor(typed)
	if typed == "" || len(found) == 0 {
		return &usageError{err}
	}
	for i := range found {
		found[i] = quote(found[i])
	}
	return hintError{&usageError{err}, "did you mean " + strings.Join(found[:min(3, len(found))], " or ") + "?"}
}

// flagError returns the error for an invalid flag.
func flagError(c *cobra.Command, err error) error {
	var unknown interface{ GetSpecifiedName() string }
	if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), "unknown flag") {
		return &usageError{err}
	}
	flags := &cobra.Command{} // dummy commands with the names of flags, for suggesting similar ones
	c.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return suggested(err, flags, unknown.GetSpecifiedName(), func(name string) string { return "--" + name })
}
