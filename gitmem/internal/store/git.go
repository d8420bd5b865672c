package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// ErrNoGit means that an operation needs git and that no suitable git is installed.
var ErrNoGit = errors.New("git 2.28 or later is needed")

// command prepares a run of git without the environment variables that a hook of another repository has set.
func (s *Store) command(ctx context.Context, args ...string) *exec.Cmd {
	st := &step{op: "git", name: strings.Join(args, " "), args: args}
	err := s.disk.do(st, func() error { return nil })
	cmd := exec.CommandContext(ctx, "git", st.args...)
	cmd.Err = errors.Join(cmd.Err, err)
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	return cmd
}

// git runs git. It returns exec.ErrNotFound if git is not installed.
func (s *Store) git(ctx context.Context, stdin []byte, args ...string) error {
	_, err := runGit(s.command(ctx, args...), stdin)
	return err
}

// gitOn prepares a run of git on a repository that only the repository's own settings affect: no hooks, no user
// settings, no replacement objects.
func (s *Store) gitOn(ctx context.Context, gitDir string, args ...string) *exec.Cmd {
	cmd := s.command(ctx, append([]string{
		"--git-dir=" + gitDir, "-c", "core.hooksPath=" + s.abs(indexDir+"/no-hooks"), "-c", "core.fsmonitor=false",
		"-c", "core.sharedRepository=0600",
	}, args...)...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
	cmd.Dir = s.o.Root
	return cmd
}

// ourGit runs git on our repository and returns its output.
func (s *Store) ourGit(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return runGit(s.gitOn(ctx, s.GitDir(), append([]string{"--work-tree=" + s.o.Root}, args...)...), stdin)
}

func runGit(cmd *exec.Cmd, stdin []byte) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", strings.Join(cmd.Args[1:], " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, err
}

// needsGit returns ErrNoGit unless a git that can rewrite history is installed.
func (s *Store) needsGit(ctx context.Context) error {
	out, err := runGit(s.command(ctx, "version"), nil)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w, and none is installed", ErrNoGit)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); err != nil || major < 2 || major == 2 &&
		minor < 28 {
		return fmt.Errorf("%w, and this is %s", ErrNoGit, bytes.TrimSpace(out))
	}
	return nil
}
