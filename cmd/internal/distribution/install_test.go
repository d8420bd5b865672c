//go:build linux

package distribution_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server serves a release as GitHub, to those who take it for their proxy and trust its certificate: install.sh
// runs as it was released.
type server struct {
	proxy, trusted string // address, and file of the certificate
	reached        chan string
}

// serve answers what a test changes instead of what the release has; nil is a file that is not there, and an
// empty one is never answered.
func serve(t *testing.T, r release, changed map[string][]byte) server {
	t.Helper()
	certificate, key := newCertificate(t)
	s := server{trusted: filepath.Join(t.TempDir(), "cert.pem"), reached: make(chan string, 10)}
	write(t, s.trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	ending := make(chan struct{})
	host := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		name := path.Base(q.URL.Path)
		text, isChanged := changed[name]
		switch {
		case q.Host != "github.com" || q.URL.Path != "/gitmem/gitmem/releases/download/v"+r.version+"/"+name:
			t.Errorf("it asked for %s%s", q.Host, q.URL)
		case !isChanged:
			http.ServeFile(w, q, r.path(name))
		case text == nil:
			http.NotFound(w, q)
		case len(text) == 0:
			s.reached <- name
			<-ending
		default:
			_, _ = w.Write(text) // who asked may be gone
		}
	}))
	host.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
	host.StartTLS()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		join(t, w, q, host.Listener.Addr().String())
	}))
	s.proxy = proxy.URL
	t.Cleanup(func() { close(ending); host.CloseClientConnections(); host.Close(); proxy.Close() })
	return s
}

// join connects who asks a proxy for a host with an address of this machine.
func join(t *testing.T, w http.ResponseWriter, q *http.Request, address string) {
	if q.Method != http.MethodConnect {
		t.Errorf("%s %s is no TLS", q.Method, q.URL)
		return
	}
	to, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return
	}
	w.WriteHeader(http.StatusOK)
	from, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	go func() {
		_, _ = bufio.NewReader(buffered).WriteTo(to) // until either side ends
		_ = to.Close()
	}()
	go func() {
		_, _ = bufio.NewReader(to).WriteTo(from)
		_ = from.Close()
	}()
}

// newCertificate is one for github.com that nobody else trusts.
func newCertificate(t *testing.T) ([]byte, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "github.com"},
		DNSNames: []string{"github.com"}, IsCA: true,
		BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	check(t, err)
	return certificate, key
}

// machine is an empty one, but for what is on its PATH.
type machine struct{ home, temp, path string }

func newMachine(t *testing.T) machine {
	t.Helper()
	return machine{t.TempDir(), t.TempDir(), os.Getenv("PATH")}
}

// install is install.sh, run as by curl … | sh.
func (m machine) install(t *testing.T, r release, s server) *exec.Cmd {
	t.Helper()
	c := exec.Command("sh")
	c.Stdin = bytes.NewReader(read(t, r.path("install.sh")))
	c.Dir = t.TempDir()
	c.Env = []string{"HOME=" + m.home, "TMPDIR=" + m.temp, "PATH=" + m.path, "HTTPS_PROXY=" + s.proxy,
		"CURL_CA_BUNDLE=" + s.trusted}
	return c
}

// checkEmpty checks that nothing stayed behind.
func (m machine) checkEmpty(t *testing.T) {
	t.Helper()
	for _, dir := range []string{m.home, m.temp} {
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("what stays behind: %v %v", files, err)
		}
	}
}

func testInstall(t *testing.T, r release) {
	m, s := newMachine(t), serve(t, r, nil)
	program := filepath.Join(m.home, ".local", "bin", "gitmem")
	for range 2 { // the second one takes the place of the first
		out, err := m.install(t, r, s).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "gitmem v"+r.version+" ") ||
			!strings.HasSuffix(string(out), "\nPut "+filepath.Dir(program)+" on your PATH.\n") {
			t.Fatalf("%v\n%s", err, out)
		}
		archive := run(t, "tar", "-xzOf", r.path("gitmem_"+r.version+"_"+platform()+".tar.gz"), "gitmem")
		info, err := os.Stat(program)
		if err != nil || info.Mode() != 0o755 || !bytes.Equal(archive, read(t, program)) {
			t.Errorf("installed is %v: %v", info, err)
		}
		if files, err := os.ReadDir(filepath.Dir(program)); err != nil || len(files) != 1 {
			t.Errorf("beside it: %v %v", files, err)
		}
	}
	testRefusals(t, r)
	testInterrupted(t, r)
}

// testRefusals installs what is no release, over nothing and over an older gitmem.
func testRefusals(t *testing.T, r release) {
	t.Helper()
	archive := "gitmem_" + r.version + "_" + platform() + ".tar.gz"
	real, sums := read(t, r.path(archive)), read(t, r.path("SHA256SUMS"))
	windows := r.path("gitmem_" + r.version + "_windows_amd64.zip")
	changed := bytes.Clone(real)
	changed[len(changed)/2] ^= 1
	other := bytes.ReplaceAll(sums, []byte(r.sum(t, archive)), bytes.Repeat([]byte("0"), 64))
	sign := func(text []byte) []byte {
		file := filepath.Join(t.TempDir(), "sums")
		write(t, file, text)
		return run(t, "openssl", "dgst", "-sha256", "-sign", newKey(t), file)
	}
	const unsigned, unequal, missing = "not signed by the key", "not the file that was released", "can't be downloaded"
	for name, tt := range map[string]struct {
		changed map[string][]byte
		want    string
	}{
		"signature of another key":    {map[string][]byte{"SHA256SUMS.sig": sign(sums)}, unsigned},
		"sums and key of another":     {map[string][]byte{"SHA256SUMS": other, "SHA256SUMS.sig": sign(other)}, unsigned},
		"changed sums":                {map[string][]byte{"SHA256SUMS": other}, unsigned},
		"signature that is none":      {map[string][]byte{"SHA256SUMS.sig": []byte("-----BEGIN")}, unsigned},
		"sums that are none":          {map[string][]byte{"SHA256SUMS": []byte("<html>")}, unsigned},
		"no signature":                {map[string][]byte{"SHA256SUMS.sig": nil}, missing},
		"changed archive":             {map[string][]byte{archive: changed}, unequal},
		"half an archive":             {map[string][]byte{archive: real[:len(real)/2]}, unequal},
		"archive of another system":   {map[string][]byte{archive: read(t, windows)}, unequal},
		"no archive":                  {map[string][]byte{archive: nil}, missing},
		"page in the archive's place": {map[string][]byte{archive: []byte("<html>")}, unequal},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, r, tt.changed)
			m := newMachine(t)
			refused(t, m.install(t, r, s), tt.want)
			m.checkEmpty(t)
			older := filepath.Join(m.home, ".local", "bin", "gitmem")
			write(t, older, []byte("older"))
			refused(t, m.install(t, r, s), tt.want)
			if files, err := os.ReadDir(filepath.Dir(older)); err != nil || len(files) != 1 ||
				string(read(t, older)) != "older" {
				t.Errorf("the older one did not stay: %v %v", files, err)
			}
		})
	}
	testTools(t, r)
}

// testTools installs where something is missing or in the way.
func testTools(t *testing.T, r release) {
	t.Helper()
	s := serve(t, r, nil)
	for _, missing := range []string{"curl", "openssl", "gzip"} {
		m := newMachine(t)
		m.path = tools(t, missing)
		refused(t, m.install(t, r, s), missing+" is needed and is not installed")
		m.checkEmpty(t)
	}
	m := newMachine(t)
	m.path = tools(t, "uname")
	check(t, os.WriteFile(filepath.Join(m.path, "uname"), []byte("#!/bin/sh\necho Plan9\n"), 0o755))
	refused(t, m.install(t, r, s), "no release for Plan9 on Plan9")
	m.checkEmpty(t)
	m = newMachine(t)
	check(t, os.MkdirAll(filepath.Join(m.home, ".local", "bin", "gitmem"), 0o755))
	refused(t, m.install(t, r, s), "gitmem is a folder")
}

// tools is a folder with what install.sh uses, but for one program.
func tools(t *testing.T, missing string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range strings.Fields("cat chmod cp curl cut grep gzip mkdir mktemp mv openssl rm tar uname") {
		file, err := exec.LookPath(name)
		check(t, err)
		if name != missing {
			check(t, os.Symlink(file, filepath.Join(dir, name)))
		}
	}
	return dir
}

// refused runs an install that must fail, with a reason and a way out.
func refused(t *testing.T, c *exec.Cmd, want string) {
	t.Helper()
	out, err := c.CombinedOutput()
	if exitCode(err) != 1 || !strings.Contains(string(out), want) || !strings.Contains(string(out), "gitmem: error: ") ||
		!strings.Contains(string(out), "gitmem: hint: nothing was installed; see https://") {
		t.Errorf("exit code %d, without %q:\n%s", exitCode(err), want, out)
	}
}

// testInterrupted ends the script while it downloads, as a terminal does: with curl.
func testInterrupted(t *testing.T, r release) {
	t.Helper()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		s := serve(t, r, map[string][]byte{"gitmem_" + r.version + "_" + platform() + ".tar.gz": {}})
		m := newMachine(t)
		c := m.install(t, r, s)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		check(t, c.Start())
		<-s.reached
		check(t, syscall.Kill(-c.Process.Pid, signal))
		if err := c.Wait(); exitCode(err) != 130 {
			t.Errorf("%v: %v", signal, err)
		}
		m.checkEmpty(t)
	}
}
