package github_test

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

// forge answers like GitHub's REST API for the repository acme/relay.
type forge struct {
	mu   sync.Mutex
	root string // prefix of addresses
	now  time.Time
	cap  int  // entries per page
	next int  // the next id
	deep bool // pages continue with a cursor only, as in lists of more than 10,000 entries

	pulls, issues, comments, lineComments []object
	reviews                               map[int][]object
	byCommit                              map[string][]object
	// requests are the requested paths, prefixed with "304 " for unmodified responses.
	requests []string
	tokens   []string
}

func newForge() *forge {
	return &forge{
		root: "https://forge.example", now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), cap: 2, next: 1000,
		reviews: map[int][]object{}, byCommit: map[string][]object{},
	}
}

// tick returns the next time, an hour later.
func (f *forge) tick() string {
	f.now = f.now.Add(time.Hour)
	return f.now.Format(time.RFC3339)
}

func (f *forge) id() int {
	f.next++
	return f.next
}

func user(login string) object {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return object{"login": login, "id": len(login) * 7, "type": kind, "site_admin": false}
}

func users(logins ...string) []object {
	var out []object
	for _, l := range logins {
		out = append(out, user(l))
	}
	return out
}

// sha returns a commit id derived from a word.
func sha(word string) string {
	sum := sha256.Sum256([]byte(word))
	return hex.EncodeToString(sum[:20])
}

// pull opens a pull request, which is also in the list of issues.
func (f *forge) pull(n int, title, author string, more object) object {
	at := f.tick()
	page := fmt.Sprintf("https://github.com/acme/relay/pull/%d", n)
	p := object{
		"id": f.id(), "number": n, "state": "open", "locked": false, "title": title, "body": nil, "user": user(author),
		"created_at": at, "updated_at": at, "closed_at": nil, "merged_at": nil, "merge_commit_sha": sha("trial of " + title),
		"assignees": []object{}, "requested_reviewers": []object{}, "requested_teams": []object{}, "labels": []object{},
		"draft":    false,
		"html_url": page, "head": object{"ref": "topic", "sha": sha("head of " + title)},
		"base":               object{"ref": "main", "sha": sha("base")},
		"author_association": "MEMBER", "auto_merge": nil,
	}
	i := object{
		"id": f.id(), "number": n, "state": "open", "title": title, "body": nil, "user": user(author), "created_at": at,
		"updated_at": at,
		"html_url":   page, "pull_request": object{"url": f.root + "/repos/acme/relay/pulls/" + strconv.Itoa(n),
			"html_url": page},
	}
	for k, v := range more {
		p[k] = v
	}
	f.pulls, f.issues = append(f.pulls, p), append(f.issues, i)
	return p
}

// merged returns the fields of a pull request that was merged three days after its creation.
func (f *forge) merged(title string, more object) object {
	at := f.now.Add(72 * time.Hour).Format(time.RFC3339)
	out := object{"state": "closed", "merged_at": at, "closed_at": at, "merge_commit_sha": sha("merge of " + title)}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func (f *forge) issue(n int, title, author string, more object) object {
	at := f.tick()
	i := object{
		"id": f.id(), "number": n, "state": "open", "title": title, "body": nil, "user": user(author), "labels": []object{},
		"assignees": []object{}, "comments": 0, "created_at": at, "updated_at": at, "closed_at": nil, "state_reason": nil,
		"html_url": fmt.Sprintf("https://github.com/acme/relay/issues/%d", n),
	}
	for k, v := range more {
		i[k] = v
	}
	f.issues = append(f.issues, i)
	return i
}

// comment adds a comment to an issue or a pull request; kind is issues or pull.
func (f *forge) comment(n int, kind, author, body string) string {
	at, id := f.tick(), f.id()
	f.comments = append(f.comments, object{
		"id": id, "body": body, "user": user(author), "created_at": at, "updated_at": at,
		"issue_url": fmt.Sprintf("%s/repos/acme/relay/issues/%d", f.root, n),
		"html_url":  fmt.Sprintf("https://github.com/acme/relay/%s/%d#issuecomment-%d", kind, n, id),
	})
	return fmt.Sprintf("github:comment:%d:%d", n, id)
}

// lineComment adds a comment to a line of a pull request.
func (f *forge) lineComment(n int, author, body, path string, line int, more object) string {
	at, id := f.tick(), f.id()
	c := object{
		"id": id, "pull_request_review_id": 1, "diff_hunk": "@@ -1 +1 @@", "path": path, "line": line, "original_line": line,
		"body": body, "user": user(author), "created_at": at, "updated_at": at, "commit_id": sha("c"),
		"original_commit_id": sha("c"),
		"pull_request_url":   fmt.Sprintf("%s/repos/acme/relay/pulls/%d", f.root, n),
		"html_url":           fmt.Sprintf("https://github.com/acme/relay/pull/%d#discussion_r%d", n, id),
	}
	for k, v := range more {
		c[k] = v
	}
	f.lineComments = append(f.lineComments, c)
	return fmt.Sprintf("github:comment:%d:%d", n, id)
}

// review submits a review, which changes the pull request.
func (f *forge) review(n int, author, state, body string) string {
	at, id := f.tick(), f.id()
	f.reviews[n] = append(f.reviews[n], object{
		"id": id, "user": user(author), "body": body, "state": state, "submitted_at": at, "commit_id": sha("c"),
		"html_url":         fmt.Sprintf("https://github.com/acme/relay/pull/%d#pullrequestreview-%d", n, id),
		"pull_request_url": fmt.Sprintf("%s/repos/acme/relay/pulls/%d", f.root, n),
	})
	for _, list := range [][]object{f.pulls, f.issues} {
		if o := find(list, "number", n); o != nil {
			o["updated_at"] = at
		}
	}
	return fmt.Sprintf("github:review:%d:%d", n, id)
}

func find(list []object, field string, value any) object {
	for _, o := range list {
		if o[field] == value {
			return o
		}
	}
	return nil
}

// ServeHTTP answers GET requests below /repos/acme/relay/.
func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tokens = append(f.tokens, r.Header.Get("Authorization"))
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Ratelimit-Limit", "5000")
	w.Header().Set("X-Ratelimit-Remaining", "4000")
	w.Header().Set("X-Ratelimit-Reset", strconv.FormatInt(f.now.Add(time.Hour).Unix(), 10))
	path, ok := strings.CutPrefix(r.URL.Path, "/repos/acme/relay/")
	var answer any
	if ok && r.Method == http.MethodGet {
		answer = f.answer(w, r, path)
	}
	if answer == nil {
		f.requests = append(f.requests, path)
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}`)
		return
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(body)
	etag := `W/"` + hex.EncodeToString(sum[:]) + `"`
	w.Header().Set("Etag", etag)
	if r.Header.Get("If-None-Match") == etag {
		f.requests = append(f.requests, "304 "+path)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f.requests = append(f.requests, path)
	w.Write(body)
}

// answer returns the response for a path, nil if there is none.
func (f *forge) answer(w http.ResponseWriter, r *http.Request, path string) any {
	switch path {
	case "pulls":
		return f.page(w, r, newestFirst(f.pulls))
	case "issues":
		return f.page(w, r, since(r, newestFirst(f.issues)))
	case "issues/comments":
		return f.page(w, r, since(r, newestFirst(f.comments)))
	case "pulls/comments":
		return f.page(w, r, since(r, newestFirst(f.lineComments)))
	}
	parts := strings.Split(path, "/")
	if len(parts) == 3 && parts[0] == "commits" && parts[2] == "pulls" {
		return f.page(w, r, f.byCommit[parts[1]])
	}
	if len(parts) < 2 {
		return nil
	}
	n, _ := strconv.Atoi(parts[1])
	if parts[0] == "pulls" && len(parts) == 2 {
		return orNil(find(f.pulls, "number", n))
	}
	return f.page(w, r, f.reviews[n])
}

// orNil prevents a missing object from becoming a typed nil.
func orNil(o object) any {
	if o == nil {
		return nil
	}
	return o
}

// newestFirst sorts by the last change, in the order of all requests.
func newestFirst(list []object) []object {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b object) int {
		return strings.Compare(b["updated_at"].(string), a["updated_at"].(string))
	})
	return out
}

func since(r *http.Request, list []object) []object {
	from := r.URL.Query().Get("since")
	var out []object
	for _, o := range list {
		if o["updated_at"].(string) >= from {
			out = append(out, o)
		}
	}
	return out
}

// page returns a page of a list and links to the next one.
func (f *forge) page(w http.ResponseWriter, r *http.Request, list []object) []object {
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	n = max(n, 1)
	from := min((n-1)*f.cap, len(list))
	q := r.URL.Query()
	if f.deep {
		mark, _ := strconv.Atoi(q.Get("after"))
		from = min(mark, len(list))
	}
	to := min(from+f.cap, len(list))
	if to < len(list) {
		if f.deep {
			q.Set("after", strconv.Itoa(to))
		}
		q.Set("page", strconv.Itoa(n+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next", <%s%s?page=9>; rel="last"`, f.root, r.URL.Path, q.Encode(),
			f.root, r.URL.Path))
	}
	return append([]object{}, list[from:to]...)
}

// took returns the requests since the last call.
func (f *forge) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.requests
	f.requests = nil
	return out
}
