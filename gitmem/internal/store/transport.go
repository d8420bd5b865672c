package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// ErrRejected means that a remote has received other commits since it was fetched.
var ErrRejected = errors.New("the remote moved")

// stallTime is how long a transfer may go without progress before it is cancelled.
const stallTime = 20 * time.Second

// Remote is a repository that ours exchanges commits with.
type Remote struct {
	Name string
	URL  string // as configured
}

// RemoteList returns the configured remotes, by name.
func (s *Store) RemoteList() ([]Remote, error) {
	if err := s.repository(); err != nil {
		return nil, err
	}
	conf, err := s.gitConfig()
	if err != nil {
		return nil, err
	}
	var out []Remote
	for key, value := range conf {
		name, ok := strings.CutPrefix(key, "remote.")
		if name, isURL := strings.CutSuffix(name, ".url"); ok && isURL {
			out = append(out, Remote{name, value})
		}
	}
	slices.SortFunc(out, func(a, b Remote) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// AddRemote configures a remote, as git remote add does, and the settings that a plain git pull needs to merge with it.
func (s *Store) AddRemote(ctx context.Context, r Remote) error {
	branch, _, err := s.Branch()
	if err != nil {
		return err
	}
	for _, set := range [][2]string{
		{"remote." + r.Name + ".fetch", "+refs/heads/*:refs/remotes/" + r.Name + "/*"},
		{"branch." + branch + ".remote", r.Name}, {"branch." + branch + ".merge", "refs/heads/" + branch},
		{"pull.rebase", "false"},
		{"remote." + r.Name + ".url", r.URL},
	} {
		if err := s.setConfig(ctx, set[0], set[1]); err != nil {
			return err
		}
	}
	return nil
}

// HasPassword reports whether an address contains a password, which would be visible in the configuration and in
// process lists. The address may have a remote helper prefix, as in gcrypt::https://host/a.
func HasPassword(address string) bool {
	if helper, rest, ok := strings.Cut(address, "::"); ok && !strings.Contains(helper, "/") {
		return HasPassword(rest)
	}
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has
}

// Branch returns the name of the current branch and its commit, "" if there is none.
func (s *Store) Branch() (name, commit string, err error) {
	if err := s.repository(); err != nil {
		return "", "", err
	}
	h, err := s.head()
	if err != nil {
		return "", "", err
	}
	name, ok := strings.CutPrefix(h.ref, "refs/heads/")
	if !ok {
		return "", "", s.Busy()
	}
	if !h.id.IsZero() {
		commit = h.id.String()
	}
	return name, commit, nil
}

// Ref returns the commit of a reference, "" if it does not exist.
func (s *Store) Ref(name string) (string, error) {
	id, _, err := s.readRef(name)
	if err != nil || id.IsZero() {
		return "", err
	}
	return id.String(), nil
}

// SetRef sets a reference to a commit; "" removes it.
func (s *Store) SetRef(ctx context.Context, name, commit string) error {
	args := []string{"update-ref", name, commit}
	if commit == "" {
		args = []string{"update-ref", "-d", name}
	}
	_, err := s.ourGit(ctx, nil, args...)
	return err
}

// DropStaleLocks removes the locks of references that a killed git has left: those of our own references, of
// remote-tracking ones, and of packed-refs. Only one process at a time synchronises, and calls it before it starts git;
// a lock younger than [workTime] may belong to a git that a person runs.
func (s *Store) DropStaleLocks() error {
	names := []string{s.gitPath("packed-refs.lock")}
	add := func(rel string, _ fs.DirEntry) error {
		names = append(names, rel)
		return nil
	}
	err := errors.Join(s.walk(s.gitPath("refs/gitmem"), add), s.walk(s.gitPath("refs/remotes"), add))
	for _, rel := range names {
		fi, statErr := s.disk.root.Lstat(rel)
		if statErr != nil || !fi.Mode().IsRegular() || !strings.HasSuffix(rel, ".lock") {
			continue
		}
		if s.o.Now().Sub(fi.ModTime()) > workTime {
			err = errors.Join(err, s.disk.remove(rel))
		}
	}
	return err
}

// Refs returns the names of the references below a prefix such as "refs/gitmem/backup/", sorted.
func (s *Store) Refs(prefix string) (names []string, err error) {
	refs, _, err := git.ReadRefs(s.GitDir(), prefix)
	for _, r := range refs {
		names = append(names, r.Name().String())
	}
	slices.Sort(names)
	return names, err
}

// TrackingRef returns the reference with the last fetched state of a remote's branch.
func TrackingRef(remote, branch string) string { return "refs/remotes/" + remote + "/" + branch }

// Fetch fetches a branch of a remote and returns its commit, "" if the remote has no such branch. It does not prompt
// for a password.
func (s *Store) Fetch(ctx context.Context, remote, branch string) (string, error) {
	ref := TrackingRef(remote, branch)
	_, stderr, err := s.transfer(ctx, "fetch", "--progress", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head",
		"--", remote, "+refs/heads/"+branch+":"+ref)
	s.objects.close() // there may be new packs
	if err != nil && strings.Contains(stderr, "couldn't find remote ref refs/heads/") {
		if had, _ := s.Ref(ref); had != "" {
			s.o.Warn(remote + " has no branch " + branch + " any more: what is here is pushed there again")
		}
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("fetch from %s: %w", remote, err)
	}
	if strings.Contains(stderr, "(forced update)") {
		s.o.Warn("somebody has replaced the history of " + remote + " since it was last fetched: " +
			"what is here stays, other than what was forgotten there")
	}
	return s.Ref(ref)
}

// RemoteBranches returns the names of the branches of a remote.
func (s *Store) RemoteBranches(ctx context.Context, remote string) (names []string, err error) {
	out, _, err := s.transfer(ctx, "ls-remote", "--heads", "--", remote)
	for line := range strings.Lines(out) {
		if _, name, ok := strings.Cut(strings.TrimSpace(line), "\trefs/heads/"); ok {
			names = append(names, name)
		}
	}
	return names, err
}

// Push sets a branch of a remote to a commit. ErrRejected: the remote has a commit that is not an ancestor of the new
// one. With lease the branch is replaced if it is still at that commit.
func (s *Store) Push(ctx context.Context, remote, branch, commit, lease string) error {
	args := []string{"push", "--porcelain", "--progress", "--no-verify", "--recurse-submodules=no", "--no-follow-tags"}
	if lease != "" {
		args = append(args, "--force-with-lease=refs/heads/"+branch+":"+lease)
	}
	stdout, stderr, err := s.transfer(ctx, append(args, "--", remote, commit+":refs/heads/"+branch)...)
	if err == nil {
		return nil
	}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "!") && rejectedByRace(line+stderr) {
			return fmt.Errorf("push to %s: %w: %s", remote, ErrRejected, lastWords(stderr))
		}
	}
	return fmt.Errorf("push to %s: %w", remote, err)
}

// rejectedByRace reports whether a push failed because somebody else pushed at the same time. The first four texts are
// git's before it sends anything, the others those of a remote whose branch moves or is locked while it receives.
func rejectedByRace(text string) bool {
	return slices.ContainsFunc([]string{
		"fetch first", "(non-fast-forward)", "(stale info)", "(needs force)",
		"failed to update ref", "cannot lock ref", "incorrect old value", "failed to lock",
	}, func(word string) bool { return strings.Contains(text, word) })
}

// transfer runs a git command that talks to another repository, with the user's settings, so that their credential
// helpers and keys work, but without a terminal for password prompts. It is cancelled after [stallTime] without
// progress.
func (s *Store) transfer(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := &progress{timer: time.AfterFunc(stallTime, func() {
		cancel(fmt.Errorf("no progress for %s", stallTime))
	})}
	defer watch.timer.Stop()
	cmd := s.command(ctx, append([]string{
		"--git-dir=" + s.GitDir(), "-c", "core.hooksPath=" + s.abs(indexDir+"/no-hooks"), "-c", "core.fsmonitor=false",
		"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "push.gpgSign=false",
		"-c", "fetch.showForcedUpdates=true", "-c", "core.askPass=",
	}, args...)...)
	cmd.Dir = s.o.Root
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never")
	cmd.Env = append(cmd.Env, s.sshCommand(ctx, args)...)
	endWithChildren(cmd)
	cmd.WaitDelay = 2 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, watch
	err = cmd.Run()
	switch cause := context.Cause(ctx); {
	case errors.Is(err, exec.ErrNotFound):
		err = fmt.Errorf("%w, and none is installed", ErrNoGit)
	case err != nil && cause != nil:
		err = cause
	case err != nil:
		err = fmt.Errorf("%w: %s", err, lastWords(watch.b.String()))
	}
	return out.String(), watch.b.String(), err
}

// sshCommand keeps ssh from prompting, unless the user has configured a program of their own. args name the remote.
func (s *Store) sshCommand(ctx context.Context, args []string) []string {
	remotes, err := s.RemoteList()
	if err == nil && !slices.ContainsFunc(remotes,
		func(r Remote) bool { return slices.Contains(args, r.Name) && usesSSH(r.URL) }) {
		return nil
	}
	var env []string
	own := false
	for _, kv := range new(exec.Cmd).Environ() {
		if strings.HasPrefix(kv, "GIT_SSH") { // [Store.command] removes these
			env, own = append(env, kv), true
		}
	}
	if own {
		return env
	}
	b, err := runGit(s.command(ctx, "--git-dir="+s.GitDir(), "config", "core.sshCommand"), nil)
	if err == nil && len(b) > 0 {
		return nil
	}
	return []string{"GIT_SSH_COMMAND=ssh -o BatchMode=yes -o ConnectTimeout=20"}
}

// usesSSH reports whether git uses ssh for an address, as far as the address shows.
func usesSSH(address string) bool {
	scheme, _, isURL := strings.Cut(address, "://")
	_, _, isSCP := splitSCP(address)
	return isURL && strings.Contains(scheme, "ssh") || !isURL && isSCP
}

// progress collects the output of a transfer, and resets its timeout.
type progress struct {
	b     bytes.Buffer
	timer *time.Timer
}

// maxReport limits how much output is kept: a server may send any amount.
const maxReport = 64 << 10

// Write implements [io.Writer].
func (p *progress) Write(b []byte) (int, error) {
	p.timer.Reset(stallTime)
	if p.b.Len() > maxReport {
		p.b.Next(p.b.Len() / 2)
	}
	return p.b.Write(b)
}

// lastWords returns the error lines of git's output, joined on one line.
func lastWords(report string) string {
	var lines []string
	for line := range strings.FieldsFuncSeq(report, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		for _, prefix := range [...]string{"fatal: ", "error: ", "remote: ", "ssh: "} {
			if text, ok := strings.CutPrefix(line, prefix); ok && text != "" && !isCount(text) {
				lines = append(lines, text)
			}
		}
	}
	if len(lines) == 0 {
		return strings.TrimSpace(report)
	}
	return strings.Join(lines[:min(3, len(lines))], "; ")
}

// isCount reports whether a line that a remote sends is a progress report.
func isCount(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"Enumerating", "Counting", "Compressing", "Total", "Resolving", "Checking"}, first)
}

// Unpushed searches the commits that a push would send, those reachable from commit and not from known ("" for none),
// for secrets.
func (s *Store) Unpushed(ctx context.Context, commit, known string) ([]Secret, error) {
	args := []string{"rev-list", "--objects", "--in-commit-order", "--topo-order", "--reverse", commit}
	if known != "" {
		args = append(args, "^"+known)
	}
	out, err := s.ourGit(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	w := newSecretScan(s)
	err = w.listed(ctx, out, func() {})
	if err == nil && len(w.out.Unread) > 0 {
		err = errors.New(w.out.Unread[0].Detail)
	}
	return w.out.Found, err
}

// IsPublic reports whether anybody may read a repository on the web, as far as that can be determined within
// [stallTime].
func (s *Store) IsPublic(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, stallTime)
	defer cancel()
	cmd := s.command(ctx, "-c", "credential.helper=", "-c", "core.askPass=", "ls-remote", "--exit-code", "--", address)
	cmd.Dir = os.TempDir()
	cmd.Env = append(slices.DeleteFunc(cmd.Env, func(kv string) bool { return strings.HasPrefix(kv, "HOME=") }),
		"HOME="+s.abs(indexDir), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull)
	err := cmd.Run()
	var exit *exec.ExitError
	return err == nil || errors.As(err, &exit) && exit.ExitCode() == 2 // readable, without commits
}

// MakeBare creates a bare repository in a folder that is empty or does not exist. made is false if there is one
// already.
func (s *Store) MakeBare(ctx context.Context, dir string) (made bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if len(entries) > 0 {
		for _, at := range []string{dir, filepath.Join(dir, ".git")} {
			if gitDir, _ := gitDirs(at); gitDir != "" {
				return false, nil
			}
		}
		return false, fmt.Errorf("%s is a folder with other files: name an empty one, or a repository", dir)
	}
	branch, _, err := s.Branch()
	if err != nil {
		return false, err
	}
	return true, s.git(ctx, nil, "init", "--quiet", "--bare", "--initial-branch="+branch, "--", dir)
}

// RemoveRemote removes a remote from the configuration, with its remote-tracking references.
func (s *Store) RemoveRemote(ctx context.Context, name string) error {
	_, err := s.ourGit(ctx, nil, "remote", "remove", name)
	return err
}
