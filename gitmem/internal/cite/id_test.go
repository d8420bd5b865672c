package cite_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"git:commit:ABCDEF1234":                  "git:commit:abcdef1234",
		"5b2b9e9f61d3":                           "git:commit:5b2b9e9f61d3",
		"[git:commit:5b2b9e9f]":                  "git:commit:5b2b9e9f",
		" transcript:3f2a91c4-aaaa:17 ":          "transcript:3f2a91c4-aaaa:17",
		"observation:s:2":                        "observation:s:2",
		"observation:s:81c2d0k7qa":               "observation:s:81c2d0k7qa",
		"transcript:s:17#tool-2":                 "transcript:s:17#tool-2",
		"transcript:s:17#tool-1":                 "transcript:s:17#tool",
		"transcript:s:17#thinking":               "transcript:s:17#thinking",
		"prompt:s:3":                             "prompt:s:3",
		"rules:.claude/rules/go.md#error-values": "rules:.claude/rules/go.md#error-values",
		"memory:example.org/a/b#notes":           "memory:example.org/a/b#notes",
		"session:2026-11-20#s-3f2a91c4":          "session:2026-11-20#s-3f2a91c4",
		"idea:^i-81c2d0k7qa":                     "idea:i-81c2d0k7qa",
		"git:blame:a/b:c@d.go:7@ABCDEF12":        "git:blame:a/b:c@d.go:7@abcdef12",
		"git:blame:a.go:7-9@abcdef12":            "git:blame:a.go:7-9@abcdef12",
		"git:blame:a.go:7-7@abcdef12":            "git:blame:a.go:7@abcdef12",
	} {
		id, err := cite.Parse(in)
		if err != nil || id.String() != want {
			t.Errorf("Parse(%q) = %q, %v; want %q", in, id, err, want)
		}
	}
	for _, in := range []string{"", "relay", "git:tag:v1", "git:commit:xyz", "git:commit:abc", "transcript:s",
		"transcript:s:0", "transcript::1", "web:page", "rules:", "git:blame:a.go:7", "git:blame:a.go@abcd",
		"git:blame:a.go:0@abcd", "git:blame:a.go:9-7@abcd", "git:blame:../a:7@abcd", "git:blame:/a:7@abcd",
		"git:blame::7@abcd", "git:blame:a:7@main", "transcript:s:1#", "transcript:s:1#tool-", "transcript:s:1#tool-0",
		"transcript:s:1#relay", "observation:s:1#tool", "observation:s:", "observation:s:0", "prompt:s"} {
		if id, err := cite.Parse(in); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", in, id)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("transcript:a:1")
	f.Add("git:commit:abcdef")
	f.Add("transcript:a:1#result-3")
	f.Add("prompt:a:1")
	f.Add("github:review:7:12")
	f.Add("docs:a#b.md#c")
	f.Add("docs:a #")
	f.Add("docs:[a]#")
	f.Add("jira:abc-1")
	f.Add("git:blame:a/b.go:7-9@abcdef12")
	f.Fuzz(func(t *testing.T, s string) {
		id, err := cite.Parse(s)
		if err != nil {
			return
		}
		again, err := cite.Parse(id.String())
		if err != nil || again != id {
			t.Errorf("Parse(%q) = %+v, read back %+v, %v", s, id, again, err)
		}
	})
}
