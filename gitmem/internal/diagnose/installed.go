package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// Client returns the folder of the client's own files for this user: settings, skills, transcripts. It contains memory
// unless GITMEM_HOME is set. It returns an error if the home folder is unknown.
func (in *Inspector) Client() (string, error) {
	if _, unknown := in.ws.Options.Folder(workspace.ClientEnv(in.ws.Options.Getenv)); unknown {
		return "", errors.New("no home folder is known: set HOME, or CLAUDE_CONFIG_DIR to the client's folder")
	}
	return in.ws.ClientDir, nil
}

// Checkout returns the top folder of the checkout around the working folder, or the working folder if there is none. In
// a linked work tree it is that tree's folder, from which the client reads the project's settings.
func (in *Inspector) Checkout() (string, error) {
	loc, err := git.Discover(in.ws.Options.Dir, in.ws.Options.Getenv)
	switch {
	case err != nil && !errors.Is(err, git.ErrNotRepository):
		return "", err
	case err != nil, loc.Bare, loc.WorkTree == "":
		return workspace.RealPath(in.ws.Options.Dir), nil
	}
	return workspace.RealPath(loc.WorkTree), nil
}

// InstallDir returns the folder of the data that uninstalling needs.
func (in *Inspector) InstallDir() string { return filepath.Join(in.ws.IndexDir(), "install") }

// Installing calls do while no other process installs or uninstalls. The error is [ErrLocked] if the lock is not
// available in time.
func (in *Inspector) Installing(ctx context.Context, do func() error) error {
	ctx, stop := context.WithTimeout(ctx, cmp.Or(in.ws.Options.LockWait, 5*time.Second))
	defer stop()
	for {
		unlock, ok, err := osfile.Lock(filepath.Join(in.InstallDir(), "lock"))
		if err != nil {
			return err
		}
		if ok {
			defer unlock()
			return do()
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%w: another gitmem installs or uninstalls", store.ErrLocked)
		}
	}
}

// checkCheckout reports a repository with a checkout and core.bare set, in which git refuses to work. Programs that
// create and remove work trees may leave it set.
func (c *checkup) checkCheckout(p *workspace.Place) {
	text, err := os.ReadFile(filepath.Join(p.Loc.CommonDir, "config"))
	if err != nil || p.Loc.WorkTree == "" || p.Loc.GitDir != p.Loc.CommonDir {
		return
	}
	if conf := git.Settings(text); !isTrue(conf["core.bare"]) || conf["core.worktree"] != "" ||
		c.ws.Options.Getenv("GIT_WORK_TREE") != "" {
		return
	}
	c.add(Finding{
		Check: "checkout", State: FindingWarn,
		Detail: "core.bare is true in " + filepath.Join(p.Loc.CommonDir, "config") + " although files are checked out in " +
			p.Loc.WorkTree + ": git itself refuses to work there, gitmem does not",
		Advice: "Run: git --git-dir=" + p.Loc.CommonDir + " config core.bare false",
	})
}

// isTrue parses a boolean as git does.
func isTrue(value string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
}

// checkClientMemory reports settings that keep the client from loading the project's notes.
func (c *checkup) checkClientMemory(p *workspace.Place) {
	switch loaded := c.ws.ClientMemory(p); {
	case c.ws.LoadsOwn(p) || loaded.Setting == "":
		return
	case loaded.Dir == "":
		c.add(Finding{
			Check: "client memory", State: FindingWarn,
			Detail: loaded.Setting +
				" keeps the client from loading any MEMORY.md: what gitmem note writes is told by the hook at the start of a " +
				"session only",
			Advice: "Leave it if that is meant; otherwise take the setting out.",
		})
	default:
		c.add(Finding{
			Check: "client memory", State: FindingWarn,
			Detail: loaded.Setting + " has the client load " + filepath.Join(loaded.Dir, "MEMORY.md") +
				": what gitmem note writes to " + c.ws.Path(workspace.MemoryDir(p)) +
				" is told by the hook at the start of a session only, and what the client writes there is neither searched nor " +
				"committed",
			Advice: "Leave it if that is meant; otherwise take the setting out and move its files to " +
				c.ws.Path(workspace.MemoryDir(p)) + ".",
		})
	}
}
