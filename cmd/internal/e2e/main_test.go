//go:build e2e && linux

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// clientVersion is the version that the tests were written with.
const clientVersion = "2.1.332"

// The tests run this binary twice: outside, where the client is downloaded and gitmem is built, and inside a
// separate network namespace, where everything else happens.
const (
	insideVar = "GITMEM_E2E_INSIDE" // set inside
	clientVar = "GITMEM_E2E_CLIENT" // the client's file; optional
	gitmemVar = "GITMEM_E2E_GITMEM" // gitmem's file, set inside
	agentsVar = "GITMEM_E2E_AGENTS" // the absolute path of a folder for other agents; set to test them
)

func TestMain(m *testing.M) {
	if os.Getenv(insideVar) == "" {
		code, err := outside()
		if err != nil {
			fmt.Fprintln(os.Stderr, "FAIL: end to end with the client:", err)
			code = 1
		}
		os.Exit(code)
	}
	if err := loopbackOnly(); err != nil {
		fmt.Fprintln(os.Stderr, "FAIL: network of the tests:", err)
		os.Exit(1)
	}
	if os.Getenv(insideVar) == "probe" {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// skipped is a reason to skip the tests on this machine.
type skipped struct{ error }

// outside prepares everything and runs the tests inside.
func outside() (code int, err error) {
	dir, err := os.MkdirTemp("", "gitmem-e2e")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	gitmem := filepath.Join(dir, "gitmem")
	client, err := prepare(gitmem)
	var reason skipped
	if errors.As(err, &reason) {
		fmt.Println("SKIPPED: end to end with the client:", reason.error)
		return 0, nil
	} else if err != nil {
		return 1, err
	}
	c := inside(os.Args[1:], "run", clientVar+"="+client, gitmemVar+"="+gitmem)
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		return max(1, exit.ExitCode()), nil
	} else if err != nil {
		return 1, err
	}
	return 0, nil
}

// prepare finds the dependencies of the tests: namespaces, git, the client, and gitmem.
func prepare(gitmem string) (client string, err error) {
	if out, err := inside(nil, "probe").Output(); err != nil {
		return "", skipped{fmt.Errorf("no network namespace of its own can be made here: %w %s", err, out)}
	}
	if _, err := exec.LookPath("git"); err != nil {
		return "", skipped{err}
	}
	if client, err = findClient(); err != nil {
		return "", err
	}
	if dir := os.Getenv(agentsVar); dir != "" {
		if err := installAgents(dir); err != nil {
			return "", skipped{err}
		}
		if err := goes("test", "-c", "-o", clocked(gitmem)); err != nil {
			return "", err
		}
	}
	return client, goes("build", "-buildvcs=false", "-o", gitmem)
}

// goes runs the go command on gitmem's program.
func goes(args ...string) error {
	c := exec.Command("go", append(args, "github.com/gitmem/gitmem/cmd/gitmem")...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// clocked returns the file of a gitmem that takes the time from GITMEM_TEST_NOW: the test binary of its
// program, which acts as the program under this name.
func clocked(gitmem string) string { return filepath.Join(filepath.Dir(gitmem), "clocked", "gitmem") }

// inside returns this program in a separate user and network namespace, in which it is root and only has a
// loopback device.
func inside(args []string, how string, env ...string) *exec.Cmd {
	c := exec.Command("/proc/self/exe", args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if how == "probe" {
		c.Stdout, c.Stderr = nil, nil
	}
	c.Env = append(append(os.Environ(), insideVar+"="+how), env...)
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	return c
}

// loopbackOnly activates the loopback device and checks that there is no other.
func loopbackOnly() error {
	devices, err := net.Interfaces()
	if err != nil {
		return err
	}
	if len(devices) != 1 || devices[0].Flags&net.FlagLoopback == 0 {
		return fmt.Errorf("there is more than a loopback device: %v", devices)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq(devices[0].Name)
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// findClient returns the client named in the environment, or installs one into the user's cache.
func findClient() (string, error) {
	if name := os.Getenv(clientVar); name != "" {
		name, err := filepath.Abs(name)
		if err == nil {
			_, err = os.Stat(name)
		}
		return name, err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return "", skipped{fmt.Errorf("%s names no client and there is no npm to install one: %w", clientVar, err)}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", skipped{err}
	}
	dir := filepath.Join(cache, "gitmem-e2e", clientVersion)
	if client, err := installed(dir); err == nil {
		return client, nil
	}
	if err := npmInstall(dir, "@anthropic-ai/claude-code@"+clientVersion); err != nil {
		return "", skipped{fmt.Errorf("the client can't be installed: %w", err)}
	}
	client, err := installed(dir)
	if err != nil {
		return "", skipped{err}
	}
	return client, nil
}

// npmInstall installs packages below a folder, without running their scripts.
func npmInstall(dir string, packages ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "npm", append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund",
		"--ignore-scripts", "--loglevel", "error", "--fetch-retries", "1"}, packages...)...)
	c.Env = withSystemCertificates(os.Environ())
	if out, err := c.CombinedOutput(); err != nil {
		said := strings.Join(strings.Fields(string(out)), " ") // one line, because the summary repeats it
		return fmt.Errorf("npm: %w: %.400s", err, said)
	}
	return nil
}

// withSystemCertificates lets npm use this system's certificates, like git and Go: its own list does not have
// those added by an administrator.
func withSystemCertificates(env []string) []string {
	const list = "/etc/ssl/certs/ca-certificates.crt"
	if _, err := os.Stat(list); err != nil || os.Getenv("NODE_EXTRA_CA_CERTS") != "" {
		return env
	}
	return append(env, "NODE_EXTRA_CA_CERTS="+list)
}

// installed returns the client's binary for this machine among those installed by npm.
func installed(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-*", "claude"))
	if err != nil {
		return "", err
	}
	for _, name := range found {
		if out, err := exec.Command(name, "--version").Output(); err == nil && strings.HasPrefix(string(out), clientVersion) {
			return name, nil
		}
	}
	return "", fmt.Errorf("no client %s runs here, of those in %s: %q", clientVersion, dir, found)
}
