package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inSandbox runs gitmem with some folders that can't be written.
func (d *desk) inSandbox(readOnly []string, args ...string) result {
	d.tb.Helper()
	var words []string
	for _, dir := range readOnly {
		words = append(words, "mounted", "readonly", dir)
	}
	words = append(append(words, d.bin), args...)
	var out, errs bytes.Buffer
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env, c.Stdout, c.Stderr = d.repo, d.env, &out, &errs
	inMounts(c)
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		d.tb.Skipf("no namespaces can be made here: %v", err)
	}
	if strings.Contains(errs.String(), "mount readonly") {
		d.tb.Skipf("nothing can be mounted here: %s", errs.String())
	}
	return result{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// TestSandbox: in an agent's sandbox neither the home folder nor the one for temporary files can be written.
// Questions are still answered: from an index in memory, and if that is impossible too, without an index.
func TestSandbox(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/shm"); err != nil {
		t.Skip("the system has no folder in memory")
	}
	const question = "why did we drop Redis?"
	for _, tt := range []struct {
		name    string
		gone    string // index that can't be written
		also    []string
		caveat  string
		verdict string
	}{
		{"index of another project", "history-*", nil, "No history index can be kept in ", "answered"},
		{"no index", "*", nil, "No index can be kept in ", "answered"},
		{"no folder at all", "*", []string{"/dev/shm"}, "the sources were read through", "not recorded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			base := filepath.Dir(d.repo)
			if r := d.run("", "index"); r.code != 0 {
				t.Fatal(r.err)
			}
			gone, err := filepath.Glob(filepath.Join(base, "cache", "gitmem", "*", "shards", tt.gone))
			if err != nil || len(gone) == 0 {
				t.Fatalf("no index: %v", err)
			}
			for _, dir := range gone {
				d.check(os.RemoveAll(dir))
			}
			readOnly := append([]string{base}, tt.also...)
			r := d.inSandbox(readOnly, "ask", question)
			if !strings.Contains(r.out, "git:commit:") || !strings.Contains(r.out, tt.caveat) ||
				!strings.Contains(r.out, tt.verdict) || !strings.Contains(r.out, "sandbox") {
				t.Errorf("ask: exit %d\n%s%s", r.code, r.out, r.err)
			}
			if tt.also == nil && (r.code != 0 || strings.Contains(r.out, "could not be opened")) {
				t.Errorf("ask: exit %d\n%s%s", r.code, r.out, r.err)
			}
			r = d.inSandbox(readOnly, "search", "Redis sessions")
			if r.code != 0 || !strings.Contains(r.out, "they fit in memory") || !strings.Contains(r.out, "sandbox") {
				t.Errorf("search: exit %d\n%s%s", r.code, r.out, r.err)
			}
			r = d.inSandbox(readOnly, "note", "The pump is blue")
			if r.code != 1 || !strings.Contains(r.err, "read-only file system") ||
				!strings.Contains(r.err, "hint: in a sandbox") {
				t.Errorf("note: exit %d\n%s%s", r.code, r.out, r.err)
			}
		})
	}
}
