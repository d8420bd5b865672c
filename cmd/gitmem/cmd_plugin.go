package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/plugin"
	"github.com/gitmem/gitmem/cmd/internal/settings"
)

func (a *app) newPluginCmd() *cobra.Command {
	c := group("plugin", "Make the files of the plugin for Claude Code", &cobra.Command{
		Use:   "build DIR",
		Short: "Write the plugin's files below a folder",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(_ *cobra.Command, args []string) error { return a.runPluginBuild(args[0]) },
	})
	c.Hidden = true
	return c
}

// pluginFiles returns the files of the plugin, with the same hooks as the settings.
func pluginFiles() ([]plugin.File, error) {
	w := wanted("", nil)
	for i, h := range w.Hooks {
		w.Hooks[i].Command, w.Hooks[i].Args = plugin.Command(h.Args[1]), nil
	}
	hooks, _, err := settings.Install([]byte(plugin.NoHooks), w)
	return plugin.Files(hooks), err
}

func (a *app) runPluginBuild(dir string) error {
	files, err := pluginFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(a.absolute(dir), filepath.FromSlash(f.Path))
		old, err := install.Read(path)
		if err != nil {
			return err
		}
		did := "as it was"
		if !bytes.Equal(old.Bytes, f.Text) || !old.Exists {
			did = "written"
			if err := old.WriteMode(f.Text, 0o644); err != nil {
				return err
			}
		}
		fmt.Fprintf(a.out, "%s: %s\n", f.Path, did)
	}
	return nil
}
