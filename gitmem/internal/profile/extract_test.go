package profile_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

const stack = "codePreferences.preferredStacks"

func TestExtract(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		say  string
		want []profile.Change
	}{
		{"I prefer Bun over npm, and I stopped using Webpack", []profile.Change{{Path: stack, Value: "Bun"},
			{Remove: true, Path: stack, Value: "npm"}, {Remove: true, Path: stack, Value: "Webpack"}}},
		{"I use neovim", []profile.Change{{Path: "tools.editor", Value: "neovim"}}},
		{"I use nvim on arch", []profile.Change{{Path: "tools.editor", Value: "nvim"}}},
		{"I work in fintech", []profile.Change{{Path: "work.team", Value: "fintech"}}},
		{"I'm in fintech.", []profile.Change{{Path: "work.team", Value: "fintech"}}},
		{"I work in healthcare and use Go", []profile.Change{{Path: "work.team", Value: "healthcare"},
			{Path: stack, Value: "Go", Mentioned: true}}},
		{"fyi I'm working in web security, so check the tokens",
			[]profile.Change{{Path: "work.team", Value: "web security"}}},
		{"I work in Python", []profile.Change{{Path: stack, Value: "Python"}}},
		{"Using Bun for this", []profile.Change{{Path: stack, Value: "Bun", Mentioned: true}}},
		{"let's use bun for this script", []profile.Change{{Path: stack, Value: "bun", Mentioned: true}}},
		{"for this script I use bun", []profile.Change{{Path: stack, Value: "bun", Mentioned: true}}},
		{"Using Bun for this. I use Bun.", []profile.Change{{Path: stack, Value: "Bun"}}},
		{"I'm a backend dev", []profile.Change{{Path: "work.role", Value: "backend developer"}}},
		{"stop being so friendly, just be direct again",
			[]profile.Change{{Path: "codePreferences.tone", Value: "stop being so friendly"},
				{Path: "codePreferences.tone", Value: "direct"}}},
		{"I use Go, and be direct.",
			[]profile.Change{{Path: stack, Value: "Go"}, {Path: "codePreferences.tone", Value: "direct"}}},
		{"Be more direct", []profile.Change{{Path: "codePreferences.tone", Value: "direct"}}},
		{"I use go and postgres.", []profile.Change{{Path: stack, Value: "go"}, {Path: stack, Value: "postgres"}}},
		{"Ich nutze TypeScript, React und Vue", []profile.Change{{Path: stack, Value: "TypeScript"},
			{Path: stack, Value: "React"}, {Path: stack, Value: "Vue"}}},
		{"No, not npm, pnpm", []profile.Change{{Path: stack, Value: "pnpm"}, {Remove: true, Path: stack, Value: "npm"}}},
		{"I use Redux. I stopped using Redux.", []profile.Change{{Remove: true, Path: stack, Value: "Redux"}}},
		{"I use vim. I use Vim!", []profile.Change{{Path: "tools.editor", Value: "vim"}}},
		{"I hate ORMs because they hide the SQL", []profile.Change{{Path: "codePreferences.avoid", Value: "ORMs"}}},
		{"I can't stand Jira", []profile.Change{{Path: "codePreferences.avoid", Value: "Jira"}}},
		{"I stopped using Frobnicator", []profile.Change{{Remove: true, Path: "", Value: "Frobnicator"}}},
		{"I'm a data scientist at a hospital in Vienna", []profile.Change{{Path: "work.role", Value: "data scientist"},
			{Path: "work.team", Value: "hospital"}, {Path: "work.location", Value: "Vienna"}}},
		{"我用 vim，不是 emacs", []profile.Change{{Path: "tools.editor", Value: "vim"},
			{Remove: true, Path: "tools.editor", Value: "emacs"}}},
		{"Fix the login.\n\nI'm on Fedora, does it build there?", []profile.Change{{Path: "tools.os", Value: "Fedora"}}},
	} {
		got := profile.Extract(tt.say)
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(profile.Change{}, "Said")); diff != "" {
			t.Errorf("Extract(%q) (-want +got):\n%s", tt.say, diff)
		}
		for _, c := range got {
			if c.Said == "" || !strings.Contains(tt.say, c.Said) {
				t.Errorf("Extract(%q): %q was not said", tt.say, c.Said)
			}
		}
	}
}

func TestExtractNothing(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]string{
		"code":            "Look:\n```\nI use vim\n```",
		"inline code":     "the label, `Hi, I use vim`, is wrong",
		"quoted line":     "> I use vim",
		"quotation":       `the label, "Hi, I use vim", is wrong`,
		"pasted document": "see this:\n# Notes\nI use vim",
		"pasted mail":     "Answer this mail:\n\nI use vim and tmux.",
		"log":             "[info] x, I use vim\n2026-01-02 x, I use vim",
		"question":        "why is it that, I use vim, nothing opens?",
		"last question":   "so I use vim?",
		"hypothesis":      "suppose that, I use vim",
		"wish":            "maybe I use vim then",
		"another person":  "my boss says I use vim too much",
		"project":         "we use postgres in staging",
		"one task":        "for this script I use frobnicator",
		"sarcasm":         "oh great, I use vim now",
		"past":            "back in college, I use vim",
		"option":          "I prefer the second option",
		"feeling":         "I hate this bug",
		"way of working": "I work in parallel. I work in the main branch. I work in batches. I'm working in dark mode. I " +
			"work in silence.",
		"no use":         "don't use bun for this. should we use bun? they are using bun.",
		"ordinary words": "I use less memory now. I like fish.",
		"call":           "call me.update() and call me back when it is done",
		"slot's state":   "my terminal is broken, my editor is frozen",
		"order":          "never use malloc here",
	} {
		if got := profile.Extract(say); got != nil {
			t.Errorf("%s: Extract(%q) = %v", name, say, got)
		}
	}
}

func TestNameAndKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ word, name, path, key string }{
		{"nvim", "Neovim", "tools.editor", "neovim"},
		{"NEO  VIM", "Neovim", "tools.editor", "neovim"},
		{"bun.sh", "Bun", stack, "bun"},
		{"Bun", "Bun", stack, "bun"},
		{"golang", "Go", stack, "go"},
		{"c#", "C#", stack, "c#"},
		{"C++", "C++", stack, "c++"},
		{"node", "Node.js", stack, "node-js"},
		{"  early-return  style!", "", "", "early-return-style"},
		{"", "", "", ""},
		{"...", "", "", ""},
	} {
		if name, path, _ := profile.Name(tt.word); name != tt.name || path != tt.path {
			t.Errorf("Name(%q) = %q, %q, want %q, %q", tt.word, name, path, tt.name, tt.path)
		}
		if got := profile.Key(tt.word); got != tt.key {
			t.Errorf("Key(%q) = %q, want %q", tt.word, got, tt.key)
		}
	}
	if got := profile.Key(strings.Repeat("ä ", 90)); utf8.RuneCountInString(got) > 60 || strings.HasSuffix(got, "-") {
		t.Errorf("Key of a long value = %q", got)
	}
}

// FuzzExtract checks for any message that each change has a short value on one line and a key without a dot, and occurs
// once.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{"I use neovim", "no, not npm, pnpm", "ich nutze Go, nicht nur Rust", "我用 vim，不是 emacs",
		"I'm a dev at\xff X", "İ use vim. I hate İİİ", "call me ¤"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		seen := map[string]bool{}
		for _, c := range profile.Extract(message) {
			key := profile.Key(c.Value)
			if c.Value == "" || utf8.RuneCountInString(c.Value) > 60 || strings.ContainsAny(c.Value, "\n¤") || c.Path == "" &&
				!c.Remove {
				t.Errorf("Extract(%q) has %+v", message, c)
			}
			if key == "" || strings.Contains(key, ".") || seen[key] {
				t.Errorf("Extract(%q): key %q is empty, split or twice", message, key)
			}
			seen[key] = true
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	plain := strings.Repeat("The worker drops the last batch whenever the queue closes early. ", 8)
	for name, message := range map[string]string{
		"nothing": plain,
		"facts":   plain + "I prefer Bun over npm, and I'm a backend dev.",
		"paste":   strings.Repeat(plain+"\n", 200),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				profile.Extract(message)
			}
		})
	}
}
