//go:build linux

package distribution_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// registry serves the packages of a release to npm.
func registry(t *testing.T, r release) *httptest.Server {
	t.Helper()
	packages := map[string][]byte{}
	files := http.StripPrefix("/files/", http.FileServer(http.Dir(r.dir)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if text := packages[q.URL.Path]; text != nil {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(text) // npm would say so
			return
		}
		files.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	all, err := filepath.Glob(r.path("gitmem-gitmem*.tgz"))
	check(t, err)
	for _, file := range all {
		var p map[string]any
		check(t, json.Unmarshal(packed(t, file, "package/package.json"), &p))
		sum := sha512.Sum512(read(t, file))
		p["dist"] = map[string]string{"tarball": server.URL + "/files/" + filepath.Base(file),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		if scripts := p["scripts"]; scripts != nil {
			t.Errorf("%s has scripts: %v", file, scripts)
		}
		packages["/"+p["name"].(string)], err = json.Marshal(map[string]any{"name": p["name"],
			"dist-tags": map[string]string{"latest": r.version}, "versions": map[string]any{r.version: p}})
		check(t, err)
	}
	return server
}

// packed is a file in a package of npm.
func packed(t *testing.T, file, name string) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, file)))
	check(t, err)
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		check(t, err)
		if h.Name == name {
			text, err := io.ReadAll(files)
			check(t, err)
			return text
		}
	}
}

// npmInstall installs the main package into an empty prefix.
func npmInstall(t *testing.T, from *httptest.Server, args ...string) (prefix string) {
	t.Helper()
	prefix = t.TempDir()
	c := exec.Command("npm", append([]string{"install", "--global", "--prefix", prefix, "--registry", from.URL,
		"--cache", t.TempDir(), "--no-audit", "--no-fund", "--no-update-notifier", "@gitmem/gitmem"}, args...)...)
	c.Env = append(os.Environ(), "HOME="+t.TempDir(), "npm_config_userconfig="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return prefix
}

func testNPM(t *testing.T, r release) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("SKIPPED: there is no npm")
	}
	server := registry(t, r)
	prefix := npmInstall(t, server)
	installed := filepath.Join(prefix, "lib", "node_modules", "@gitmem", "gitmem", "node_modules", "@gitmem")
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if dirs, err := os.ReadDir(installed); err != nil || len(dirs) != 1 || dirs[0].Name() != "gitmem-linux-"+cpu {
		t.Fatalf("installed are %v: %v", dirs, err)
	}
	gitmem := filepath.Join(prefix, "bin", "gitmem")
	c := exec.Command(gitmem, "version")
	c.Stdin = strings.NewReader("streams")
	if out, err := c.Output(); err != nil || !strings.HasPrefix(string(out), "gitmem v"+r.version+" ") ||
		!r.real && !strings.HasSuffix(string(out), " streams\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := exec.Command(gitmem, "nonsense").Run(); exitCode(err) != 2 {
		t.Errorf("the exit code is lost: %v", err)
	}
	if !r.real {
		testLauncher(t, gitmem)
		testSignals(t, gitmem, filepath.Join(installed, "gitmem-linux-"+cpu, "gitmem"))
	}
	check(t, os.RemoveAll(installed))
	if out, err := exec.Command(gitmem, "version").CombinedOutput(); exitCode(err) != 1 ||
		!strings.HasPrefix(string(out), "gitmem: error: the package @gitmem/gitmem-linux-"+cpu+" is not installed\n") {
		t.Errorf("without the platform's package: %v\n%s", err, out)
	}
}

// launchers are the commands that run gitmem: by the node of this machine, and by that of GITMEM_NODE. A node of
// version 22.15 or newer becomes gitmem, an older one waits for it.
func launchers(gitmem string) [][]string {
	if node := os.Getenv("GITMEM_NODE"); node != "" {
		return [][]string{{gitmem}, {node, gitmem}}
	}
	return [][]string{{gitmem}}
}

// testLauncher checks that arguments and an end by a signal are passed on.
func testLauncher(t *testing.T, gitmem string) {
	t.Helper()
	for _, l := range launchers(gitmem) {
		out, err := exec.Command(l[0], append(l[1:], "echo", "a b", "", `"*`)...).CombinedOutput()
		if err != nil || string(out) != `<a b><><"*>` {
			t.Errorf("%v: %v\n%s", l, err, out)
		}
		var exit *exec.ExitError
		if err := exec.Command(l[0], append(l[1:], "kill")...).Run(); !errors.As(err, &exit) ||
			exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("%v: the end by a signal is lost: %v", l, err)
		}
	}
}

// waits makes this program wait for a signal.
const waits = "GITMEM_TEST_WAITS"

func TestMain(m *testing.M) {
	if os.Getenv(waits) == "" {
		os.Exit(m.Run())
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	fmt.Println("ready")
	fmt.Println(<-signals)
	os.Exit(9)
}

// testSignals checks that signals are passed on, with this program in the place of the installed one.
func testSignals(t *testing.T, gitmem, installed string) {
	t.Helper()
	own, err := os.Executable()
	check(t, err)
	check(t, os.Remove(installed))
	check(t, os.Symlink(own, installed))
	for _, l := range launchers(gitmem) {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			c := exec.Command(l[0], l[1:]...)
			c.Env = append(os.Environ(), waits+"=1")
			out, err := c.StdoutPipe()
			check(t, err)
			check(t, c.Start())
			_, err = io.ReadFull(out, make([]byte, len("ready\n")))
			check(t, err)
			check(t, c.Process.Signal(signal))
			if rest, err := io.ReadAll(out); err != nil || string(rest) != signal.String()+"\n" {
				t.Errorf("%v %v: %q %v", l, signal, rest, err)
			}
			if err := c.Wait(); exitCode(err) != 9 {
				t.Errorf("%v %v: %v", l, signal, err)
			}
		}
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
