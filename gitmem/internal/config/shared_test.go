package config_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

// everyKey sets each key that only a local.yaml may set, with values that allow something.
const everyKey = `recall: off
capture: on
index_tools: on
cross_project: on
agent: {backend: claude}
embed: {endpoint: "http://localhost:1/v1", model: m}
providers: {tracker: abc}
forges: [{host: git.example.org, kind: gitlab}]
jira: {url: "https://acme.atlassian.net", projects: [ABC]}
`

func TestSharedConfigurationOnlyRestricts(t *testing.T) {
	t.Parallel()
	c, misplaced, err := config.ParseShared([]byte(everyKey))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Recall = false
	if !reflect.DeepEqual(c, want) {
		t.Errorf("used: %+v", c)
	}
	if diff := cmp.Diff([]config.Misplaced{{"capture", 2}, {"index_tools", 3}, {"cross_project", 4},
		{"agent", 5}, {"embed", 6},
		{"providers", 7}, {"forges", 8}, {"jira", 9}}, misplaced); diff != "" {
		t.Error(diff)
	}
	for _, off := range []string{"capture: off\n", "index_tools: names\n", "index_tools: off\n", "embed: off\n",
		"agent: off\n", "forges: off\n", "jira: off\n", "exclude: [~/x]\n"} {
		c, misplaced, err := config.ParseShared([]byte(off))
		if all, _ := config.Parse([]byte(off)); err != nil || !reflect.DeepEqual(c, all) || len(misplaced) != 1 {
			t.Errorf("%q: %+v, %v, %v", off, c, misplaced, err)
		}
	}
	for _, harmless := range []string{"", "# x\n",
		"expand: none\nkeep_transcripts: on\nrecall: off\nrecall_notice: off\nfetch_wait: 10s\nsync: auto\n"} {
		c, misplaced, err := config.ParseShared([]byte(harmless))
		if all, _ := config.Parse([]byte(harmless)); err != nil || !reflect.DeepEqual(c, all) || misplaced != nil {
			t.Errorf("%q: %+v, %v, %v", harmless, c, misplaced, err)
		}
	}
	if _, _, err := config.ParseShared([]byte("exclude: [clients/*]\n")); err == nil {
		t.Error("an invalid rule is accepted")
	}
}

func TestLocalConfigurationWins(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shared, local, want string }{
		{"recall: on\n", "recall: off\n", "recall: off\n"},
		{"sync: auto\n", "sync: off\n", "sync: off\n"},
		{"capture: off\nindex_tools: off\n", "capture: on\nindex_tools: on\n", ""},
		{"embed: off\nagent: off\nforges: off\n", "embed: builtin\nagent: {backend: claude}\nforges: on\n",
			"agent: {backend: claude}\n"},
		{"forges: off\n", "forges: [{host: a.b, kind: gitlab}]\n", "forges: [{host: a.b, kind: gitlab}]\n"},
		{"exclude: [~/x]\n", "exclude: [~/y]\n", "exclude: [~/x, ~/y]\n"},
		{"agent: off\n", "", "agent: off\n"},
	} {
		c, _, err := config.ParseShared([]byte(tt.shared))
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.With([]byte(tt.local))
		if want, _ := config.Parse([]byte(tt.want)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q and %q: %+v, %v", tt.shared, tt.local, got, err)
		}
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shared, local, wantShared, wantLocal string }{
		{"# mine\nexclude:\n- ~/x\n  # why\n- ~/y\nrecall: off\nagent:\n  backend: claude\n", "fetch_wait: 10s",
			"# mine\nrecall: off\n",
			"fetch_wait: 10s\nexclude:\n- ~/x\n  # why\n- ~/y\nagent:\n  backend: claude\n"},
		{"recall: off\n", "", "recall: off\n", ""},
		{"capture: off", "", "", "capture: off"},
	} {
		shared, local, err := config.Move([]byte(tt.shared), []byte(tt.local))
		if err != nil || string(shared) != tt.wantShared || string(local) != tt.wantLocal {
			t.Errorf("%q: %q, %q, %v", tt.shared, shared, local, err)
		}
	}
	for shared, local := range map[string]string{
		"exclude: [~/x]\n":              "exclude: [~/y]\n", // it is unknown which of them is meant
		"{capture: off, recall: off}\n": "",
		"x: &a [~/x]\nexclude: *a\n":    "",
	} {
		if _, _, err := config.Move([]byte(shared), []byte(local)); err == nil {
			t.Errorf("%q: moved", shared)
		} else if shared[0] != 'x' && !errors.Is(err, config.ErrByHand) {
			t.Errorf("%q: %v", shared, err)
		}
	}
}

func TestParseSync(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"": false, "sync: auto\n": true, "sync: off\n": false} {
		if c, err := config.Parse([]byte(in)); c.SyncAuto != want || err != nil {
			t.Errorf("%q: %v, %v", in, c.SyncAuto, err)
		}
	}
	for _, in := range []string{"sync: on\n", "sync: yes\n", "sync:\n", "sync: [auto]\n", "sync: always\n"} {
		if _, err := config.Parse([]byte(in)); err == nil {
			t.Errorf("%q is accepted", in)
		}
	}
}
