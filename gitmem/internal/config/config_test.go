package config_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

// said is the content of a configuration, without the matchers of its rules.
type said struct {
	Capture, Keep bool
	Rules         []string
}

func tell(c config.Config) said {
	s := said{Capture: c.Capture, Keep: c.KeepTranscripts}
	for _, r := range c.Exclude {
		s.Rules = append(s.Rules, r.Text)
	}
	return s
}

func TestParse(t *testing.T) {
	t.Parallel()
	on := said{Capture: true}
	tests := []struct {
		name, in string
		want     said
	}{
		{"empty", "", on},
		{"comments only", "# capture: off\n", on},
		{"off", "capture: off\n", said{}},
		{"on", "capture: on\n", on},
		{"other words", "capture: no\nkeep_transcripts: yes\n", said{Keep: true}},
		{"all", "capture: on\nexclude:\n  - ~/work/secret/**\n  - \"**/clients/*\"\n  - github.com/acme/*\n" +
			"keep_transcripts: on\n",
			said{true, true, []string{"~/work/secret/**", "**/clients/*", "github.com/acme/*"}}},
		{"an empty list", "exclude:\n  # - ~/work\n", on},
		{"flow form", "{capture: off, exclude: [~/x, 'C:\\work']}", said{Rules: []string{"~/x", `C:\work`}}},
		{"line ends of Windows and a mark", "\ufeffcapture: off\r\nexclude:\r\n  - ~/x\r\n", said{Rules: []string{"~/x"}}},
		{"a bracket in quotes", `exclude: ['/srv/\[a]']`, said{Capture: true, Rules: []string{`/srv/\[a]`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse([]byte(tt.in))
			if diff := cmp.Diff(tt.want, tell(got)); diff != "" || err != nil {
				t.Errorf("Parse: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestParseExpand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "expand: none\n": "none", "expand: minimal\n": "minimal",
		"capture: on\nexpand: \"full\"\n": "full"} {
		if c, err := config.Parse([]byte(in)); c.Expand != want || err != nil {
			t.Errorf("%q: expand %q, error %v, want %q", in, c.Expand, err, want)
		}
	}
}

func TestParseRecall(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"": true, "recall: on\n": true, "recall: off\n": false, "capture: off\n": true} {
		if c, err := config.Parse([]byte(in)); c.Recall != want || err != nil {
			t.Errorf("%q: recall %v, error %v, want %v", in, c.Recall, err, want)
		}
	}
}

func TestParseRecallNotice(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"": true, "recall_notice: on\n": true, "recall_notice: off\n": false,
		"recall: off\n": true} {
		if c, err := config.Parse([]byte(in)); c.RecallNotice != want || err != nil {
			t.Errorf("%q: recall_notice %v, error %v, want %v", in, c.RecallNotice, err, want)
		}
	}
}

func TestIndexTools(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": config.ToolsOn, "index_tools: on\n": config.ToolsOn, "index_tools: off": config.ToolsOff,
		"index_tools: names": config.ToolsNames, "index_tools: 'off'": config.ToolsOff,
	} {
		if c, err := config.Parse([]byte(in)); err != nil || c.IndexTools != want {
			t.Errorf("%q: %q, %v", in, c.IndexTools, err)
		}
	}
	_, err := config.Parse([]byte("capture: on\nindex_tools: all\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2: index_tools: neither on nor names nor off") {
		t.Errorf("refused: %v", err)
	}
}

// Each error names the line, the key and how to fix it.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"unknown key", "capture: on\nexcludes: []\n",
			`line 2: unknown key "excludes": known are capture, exclude, archive_agents, expand, index_tools, ` +
				`keep_transcripts, recall, recall_notice, cross_project, embed, agent, providers, forges, jira, fetch_wait`},
		{"twice", "capture: on\n\ncapture: off\n", "line 3: capture stands twice"},
		{"neither on nor off", "capture: maybe\n", "line 1: capture: neither on nor off: write on or off"},
		{"a list for a switch", "keep_transcripts:\n  - on\n", "line 2: keep_transcripts: neither on nor off"},
		{"no value", "keep_transcripts:\n", "line 1: keep_transcripts has no value"},
		{"an unknown expansion", "capture: on\nexpand: some\n",
			"line 2: expand: not known: write none, minimal (acronyms) or full"},
		{"a list for an expansion", "expand: [full]\n", "line 1: expand: not known: write none"},
		{"an expansion without a value", "expand:\n", "line 1: expand has no value: write none, minimal or full"},
		{"text for a list", "capture: on\nexclude: ~/work\n", "line 2: exclude: a list is expected"},
		{"a map in the list", "exclude:\n  - ~/a\n  - b: c\n", "line 3: exclude: not a text"},
		{"an empty entry", "capture: on\nexclude:\n  - ~\n", "line 3: exclude: entry 1 is empty"},
		{"a star without quotes", "exclude:\n  - ~/a\n  - **/clients/*\n",
			"line 3: exclude: a rule that begins with * must stand in quotes"},
		{"a bracket that stays open", "exclude:\n  - ~/a\n  - /srv/[a\n",
			`line 3: exclude: "/srv/[a" can't be matched: close the bracket`},
		{"neither folder nor remote", "exclude:\n  - clients/*\n",
			`line 2: exclude: "clients/*" could be a folder or a remote: begin a folder with /`},
		{"a relative folder", "exclude: [./a]", "line 1: exclude: \"./a\" could be"},
		{"upward", "exclude: [~/a/../b]", "holds ..: write the folder itself"},
		{"a host alone", "exclude: [ssh://server]", "no path behind the host: write host/**"},
		{"a secret", "exclude:\n- https://ada:tok3n@github.com/acme/x\n", "line 2: exclude: a remote holds a password"},
		{"a file URL", "exclude: ['file:///srv/x']", "names a folder: write it without file://"},
		{"backslashes", "exclude: [\"C:\\work\"]\n",
			"line 1: this is no YAML that can be read: found unknown escape character: put a path with backslashes in single " +
				"quotes"},
		{"a second document", "capture: on\n---\ncapture: off\n", "line 2: a second document begins"},
		{"no map", "- ~/work\n", "line 1: keys with values are expected"},
		{"no YAML", "capture: on\n\tkeep: x\n", "line 2: this is no YAML"},
		{"a control character", "capture: on\n# \x01\n", "line 2: this is no YAML"},
		{"large", strings.Repeat("#\n", 1<<20), "line 1: the file is larger"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Parse = %+v, %v, want %q", c, err, tt.want)
			}
			if strings.Contains(err.Error(), "tok3n") || strings.Contains(err.Error(), "config.") {
				t.Errorf("the error tells too much: %v", err)
			}
		})
	}
}

// FuzzParse: whatever the file contains, nothing panics, an error is one line that names a line number, and accepted
// rules can be matched.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "capture: off\n", "capture: maybe\n", "exclude:\n  - ~/a/**\n  - \"**/b\"\n  - github.com/acme/*\n",
		"exclude:\n  - **/b\n",
		"keep_transcripts: [\n", "a: &x [*x]\n", "<<: {capture: off}\n", "exclude: [git@host:a/b.git, 'C:\\x', //srv/x]\n",
		"? [a]\n: b\n",
		"capture: on\n---\n", "exclude: [!!binary aGk=, !!int 3, 0x1]\n", "\xff\xfec\x00", "capture: !!bool \"on\"\n",
		"exclude: ['[^]a]/b', '/[]a]', '/a\\']\n",
		// 1e309 overflows, and not every decoder reads a timestamp as text
		"capture: 1e309\nexclude: [2001-01-01]\n", "exclude: [null, ~]\n", "fetch_wait: 10s\n", "fetch_wait: 1e3h\n",
	} {
		f.Add([]byte(s), "/home/ada/a/b")
	}
	line := regexp.MustCompile(`^line [1-9][0-9]*: .`)
	f.Fuzz(func(t *testing.T, src []byte, folder string) {
		c, err := config.Parse(src)
		if err != nil {
			if !line.MatchString(err.Error()) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Parse(%q): the error %q does not name a line", src, err)
			}
			return
		}
		for _, goos := range []string{"linux", "windows", "darwin"} {
			m := c.Matcher(config.Machine{Home: "/home/ada", GOOS: goos, Resolve: func(p string) string { return p }})
			rule, ok := m.Excluded(folder, folder)
			_, same := m.Excluded(folder+"/below", folder+"/below")
			if ok && !same {
				t.Errorf("%q covers %q but nothing below it", rule, folder)
			}
			m.ExcludedName(folder, munge)
		}
	})
}

// A document without any key sets nothing, whatever markers it begins with.
func TestParseOfNothingIsTheDefault(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "---\n", "---\n# capture: off\n", "~\n", "null\n"} {
		c, err := config.Parse([]byte(src))
		if diff := cmp.Diff(config.Default(), c); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", src, err, diff)
		}
	}
}
