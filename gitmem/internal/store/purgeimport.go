package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// importer is a git fast-import at work in a repository of its own, which has our
// objects, too. It lies where git looks for what a dead process left.
type importer struct {
	store  *Store
	dir    string // below the root
	env    []string
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer
	out    *bufio.Reader
	stderr bytes.Buffer // what it complains of
	last   int
	marks  map[hash]int // its own name for each commit that it has made, by id
}

// newImporter starts one, which has to be closed. It writes its pack to our repository
// if keep is set, and to its own otherwise, which goes with it.
func (s *Store) newImporter(ctx context.Context, keep bool) (*importer, error) {
	i := &importer{store: s, dir: s.gitPath("objects/tmp_purge_" + s.disk.unique()), marks: map[hash]int{}}
	if err := s.disk.mkdir(i.dir); err != nil {
		return nil, err
	}
	if err := i.start(ctx, keep); err != nil {
		return nil, errors.Join(err, i.close())
	}
	return i, nil
}

func (i *importer) start(ctx context.Context, keep bool) error {
	if _, err := i.git(ctx, nil, "init", "--quiet", "--bare", "--template="); err != nil {
		return err
	}
	objects := filepath.Join(i.store.GitDir(), "objects")
	if i.env = []string{"GIT_OBJECT_DIRECTORY=" + objects}; !keep {
		i.env = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(objects) + `"`}
	}
	i.cmd = i.command(ctx, "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--date-format=raw-permissive", "--force", "--done")
	i.cmd.Stderr = &i.stderr
	in, inErr := i.cmd.StdinPipe()
	out, outErr := i.cmd.StdoutPipe()
	i.in, i.pipe, i.out = bufio.NewWriter(in), in, bufio.NewReader(out)
	return errors.Join(inErr, outErr, i.cmd.Start())
}

func (i *importer) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := i.store.gitOn(ctx, i.store.abs(i.dir), args...)
	cmd.Env = append(cmd.Env, i.env...)
	return cmd
}

// git runs another git on its repository.
func (i *importer) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return runGit(i.command(ctx, args...), stdin)
}

// commit makes a commit with what it changes against the first of its parents, which
// have become others, and returns its id. Without an importer it does nothing.
func (i *importer) commit(c exported, became map[hash]hash, files string) (id hash, err error) {
	if i == nil {
		return id, nil
	}
	const branch = "refs/heads/rewritten"
	if i.last++; len(c.parents) == 0 {
		fmt.Fprintf(i.in, "reset %s\n", branch)
	}
	fmt.Fprintf(i.in, "commit %s\nmark :%d\n%s\ndata %d\n%s\n", branch, i.last, strings.Join(c.head, "\n"), len(c.message), c.message)
	verb := "from"
	for _, p := range c.parents {
		if now := became[p]; i.marks[now] > 0 {
			fmt.Fprintf(i.in, "%s :%d\n", verb, i.marks[now])
		} else {
			fmt.Fprintf(i.in, "%s %s\n", verb, now)
		}
		verb = "merge"
	}
	fmt.Fprintf(i.in, "%s\nget-mark :%d\n", files, i.last)
	if err := i.in.Flush(); err != nil {
		return id, i.ended(err)
	}
	line, err := i.out.ReadString('\n')
	id, ok := parseHash(strings.TrimSpace(line))
	if err != nil || !ok {
		return id, i.ended(fmt.Errorf("it answers %q: %w", line, err))
	}
	i.marks[id] = i.last
	return id, nil
}

// ended waits for its end, after an error of ours or without one.
func (i *importer) ended(err error) error {
	_ = i.pipe.Close()
	if err = errors.Join(err, i.cmd.Wait()); err != nil {
		err = fmt.Errorf("git fast-import: %w: %s", err, bytes.TrimSpace(i.stderr.Bytes()))
	}
	return err
}

// finish lets it write what it has.
func (i *importer) finish() error {
	fmt.Fprintln(i.in, "done")
	return i.ended(i.in.Flush())
}

// close removes its repository.
func (i *importer) close() error {
	if i.cmd != nil && i.cmd.Process != nil && i.cmd.ProcessState == nil { // it was given up
		_ = i.cmd.Process.Kill()
		_ = i.cmd.Wait()
	}
	return i.store.disk.root.RemoveAll(i.dir)
}
