package report_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/report"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

const (
	secret  = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"
	session = "3f2a91c4-0000-4000-8000-000000000001"
)

func reasonOf(w report.Why, id string) (answer.Citation, bool) {
	i := slices.IndexFunc(w.Reasons, func(c answer.Citation) bool { return strings.HasPrefix(c.ID, id) })
	if i < 0 {
		return answer.Citation{}, false
	}
	return w.Reasons[i], true
}

// A merge brings the changes of a branch, and may have more information than its commits.
func TestWhyNamesTheMerge(t *testing.T) {
	t.Parallel()
	r := newRepository(t,
		commit{author: "Ada Example", day: "2024-02-01", message: "Begin", files: map[string]string{"a.txt": "a\n"}},
		commit{author: "Bob Example", day: "2024-02-02", message: "Add the valve",
			files: map[string]string{"valve.c": "valve\n"}},
		commit{author: "Ada Example", day: "2024-02-03", message: "Elsewhere", files: map[string]string{"b.txt": "b\n"},
			parents: []int{0}},
		commit{author: "Ada Example", day: "2024-02-04",
			message: "Merge the valve\n\nIt is closed in order to keep the pressure.",
			files:   map[string]string{"valve.c": "valve\n"}, parents: []int{2, 1}},
	)
	merge := "git:commit:" + r.ids[3]
	w := r.why("valve.c")
	if len(w.Commits) != 1 || w.Commits[0].Via != merge || w.Commits[0].Part != "added" ||
		w.Commits[0].Author != "Bob Example" {
		t.Fatalf("%+v", w.Commits)
	}
	if _, ok := reasonOf(w, merge); !ok || !w.Recorded {
		t.Errorf("%+v", w.Reasons)
	}
}

// A session's statement about a file counts, and one about another file does not.
func TestWhyFindsMentions(t *testing.T) {
	t.Parallel()
	r := newRepository(t, commit{author: "Bob Example", day: "2024-02-02", message: "Add a file",
		files: map[string]string{"src/debounce.c": "wait\n"}})
	var lines string
	for _, m := range [][2]string{
		{"user", "Why do we wait in src/debounce.c at all?"},
		{"assistant", "In debounce.c we wait 20 ms because the contacts of the relay bounce. The heater.c file sleeps " +
			"because it has to cool down."},
	} {
		b, err := json.Marshal(map[string]any{"type": m[0], "uuid": m[0], "sessionId": session,
			"timestamp": "2025-03-09T14:02:00Z", "cwd": r.dir, "gitBranch": "main", "version": "2.1.329",
			"message": map[string]any{"role": m[0], "content": m[1]}})
		if err != nil {
			t.Fatal(err)
		}
		lines += string(b) + "\n"
	}
	r.Write(filepath.Join(r.Home, ".claude", "projects", transcript.ProjectFolder(r.dir), session+".jsonl"), lines)
	w := r.why("src/debounce.c:1")
	c, ok := reasonOf(w, "transcript:"+session)
	if !ok || !strings.Contains(c.Excerpt, "the contacts of the relay bounce") || c.Trust != "untrusted" {
		t.Errorf("%+v", w.Reasons)
	}
	for _, c := range w.Reasons {
		if strings.Contains(c.Excerpt, "heater") || strings.HasSuffix(c.Excerpt, "?") {
			t.Errorf("%q is no reason", c.Excerpt)
		}
	}
}

// Lines of a file have an answer whatever the file's name, and neither an id nor a message shows a secret.
func TestWhyOfOddNames(t *testing.T) {
	t.Parallel()
	names := []string{"a b", secret}
	if runtime.GOOS != "windows" { // such names do not exist there
		names = append(names, "esc\x1b[31m", "two\nlines")
	}
	files := map[string]string{}
	for _, name := range names {
		files[name] = "text\n"
	}
	r := newRepository(t, commit{author: "Bob Example", day: "2024-02-02", message: "Use the token " + secret +
		" because the old one expired", files: files})
	for i, name := range names {
		w := r.why(name + ":1")
		id := "git:commit:" + r.ids[0]
		if i == 0 {
			id = "git:blame:a b:1@" + r.ids[0]
		}
		shown, err := json.Marshal(w)
		if err != nil || len(w.Lines) != 1 || w.Lines[0].ID != id || w.Lines[0].Commit != r.ids[0] || w.Lines[0].Text == "" ||
			!w.Recorded || strings.Contains(string(shown), secret) {
			t.Errorf("%q: %+v, %v", name, w, err)
		}
	}
}

// The last commit of a shallow clone did not write all lines that are attributed to it.
func TestWhyTellsOfAShallowClone(t *testing.T) {
	t.Parallel()
	r := newRepository(t,
		commit{author: "Bob Example", day: "2024-02-02", message: "Add the pump",
			files: map[string]string{"pump.c": "pump\n"}},
		commit{author: "Ada Example", day: "2024-02-03", message: "Add the valve",
			files: map[string]string{"valve.c": "valve\n"}},
	)
	if w := r.why("pump.c:1"); len(w.Caveats) != 0 {
		t.Errorf("whole: %q", w.Caveats)
	}
	whole := r.dir
	r.dir = filepath.Join(r.Home, "shallow")
	r.git(r.Home, "", "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(whole), r.dir)
	for _, what := range []string{"pump.c:1", "pump.c"} {
		if w := r.why(what); len(w.Caveats) != 1 || !strings.Contains(w.Caveats[0], "ends at git:commit:"+r.ids[1]) {
			t.Errorf("%s: %q", what, w.Caveats)
		}
	}
}

// TestWhyOfLines follows lines to their authors: through moves, and to uncommitted lines.
func TestWhyOfLines(t *testing.T) {
	t.Parallel()
	const long = "int pressure = read(gauge);\n"
	r := newRepository(t,
		commit{author: "Ada Example", day: "2024-01-01", message: "Read the gauge",
			files: map[string]string{"old.c": "begin\n" + long + "end\n", "gone.c": "x\n", "cmd/main.c": "main\n",
				"same.c": "int valve = open(door);\nb\nc\n"}},
		commit{author: "Bob Example", day: "2024-01-02", message: "Move the gauge",
			files: map[string]string{"old.c": "begin\nend\n", "new.c": "first\n" + long + "last\n",
				"same.c": "b\nc\nint valve = open(door);\n"}},
		commit{author: "Bob Example", day: "2024-01-03", message: "Remove a file", files: map[string]string{"gone.c": ""}},
	)
	r.Write(filepath.Join(r.dir, "new.c"), "zero\nfirst\n"+long+"last\n")
	r.Write(filepath.Join(r.dir, "fresh.c"), "x\n")
	w := r.why("new.c:1-3")
	type run struct {
		From, To int
		Commit   string
	}
	var runs []run
	for _, l := range w.Lines {
		runs = append(runs, run{l.From, l.To, l.Commit})
	}
	if diff := cmp.Diff([]run{{1, 1, ""}, {2, 3, r.ids[1]}}, runs); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if want := []string{"1 line is not committed yet, so nothing is recorded of why."}; cmp.Diff(want, w.Caveats) != "" ||
		w.From != 1 || w.To != 3 || w.Rev != r.ids[2] {
		t.Errorf("%+v", w)
	}
	for _, what := range []string{"new.c:3", "same.c:3"} {
		var parts []string
		for _, c := range r.why(what).Commits {
			parts = append(parts, c.Part+" "+c.Title)
		}
		slices.Sort(parts)
		if diff := cmp.Diff([]string{"moved Move the gauge", "wrote Read the gauge"}, parts); diff != "" {
			t.Errorf("moved lines of %s (-want +got):\n%s", what, diff)
		}
	}
	for _, tt := range []struct {
		dir, what, rev string
		path           string
		words          string // of the error
		want           error
	}{
		{what: ".", path: ""},
		{what: "cmd", path: "cmd"},
		{dir: "cmd", what: "main.c", path: "cmd/main.c"},
		{dir: "cmd", what: "../old.c", path: "old.c"},
		{dir: "cmd", what: "old.c", path: "old.c"},
		{what: `cmd\main.c`, path: "cmd/main.c"},
		{what: filepath.Join(r.dir, "old.c"), path: "old.c"},
		{what: "HEAD~2:gone.c", path: "gone.c"},
		{what: "gone.c", rev: "HEAD~2", path: "gone.c"},
		{what: "old.c#L1-L2", path: "old.c"},
		{want: messages.ErrUsage, words: "name a path"},
		{what: "old.c", rev: "nothing", want: messages.ErrUsage, words: "revision nothing"},
		{what: "none.c", want: messages.ErrNotFound, words: "is not in the repository"},
		{what: "gone.c", want: messages.ErrNotFound, words: "git:commit:" + r.ids[2] + " took it away"},
		{what: "fresh.c", want: messages.ErrNotFound, words: "is not committed yet"},
		{what: filepath.Join(r.Home, "else.c"), want: messages.ErrNotFound, words: "is outside the repository"},
		{what: "old.c:9", want: messages.ErrNotFound, words: "old.c has 2 lines and no line 9"},
		{what: "cmd:1", want: messages.ErrUsage, words: "is a folder and has no line 1"},
	} {
		w, err := r.open(filepath.Join(r.dir, tt.dir)).Why(t.Context(), report.WhyQuestion{What: tt.what, Rev: tt.rev})
		if !errors.Is(err, tt.want) || err == nil && w.Path != tt.path || err != nil &&
			!strings.Contains(err.Error(), tt.words) {
			t.Errorf("%q in %q: %q, %v", tt.what, tt.dir, w.Path, err)
		}
	}
}

func TestOutsideARepository(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	_, why := r.open(r.Home).Why(t.Context(), report.WhyQuestion{What: "a"})
	if refused, ok := errors.AsType[*messages.Refusal](why); !ok || !errors.Is(why, messages.ErrNotFound) ||
		refused.Advice == "" {
		t.Errorf("why: %v", why)
	}
	_, who := r.open(r.Home).Who(t.Context(), "a", filter())
	_, state := r.open(r.Home).State(t.Context(), filter())
	for what, err := range map[string]error{"who": who, "state": state} {
		if !errors.Is(err, messages.ErrNoRepository) || !errors.Is(err, messages.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := r.open(r.dir).Why(t.Context(), report.WhyQuestion{What: "a"}); !errors.Is(err, messages.ErrNotFound) ||
		!strings.Contains(err.Error(), "no commits yet") {
		t.Errorf("no commits: %v", err)
	}
	r.Env["CLAUDECODE"], r.Env["CLAUDE_PROJECT_DIR"] = "1", r.Home
	if _, err := r.open(r.dir).Who(t.Context(), "a", filter()); err == nil {
		t.Error("a model is told of a project that is out of reach")
	}
}
