package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggestion is the question for the names of a command's commands that are spelled nearly
// like what was typed, "" where there are none.
func suggestion(c *cobra.Command, typed string, quote func(string) string) string {
	c.SuggestionsMinimumDistance = min(2, len(typed)/2)
	found := c.SuggestionsFor(typed)
	if len(found) == 0 {
		return ""
	}
	for i := range found {
		found[i] = quote(found[i])
	}
	return "did you mean " + strings.Join(found[:min(3, len(found))], " or ") + "?"
}

// unknownCommand is the error of a command that a command does not have.
func unknownCommand(c *cobra.Command, typed string, err error) error {
	if hint := suggestion(c, typed, strconv.Quote); hint != "" {
		return hinted{&usageError{err}, hint}
	}
	return &usageError{err}
}

// flagError is the error of a flag that can't be meant.
func flagError(c *cobra.Command, err error) error {
	var unknown interface{ GetSpecifiedName() string }
	if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), "unknown flag") {
		return &usageError{err}
	}
	flags := &cobra.Command{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if hint := suggestion(flags, unknown.GetSpecifiedName(), func(name string) string { return "--" + name }); hint != "" {
		return hinted{&usageError{err}, hint}
	}
	return &usageError{err}
}
