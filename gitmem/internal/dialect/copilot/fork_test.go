package copilot

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// forks are stores with forks, and the records that count in each session. A session is written as the minute in which
// it began, and its prompts; those before "<" are copies.
var forks = [...]struct {
	name        string
	store, want map[string]string
}{
	{"origin goes on", map[string]string{"a": "1 a1 a2", "b": "2 a1 < b1"}, map[string]string{"a": "a1 a2", "b": "b1"}},
	{"chain", map[string]string{"a": "1 a1 a2", "b": "2 a1 < b1 b2", "c": "3 a1 b1 < c1"},
		map[string]string{"a": "a1 a2", "b": "b1 b2", "c": "c1"}},
	{"chain without its middle", map[string]string{"a": "1 a1", "c": "3 a1 b1 < c1"},
		map[string]string{"a": "a1", "c": "b1 c1"}},
	{"chain without its beginning", map[string]string{"b": "2 a1 < b1", "c": "3 a1 b1 < c1"},
		map[string]string{"b": "a1 b1", "c": "c1"}},
	{"origin deleted", map[string]string{"b": "2 a1 < b1"}, map[string]string{"b": "a1 b1"}},
	{"two forks, origin deleted", map[string]string{"b": "3 a1 a2 < b1", "c": "2 a1 < c1"},
		map[string]string{"b": "a2 b1", "c": "a1 c1"}},
	{"two forks, origin rewound", map[string]string{"a": "1 a1", "b": "2 a1 a2 < b1", "c": "3 a1 a2 < c1"},
		map[string]string{"a": "a1", "b": "a2 b1", "c": "c1"}},
	{"nothing of its own", map[string]string{"a": "1 a1", "b": "2 a1 <"}, map[string]string{"a": "a1", "b": ""}},
	{"two of them, origin deleted", map[string]string{"b": "2 a1 <", "c": "2 a1 <"},
		map[string]string{"b": "a1", "c": ""}},
}

func TestForks(t *testing.T) {
	for _, c := range forks {
		t.Run(c.name, func(t *testing.T) {
			sessions := map[string][2]string{"other": {`{"type":"session.start","id":"x"}` + "\n"}, "empty": {}}
			for name, s := range c.store {
				sessions[name] = [2]string{events(s), "name: " + name + "\n"}
			}
			root := store(t, sessions)
			got := map[string]string{}
			for name := range c.store {
				file := filepath.Join(root, "session-state", name, eventsFile)
				records, err := Records(dialect.Session{Source: file, ID: name})
				if err != nil {
					t.Fatal(err)
				}
				var prompts []string
				for _, r := range records {
					if r.Speaker != dialect.Title {
						prompts = append(prompts, r.Text)
					}
				}
				got[name] = strings.Join(prompts, " ")
				if c.want[name] == "" && len(records) > 0 {
					t.Errorf("%+v", records)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// events returns the events of a session.
func events(text string) string {
	began, text, _ := strings.Cut(text, " ")
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"session.start","id":"start","timestamp":"2026-11-30T01:0%s:00Z"}`+"\n", began)
	copies, own, fork := strings.Cut(text, "<")
	if !fork {
		copies, own = own, copies
	}
	for i, part := range []string{copies, own} {
		for _, prompt := range strings.Fields(part) {
			fmt.Fprintf(&b, `{"type":"user.message","id":"%s","timestamp":"2026-11-30T0%d:09:00Z",`, prompt, i)
			fmt.Fprintf(&b, `"data":{"content":%q}}`+"\n", prompt)
		}
	}
	return b.String()
}

// TestForkTitle: the name of a fork is its title, except a name that comes from the first copied prompt.
func TestForkTitle(t *testing.T) {
	for name, want := range map[string]int{"Forked pump": 3, "Name the": 2} {
		fork := strings.Replace(events("2 a1 < b1 b2"), `"content":"a1"`, `"content":"Name the pump"`, 1)
		root := store(t, map[string][2]string{"a": {events("1 a1")}, "b": {fork, "name: " + name + "\n"}})
		records, err := Records(dialect.Session{Source: filepath.Join(root, "session-state/b", eventsFile), ID: "b"})
		if err != nil || len(records) != want {
			t.Errorf("%s: %+v, %v", name, records, err)
		}
	}
}

// BenchmarkRecords reads one of many sessions, with and without a fork.
func BenchmarkRecords(b *testing.B) {
	var prompts strings.Builder
	for i := range 200 {
		fmt.Fprintf(&prompts, " a%d", i)
	}
	origin := events("1" + prompts.String())
	sessions := map[string][2]string{"a": {origin}, "b": {events("2" + prompts.String() + " < b1")}}
	for i := range 1000 {
		sessions[fmt.Sprint("s", i)] = [2]string{strings.Replace(origin, `"id":"start"`, fmt.Sprintf(`"id":"s%d"`, i), 1)}
	}
	root := store(b, sessions)
	for _, name := range []string{"a", "b"} {
		file := filepath.Join(root, "session-state", name, eventsFile)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Records(dialect.Session{Source: file, ID: name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
