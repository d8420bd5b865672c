package branch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Repo is somebody's repository.
type Repo struct {
	GitDir   string // holds HEAD
	WorkTree string // "" for a bare repository
	Temp     string // folder for a work tree that ends with the commit
	Environ  []string
}

// localVariables are what `git rev-parse --local-env-vars` names: they lead to the
// repository of whoever called this program, which may be another one.
const localVariables = " GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT " +
	"GIT_OBJECT_DIRECTORY GIT_DIR " +
	"GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE " +
	"GIT_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR "

// command prepares a run of git in a folder.
func (r Repo) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.WaitDelay = dir, 2*time.Second // for what a hook leaves behind, which keeps the output open
	cmd.Env = slices.DeleteFunc(slices.Clone(r.Environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.Contains(localVariables, " "+name+" ")
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_LFS_SKIP_SMUDGE=1")
	return cmd
}

// run runs a prepared command. Its error has git's own words, as those of a hook.
func run(cmd *exec.Cmd, stdin string) (string, error) {
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("git is not installed; without it a rule can only be written into the work tree")
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		said := bytes.TrimSpace(append(append(stderr.Bytes(), '\n'), out...))
		return "", fmt.Errorf("git %s: %w: %s", verb(cmd.Args[1:]), err, said)
	}
	return string(out), nil
}

// verb is the first word of a command line that is neither an option nor a setting (-c): the rest
// may be long.
func verb(args []string) string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && (i == 0 || args[i-1] != "-c") {
			return arg
		}
	}
	return ""
}

// git runs git on the repository, from the top of its work tree.
func (r Repo) git(ctx context.Context, args ...string) (string, error) {
	return run(r.command(ctx, r.dir(), append([]string{"--git-dir=" + r.GitDir}, args...)...), "")
}

// dir is where git runs.
func (r Repo) dir() string { return cmp.Or(r.WorkTree, r.GitDir) }

// Author is the name of who commits here. The error is for one whom git does not know.
func (r Repo) Author(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "var", "GIT_AUTHOR_IDENT")
	name, _, _ := strings.Cut(out, " <")
	return name, err
}

// Commit is the commit that a revision names, "" where there is none.
func (r Repo) Commit(ctx context.Context, revision string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil && errors.As(err, new(*exec.ExitError)) {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// CurrentBranch is the name of the branch that HEAD is on, "" where it is on none.
func (r Repo) CurrentBranch(ctx context.Context) string {
	out, _ := r.git(ctx, "symbolic-ref", "--quiet", "--short", "HEAD") // a detached HEAD is no error
	return strings.TrimSpace(out)
}

// DefaultBranch is the name of a remote's own branch as this repository knows it, or as the
// remote says where ask is set; "" where neither does.
func (r Repo) DefaultBranch(ctx context.Context, remote string, ask bool) string {
	if out, err := r.git(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+remote+"/HEAD"); err == nil {
		return strings.TrimPrefix(strings.TrimSpace(out), "refs/remotes/"+remote+"/")
	}
	if !ask {
		return ""
	}
	out, _ := r.git(ctx, "ls-remote", "--symref", "--", remote, "HEAD") // what it lacks is told by the fetch
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "HEAD"))
		}
	}
	return ""
}

// FetchCommit brings a commit of a remote's branch here, without a name.
func (r Repo) FetchCommit(ctx context.Context, remote, name string) error {
	return r.fetch(ctx, remote, "refs/heads/"+name)
}

// Fetch brings what is known of a remote's branch up to date, and nothing else.
func (r Repo) Fetch(ctx context.Context, remote, name string) error {
	return r.fetch(ctx, remote, "+refs/heads/"+name+":refs/remotes/"+remote+"/"+name)
}

func (r Repo) fetch(ctx context.Context, remote, spec string) error {
	_, err := r.git(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--", remote, spec)
	return err
}

// File is an entry of a commit's tree.
type File struct {
	Path    string
	Mode    string // six octal digits, as git has them
	content string // name of the blob
}

// Regular reports whether it is a file and no link or module.
func (f File) Regular() bool { return strings.HasPrefix(f.Mode, "100") }

// Files lists what a commit has at or below paths.
func (r Repo) Files(ctx context.Context, commit string, paths ...string) (list []File, err error) {
	out, err := r.git(ctx, append([]string{"--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--"},
		paths...)...)
	for entry := range strings.SplitSeq(out, "\x00") {
		head, name, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 {
			list = append(list, File{Path: name, Mode: fields[0], content: fields[2]})
		}
	}
	return list, err
}

// Read is the content of a file.
func (r Repo) Read(ctx context.Context, f File) ([]byte, error) {
	out, err := r.git(ctx, "cat-file", "blob", f.content)
	return []byte(out), err
}

// BranchMessages are those of the newest commits of this repository's own branches whose names
// begin with a prefix, by the names of these commits. What others pushed has no say.
func (r Repo) BranchMessages(ctx context.Context, prefix string) map[string]string {
	list := map[string]string{}
	// none where that fails
	out, _ := r.git(ctx, "for-each-ref", "--format=%(objectname)%00%(contents)%00", "refs/heads/"+prefix+"*")
	parts := strings.Split(out, "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		list[strings.TrimSpace(parts[i])] = parts[i+1]
	}
	return list
}

// Messages are those of the commits that lie behind one and not behind a base.
func (r Repo) Messages(ctx context.Context, base, commit string) (string, error) {
	return r.git(ctx, "log", "--format=%B", commit, "^"+base, "--")
}

// Change is what a branch brings: one file, in one commit.
type Change struct {
	Branch  string // its short name
	Old     string // the commit that it is at now, "" for none
	Parent  string
	Path    string // slash path of the file
	Text    []byte
	Message string
}

// Make commits a change, signed off, and puts the branch there. It works in a work tree of
// its own, so that hooks of the repository see all files and nobody else's are touched. An
// error leaves no branch behind.
func (r Repo) Make(ctx context.Context, c Change) (commit string, err error) {
	if err := os.MkdirAll(r.Temp, 0o700); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(r.Temp, "gitmem-rule-")
	if err != nil {
		return "", err
	}
	tree := filepath.Join(dir, path.Base(c.Branch))
	defer func() {
		ctx := context.WithoutCancel(ctx)
		_, failed := r.git(ctx, "worktree", "remove", "--force", "--", tree)
		if err == nil && failed != nil {
			err = failed
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	// Without a checkout: the hooks for one are for people who want to work there.
	if _, err := r.git(ctx, "worktree", "add", "--quiet", "--no-checkout", "--detach", "--", tree, c.Parent); err != nil {
		return "", err
	}
	hooks, err := r.hooks(ctx)
	if err != nil {
		return "", err
	}
	within := func(stdin string, args ...string) error {
		args = append([]string{"-c", "core.hooksPath=" + hooks, "-c", "core.sparseCheckout=false", "-c",
			"core.safecrlf=false"}, args...)
		_, err := run(r.command(ctx, tree, args...), stdin)
		return err
	}
	if err := within("", "reset", "--quiet", "--hard"); err != nil {
		return "", err
	}
	if err := write(tree, c); err != nil {
		return "", err
	}
	if err := within("", "--literal-pathspecs", "add", "--force", "--", c.Path); err != nil {
		return "", err
	}
	if err := within(c.Message, "commit", "--quiet", "--signoff", "-F", "-"); err != nil {
		return "", err
	}
	out, err := run(r.command(ctx, tree, "rev-parse", "HEAD"), "")
	if err != nil {
		return "", err
	}
	commit = strings.TrimSpace(out)
	old := c.Old
	if old == "" {
		old = strings.Repeat("0", len(commit))
	}
	_, err = r.git(ctx, "update-ref", "-m", "gitmem: "+c.Branch, "refs/heads/"+c.Branch, commit, old)
	return commit, err
}

// hooks is the folder of the repository's hooks: a relative one is below the user's work tree,
// where a tool has put it.
func (r Repo) hooks(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--git-path", "hooks")
	dir := strings.TrimSpace(out)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir(), dir)
	}
	return dir, err
}

// write puts the file into a work tree; links that lead out of it are not followed.
func write(tree string, c Change) error {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteFile(root, c.Path, c.Text)
}

// WriteFile writes a file below a folder, with the folders that lead there.
func WriteFile(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), text, 0o644)
}

// PushURL is the address that is pushed to for a remote's name, "" where it is none.
func (r Repo) PushURL(ctx context.Context, remote string) string {
	out, _ := r.git(ctx, "remote", "get-url", "--push", "--", remote) // an address is no name
	return strings.TrimSpace(out)
}

// RemoteCommit is the commit that a branch of a remote, by name or address, is at; "" where
// it has no such branch.
func (r Repo) RemoteCommit(ctx context.Context, remote, name string) (string, error) {
	out, err := r.git(ctx, "ls-remote", "--", cmp.Or(r.PushURL(ctx, remote), remote), "refs/heads/"+name)
	commit, _, _ := strings.Cut(out, "\t")
	return commit, err
}

// Push puts a commit on a branch of a remote, by name or address. A branch that has other
// commits stays as it is, which is an error.
func (r Repo) Push(ctx context.Context, remote, commit, name string) error {
	_, err := r.git(ctx, "push", "--quiet", "--no-follow-tags", "--", remote, commit+":refs/heads/"+name)
	return err
}
