package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// importer is a git fast-import at work in a repository of its own, which borrows
// our objects: until its pack is adopted, nothing of ours has changed. It lies where
// git looks for what a dead process left.
type importer struct {
	store  *Store
	dir    string // below the root
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer
	out    *bufio.Reader
	stderr bytes.Buffer // what it complains of
	last   int
	marks  map[hash]int // its own name for each commit that it has made, by id
}

// newImporter starts one. It has to be closed.
func (s *Store) newImporter(ctx context.Context) (*importer, error) {
	i := &importer{store: s, dir: s.gitPath("objects/tmp_purge_" + s.disk.unique()), marks: map[hash]int{}}
	if err := s.disk.mkdir(i.dir); err != nil {
		return nil, err
	}
	if _, err := i.git(ctx, nil, "init", "--quiet", "--bare", "--template="); err != nil {
		return nil, errors.Join(err, i.close())
	}
	i.cmd = i.command(ctx, "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--date-format=raw-permissive", "--force", "--done")
	i.cmd.Stderr = &i.stderr
	in, err := i.cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, i.close())
	}
	out, err := i.cmd.StdoutPipe()
	if err == nil {
		err = i.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, i.close())
	}
	i.in, i.pipe, i.out = bufio.NewWriter(in), in, bufio.NewReader(out)
	return i, nil
}

func (i *importer) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := i.store.gitOn(ctx, i.store.abs(i.dir), args...)
	cmd.Env = append(cmd.Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+`"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(filepath.Join(i.store.GitDir(), "objects"))+`"`)
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
		return id, i.failed(err)
	}
	line, err := i.out.ReadString('\n')
	id, ok := parseHash(strings.TrimSpace(line))
	if err != nil || !ok {
		return id, i.failed(fmt.Errorf("it answers %q: %w", line, err))
	}
	i.marks[id] = i.last
	return id, nil
}

func (i *importer) failed(err error) error {
	_ = i.pipe.Close()
	return fmt.Errorf("git fast-import: %w: %s", errors.Join(err, i.cmd.Wait()), bytes.TrimSpace(i.stderr.Bytes()))
}

// finish lets it write what it has.
func (i *importer) finish() error {
	fmt.Fprintln(i.in, "done")
	if err := i.in.Flush(); err != nil {
		return i.failed(err)
	}
	_ = i.pipe.Close()
	if err := i.cmd.Wait(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, bytes.TrimSpace(i.stderr.Bytes()))
	}
	return nil
}

// adopt moves its packs into our repository, each after its index: one alone is not
// looked at, while a pack alone is one that can't be read.
func (i *importer) adopt() error {
	s := i.store
	packs, err := s.readDir(i.dir + "/objects/pack")
	if err != nil || len(packs) == 0 {
		return err
	}
	if err := s.disk.mkdir(s.gitPath("objects/pack")); err != nil {
		return err
	}
	slices.SortFunc(packs, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range packs {
		if err := s.disk.rename(i.dir+"/objects/pack/"+e.Name(), s.gitPath("objects/pack/"+e.Name())); err != nil {
			return err
		}
	}
	return errors.Join(s.disk.syncDir(s.gitPath("objects/pack")), s.objects.close())
}

// close removes its repository.
func (i *importer) close() error {
	if i.in != nil && i.cmd.ProcessState == nil { // it was given up
		_ = i.cmd.Process.Kill()
		_ = i.cmd.Wait()
	}
	return i.store.disk.root.RemoveAll(i.dir)
}
