package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newVersionCmd() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and whether there is a newer one",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintf(a.out, "gitmem %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if !check {
				return nil
			}
			newest, err := gitmem.LatestRelease(c.Context(),
				gitmem.Options{Getenv: a.getenv, Now: a.now, Transport: a.transport})
			if err != nil {
				return err
			}
			fmt.Fprint(a.out, releaseText(version(), newest))
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "ask GitHub for the newest release")
	return c
}

// releaseText compares the own version with that of the newest release.
func releaseText(own, newest string) string {
	found := fmt.Sprintf("the newest release is %s: %s/releases/tag/%[1]s\n", newest, gitmem.Home)
	switch {
	case !semver.IsValid(own):
		return found + "whether it is newer than this build, which has no version, is not known\n"
	case semver.Compare(own, newest) < 0:
		return found + "get it as you got this one: " + gitmem.Home + "#install\n"
	case semver.Compare(own, newest) > 0:
		return "the newest release is " + newest + ", which is older\n"
	}
	return newest + " is the newest release\n"
}

// version returns the module's version as recorded in the build, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
