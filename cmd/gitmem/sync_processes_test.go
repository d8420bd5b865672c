package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSyncingProcesses lets four machines write and synchronise concurrently through one bare repository, and
// kills a quarter of their processes. Afterwards each synchronises, and nothing is lost.
func TestSyncingProcesses(t *testing.T) {
	t.Parallel()
	nightly(t)
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not what ends processes on Windows")
	}
	f := newFleet(t, syncs(), seedFlag(t), 4, nil)
	f.kills = killTimers
	f.atOnce(min(100, numberFlag(t, "operations")))
	f.settled(0)
}

// atOnce lets all machines work concurrently. A sync that loses every race for the remote may report so.
func (f *fleet) atOnce(operations int) {
	var machines sync.WaitGroup
	for i, m := range f.machines {
		m.rng = rand.New(rand.NewPCG(f.seed, uint64(i)))
		machines.Go(func() {
			for range operations {
				m.step()
				if m.rng.IntN(4) == 0 {
					m.exchangeNow()
				}
				if m.isBroken() {
					return
				}
			}
		})
	}
	machines.Wait()
	for _, m := range f.machines {
		m.rng = f.rng
	}
}

// TestSyncOverTransports synchronises machines through servers on loopback.
func TestSyncOverTransports(t *testing.T) {
	t.Parallel()
	nightly(t)
	for _, transport := range []struct {
		name  string
		serve func(f *fleet) string
	}{{"git", (*fleet).serveGit}, {"http", (*fleet).serveHTTP}, {"ssh", (*fleet).serveSSH}} {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, syncs(), seedFlag(t), 2, transport.serve)
			f.run(20)
			f.settled(0)
		})
	}
}

// freePort returns a free port on loopback.
func (f *fleet) freePort() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve starts a server, waits until it listens, and ends it with the test.
func (f *fleet) serve(port int, name string, args ...string) {
	f.t.Helper()
	c := exec.Command(name, args...)
	c.Env = f.environ(f.base)
	f.must(c.Start())
	f.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			f.must(conn.Close())
			return
		} else if time.Now().After(end) {
			f.t.Fatal(err)
		}
	}
}

func (f *fleet) serveGit() string {
	port := f.freePort()
	libexec := strings.TrimSpace(f.git(f.base, "--exec-path"))
	daemon := filepath.Join(libexec, "git-daemon")
	if _, err := os.Stat(daemon); err != nil {
		f.t.Skip("SKIPPED: this git has no git-daemon")
	}
	f.serve(port, daemon, "--reuseaddr", "--listen=127.0.0.1", fmt.Sprintf("--port=%d", port), "--export-all",
		"--enable=receive-pack", "--base-path="+f.base, f.base)
	return fmt.Sprintf("git://127.0.0.1:%d/%s", port, filepath.Base(f.remote))
}

func (f *fleet) serveHTTP() string {
	backend := filepath.Join(strings.TrimSpace(f.git(f.base, "--exec-path")), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		f.t.Skip("SKIPPED: this git has no git-http-backend")
	}
	f.git(f.base, "--git-dir", f.remote, "config", "http.receivepack", "true")
	env := append(f.environ(f.base), "GIT_PROJECT_ROOT="+f.base, "GIT_HTTP_EXPORT_ALL=1")
	server := httptest.NewServer(&cgi.Handler{Path: backend, Env: env})
	f.t.Cleanup(server.Close)
	return server.URL + "/" + filepath.Base(f.remote)
}

// serveSSH starts an SSH server as the user, which accepts one key.
func (f *fleet) serveSSH() string {
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		sshd = "/usr/sbin/sshd" // not in the PATH of users
	}
	for _, name := range []string{sshd, "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(name); err != nil {
			f.t.Skipf("SKIPPED: no server for ssh: %v", err)
		}
	}
	port, dir := f.freePort(), filepath.Join(f.base, "ssh")
	f.must(os.MkdirAll(dir, 0o700))
	for _, key := range []string{"host", "user"} {
		c := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key))
		out, err := c.CombinedOutput()
		f.must2(string(out), err)
	}
	config := fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %[2]s/host\nAuthorizedKeysFile %[2]s/user.pub\n"+
		"PidFile %[2]s/pid\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n", port, dir)
	f.must(os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600))
	if out, err := exec.Command(sshd, "-t", "-f", filepath.Join(dir, "config")).CombinedOutput(); err != nil {
		f.t.Skipf("SKIPPED: sshd does not start here: %v: %s", err, out)
	}
	f.serve(port, sshd, "-D", "-f", filepath.Join(dir, "config"))
	f.env = append(f.env, "GIT_SSH_COMMAND=ssh -i "+filepath.Join(dir, "user")+
		" -o StrictHostKeyChecking=no -o UserKnownHostsFile="+os.DevNull)
	return fmt.Sprintf("ssh://127.0.0.1:%d%s", port, f.remote)
}

func (f *fleet) isBroken() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.broken
}
