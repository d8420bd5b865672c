package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// Client is the folder of the client's own files for this user: settings, skills,
// transcripts. Memory lies in it unless GITMEM_HOME says otherwise. The error is that
// no home is known.
func (in *Inspector) Client() (string, error) {
	if _, unknown := in.ws.Options.Folder(workspace.ClientEnv(in.ws.Options.Getenv)); unknown {
		return "", errors.New("no home folder is known: set HOME, or CLAUDE_CONFIG_DIR to the client's folder")
	}
	return in.ws.ClientDir, nil
}

// Checkout is the top folder of the files that are checked out around the working
// folder, or the working folder where none are. In a linked work tree it is that
// tree's own: the client reads a project's settings there.
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

// InstallDir is where it is kept what uninstalling needs to know.
func (in *Inspector) InstallDir() string { return filepath.Join(in.ws.IndexDir(), "install") }

// Installing runs do while no other process installs or uninstalls. The error is
// [ErrLocked] when one does so for longer than is waited for.
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
