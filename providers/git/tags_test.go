package git_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want git.Version
		ok   bool
	}{
		{"v1.2.3", git.Version{Numbers: []int{1, 2, 3}}, true},
		{"1.2", git.Version{Numbers: []int{1, 2}}, true},
		{"v2", git.Version{Numbers: []int{2}}, true},
		{"cmd/v1.2", git.Version{Line: "cmd/", Numbers: []int{1, 2}}, true},
		{"release-1.2", git.Version{Line: "release-", Numbers: []int{1, 2}}, true},
		{"go1.22rc1", git.Version{Line: "go", Numbers: []int{1, 22}, Pre: "rc1"}, true},
		{"v1.2.3-rc.1+linux.2", git.Version{Numbers: []int{1, 2, 3}, Pre: "rc.1"}, true},
		{"lib2/v3.0", git.Version{Line: "lib2/", Numbers: []int{3, 0}}, true},
		{"@acme/i18n@1.2.0", git.Version{Line: "@acme/i18n@", Numbers: []int{1, 2, 0}}, true},
		{"log4x-core-v0.2.8", git.Version{Line: "log", Numbers: []int{4}, Pre: "x-core-v0.2.8"}, true},
		{"dev4", git.Version{Line: "dev", Numbers: []int{4}}, true},
		{"v1.2.", git.Version{Numbers: []int{1, 2}}, true},
		{"nightly", git.Version{}, false},
		{"v1/notes", git.Version{}, false},
		{"20231105102030123", git.Version{}, false},
		{"", git.Version{}, false},
	} {
		got, ok := git.ParseVersion(tt.name)
		if d := cmp.Diff(tt.want, got); ok != tt.ok || d != "" {
			t.Errorf("%q: ok %v, want %v\n%s", tt.name, ok, tt.ok, d)
		}
	}
}

func TestVersionsInOrder(t *testing.T) {
	t.Parallel()
	want := []string{"v0.9", "v1.0.0-alpha", "v1.0.0-alpha.1", "v1.0.0-alpha.beta", "v1.0.0-beta.2", "v1.0.0-beta.11",
		"v1.0.0-rc1", "v1.0.0-rc10", "v1.0.0", "v1.0.1", "v1.2", "v1.10", "cmd/v0.1"}
	version := func(s string) git.Version { v, _ := git.ParseVersion(s); return v }
	for i, a := range want {
		for j, b := range want {
			if got := version(a).Compare(version(b)); sign(got) != sign(i-j) {
				t.Errorf("%s against %s: %d", a, b, got)
			}
		}
	}
	if version("v1.2").Compare(version("1.2.0")) != 0 {
		t.Error("v1.2 and 1.2.0 differ")
	}
}

func sign(n int) int { return min(1, max(-1, n)) }

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{"v1.2.3-rc.1+x", "a/b1", "1..2", "v-1", "go1.22rc01"} {
		f.Add(s, "v1.2")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		v, ok := git.ParseVersion(a)
		w, _ := git.ParseVersion(b)
		if ok != (len(v.Numbers) > 0) || len(v.Numbers) > 4 || !strings.HasPrefix(a, v.Line) {
			t.Errorf("%q: %+v, %v", a, v, ok)
		}
		if sign(v.Compare(w)) != -sign(w.Compare(v)) || v.Compare(v) != 0 {
			t.Errorf("%q and %q have no order", a, b)
		}
	})
}

func TestTags(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	one := commitFile(t, dir, "a", "1\n", "One", 1)
	run(t, dir, "tag", "v1.0.0")
	run(t, dir, "tag", "-a", "-m", "Ten", "v1.10.0")
	two := commitFile(t, dir, "a", "2\n", "Two", 2)
	run(t, dir, "tag", "-a", "-m", "Two", "v1.2.0")
	run(t, dir, "tag", "-a", "-m", "Of a tag", "nightly", "v1.2.0")
	run(t, dir, "tag", "tree", "HEAD^{tree}")
	run(t, dir, "pack-refs", "--all")
	run(t, dir, "tag", "-f", "v1.10.0", two) // loose, overrides the packed one
	run(t, dir, "tag", "cmd/v0.1", one)
	packed := filepath.Join(dir, ".git", "packed-refs")
	b, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, packed, append(b, "# "+strings.Repeat("a long line ", 10_000)+"\n"...))
	writeFile(t, dir, ".git/refs/tags/broken", "no id\n")
	writeFile(t, dir, ".git/refs/tags/missing", strings.Repeat("1", 40)+"\n")

	r := open(t, dir)
	tags, err := r.Tags()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tag := range tags {
		got = append(got, fmt.Sprintf("%s %s %v %d", tag.Name, tag.Hash[:7], tag.Annotated, tag.When.Unix()))
	}
	want := []string{
		"v1.0.0 " + one[:7] + " false 1700000060", "v1.2.0 " + two[:7] + " true 1700000120", "v1.10.0 " + two[:7] +
			" false 1700000120",
		"cmd/v0.1 " + one[:7] + " false 1700000060", "nightly " + two[:7] + " true 1700000120",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var skipped []string
	for _, s := range r.Skipped() {
		skipped = append(skipped, s.Object)
	}
	if d := cmp.Diff([]string{"refs/tags/broken", "refs/tags/missing"}, skipped); d != "" {
		t.Error(d)
	}
}

// releasesByGit returns the first release tag that contains each commit according to git.
func releasesByGit(t *testing.T, dir string, tags []git.Tag) map[string]string {
	first := map[string]string{}
	slices.SortStableFunc(tags, func(a, b git.Tag) int {
		if ar, br := a.Version.Released(), b.Version.Released(); ar != br {
			if ar {
				return -1
			}
			return 1
		}
		if whole := a.Version.Line == ""; whole != (b.Version.Line == "") {
			if whole {
				return -1
			}
			return 1
		}
		return a.When.Compare(b.When)
	})
	for _, tag := range tags {
		for id := range strings.FieldsSeq(run(t, dir, "rev-list", tag.Hash)) {
			if first[id] == "" && len(tag.Version.Numbers) > 0 {
				first[id] = tag.Name
			}
		}
	}
	return first
}

func TestReleases(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 11))
	dir := newRepo(t)
	var ids []string
	branches := []string{"main", "next", "old"}
	commit(t, dir, "Start", 0)
	run(t, dir, "branch", "next")
	run(t, dir, "branch", "old")
	for n := 1; n < 40; n++ {
		branch := branches[rnd.IntN(3)]
		run(t, dir, "switch", "-q", branch)
		if rnd.IntN(4) == 0 {
			tree := run(t, dir, "rev-parse", "HEAD^{tree}")
			date := fmt.Sprintf("%d +0000", 1700000000+60*n)
			id, err := gitWith(dir, map[string]string{"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}, "commit-tree", "-m",
				"Merge", "-p", "HEAD", "-p", branches[rnd.IntN(3)], tree)
			if err != nil {
				t.Fatal(err)
			}
			run(t, dir, "reset", "-q", "--hard", id)
			ids = append(ids, id)
		} else {
			ids = append(ids, commit(t, dir, fmt.Sprintf("Commit %d", n), n))
		}
		switch rnd.IntN(7) {
		case 2:
			run(t, dir, "tag", fmt.Sprintf("part-1.%d", n))
		case 0:
			run(t, dir, "tag", fmt.Sprintf("v1.%d", n))
		case 1:
			run(t, dir, "tag", "-a", "-m", "x", fmt.Sprintf("v1.%d-rc1", n))
		}
	}
	run(t, dir, "switch", "-q", "main")
	r := open(t, dir)
	tags, err := r.Tags()
	if err != nil || len(tags) < 5 {
		t.Fatal(len(tags), err)
	}
	want := releasesByGit(t, dir, tags)
	seen := map[string]bool{}
	for _, id := range ids {
		seen[want[id]] = true
		if got, err := r.Releases(t.Context(), "", id); err != nil || got[id] != want[id] {
			t.Errorf("release of %s is %q, want %q (%v)", id, got[id], want[id], err)
		}
	}
	if len(seen) < 3 {
		t.Errorf("%d releases", len(seen))
	}
}

func TestNoTags(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	id := commitFile(t, dir, "a", "1\n", "One", 1)
	if err := os.RemoveAll(filepath.Join(dir, ".git", "refs", "tags")); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	if tags, err := r.Tags(); err != nil || len(tags) != 0 {
		t.Error(tags, err)
	}
	if got, err := r.Releases(t.Context(), "", id); err != nil || got[id] != "" {
		t.Error(got, err)
	}
}

// In a monorepo a tag is a release of the package in its name.
func TestReleasesOfPackages(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	core := commitFile(t, dir, "pump-core/src/lib.rs", "1\n", "core: add a lid", 1)
	run(t, dir, "tag", "pump-core-0.1.1")
	main := commitFile(t, dir, "pump/src/lib.rs", "1\n", "Add a valve", 2)
	run(t, dir, "tag", "pump-core-v0.1.2")
	run(t, dir, "tag", "@acme/pump@1.0.0")
	late := commitFile(t, dir, "pump-core/src/lib.rs", "2\n", "core: open the lid", 3)
	run(t, dir, "tag", "@acme/pump@1.1.0")
	other := commitFile(t, dir, "LICENSE", "1\n", "Add the licence", 4)
	run(t, dir, "tag", "pump-core-v0.2.0-rc1")
	run(t, dir, "tag", "@acme/pump@1.2.0")
	r := open(t, dir)
	for _, tt := range []struct{ of, commit, want string }{
		{"", core, "pump-core-0.1.1"}, {"", main, "@acme/pump@1.0.0"}, {"", late, "pump-core-v0.2.0-rc1"},
		{"", other, "@acme/pump@1.2.0"},
		{"pump", core, "@acme/pump@1.0.0"}, {"pump-core", main, "pump-core-v0.1.2"}, {"pump", late, "@acme/pump@1.1.0"},
	} {
		if got, err := r.Releases(t.Context(), tt.of, tt.commit); err != nil || got[tt.commit] != tt.want {
			t.Errorf("first release of %q with %s is %q, want %q (%v)", tt.of, tt.commit, got[tt.commit], tt.want, err)
		}
	}
	run(t, dir, "tag", "v7")
	if got, err := open(t, dir).Releases(t.Context(), "", core, other); err != nil || got[core] != "pump-core-0.1.1" ||
		got[other] != "v7" {
		t.Errorf("beside releases of the whole: %v (%v)", got, err)
	}
}
