//go:build unix

package index_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// fullDiskEnv names the shard for a process that can write only small files: larger writes fail as on a full disk.
const fullDiskEnv = "INDEX_TEST_FULL_DISK"

// TestFullDisk makes builds and steps fail at each file length.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(fullDiskEnv); dir != "" {
		writeLittle(t, dir)
		return
	}
	t.Parallel()
	s, w := grown(t, index.Options{})
	before := generations(t, s)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 1, 100, 700, 3000} {
		for _, mode := range []string{"step", "build"} {
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDisk$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%s", fullDiskEnv, s.Dir(), limit, mode))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%d bytes, %s: %v\n%s", limit, mode, err, out)
			}
			check(t, s, w)
			if after := generations(t, s); strings.Join(after, " ") != strings.Join(before, " ") {
				t.Errorf("%d bytes, %s: generations %v, were %v", limit, mode, after, before)
			}
		}
	}
	w["after"] = []index.Doc{{ID: "after:1", Source: "after", Text: "relay"}}
	if res := refresh(t, s, w); res.Rebuilt || res.Added != 1 {
		t.Errorf("with space again: %+v", res)
	}
	check(t, s, w)
}

func writeLittle(t *testing.T, how string) {
	t.Helper()
	part := strings.Split(how, "|")
	limit := uint64(0)
	if _, err := fmt.Sscan(part[1], &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(unix.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	docs := randomWorld(newRand(8), 1, 200)
	_, err := index.Open(part[0], index.Options{}).Refresh(context.Background(),
		func(map[string]index.Mark, index.State) (index.Update, error) {
			return index.Update{Rebuild: part[2] == "build", Docs: docs.docs([]string{"src00"})}, nil
		})
	if err == nil {
		t.Error("a refresh without space to write succeeded")
	}
}
