package qwen

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// forks are stores with forks, and the records that count in each session. A session is written as the session that it
// was forked from, if any, and its prompts: the letter is the session in which a prompt was first given, the digit is
// the hour. A prompt continues the previous one, or the one after "^".
var forks = [...]struct {
	name        string
	store, want map[string]string
}{
	{"origin goes on", map[string]string{"a": " a1 a2 a5", "b": "a a1 a2 b4"},
		map[string]string{"a": "a1 a2 a5", "b": "b4"}},
	{"origin archived", map[string]string{"archive/a": " a1 a2", "b": "a a1 a2 b4"},
		map[string]string{"archive/a": "a1 a2", "b": "b4"}},
	{"fork archived", map[string]string{"a": " a1 a2", "archive/b": "a a1 a2 b4"},
		map[string]string{"a": "a1 a2", "archive/b": "b4"}},
	{"rewind in the fork", map[string]string{"a": " a1 a2", "b": "a a1 a2 b3 b4^a1 b5^a2"},
		map[string]string{"a": "a1 a2", "b": "b3 b4^null b5^null"}},
	{"origin rewound to its beginning", map[string]string{"a": " a1 a2^", "b": "a a2^ b3"},
		map[string]string{"a": "a1 a2^null", "b": "b3"}},
	{"chain", map[string]string{"a": " a1 a5", "b": "a a1 b2 b6", "c": "b a1 b2 c3"},
		map[string]string{"a": "a1 a5", "b": "b2 b6", "c": "c3"}},
	{"chain without its middle", map[string]string{"a": " a1", "c": "b a1 b2 c3"},
		map[string]string{"a": "a1", "c": "b2 c3"}},
	{"origin deleted", map[string]string{"b": "a a1 b2"}, map[string]string{"b": "a1 b2"}},
	{"two forks, origin deleted", map[string]string{"b": "a a1 a2 b5", "c": "a a1 a2 c4"},
		map[string]string{"b": "b5", "c": "a1 a2 c4"}},
	{"nothing of its own", map[string]string{"a": " a1", "b": "a a1"}, map[string]string{"a": "a1", "b": ""}},
	{"two of them, origin deleted", map[string]string{"b": "a a1", "c": "a a1"}, map[string]string{"b": "a1", "c": ""}},
	{"fork of one of them", map[string]string{"b": "a a1", "c": "b a1 c2"}, map[string]string{"b": "", "c": "a1 c2"}},
	{"names itself", map[string]string{"b": "b a1 b2"}, map[string]string{"b": "a1 b2"}},
	{"others", map[string]string{"b": "a a1 b2", "d": " d1"}, map[string]string{"b": "a1 b2", "d": "d1"}},
}

func TestForks(t *testing.T) {
	for _, c := range forks {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, s := range c.store {
				write(t, dir, "chats/"+name+".jsonl", session(filepath.Base(name), s))
			}
			got := map[string]string{}
			for name := range c.store {
				file := filepath.Join(dir, "chats", filepath.FromSlash(name)+".jsonl")
				records, err := Records(dialect.Session{Source: file, ID: filepath.Base(name)})
				if err != nil {
					t.Fatal(err)
				}
				got[name] = prompts(records)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// session returns the lines of a session.
func session(name, text string) string {
	origin, text, _ := strings.Cut(text, " ")
	var b strings.Builder
	before := ""
	for _, prompt := range strings.Fields(text) {
		id, parent, elsewhere := strings.Cut(prompt, "^")
		if !elsewhere {
			parent = before
		}
		before = id
		fmt.Fprintf(&b, `{"uuid":"%s","parentUuid":"%s","type":"user",`, id, parent)
		fmt.Fprintf(&b, `"timestamp":"2026-11-30T0%s:00:00Z",`, id[1:])
		if id[:1] != name {
			fmt.Fprintf(&b, `"forkedFrom":{"sessionId":%q,"messageUuid":"%s"},`, origin, id)
		}
		fmt.Fprintf(&b, `"message":{"parts":[{"text":%q}]}}`+"\n", id)
	}
	return strings.NewReplacer(`"parentUuid":""`, `"parentUuid":null`).Replace(b.String())
}

// prompts formats records as in forks.
func prompts(records []dialect.Record) string {
	var out []string
	before := dialect.Root
	for _, r := range records {
		text := r.Text
		if r.Parent != before {
			text += "^" + r.Parent
		}
		out, before = append(out, text), r.ID
	}
	return strings.Join(out, " ")
}

// TestForkOfCommand: the prompt after a copy does not come from a command in the copy, and a title that the client
// writes again is the title of the fork.
func TestForkOfCommand(t *testing.T) {
	const from = `,"forkedFrom":{"sessionId":"a","messageUuid":"x"}`
	lines := func(copied string) string {
		return `{"uuid":"1","type":"system","subtype":"at_command","systemPayload":{"userText":"see @f"}` + copied + "}\n" +
			`{"uuid":"2","parentUuid":"1","type":"user","message":{"parts":[{"text":"long"}]}` + copied + "}\n" +
			`{"uuid":"3","parentUuid":"2","type":"system","subtype":"custom_title","systemPayload":{"customTitle":"T"}` +
			copied + "}\n"
	}
	own := `{"uuid":"4","parentUuid":"3","type":"user","message":{"parts":[{"text":"own"}]}}` + "\n" +
		`{"uuid":"5","parentUuid":"4","type":"system","subtype":"custom_title","systemPayload":{"customTitle":"T"}}` + "\n"
	dir := t.TempDir()
	write(t, dir, "a.jsonl", lines(`,"timestamp":"2026-11-30T01:00:00Z"`))
	records, err := Records(dialect.Session{Source: write(t, dir, "b.jsonl", lines(from)+own), ID: "b"})
	want := []dialect.Record{{ID: "4", Parent: dialect.Root, Speaker: dialect.Person, Text: "own"},
		{Speaker: dialect.Title, Text: "T"}}
	if diff := cmp.Diff(want, records); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// BenchmarkRecords reads one of many sessions, with and without a fork.
func BenchmarkRecords(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		text := fmt.Sprintf(`{"uuid":"s%d","type":"user"}`+"\n", i) + strings.Repeat(" ", 30<<10)
		write(b, dir, fmt.Sprintf("chats/s%d.jsonl", i), text)
	}
	for name, text := range map[string]string{"a": "", "b": " b3"} {
		var prompts strings.Builder
		for i := range 200 {
			fmt.Fprintf(&prompts, " a%d", i)
		}
		file := write(b, dir, "chats/"+name+".jsonl", session(name, "a"+prompts.String()+text))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Records(dialect.Session{Source: file, ID: name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
