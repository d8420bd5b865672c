package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gitLab implements the part of GitLab's REST API that a proposal needs, for the project acme/pump.
type gitLab struct {
	*httptest.Server
	mu    sync.Mutex
	made  []map[string]any
	fault func(w http.ResponseWriter, r *http.Request) bool
}

const gitLabProject = "/api/v4/projects/acme%2Fpump"

func newGitLab(t *testing.T) *gitLab {
	g := &gitLab{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.fault != nil && g.fault(w, r) {
			return
		}
		body := map[string]any{}
		if r.Method != http.MethodGet {
			_ = json.NewDecoder(r.Body).Decode(&body)
		}
		status, out := g.answer(r, body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *gitLab) answer(r *http.Request, body map[string]any) (int, any) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), gitLabProject)
	number, numbered := strings.CutPrefix(rest, "/merge_requests/")
	n, _ := strconv.Atoi(number)
	switch {
	case r.URL.Path == "/api/v4/user":
		return 200, map[string]any{"id": 5, "username": "ann"}
	case r.URL.Path == "/api/v4/users":
		return 200, []any{map[string]any{"id": 6, "username": r.URL.Query().Get("username")}}
	case ok && rest == "":
		return 200, map[string]any{"id": 1, "default_branch": "main", "path_with_namespace": "acme/pump",
			"permissions": map[string]any{"project_access": map[string]any{"access_level": 30}}}
	case rest == "/merge_requests" && r.Method == http.MethodGet:
		out := []map[string]any{}
		for _, m := range g.made {
			if want := r.URL.Query().Get("source_branch"); want == "" || m["source_branch"] == want {
				out = append(out, m)
			}
		}
		return 200, out
	case rest == "/merge_requests":
		return g.create(body)
	case numbered && r.Method == http.MethodPut && n > 0 && n <= len(g.made):
		for key, value := range body {
			g.made[n-1][key] = value
		}
		return 200, g.made[n-1]
	}
	return 200, []any{}
}

func (g *gitLab) create(body map[string]any) (int, any) {
	for _, m := range g.made {
		if m["state"] == "opened" && m["source_branch"] == body["source_branch"] {
			return 409, map[string]any{"message": []any{"Another open merge request already exists for this source branch: !1"}}
		}
	}
	n := len(g.made) + 1
	body["iid"], body["id"], body["state"], body["web_url"] = n, n, "opened",
		fmt.Sprintf("https://git.example.org/acme/pump/-/merge_requests/%d", n)
	body["created_at"], body["updated_at"] = "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"
	g.made = append(g.made, body)
	return 201, body
}

// TestPromoteGitLab: the same steps to one merge request, with the faults of a server.
func TestPromoteGitLab(t *testing.T) {
	t.Parallel()
	create := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/merge_requests")
	}
	for name, fault := range map[string]func(*gitLab) func(http.ResponseWriter, *http.Request) bool{
		"none": func(*gitLab) func(http.ResponseWriter, *http.Request) bool { return nil },
		"403": func(*gitLab) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				if create(r) {
					plainly(403, `{"message":"403 Forbidden"}`)(nil, w, r)
				}
				return create(r)
			}
		},
		"lost answer": func(g *gitLab) func(http.ResponseWriter, *http.Request) bool {
			return func(_ http.ResponseWriter, r *http.Request) bool {
				if !create(r) {
					return false
				}
				var body map[string]any
				_ = json.NewDecoder(r.Body).Decode(&body)
				g.create(body)
				panic(http.ErrAbortHandler)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, g := newProposals(t), newGitLab(t)
			p.env = append(p.env, "GITLAB_TOKEN="+forgeToken, "GITLAB_HOST=git.example.org")
			p.configure(fmt.Sprintf("forges: [{host: git.example.org, kind: gitlab, api: '%s/api/v4'}]\nfetch_wait: 5m\n",
				g.URL))
			before := p.work(p.dir)
			g.fault = fault(g)
			const rule = "Use slog for logging"
			done, code, stderr := p.promote(p.dir, rule, "--yes", "--draft")
			if broken := name == "403"; (code != exitOK) != broken || (done.State == "pushed") != broken {
				t.Fatalf("code %d, %+v: %s", code, done, stderr)
			}
			g.fault = nil
			again, code, stderr := p.promote(p.dir, rule, "--yes", "--label", "rules", "--draft")
			if code != exitOK || again.Number != 1 || again.Commit != done.Commit || len(g.made) != 1 {
				t.Errorf("again: code %d, %+v: %s", code, again, stderr)
			}
			if m := g.made[0]; m["title"] != "Draft: rules: use slog for logging" || m["target_branch"] != "main" ||
				fmt.Sprint(m["reviewer_ids"]) != "[6]" && name == "none" {
				t.Errorf("merge request: %v", m)
			}
			if diff := cmp.Diff(before, p.work(p.dir)); diff != "" {
				t.Errorf("somebody's work changed: %s", diff)
			}
			g.made[0]["state"] = "closed"
			if _, code, stderr := p.promote(p.dir, rule, "--yes"); code != exitConflict ||
				!strings.Contains(stderr, "declined in !1") {
				t.Errorf("declined: code %d: %s", code, stderr)
			}
		})
	}
}
