package git_test

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// TestEveryObject reads all objects of a repository in every form of pack, and checks that each has the
// requested id.
func TestEveryObject(t *testing.T) {
	t.Parallel()
	stream := randomHistory(11, 120, false)
	for name, args := range map[string][]string{
		"offset deltas": {"repack", "-q", "-a", "-d", "-f", "--depth=60", "--window=60"},
		"name deltas":   {"-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f"},
		"index 1":       {"-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d"},
		"no deltas":     {"repack", "-q", "-a", "-d", "-f", "--depth=0", "--window=0"},
		"loose":         {"unpack"},
		"long offsets":  {"index"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := importHistory(t, stream)
			switch args[0] {
			case "unpack":
				unpackAll(t, dir)
			case "index":
				pack := onlyPack(t, dir)
				run(t, dir, "index-pack", "--index-version=2,0x40", "-o", strings.TrimSuffix(pack, ".pack")+".new", pack)
				overwrite(t, strings.TrimSuffix(pack, ".pack")+".idx", []byte(readAll(t, strings.TrimSuffix(pack, ".pack")+".new")))
			default:
				run(t, dir, args...)
			}
			r := open(t, dir)
			n := 0
			for line := range strings.Lines(run(t, dir, "cat-file", "--batch-all-objects", "--batch-check")) {
				id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				n++
				kind, b, err := r.Object(id, 1<<20)
				sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(b), b))
				if err != nil || hex.EncodeToString(sum[:]) != id {
					t.Fatalf("%s: %s of %d bytes, %v", id, kind, len(b), err)
				}
				if got := kind + " " + strconv.Itoa(len(b)); got != rest {
					t.Errorf("%s is %s; git says %s", id, got, rest)
				}
			}
			if n < 300 {
				t.Errorf("%d objects only", n)
			}
		})
	}
}

// onlyPack returns the pack of a repository with a single one.
func onlyPack(tb testing.TB, dir string) string {
	tb.Helper()
	var packs []string
	for _, at := range []string{"objects", ".git/objects"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(at), "pack", "*.pack"))
		if err != nil {
			tb.Fatal(err)
		}
		packs = append(packs, found...)
	}
	if len(packs) != 1 {
		tb.Fatalf("packs: %v, want one", packs)
	}
	return packs[0]
}

func readAll(tb testing.TB, path string) string {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// unpackAll makes all objects of a bare repository loose.
func unpackAll(tb *testing.T, dir string) {
	tb.Helper()
	pack := onlyPack(tb, dir)
	b := readAll(tb, pack)
	overwrite(tb, pack, nil)
	overwrite(tb, strings.TrimSuffix(pack, ".pack")+".idx", nil)
	runIn(tb, dir, b, "unpack-objects", "-q")
}

// TestHugeBlobs must not allocate the memory that the headers claim. It measures memory, so it is not
// parallel.
func TestHugeBlobs(t *testing.T) {
	dir := newRepo(t)
	text := strings.Repeat("0123456789abcdef", 20<<16)
	commitFile(t, dir, "big.bin", text+"one", "Big", 0)
	commitFile(t, dir, "big.bin", text+"two", "Bigger", 1)
	check := func(form string) {
		r := open(t, dir)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, rev := range []string{"HEAD", "HEAD~1"} {
			_, err := r.Blob(rev, "big.bin")
			wantErr(t, err, git.ErrTooLarge)
			id := run(t, dir, "rev-parse", rev+":big.bin")
			if err == nil || !strings.Contains(err.Error(), id) {
				t.Errorf("%s: %v does not name the object", form, err)
			}
		}
		if n := len(walk(t, r, git.WalkOptions{Paths: true})); n != 2 {
			t.Errorf("%s: %d commits, want 2", form, n)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: %d bytes were taken", form, took)
		}
	}
	check("loose")
	run(t, dir, "-c", "core.bigFileThreshold=1g", "repack", "-q", "-a", "-d", "-f")
	check("packed")
}
