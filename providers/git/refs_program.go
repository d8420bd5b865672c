package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// programTime is how long git may take to list refs.
const programTime = time.Minute

// programRefs reads the refs with the git program, for formats that this package does not support.
type programRefs struct {
	loc  Location
	git  string
	kind string
	refs map[string]string // as of when the repository was opened
}

func openProgramRefs(loc Location, kind string) (*programRefs, error) {
	r := &programRefs{loc: loc, kind: kind}
	var err error
	if r.git, err = exec.LookPath("git"); err != nil {
		return nil, r.unsupported("and git, which could, is not on PATH")
	}
	return r, r.load()
}

func (r *programRefs) unsupported(why string) error {
	return fmt.Errorf("%s: %w: its refs are stored as %s (extensions.refStorage), which is not read here, %s; "+
		"convert it with: git refs migrate --ref-format=files", r.loc.GitDir, ErrUnsupported, r.kind, why)
}

// read implements refReader.
func (r *programRefs) read(name string) (*plumbing.Reference, error) {
	value, ok := r.refs[name]
	if !ok {
		return nil, plumbing.ErrReferenceNotFound
	}
	return parseRef(name, value)
}

// below implements refReader.
func (r *programRefs) below(prefix string) (refs []*plumbing.Reference, bad []Skip, err error) {
	for _, name := range slices.Sorted(maps.Keys(r.refs)) {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if ref, err := parseRef(name, r.refs[name]); err == nil {
			refs = append(refs, ref)
		}
	}
	return refs, nil, nil
}

// load runs git to list all refs and HEAD.
func (r *programRefs) load() error {
	refs := map[string]string{}
	out, err := r.run("for-each-ref", "--format=%(objectname) %(refname) %(symref)")
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		id, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		name, target, _ := strings.Cut(rest, " ")
		if refs[name] = id; target != "" {
			refs[name] = "ref: " + target
		}
	}
	head, err := r.run("symbolic-ref", "-q", "HEAD")
	if err == nil && head != "" {
		head = "ref: " + head
	} else if err == nil {
		head, err = r.run("rev-parse", "--verify", "-q", "HEAD")
	}
	if err != nil {
		return err
	}
	if head != "" {
		refs["HEAD"] = strings.TrimSpace(head)
	}
	r.refs = refs
	return nil
}

// run runs git and returns its output. Exit code 1 of a quiet command means that there is no output.
func (r *programRefs) run(args ...string) (string, error) {
	// No context of a caller: go-git asks for refs and passes none.
	ctx, cancel := context.WithTimeout(context.Background(), programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.git, append([]string{"--git-dir=" + r.loc.GitDir}, args...)...)
	cmd.Dir, cmd.Env = r.loc.GitDir, programEnv(cmd.Environ())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && errs.Len() == 0 {
		return "", nil
	}
	if err != nil {
		return "", r.unsupported("and git says: " + cmp.Or(strings.TrimSpace(errs.String()), err.Error()))
	}
	return out.String(), nil
}

// programEnv returns the environment of git: no variables that redirect it, no prompt, and no network access
// even if objects are missing.
func programEnv(env []string) []string {
	env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(strings.ToUpper(e), "GIT_") })
	return append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
}
