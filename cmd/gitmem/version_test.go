package main

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// releaseServer takes the place of every host: it sends each request for GitHub to a server on this
// machine, and notes what was asked.
type releaseServer struct {
	*hostileForge
	requests []*http.Request
}

func (s *releaseServer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, r)
	to, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	if r.URL.Host != "api.github.com" || r.URL.Scheme != "https" {
		s.strayed.Add(1)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// checkVersion runs version --check against a transport, with tokens in the environment.
func checkVersion(ctx context.Context, t *testing.T, to http.RoundTripper, offline string) (code int,
	out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, dir: dir, home: dir, cache: dir, temp: dir,
		getenv: func(name string) string {
			return map[string]string{"GITHUB_TOKEN": forgeToken, "GITMEM_OFFLINE": offline}[name]
		},
		now: time.Now, name: "gitmem", transport: to}
	code = a.run(ctx, []string{"version", "--check"})
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("it wrote %v: %v", files, err)
	}
	return code, stdout.String(), stderr.String()
}

func TestVersionCheckFaults(t *testing.T) {
	t.Parallel()
	faults := forgeFaults()
	for name, body := range map[string]string{
		"no tag": `{}`, "a tag of another kind": `{"tag_name":["v9.9.9"]}`, "a preview": `{"tag_name":"v9.9.9-rc.1"}`,
		"no version": `{"tag_name":"v9.9.9\u001b[31m ` + plantedKey + `"}`, "a path": `{"tag_name":"v9.9.9/../../evil"}`,
	} {
		faults[name] = forgeFault{plainly(200, body), ""}
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &releaseServer{hostileForge: newHostileForge(t, fault.do)}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			if name == "silence" {
				s.fault = func(f *hostileForge, w http.ResponseWriter, r *http.Request) {
					interrupt() // as by Ctrl-C
					silence(f, w, r)
				}
			}
			code, out, errs := checkVersion(ctx, t, s, "")
			want := exitError
			if name == "silence" {
				want = exitInterrupted
			}
			if code != want || !strings.HasPrefix(errs, "gitmem: error: ") || strings.Count(errs, "\n") > 2 ||
				strings.Contains(out, "release") || strings.Contains(errs, "\x1b") || strings.Contains(errs, plantedKey) {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
			if s.strayed.Load() > 0 || len(s.requests) == 0 {
				t.Errorf("%d requests, %d to elsewhere", len(s.requests), s.strayed.Load())
			}
			for _, r := range s.requests {
				checkSaysNothing(t, r)
			}
		})
	}
}

// checkSaysNothing checks that a request is the same for everybody.
func checkSaysNothing(t *testing.T, r *http.Request) {
	t.Helper()
	constant := []string{"Accept", "Referer", "User-Agent", "X-Github-Api-Version"} // redirects add the referer
	for name := range r.Header {
		if !slices.Contains(constant, name) {
			t.Errorf("it sent the header %s", name)
		}
	}
	if r.Method != http.MethodGet || r.Body != nil || r.Header.Get("User-Agent") != "gitmem" || r.URL.RawQuery != "" ||
		!strings.HasPrefix(r.URL.Path, "/repos/gitmem/gitmem/releases/latest") {
		t.Errorf("it sent %s %s %v", r.Method, r.URL, r.Header)
	}
}

func TestVersionCheckOffline(t *testing.T) {
	t.Parallel()
	s := &releaseServer{hostileForge: newHostileForge(t, plainly(200, `{"tag_name":"v9.9.9"}`))}
	code, _, errs := checkVersion(t.Context(), t, s, "1")
	if code != exitError || !strings.Contains(errs, "GITMEM_OFFLINE") || !strings.Contains(errs, "hint: ") ||
		len(s.requests) > 0 {
		t.Errorf("exit code %d, %d requests\n%s", code, len(s.requests), errs)
	}
	if code, out, errs := checkVersion(t.Context(), t, s, ""); code != exitOK || errs != "" || len(s.requests) != 1 ||
		!strings.Contains(out, "v9.9.9") {
		t.Errorf("exit code %d, %d requests\n%s%s", code, len(s.requests), out, errs)
	}
}

// silentServer never answers.
type silentServer struct{}

func (silentServer) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestVersionCheckEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		code, _, errs := checkVersion(t.Context(), t, silentServer{}, "")
		if took := time.Since(began); code != exitError || took > 15*time.Second || !strings.Contains(errs, "10s") {
			t.Errorf("exit code %d after %v\n%s", code, took, errs)
		}
	})
}

func TestReleaseText(t *testing.T) {
	t.Parallel()
	const page = "https://github.com/gitmem/gitmem/releases/tag/"
	for _, tt := range []struct{ own, newest, want string }{
		{"v1.2.3", "v1.2.3", "v1.2.3 is the newest release\n"},
		{"v1.2.4-0.20261201000000-0123456789ab", "v1.2.3", "the newest release is v1.2.3, which is older\n"},
		{"v1.9.0", "v1.10.0", "the newest release is v1.10.0: " + page + "v1.10.0\n" +
			"get it as you got this one: https://github.com/gitmem/gitmem#install\n"},
		{"devel 0123456789ab", "v1.2.3", "the newest release is v1.2.3: " + page + "v1.2.3\n" +
			"whether it is newer than this build, which has no version, is not known\n"},
	} {
		if got := releaseText(tt.own, tt.newest); got != tt.want {
			t.Errorf("%s beside %s:\n%s", tt.own, tt.newest, got)
		}
	}
}
