package jira_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// object is a JSON object of the API: fields by their documented names.
type object = map[string]any

// site answers like Jira for the projects ABC and DEF: Cloud, or Data Center.
type site struct {
	mu     sync.Mutex
	cloud  bool
	now    time.Time // of the last change
	cap    int       // issues per page, comments of an issue in a list
	issues []object
	all    map[string][]object // comments by key
	asked  []string
	tokens []string
}

func newSite(cloud bool) *site {
	return &site{cloud: cloud, now: time.Date(2026, 3, 1, 9, 0, 0, 250e6, time.UTC), cap: 2, all: map[string][]object{}}
}

// clock returns the current time for the server and the tests.
func clock() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) }

const stamp = "2006-01-02T15:04:05.000-0700"

func (s *site) tick() string {
	s.now = s.now.Add(time.Hour)
	return s.now.In(time.FixedZone("", 3600)).Format(stamp)
}

func user(name string) object {
	o := object{"displayName": strings.ToUpper(name[:1]) + name[1:], "active": true, "accountType": "atlassian"}
	if strings.HasSuffix(name, "bot") {
		o["accountType"] = "app"
	}
	return o
}

// words returns a text in the format of the site.
func (s *site) words(text string) any {
	if !s.cloud {
		return text
	}
	return object{"type": "doc", "version": 1,
		"content": []object{{"type": "paragraph", "content": []object{{"type": "text", "text": text}}}}}
}

func (s *site) issue(key, kind, title, author, text string, more object) object {
	at := s.tick()
	fields := object{
		"summary": title, "description": s.words(text), "issuetype": object{"name": kind}, "reporter": user(author),
		"creator":  user(author),
		"assignee": nil, "created": at, "updated": at, "labels": []string{}, "issuelinks": []object{},
		"status": object{"name": "To Do", "statusCategory": object{"key": "new"}},
	}
	for k, v := range more {
		fields[k] = v
	}
	s.issues = append(s.issues, object{"id": fmt.Sprint(10000 + len(s.issues)), "key": key, "fields": fields})
	return fields
}

func (s *site) comment(key, author, text string, more object) {
	at := s.tick()
	c := object{"author": user(author), "body": s.words(text), "created": at, "updated": at}
	for k, v := range more {
		c[k] = v
	}
	s.all[key] = append(s.all[key], c)
	s.find(key)["fields"].(object)["updated"] = at
}

func (s *site) find(key string) object {
	for _, i := range s.issues {
		if i["key"] == key {
			return i
		}
	}
	return nil
}

// show returns an issue with at most this many of its comments.
func (s *site) show(issue object, comments int) object {
	fields := object{}
	for k, v := range issue["fields"].(object) {
		fields[k] = v
	}
	all := s.all[issue["key"].(string)]
	shown := append([]object{}, all[:min(comments, len(all))]...)
	fields["comment"] = object{"comments": shown, "total": len(all), "maxResults": comments, "startAt": 0}
	return object{"id": issue["id"], "key": issue["key"], "fields": fields}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens = append(s.tokens, r.Header.Get("Authorization"))
	root := "/jira/rest/api/2/"
	if s.cloud {
		root = "/jira/rest/api/3/"
	}
	path, ok := strings.CutPrefix(r.URL.Path, root)
	s.asked = append(s.asked, path)
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	var answer any
	if ok && r.Method == http.MethodGet {
		answer = s.answer(w, r, path)
	}
	if answer == nil {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"errorMessages":["Issue does not exist or you do not have permission to see it."],"errors":{}}`)
		return
	}
	if status, ok := answer.(int); ok {
		w.WriteHeader(status)
		fmt.Fprint(w, `{"errorMessages":["The value 'XYZ' does not exist for the field 'project'."],"warningMessages":[]}`)
		return
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(err)
	}
}

func (s *site) answer(w http.ResponseWriter, r *http.Request, path string) any {
	parts := strings.Split(path, "/")
	switch {
	case path == "search" && !s.cloud, path == "search/jql" && s.cloud:
		return s.search(r)
	case len(parts) == 3 && parts[2] == "comment":
		return s.comments(r, parts[1])
	case len(parts) == 2 && parts[0] == "issue":
		if i := s.find(parts[1]); i != nil {
			return s.show(i, 3)
		}
	}
	return nil
}

func (s *site) comments(r *http.Request, key string) any {
	all := s.all[key]
	start, _ := strconv.Atoi(r.URL.Query().Get("startAt"))
	from := min(start, len(all))
	return object{"comments": append([]object{}, all[from:min(from+3, len(all))]...), "total": len(all), "startAt": start}
}

var (
	jql = regexp.MustCompile(`^project in \(("[A-Z]+"(?:,"[A-Z]+")*)\)(?: AND updated >= "-(\d+)m")?(?: AND updated ` +
		`<= "-(\d+)m")? ORDER BY updated DESC, key DESC$`)
	quote = regexp.MustCompile(`"([A-Z]+)"`)
)

// search answers queries of one form only, because the tests know the queries.
func (s *site) search(r *http.Request) any {
	q := jql.FindStringSubmatch(r.URL.Query().Get("jql"))
	if q == nil || strings.Contains(q[1], "XYZ") {
		return http.StatusBadRequest
	}
	var found []object
	for _, i := range s.issues {
		project, _, _ := strings.Cut(i["key"].(string), "-")
		at, err := time.Parse(stamp, i["fields"].(object)["updated"].(string))
		if err != nil {
			panic(err)
		}
		since, _ := strconv.Atoi(q[2])
		until, _ := strconv.Atoi(q[3])
		in := slices.ContainsFunc(quote.FindAllStringSubmatch(q[1], -1), func(m []string) bool { return m[1] == project })
		if in && (since == 0 || !at.Before(clock().Add(-time.Duration(since)*time.Minute))) &&
			!at.After(clock().Add(-time.Duration(until)*time.Minute)) {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b object) int {
		return strings.Compare(b["fields"].(object)["updated"].(string), a["fields"].(object)["updated"].(string))
	})
	token := r.URL.Query().Get("startAt")
	if s.cloud {
		token = strings.TrimPrefix(r.URL.Query().Get("nextPageToken"), "next-")
	}
	start, _ := strconv.Atoi(token)
	from := min(start, len(found))
	to := min(from+s.cap, len(found))
	page := []object{}
	for _, i := range found[from:to] {
		page = append(page, s.show(i, s.cap))
	}
	if !s.cloud {
		return object{"startAt": start, "maxResults": s.cap, "total": len(found), "issues": page}
	}
	answer := object{"issues": page, "isLast": to == len(found)}
	if to < len(found) {
		answer["nextPageToken"] = fmt.Sprint("next-", to)
	}
	return answer
}

func (s *site) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.asked
	s.asked = nil
	return out
}
