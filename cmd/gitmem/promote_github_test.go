package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// gitHub implements the part of GitHub's REST API that a proposal needs, for the repository acme/pump, whose
// branches are those of a bare repository.
type gitHub struct {
	*httptest.Server
	mu       sync.Mutex
	pulls    []map[string]any
	comments []map[string]any // on lines
	asked    []string         // requested reviewers
	labels   []string
	calls    []string // method and path of requests that change something
	noPush   bool
	forkURL  string
	// fault handles a request instead if it returns true.
	fault func(w http.ResponseWriter, r *http.Request) bool
}

func newGitHub(t *testing.T) *gitHub {
	g := &gitHub{}
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request, map[string]any) (int, any){
		"GET /api/user": func(*http.Request, map[string]any) (int, any) { return 200, map[string]any{"login": "ann"} },
		"GET /api/repos/acme/pump": func(*http.Request, map[string]any) (int, any) {
			return 200, map[string]any{"name": "pump", "default_branch": "main",
				"permissions": map[string]bool{"push": !g.noPush}}
		},
		"GET /api/repos/acme/pump/pulls":             g.list,
		"POST /api/repos/acme/pump/pulls":            g.create,
		"PATCH /api/repos/acme/pump/pulls/{n}":       g.edit,
		"GET /api/repos/acme/pump/issues":            none,
		"GET /api/repos/acme/pump/issues/comments":   none,
		"GET /api/repos/acme/pump/pulls/{n}/reviews": none,
		"GET /api/repos/acme/pump/pulls/comments": func(*http.Request, map[string]any) (int, any) {
			return 200, g.comments
		},
		"POST /api/repos/acme/pump/pulls/{n}/requested_reviewers": g.invite,
		"POST /api/repos/acme/pump/issues/{n}/labels":             g.label,
		"POST /api/repos/acme/pump/forks": func(*http.Request, map[string]any) (int, any) {
			return 202, map[string]any{"name": "pump", "owner": map[string]any{"login": "ann"}, "clone_url": g.forkURL}
		},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			g.mu.Lock()
			defer g.mu.Unlock()
			if r.Method != http.MethodGet {
				g.calls = append(g.calls, r.Method+" "+r.URL.Path)
			}
			if g.fault != nil && g.fault(w, r) {
				return
			}
			var body any
			if r.Method != http.MethodGet {
				_ = json.NewDecoder(r.Body).Decode(&body) // a list of labels is not an object
			}
			fields, _ := body.(map[string]any)
			if list, ok := body.([]any); ok {
				fields = map[string]any{"list": list}
			}
			status, out := answer(r, fields)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(out) // a client that disconnected reads no more
		})
	}
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

func none(*http.Request, map[string]any) (int, any) { return 200, []any{} }

func (g *gitHub) list(r *http.Request, _ map[string]any) (int, any) {
	out := []map[string]any{}
	_, branch, _ := strings.Cut(r.URL.Query().Get("head"), ":")
	for i := len(g.pulls) - 1; i >= 0; i-- {
		if p := g.pulls[i]; branch == "" || p["head"].(map[string]any)["ref"] == branch {
			out = append(out, p)
		}
	}
	return 200, out
}

func (g *gitHub) create(_ *http.Request, body map[string]any) (int, any) {
	owner, branch, _ := strings.Cut(body["head"].(string), ":")
	for _, p := range g.pulls {
		if p["state"] == "open" && p["head"].(map[string]any)["ref"] == branch {
			return 422, map[string]any{"message": "Validation Failed",
				"errors": []any{map[string]any{"message": "A pull request already exists for " + owner + ":" + branch}}}
		}
	}
	n := len(g.pulls) + 1
	g.pulls = append(g.pulls, map[string]any{
		"number": n, "state": "open", "html_url": fmt.Sprintf("https://git.example.org/acme/pump/pull/%d", n),
		"title": body["title"], "body": body["body"], "draft": body["draft"],
		"head": map[string]any{"ref": branch, "label": owner + ":" + branch}, "base": map[string]any{"ref": body["base"]},
		"user": map[string]any{"login": "ann"}, "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",
	})
	return 201, g.pulls[n-1]
}

func (g *gitHub) edit(r *http.Request, body map[string]any) (int, any) {
	n, _ := strconv.Atoi(r.PathValue("n"))
	g.pulls[n-1]["body"] = body["body"]
	return 200, g.pulls[n-1]
}

func (g *gitHub) invite(r *http.Request, body map[string]any) (int, any) {
	for _, key := range []string{"reviewers", "team_reviewers"} {
		list, _ := body[key].([]any)
		for _, who := range list {
			if who == "stranger" {
				return 422, map[string]any{"message": "Reviews may only be requested from collaborators."}
			}
			g.asked = append(g.asked, fmt.Sprint(who))
		}
	}
	n, _ := strconv.Atoi(r.PathValue("n"))
	return 201, g.pulls[n-1]
}

func (g *gitHub) label(_ *http.Request, body map[string]any) (int, any) {
	list, _ := body["list"].([]any)
	out := []any{}
	for _, l := range list {
		g.labels = append(g.labels, fmt.Sprint(l))
		out = append(out, map[string]any{"name": l})
	}
	return 200, out
}

// comment adds a review comment on a line.
func (g *gitHub) comment(id int, login, path, text string) {
	at := fmt.Sprintf("2026-01-02T03:04:%02dZ", id)
	g.comments = slices.Insert(g.comments, 0, map[string]any{
		"id": id, "path": path, "body": text, "user": map[string]any{"login": login}, "created_at": at, "updated_at": at,
		"pull_request_url": g.URL + "/api/repos/acme/pump/pulls/1",
		"html_url":         fmt.Sprintf("https://git.example.org/acme/pump/pull/1#discussion_r%d", id),
		"diff_hunk":        "@@ -1 +1 @@\n+x",
	})
}
