package browse

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

const harm = `"><script>alert(1)</script>`

// history returns a repository for git fast-import: two people, with names and messages that would do harm if
// they were not escaped.
func history() string {
	var b strings.Builder
	for n := range 12 {
		who, file := `Ada "&gt;script Lovelace <ada@example.org>`, `src/"><script>a.go`
		if n%3 == 0 {
			who, file = "Bob Stone <bob@example.org>", "docs/guide.md"
		}
		text, message := fmt.Sprintf("# Guide %d\n\nPumps & relays.\n", n),
			fmt.Sprintf("Change %d %s\n\nSince it was wrong.\n", n, harm)
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter %s %d +0000\ndata %d\n%s\n", n+1, who,
			1767607200+n*86400*20, len(message), message)
		if n > 0 {
			fmt.Fprintf(&b, "from :%d\n", n)
		}
		fmt.Fprintf(&b, "M 100644 inline \"%s\"\ndata %d\n%s\n", strings.ReplaceAll(file, `"`, `\"`), len(text), text)
	}
	return b.String()
}

// ideas is a file of the archive in which one decision replaces another three weeks later.
const ideas = `---
format: 1
kind: sessions
project: %[1]s
date: %[2]s
---

# %[2]s

## A session ^s-%[3]s

%[4]s
messages: 6 · last prompt: line 5 · branch main · 09:00–09:05 UTC
session: %[3]s-0000-4000-8000-000000000001 · through: line 6 9ae6
`

// pictured returns the pages of a repository with two sessions, or of an empty folder.
func pictured(t *testing.T, full bool) *site {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	now := func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }
	m, err := gitmem.Open(gitmem.Options{
		Dir: dir, Home: home, CacheDir: t.TempDir(), TempDir: t.TempDir(), Now: now, Offline: true, Machine: "pump",
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := New(Options{Memory: m, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.listen.Close() })
	if !full {
		return server.site
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}, {"reset", "-q", "--hard"},
	} {
		c := exec.CommandContext(t.Context(), "git", args...)
		c.Dir, c.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
		c.Stdin = strings.NewReader(history())
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
	}
	if _, err := m.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	st, err := m.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for day, said := range map[string]string{
		"2026-10-01": "- [decision] Sessions are cached in Redis " + harm +
			" (L2 09:00) ^i-aaaaaaaaaa\n- [question] Which port does Redis take? (L3 09:01) ^i-bbbbbbbbbb\n",
		"2026-10-22": "- [decision] Sessions are in PostgreSQL now (L2 09:00) ^i-cccccccccc\n" +
			"  - supersedes [[2026-10-01#^i-aaaaaaaaaa]]\n",
	} {
		file := filepath.Join(m.Root(), "gitmem", "projects", filepath.FromSlash(st.Project), "sessions", "2026",
			day+".md")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, fmt.Appendf(nil, ideas, st.Project, day, day[5:7]+day[8:]+"0000", said),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	return server.site
}

// get returns a page, without the frame.
func get(t *testing.T, s *site, path string) (status int, body string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "any") // only checked by the guard, which is not used here
	w := httptest.NewRecorder()
	s.routes(newAccess("host", s.now, false)).ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// TestPictures: all text of a repository or of memory is escaped, and each page shows its data.
func TestPictures(t *testing.T) {
	t.Parallel()
	s := pictured(t, true)
	head, err := s.m.Search(t.Context(), "Change 9", gitmem.Filter{Layer: "team"})
	if err != nil || len(head.Hits) == 0 {
		t.Fatal(err, head)
	}
	sha := strings.TrimPrefix(head.Hits[0].ID, "git:commit:")
	for path, want := range map[string][]string{
		"/graph": {"replaced by", "supersedes idea:i-aaaaaaaaaa", "technology PostgreSQL",
			`href="/sessions/10220000-0000-4000-8000-000000000001#idea:i-cccccccccc"`, "3 ideas", "superseded"},
		"/graph?asof=2026-10-05": {"2 ideas", "until the end of 2026-10-05", `value="2026-10-05"`,
			"None of these ideas says something of another one"},
		"/graph?words=nothing":   {"No idea is recorded that fits"},
		"/graph?intent=question": {"1 idea<", "<option selected>question"},
		"/team":                  {"12 commits", "docs/", "Bob Stone", "Commits over time", "one person"},
		"/team?since=2099-01-01": {"No commits are recorded since 2099-01-01"},
		"/people": {"12 commits", "Areas and who holds them", `href="/people?path=docs"`,
			"Lines that are still theirs"},
		"/people?path=docs":  {"Who knows docs", "Bob Stone", "/show?id=git%3acommit%3a", "100 %"},
		"/people?path=quark": {"Nobody is recorded for quark"},
		"/stats":             {"2 decision", "Nothing was injected yet", "indexes"},
		"/repos?commit=" + sha[:9]: {"Change 9", "Since it was wrong.", `"added">&#43;# Guide 9`, "modified +1 −1",
			"git:commit:" + sha},
		"/repos?commit=" + sha + "&file=docs/guide.md&lines=1": {"▶    1  # Guide", "    3  Pumps &amp; relays."},
		"/repos?file=docs/guide.md":                            {"<h3>Guide 9</h3>", "Pumps &amp; relays."},
		"/show?id=idea:i-cccccccccc":                           {"Sessions are in PostgreSQL now", "Where it was said"},
	} {
		status, body := get(t, s, path)
		if status != http.StatusOK || strings.Contains(body, "<script") || strings.Contains(body, "style=") {
			t.Errorf("%s: status %d in %s", path, status, body)
		}
		for _, w := range want {
			if !strings.Contains(body, w) {
				t.Errorf("%s lacks %q in %s", path, w, body)
			}
		}
	}
}

// TestPicturesOfNothing: a page explains what is missing and what to do.
func TestPicturesOfNothing(t *testing.T) {
	t.Parallel()
	s := pictured(t, false)
	for path, want := range map[string]string{
		"/graph": "gitmem backfill", "/team": "start gitmem browse in a clone",
		"/people": "start gitmem browse in a clone", "/stats": "gitmem init",
		"/repos?commit=abcd":  "not inside a git repository",
		"/repos?file=main.go": "/people?path=main.go tells who knows",
		"/repos":              "write /repos?commit=", "/show?id=quark": "not a citation id",
		"/graph?intent=quark": "no intent",
		"/graph?asof=quark":   "is no date",
	} {
		if _, body := get(t, s, path); !strings.Contains(body, want) {
			t.Errorf("%s lacks %q: %s", path, want, body)
		}
	}
}

// TestGraphBounds: if there are many ideas, some are drawn, and the rest is counted.
func TestGraphBounds(t *testing.T) {
	t.Parallel()
	var list []gitmem.Idea
	for n := range 400 {
		i := gitmem.Idea{ID: fmt.Sprintf("idea:i-%d", n), Intent: "decision", Text: fmt.Sprint("idea ", n),
			Time: time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC)}
		if n%2 == 1 {
			i.Relations = []gitmem.IdeaRelation{{Kind: "supersedes", ID: fmt.Sprintf("idea:i-%d", n-1)}}
		}
		list = append(list, i, i)
	}
	var v GraphView
	v.fill(list)
	lanes, more, _ := v.lanes()
	nodes, _, left := v.network()
	if len(v.Ideas) != 400 || len(lanes) != mostLanes || more != 200-mostLanes || len(nodes) != mostDrawn ||
		left != 400-mostDrawn || v.MoreListed() != 400-mostListed {
		t.Errorf("%d ideas, %d lanes and %d more, %d nodes and %d more, %d not listed", len(v.Ideas), len(lanes), more,
			len(nodes), left, v.MoreListed())
	}
	if picture, more := GraphSVG(list); more != 200-mostLanes+400-mostDrawn || !strings.HasPrefix(picture, "<svg ") ||
		!strings.Contains(picture, "--ground") {
		t.Errorf("%d more in %.200s", more, picture)
	}
}

// TestLongChain: the newest ideas of a chain are drawn, and the rest is counted.
func TestLongChain(t *testing.T) {
	t.Parallel()
	var v GraphView
	for n := range 400 {
		v.Ideas = append(v.Ideas, IdeaView{ID: fmt.Sprint(n), at: time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC),
			Text:      fmt.Sprintf("idea-%d.", n),
			Relations: []RelationView{{"supersedes", fmt.Sprint((n + 399) % 400)}}}) // the first one is related to the last
	}
	lanes, more, older := v.lanes()
	if len(lanes) != 1 || more != 0 || older != 400-mostEvents || len(lanes[0].Events) != mostEvents ||
		len(lanes[0].Arrows) != mostEvents-1 {
		t.Errorf("%d lanes and %d more, %d older ideas", len(lanes), more, older)
	}
	if p := string(v.Chains().Picture); !strings.Contains(p, "idea-399.") || strings.Contains(p, "idea-0.") {
		t.Errorf("%d bytes: %.200s", len(p), p)
	}
}

// TestSliderOfAges: a slider counts more days than the range of a time.Duration.
func TestSliderOfAges(t *testing.T) {
	t.Parallel()
	s := &site{now: func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) }}
	v := s.sliderOf(time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), "2026-11-29")
	if v == nil || v.Days != 739_948 || v.At != v.Days-1 {
		t.Errorf("%+v", v)
	}
}

// TestPictureViews: pages and GraphQL show the same values, with types that GraphQL has.
func TestPictureViews(t *testing.T) {
	t.Parallel()
	var check func(of reflect.Type)
	var seen []reflect.Type
	check = func(of reflect.Type) {
		if slices.Contains(seen, of) {
			return
		}
		seen = append(seen, of)
		for n := range of.NumField() {
			f := of.Field(n)
			to := f.Type
			for to.Kind() == reflect.Slice || to.Kind() == reflect.Pointer {
				to = to.Elem()
			}
			switch {
			case !f.IsExported():
			case to.Kind() == reflect.Struct:
				check(to)
			case to.Kind() != reflect.String && to.Kind() != reflect.Bool && to.Kind() != reflect.Int32 &&
				to.Kind() != reflect.Float64:
				t.Errorf("%s.%s is a %s", of, f.Name, f.Type)
			}
		}
	}
	for _, v := range []any{GraphView{}, TeamView{}, PeopleView{}, StatsView{}, SourceView{}} {
		check(reflect.TypeOf(v))
	}
}
