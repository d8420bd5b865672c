package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// spent is the cost of a process.
type spent struct {
	wall, cpu time.Duration
	peak      int64 // bytes
	peakKnown bool
	out, errs []byte
}

// home is an isolated environment for gitmem, which contains nothing of the user's.
type home struct {
	dir  string
	env  []string // the caller's environment, filtered before use
	own  []string // additional variables
	in   string   // working folder of processes; "" for one in the home
	mute bool     // discard their output
	kept string   // name of the cache folder; "" is .cache. Two programs that index the same data have separate caches
}

func (h home) client() string { return filepath.Join(h.dir, "client") }

func (h home) cache() string { return filepath.Join(h.dir, "home", cmp.Or(h.kept, ".cache")) }

func (h home) work() string {
	if h.in != "" {
		return h.in
	}
	return filepath.Join(h.dir, "work")
}

// make creates the folders.
func (h home) make() error {
	for _, dir := range []string{h.client(), filepath.Join(h.dir, "work"), filepath.Join(h.dir, "home")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// environ returns the environment of a child: the caller's without variables that refer to the user's own
// memory, client or caches.
func (h home) environ() []string {
	var env []string
	for _, e := range h.env {
		name, _, _ := strings.Cut(e, "=")
		switch upper := strings.ToUpper(name); {
		case strings.HasPrefix(upper, "GITMEM_"), strings.HasPrefix(upper, "CLAUDE"), strings.HasPrefix(upper, "XDG_"),
			strings.HasPrefix(upper, "GIT_"):
		case upper == "HOME", upper == "USERPROFILE", upper == "LOCALAPPDATA", upper == "APPDATA":
		default:
			env = append(env, e)
		}
	}
	own := filepath.Join(h.dir, "home")
	return append(append(env, "HOME="+own, "USERPROFILE="+own, "LOCALAPPDATA="+filepath.Join(own, "local"), "APPDATA="+
		filepath.Join(own, "roaming"),
		"XDG_CACHE_HOME="+h.cache(), "CLAUDE_CONFIG_DIR="+h.client(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull), h.own...)
}

// Exit codes of gitmem that are not failures here: nothing was found, and another process is indexing.
const (
	exitNotFound = 4
	exitLocked   = 5
)

// errLocked means that another process was indexing.
var errLocked = errors.New("another process is indexing")

// run runs a program to its end. An exit code other than 0 is an error, except for exitNotFound.
func (h home) run(ctx context.Context, program string, args ...string) (spent, error) {
	return h.feed(ctx, nil, program, args...)
}

// feed runs a program with a standard input.
func (h home) feed(ctx context.Context, in []byte, program string, args ...string) (spent, error) {
	c := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Env, c.Stderr = h.work(), h.environ(), &errs
	if !h.mute {
		c.Stdout = &out
	}
	if in != nil {
		c.Stdin = bytes.NewReader(in)
	}
	start := time.Now()
	err := c.Run()
	s := spent{wall: time.Since(start), out: out.Bytes(), errs: errs.Bytes()}
	if c.ProcessState != nil {
		s.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		s.peak, s.peakKnown = peakOf(c.ProcessState)
		if c.ProcessState.ExitCode() == exitNotFound {
			err = nil
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		if c.ProcessState != nil && c.ProcessState.ExitCode() == exitLocked {
			err = errLocked
		}
		return s, fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err,
			strings.TrimSpace(errs.String()))
	}
	return s, nil
}

// answer runs a program and decodes its JSON output.
func (h home) answer(ctx context.Context, into any, program string, args ...string) (spent, error) {
	s, err := h.run(ctx, program, args...)
	if err == nil {
		err = json.Unmarshal(s.out, into)
	}
	return s, err
}

// sizeOf returns the number of bytes in the files at or below a path.
func sizeOf(name string) (total int64, err error) {
	err = filepath.WalkDir(name, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

func appendTo(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// trimmed returns the output of a process without surrounding space.
func trimmed(out []byte) string { return strings.TrimSpace(string(out)) }
