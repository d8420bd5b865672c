//go:build linux

package distribution_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// release is one in a folder, of a version without its v.
type release struct {
	dir, version string
	real         bool // its program is gitmem
}

// program takes gitmem's place. It tells its version, and refuses what is no command.
const program = `#!/bin/sh
case ${1-} in
version) echo "gitmem v1.2.3 $(cat)" ;;
echo) shift && printf '<%s>' "$@" ;;
kill) kill -KILL $$ ;;
*) exit 2 ;;
esac
`

// newRelease makes a release by .ci/packages, or takes that of GITMEM_RELEASE.
func newRelease(t *testing.T) release {
	t.Helper()
	for _, tool := range []string{"bash", "curl", "openssl", "tar", "unzip", "zip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: a release is made with %s", tool)
		}
	}
	if dir := os.Getenv("GITMEM_RELEASE"); dir != "" {
		all, err := filepath.Glob(filepath.Join(dir, "gitmem_*_windows_amd64.zip"))
		if err != nil || len(all) != 1 {
			t.Fatalf("no single release in %s: %v", dir, all)
		}
		return release{dir, strings.Split(filepath.Base(all[0]), "_")[1], true}
	}
	r := release{dir: t.TempDir(), version: "1.2.3"}
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		write(t, r.path("gitmem_1.2.3_"+platform+".tar.gz"), tarball(t))
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"gitmem.exe", "LICENSE", "README.md"} {
		w, err := z.Create(name)
		check(t, err)
		_, err = w.Write([]byte(program))
		check(t, err)
	}
	check(t, z.Close())
	write(t, r.path("gitmem_1.2.3_windows_amd64.zip"), b.Bytes())
	r.packages(t, newKey(t))
	return r
}

// tarball is an archive of a release.
func tarball(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range []string{"gitmem", "LICENSE", "README.md"} {
		check(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program))}))
		_, err := w.Write([]byte(program))
		check(t, err)
	}
	check(t, w.Close())
	check(t, z.Close())
	return b.Bytes()
}

// newKey makes a private key for this test alone.
func newKey(t *testing.T) string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	run(t, "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
	return key
}

// packages makes the packages, signed by a key, "" for none.
func (r release) packages(t *testing.T, key string) {
	t.Helper()
	c := exec.Command("bash", filepath.Join("..", "..", "..", ".ci", "packages"), "v"+r.version, r.dir)
	c.Env = append(os.Environ(), "RELEASE_KEY="+key)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func (r release) path(name string) string { return filepath.Join(r.dir, name) }

// platform is how a release names this machine.
func platform() string { return runtime.GOOS + "_" + runtime.GOARCH }

// sum is the SHA-256 of a file of the release.
func (r release) sum(t *testing.T, name string) string {
	t.Helper()
	s := sha256.Sum256(read(t, r.path(name)))
	return hex.EncodeToString(s[:])
}

func TestRelease(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	t.Run("sums", func(t *testing.T) {
		t.Parallel()
		files, err := os.ReadDir(r.dir)
		check(t, err)
		listed := string(read(t, r.path("SHA256SUMS")))
		for _, f := range files {
			if name := f.Name(); !strings.HasPrefix(name, "SHA256SUMS") && !strings.Contains(listed, r.sum(t, name)+"  "+name) {
				t.Errorf("SHA256SUMS lacks %s, or has another sum", name)
			}
		}
		if n := strings.Count(listed, "\n"); n != 5+5+6+1+1+3+1 || n != len(files)-2 {
			t.Errorf("%d files in the list, %d in the folder", n, len(files))
		}
	})
	t.Run("npm", func(t *testing.T) { t.Parallel(); testNPM(t, r) })
	t.Run("bundles", func(t *testing.T) { t.Parallel(); testBundles(t, r) })
	t.Run("manifests", func(t *testing.T) { t.Parallel(); testManifests(t, r) })
	t.Run("install.sh", func(t *testing.T) { t.Parallel(); testInstall(t, r) })
}

// TestPackagesAgain makes packages twice from the same archives, and then without a key.
func TestPackagesAgain(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	if r.real {
		t.Skip("what is made of archives does not depend on what they hold")
	}
	before := read(t, r.path("SHA256SUMS"))
	key := newKey(t)
	r.packages(t, key)
	if after := read(t, r.path("SHA256SUMS")); !bytes.Equal(without(before, "install.sh"), without(after, "install.sh")) {
		t.Errorf("other bytes:\n%s%s", before, after)
	}
	if text := read(t, r.path("install.sh")); bytes.Contains(text, []byte("@")) ||
		!bytes.Contains(text, run(t, "openssl", "pkey", "-in", key, "-pubout")[:100]) {
		t.Errorf("install.sh does not hold the key:\n%s", text)
	}
	r.packages(t, "")
	for _, name := range []string{"install.sh", "SHA256SUMS.sig"} {
		if _, err := os.Stat(r.path(name)); err == nil {
			t.Errorf("without a key there is a %s", name)
		}
	}
}

// without are the lines of a text that do not hold a word.
func without(text []byte, word string) []byte {
	var left []byte
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(word)) {
			left = append(left, line...)
		}
	}
	return left
}

// unzip writes the files of an archive below a folder.
func unzip(t *testing.T, file, dir string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	check(t, err)
	defer z.Close()
	for _, f := range z.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		check(t, os.MkdirAll(filepath.Dir(to), 0o755))
		from, err := f.Open()
		check(t, err)
		text, err := io.ReadAll(from)
		check(t, err)
		check(t, os.WriteFile(to, text, f.Mode()))
	}
}

func run(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", program, args, err)
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	return text
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	check(t, cmp.Or(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
