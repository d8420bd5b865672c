package gitlab_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// object is a JSON object of the API: fields by their documented names.
type object = map[string]any

// forge answers like GitLab's REST API for the project acme/power/relay.
type forge struct {
	mu   sync.Mutex
	base string
	now  time.Time
	cap  int // entries per page
	next int // the next id

	requests, issues []object
	notes            map[string][]object // by the path of the thread
	byCommit         map[string][]object
	asked            []string
	bounds           []string // updated_after of each request
	tokens           []string
}

func newForge() *forge {
	return &forge{
		base: "https://gitlab.example", now: time.Date(2026, 3, 1, 9, 0, 0, 250e6, time.UTC), cap: 2, next: 5000,
		notes: map[string][]object{}, byCommit: map[string][]object{},
	}
}

const stamp = "2006-01-02T15:04:05.000Z07:00"

func (f *forge) tick() string {
	f.now = f.now.Add(time.Hour)
	return f.now.Format(stamp)
}

func (f *forge) id() int {
	f.next++
	return f.next
}

// user has a display name in addition to the login name.
func user(login string) object {
	return object{"id": len(login) * 7, "username": login, "name": strings.ToUpper(login[:1]) + login[1:],
		"state": "active"}
}

func sha(word string) string {
	sum := sha256.Sum256([]byte(word))
	return hex.EncodeToString(sum[:20])
}

func (f *forge) page(kind string, n int) string {
	return fmt.Sprintf("%s/acme/power/relay/-/%s/%d", f.base, kind, n)
}

func (f *forge) mergeRequest(n int, title, author string, more object) object {
	at := f.tick()
	m := object{
		"id": f.id(), "iid": n, "project_id": 3, "title": title, "description": "", "state": "opened", "created_at": at,
		"updated_at": at,
		"merged_at":  nil, "closed_at": nil, "target_branch": "main", "source_branch": "topic", "author": user(author),
		"assignees": []object{},
		"reviewers": []object{}, "labels": []string{}, "draft": false, "sha": sha("head of " + title),
		"merge_commit_sha":  nil,
		"squash_commit_sha": nil, "user_notes_count": 0, "web_url": f.page("merge_requests", n),
	}
	for k, v := range more {
		m[k] = v
	}
	f.requests = append(f.requests, m)
	return m
}

func (f *forge) issue(n int, title, author string, more object) object {
	at := f.tick()
	i := object{
		"id": f.id(), "iid": n, "project_id": 3, "title": title, "description": nil, "state": "opened", "created_at": at,
		"updated_at": at,
		"author":     user(author), "assignees": []object{}, "labels": []string{}, "confidential": false,
		"issue_type":       "issue",
		"user_notes_count": 0, "web_url": f.page("issues", n),
	}
	for k, v := range more {
		i[k] = v
	}
	f.issues = append(f.issues, i)
	return i
}

// note adds a note to a thread; kind is merge_requests or issues. It changes the thread, as in GitLab.
func (f *forge) note(kind string, n int, author, body string, more object) string {
	at, id := f.tick(), f.id()
	o := object{
		"id": id, "type": nil, "body": body, "author": user(author), "created_at": at, "updated_at": at, "system": false,
		"noteable_iid": n, "resolvable": false, "internal": false, "confidential": false,
	}
	for k, v := range more {
		o[k] = v
	}
	thread := fmt.Sprintf("%s/%d", kind, n)
	f.notes[thread] = append(f.notes[thread], o)
	list := f.issues
	if kind == "merge_requests" {
		list = f.requests
	}
	if t := find(list, "iid", n); t != nil {
		t["updated_at"] = at
		if o["system"] == false {
			t["user_notes_count"] = t["user_notes_count"].(int) + 1
		}
	}
	return fmt.Sprintf("gitlab:note:%d:%d", n, id)
}

func find(list []object, field string, value any) object {
	for _, o := range list {
		if o[field] == value {
			return o
		}
	}
	return nil
}

// ServeHTTP answers GET requests below the project.
func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tokens = append(f.tokens, r.Header.Get("Authorization")+r.Header.Get("Private-Token"))
	w.Header().Set("Content-Type", "application/json")
	f.bounds = append(f.bounds, r.URL.Query().Get("updated_after"))
	w.Header().Set("RateLimit-Limit", "2000")
	w.Header().Set("RateLimit-Remaining", "1990")
	w.Header().Set("RateLimit-Reset", strconv.FormatInt(f.now.Add(time.Minute).Unix(), 10))
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api/v4/projects/acme%2Fpower%2Frelay/")
	var answer any
	if ok && r.Method == http.MethodGet {
		answer = f.answer(w, r, path)
	}
	if answer == nil {
		f.asked = append(f.asked, path)
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message":"404 Not found"}`)
		return
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(body)
	etag := `W/"` + hex.EncodeToString(sum[:16]) + `"`
	w.Header().Set("Etag", etag)
	if r.Header.Get("If-None-Match") == etag {
		f.asked = append(f.asked, "304 "+path)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f.asked = append(f.asked, path)
	w.Write(body)
}

// answer returns the response for a path, nil if there is none.
func (f *forge) answer(w http.ResponseWriter, r *http.Request, path string) any {
	switch path {
	case "merge_requests":
		return f.cut(w, r, between(r, f.requests))
	case "issues":
		return f.cut(w, r, between(r, f.issues))
	}
	parts := strings.Split(path, "/")
	if parts[0] == "repository" && len(parts) == 4 {
		return f.cut(w, r, f.byCommit[parts[2]])
	}
	if len(parts) < 2 {
		return nil
	}
	n, _ := strconv.Atoi(parts[1])
	thread := find(map[string][]object{"issues": f.issues, "merge_requests": f.requests}[parts[0]], "iid", n)
	if thread == nil {
		return nil
	}
	if len(parts) == 2 {
		return thread
	}
	return f.cut(w, r, f.notes[parts[0]+"/"+parts[1]])
}

// between sorts by the last change, newest first, within the bounds of the request.
func between(r *http.Request, list []object) []object {
	after, _ := time.Parse(time.RFC3339, r.URL.Query().Get("updated_after"))
	before, err := time.Parse(time.RFC3339, r.URL.Query().Get("updated_before"))
	var out []object
	for _, o := range list {
		at, _ := time.Parse(stamp, o["updated_at"].(string))
		if !at.Before(after) && (err != nil || !at.After(before)) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b object) int {
		return strings.Compare(b["updated_at"].(string), a["updated_at"].(string))
	})
	return out
}

// cut returns a page of a list and links to the next one.
func (f *forge) cut(w http.ResponseWriter, r *http.Request, list []object) []object {
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	n = max(n, 1)
	from := min((n-1)*f.cap, len(list))
	to := min(from+f.cap, len(list))
	if to < len(list) {
		w.Header().Set("X-Next-Page", strconv.Itoa(n+1))
	}
	return append([]object{}, list[from:to]...)
}

// took returns the requests since the last call.
func (f *forge) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.asked
	f.asked = nil
	return out
}
