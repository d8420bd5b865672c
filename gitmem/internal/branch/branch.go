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

// Repo is a user's repository.
type Repo struct {
	GitDir   string // contains HEAD
	WorkTree string // "" for a bare repository
	Temp     string // parent folder of temporary work trees
	Environ  []string
}

// localVariables are the variables that `git rev-parse --local-env-vars` lists. They may point to another repository,
// that of this program's caller.
const localVariables = " GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT " +
	"GIT_OBJECT_DIRECTORY GIT_DIR " +
	"GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE " +
	"GIT_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR "

// command prepares a run of git in a folder.
func (r Repo) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.WaitDelay = dir, 2*time.Second // a process that a hook started may keep the output open
	cmd.Env = slices.DeleteFunc(slices.Clone(r.Environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.Contains(localVariables, " "+name+" ")
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_LFS_SKIP_SMUDGE=1")
	return cmd
}

// run runs a prepared command. Its error contains git's output, including that of hooks.
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

// verb returns the first argument that is neither an option nor a setting (-c). The other arguments may be long.
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

// dir returns the folder in which git runs.
func (r Repo) dir() string { return cmp.Or(r.WorkTree, r.GitDir) }

// Author returns the name of the committer. It returns an error if git has no identity.
func (r Repo) Author(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "var", "GIT_AUTHOR_IDENT")
	name, _, _ := strings.Cut(out, " <")
	return name, err
}

// Commit resolves a revision to a commit, or returns "" if there is none.
func (r Repo) Commit(ctx context.Context, revision string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil && errors.As(err, new(*exec.ExitError)) {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// CurrentBranch returns the name of the branch of HEAD, or "" if HEAD is detached.
func (r Repo) CurrentBranch(ctx context.Context) string {
	out, _ := r.git(ctx, "symbolic-ref", "--quiet", "--short", "HEAD") // a detached HEAD is not an error
	return strings.TrimSpace(out)
}

// DefaultBranch returns the name of a remote's default branch as this repository knows it, or, if ask is set, as the
// remote reports it. It returns "" if it is unknown.
func (r Repo) DefaultBranch(ctx context.Context, remote string, ask bool) string {
	if out, err := r.git(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+remote+"/HEAD"); err == nil {
		return strings.TrimPrefix(strings.TrimSpace(out), "refs/remotes/"+remote+"/")
	}
	if !ask {
		return ""
	}
	out, _ := r.git(ctx, "ls-remote", "--symref", "--", remote, "HEAD") // the fetch reports errors
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "HEAD"))
		}
	}
	return ""
}

// FetchCommit fetches the commit of a remote's branch without creating a ref.
func (r Repo) FetchCommit(ctx context.Context, remote, name string) error {
	return r.fetch(ctx, remote, "refs/heads/"+name)
}

// Fetch updates only the remote-tracking branch of a remote's branch.
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
	Mode    string // six octal digits, as in git
	content string // hash of the blob
}

// Regular reports whether it is a file and not a link or submodule.
func (f File) Regular() bool { return strings.HasPrefix(f.Mode, "100") }

// Files lists the files of a commit at or below paths.
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

// Read returns the content of a file.
func (r Repo) Read(ctx context.Context, f File) ([]byte, error) {
	out, err := r.git(ctx, "cat-file", "blob", f.content)
	return []byte(out), err
}

// BranchMessages returns the messages of the newest commits of local branches whose names begin with a prefix, by
// commit. It ignores remote-tracking branches.
func (r Repo) BranchMessages(ctx context.Context, prefix string) map[string]string {
	list := map[string]string{}
	// empty on errors
	out, _ := r.git(ctx, "for-each-ref", "--format=%(objectname)%00%(contents)%00", "refs/heads/"+prefix+"*")
	parts := strings.Split(out, "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		list[strings.TrimSpace(parts[i])] = parts[i+1]
	}
	return list
}

// Messages returns the messages of the commits that are reachable from commit and not from base.
func (r Repo) Messages(ctx context.Context, base, commit string) (string, error) {
	return r.git(ctx, "log", "--format=%B", commit, "^"+base, "--")
}

// Change is the content of a branch: one file in one commit.
type Change struct {
	Branch  string // short name
	Old     string // current commit of the branch, or ""
	Parent  string
	Path    string // slash path of the file
	Text    []byte
	Message string
}

// Make commits a change with a sign-off and points the branch to it. It uses a temporary work tree, so that hooks see
// all files and no other work tree changes. If it fails, it leaves no branch behind.
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
	// No checkout: checkout hooks are for work trees that people use.
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

// hooks returns the folder of the repository's hooks. A relative path is relative to the user's work tree.
func (r Repo) hooks(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--git-path", "hooks")
	dir := strings.TrimSpace(out)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir(), dir)
	}
	return dir, err
}

// write writes the file into a work tree. It does not follow links out of the tree.
func write(tree string, c Change) error {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteFile(root, c.Path, c.Text)
}

// WriteFile writes a file below a folder and creates missing parent folders.
func WriteFile(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), text, 0o644)
}

// PushURL returns the push URL of a named remote, or "" if there is none.
func (r Repo) PushURL(ctx context.Context, remote string) string {
	out, _ := r.git(ctx, "remote", "get-url", "--push", "--", remote) // fails for a URL
	return strings.TrimSpace(out)
}

// RemoteCommit returns the commit of a branch of a remote, which is a name or URL, or "" if the branch does not exist.
func (r Repo) RemoteCommit(ctx context.Context, remote, name string) (string, error) {
	out, err := r.git(ctx, "ls-remote", "--", cmp.Or(r.PushURL(ctx, remote), remote), "refs/heads/"+name)
	commit, _, _ := strings.Cut(out, "\t")
	return commit, err
}

// Push pushes a commit to a branch of a remote, which is a name or URL. It returns an error and leaves the branch
// unchanged if the push is not a fast-forward.
func (r Repo) Push(ctx context.Context, remote, commit, name string) error {
	_, err := r.git(ctx, "push", "--quiet", "--no-follow-tags", "--", remote, commit+":refs/heads/"+name)
	return err
}
