package git_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

func cursorStart() providers.Cursor { return providers.Cursor{} }

func TestResolveAgreesWithGit(t *testing.T) {
	t.Parallel()
	dir := octopus(t, sample(t))
	run(t, dir, "tag", "light", "HEAD~1")
	run(t, dir, "tag", "-a", "-m", "x", "heavy", "HEAD~2")
	run(t, dir, "tag", "-a", "-m", "x", "heavier", "heavy")
	run(t, dir, "tag", "-a", "-m", "x", "blob", "HEAD:README.md")
	run(t, dir, "branch", "both", "HEAD~1")
	run(t, dir, "tag", "both", "HEAD~2")
	run(t, dir, "branch", "feature/x", "HEAD~1")
	run(t, dir, "branch", "abcd", "HEAD~1")
	run(t, dir, "update-ref", "refs/remotes/origin/main", "HEAD~1")
	run(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	run(t, dir, "pack-refs", "--all")
	head := run(t, dir, "rev-parse", "HEAD")
	r := open(t, dir)
	for _, rev := range []string{
		"HEAD", "@", "main", "light", "heavy", "heavier", "heavy^{commit}", "heavy^{}", "heavy^0", "heavy~0",
		"both", "heads/both",
		"refs/heads/main", "feature/x", "abcd", "origin", "origin/main", "HEAD~1", "HEAD^", "HEAD^2", "HEAD^3",
		"HEAD^4", "HEAD^9",
		"HEAD^2~1", "HEAD~1^1", "@~2", "HEAD^^", "HEAD~~", "HEAD~99", head, strings.ToUpper(head), head[:4],
		head[:7], head[:39],
		head[:7] + "~1", head[:3], "nosuch", "blob", "HEAD:README.md", "", "~", "^", "HEAD~x", "HEAD^{tree}", "../../HEAD",
		"refs/../HEAD",
		"HEAD~99999999999999999999", strings.Repeat("0", 40), "ffffffff", "HEAD^01",
	} {
		want, wantErr := tryGit(dir, "", "rev-parse", "--verify", "-q", rev+"^{commit}")
		got, err := r.Resolve(rev)
		if (err == nil) != (wantErr == nil) || got != strings.TrimSpace(want) {
			t.Errorf("Resolve(%q) = %q, %v; git says %q", rev, got, err, strings.TrimSpace(want))
		}
		if err != nil && !isNotFound(err) {
			t.Errorf("Resolve(%q): %v is not ErrNotFound", rev, err)
		}
	}
}

func TestResolveAmbiguous(t *testing.T) {
	t.Parallel()
	dir, _ := importHistory(t, randomHistory(3, 900, false))
	r := open(t, dir)
	commits := strings.Fields(run(t, dir, "rev-list", "--all"))
	count := map[string]int{}
	for _, c := range commits {
		count[c[:4]]++
	}
	seen := false
	for i, c := range commits {
		if i > 50 && count[c[:4]] == 1 {
			continue
		}
		id, err := r.Resolve(c[:4])
		if count[c[:4]] > 1 {
			seen = true
			wantErr(t, err, git.ErrAmbiguous)
		} else if err != nil || id != c {
			t.Errorf("Resolve(%s) = %s, %v; want %s", c[:4], id, err, c)
		}
	}
	if !seen {
		t.Skip("no two ids begin alike in this history")
	}
}

func TestBlobAndList(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	writeFile(t, dir, "big.bin", strings.Repeat("0123456789abcdef", 1<<20+1))
	commitFile(t, dir, "mid.bin", strings.Repeat("0123456789abcdef", 1<<17), "Two megabytes", 5)
	run(t, dir, "add", "big.bin")
	commit(t, dir, "Too much", 6)
	r := open(t, dir)
	for _, c := range []struct {
		rev, path, want string
		err             error
	}{
		{"HEAD", "README.md", "two\n", nil},
		{"HEAD~5", "README.md", "one\n", nil},
		{"HEAD~4", "src/relay.go", "package relay\n", nil},
		{"HEAD", "src/relay.go", "", git.ErrNotFound},
		{"HEAD~4", "src", "", git.ErrNotFound},
		{"HEAD", "README.md/x", "", git.ErrNotFound},
		{"HEAD", "../README.md", "", git.ErrNotFound},
		{"HEAD", "", "", git.ErrNotFound},
		{"nosuch", "README.md", "", git.ErrNotFound},
		{"HEAD", "mid.bin", strings.Repeat("0123456789abcdef", 1<<17), nil},
		{"HEAD", "big.bin", "", git.ErrTooLarge},
	} {
		b, err := r.Blob(c.rev, c.path)
		if string(b) != c.want || (c.err == nil) != (err == nil) {
			t.Errorf("Blob(%s, %s) = %.20q (%d bytes), %v", c.rev, c.path, b, len(b), err)
		}
		if c.err != nil {
			wantErr(t, err, c.err)
		}
	}
	list, err := r.List("HEAD~4", "src/")
	want := []git.Entry{{Path: "src/relay.go", Mode: 0o100644, Hash: run(t, dir, "rev-parse", "HEAD~4:src/relay.go")}}
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
	if one, err := r.List("HEAD~4", "src/relay.go"); err != nil || !cmp.Equal(want, one) {
		t.Errorf("List of a file = %v, %v", one, err)
	}
	_, err = r.List("HEAD", "nosuch")
	wantErr(t, err, git.ErrNotFound)
}

func TestAtAndRoot(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	r := open(t, dir)
	for minutes, rev := range map[int]string{0: "HEAD~3", 1: "HEAD~2", 3: "HEAD", 99: "HEAD"} {
		got, err := r.At(time.Unix(1700000000+60*int64(minutes)+30, 0))
		if want := run(t, dir, "rev-parse", rev); err != nil || got != want {
			t.Errorf("At(%d min) = %s, %v; want %s", minutes, got, err, want)
		}
	}
	_, err := r.At(time.Unix(1699999999, 0))
	wantErr(t, err, git.ErrNotFound)
	root, err := r.Root()
	if want := run(t, dir, "rev-list", "--max-parents=0", "HEAD"); err != nil || root != want {
		t.Errorf("Root = %s, %v; want %s", root, err, want)
	}

	shallow := open(t, cloneOf(t, dir, "--depth=2", "--no-local"))
	_, err = shallow.Root()
	wantErr(t, err, git.ErrShallow)
	_, err = shallow.At(time.Unix(1700000000, 0))
	wantErr(t, err, git.ErrShallow)
}

func TestRemotesAgreeWithGit(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	writeFile(t, dir, ".git/config", `[core]
	repositoryformatversion = 0 ; a comment
[extensions]
	worktreeConfig = true
# another
[remote "origin"] url = git@github.com:acme/pump.git
	fetch = +refs/heads/*:refs/remotes/origin/*
	URL = "https://example.org/a b#c;d.git" # with a space
	pushurl = nowhere
[Remote "we \"ird\\"]
	url = https://example.org/\
continued.git   `+`
	mirror
[remote.old]
	url = https://example.org/old.git
[remote "origin"]
	url = "quoted" and "not \t"
[branch "main"]
	remote = origin
`)
	writeFile(t, dir, ".git/config.worktree", "[remote \"own\"]\n\turl = https://example.org/own.git")
	r := open(t, dir)
	remotes, err := r.Remotes()
	if err != nil {
		t.Fatal(err)
	}
	for _, remote := range remotes {
		want := run(t, dir, "config", "--get-all", "remote."+remote.Name+".url")
		if got := strings.Join(remote.URLs, "\n"); got != want {
			t.Errorf("remote %q has %q, git says %q", remote.Name, got, want)
		}
	}
	if len(remotes) != 4 {
		t.Errorf("%d remotes, want 4: %+v", len(remotes), remotes)
	}
}

// TestSettingsBehindDamage: an invalid section does not hide others.
func TestSettingsBehindDamage(t *testing.T) {
	t.Parallel()
	for _, damage := range []string{"[a \"x\\y\"]\n\tk = v\n", "[credential \"\"]\n\tk = v\n", "[9a]\n\tk = v\n",
		"k = v\n", "<<<<<<< HEAD\n", "[core]\n\teditor = C:\\prog\n"} {
		got := git.Settings([]byte("[core]\n\tbare = false\n" + damage + "[gitmem]\n\towned = true\n"))
		if got["gitmem.owned"] != "true" || got["core.bare"] != "false" {
			t.Errorf("%q: %q", damage, got)
		}
	}
}

func TestRemotesOfBrokenConfig(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"section": "[remote \"a\"]\n\turl = x\n[core\n",
		"quote":   "[remote \"a\"]\n\turl = x\n\tpushurl = \"y\n",
		"escape":  "[remote \"a\"]\n\turl = x\n\tpushurl = \\q\n",
		"no key":  "[remote \"a\"]\n\turl = x\n=y\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sample(t)
			writeFile(t, dir, ".git/config", text)
			remotes, err := open(t, dir).Remotes()
			if err == nil || !strings.Contains(err.Error(), "line 3") ||
				!strings.Contains(err.Error(), filepath.Join(".git", "config")) {
				t.Errorf("the error %v does not name the file and the line", err)
			}
			if len(remotes) != 1 || remotes[0].URLs[0] != "x" {
				t.Errorf("remotes before the damage: %+v", remotes)
			}
		})
	}
}

func TestMailmapAgreesWithGit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	writeFile(t, dir, ".mailmap", `# people
Ada Lovelace <ada@old.org>
<grace@new.org> <grace@old.org>
Grace Hopper <grace@new.org> <G.Hopper@OLD.org>
Joe Rand <joe@new.org> Joe <shared@old.org>
Jane Doe <jane@new.org> jane <Shared@old.org>
Any Body <shared@old.org>
nobody
<only@one.org>
 Spaced   Name   <  spaced@old.org >   # trailing
Ada L. <ada@old.org>
`)
	mm := open(t, dir).Mailmap()
	for _, who := range [][2]string{
		{"ada", "ada@old.org"}, {"x", "ADA@old.org"}, {"g", "grace@old.org"}, {"g", "g.hopper@old.org"},
		{"Joe", "shared@old.org"}, {"JOE", "SHARED@OLD.ORG"}, {"Jane", "shared@old.org"}, {"other", "shared@old.org"},
		{"n", "only@one.org"}, {"n", "unknown@x.org"}, {"s", "spaced@old.org"},
	} {
		name, email := mm.Resolve(who[0], who[1])
		want := run(t, dir, "check-mailmap", who[0]+" <"+who[1]+">")
		if got := name + " <" + email + ">"; got != want {
			t.Errorf("Resolve(%q) = %q, git says %q", who, got, want)
		}
	}
}

func TestMailmapOfHead(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, ".mailmap", "Ada Lovelace <ada@new.org> <ada@example.org>\n", "Name Ada", 0)
	for _, at := range []string{dir, cloneOf(t, dir, "--bare")} {
		r := open(t, at)
		c, err := r.Commit("HEAD")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []git.Signature{c.Author, c.Committer, walk(t, r, git.WalkOptions{})[0].Author} {
			if s.Name != "Ada Lovelace" || s.Email != "ada@new.org" {
				t.Errorf("%s: %+v", at, s)
			}
		}
	}
	r := open(t, dir)
	writeFile(t, dir, ".mailmap", "Changed <ada@example.org>\n")
	if c, err := r.Commit("HEAD"); err != nil || c.Author.Name != "Changed" {
		t.Errorf("after a change of the file: %+v, %v", c.Author, err)
	}
}

func isNotFound(err error) bool { return strings.Contains(err.Error(), git.ErrNotFound.Error()) }
