package profile_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/markdown"
)

func TestUpdate(t *testing.T) {
	t.Parallel()
	const stacks, tone = "codePreferences.preferredStacks", "codePreferences.tone"
	for name, c := range map[string]struct {
		src      string
		mentions []profile.Mention
		want     []string
		done     []string
	}{
		"new": {"", []profile.Mention{said(day(0), set(stacks, "Bun"), set("tools.editor", "Helix"))},
			[]string{stacks + ".bun = Bun", "tools.editor = Helix"},
			[]string{"set " + stacks + ".bun Bun", "set tools.editor Helix"}},
		"another value": {"", []profile.Mention{said(day(0), set("tools.editor", "Helix")),
			said(day(1), set("tools.editor", "Zed"))},
			[]string{"tools.editor = Zed"}, []string{"set tools.editor Helix", "set tools.editor Zed"}},
		"removed where it stands": {"", []profile.Mention{said(day(0), set(stacks, "npm"), set("tools.editor", "Vim")),
			said(day(1), drop("npm"), drop("vim"), drop("emacs"))},
			nil, []string{"set " + stacks + ".npm npm", "set tools.editor Vim", "remove " + stacks + ".npm npm",
				"remove tools.editor Vim"}},
		"avoided is not preferred": {"", []profile.Mention{said(day(0), set(stacks, "Webpack")),
			said(day(1), set("codePreferences.avoid", "webpack"))},
			[]string{"codePreferences.avoid.webpack = webpack"}, []string{"set " + stacks + ".webpack Webpack",
				"set codePreferences.avoid.webpack webpack", "remove " + stacks + ".webpack Webpack"}},
		"a new tone": {"", []profile.Mention{said(day(0), set(tone, "direct"), set(tone, "concise"), set(tone, "no emojis")),
			said(day(1), set(tone, "friendly"))},
			[]string{tone + ".friendly = friendly", tone + ".no-emojis = no emojis"}, []string{"set " + tone + ".direct direct",
				"set " + tone + ".concise concise", "set " + tone + ".no-emojis no emojis",
				"set " + tone + ".friendly friendly", "remove " + tone + ".concise concise", "remove " + tone + ".direct direct"}},
		"a tone by command": {"", []profile.Mention{{Changes: []profile.Change{set(tone, "warm")}, Time: day(0)},
			{Changes: []profile.Change{set(tone, "less verbose")}, Time: day(0)}},
			[]string{tone + ".less-verbose = less verbose"}, nil},
		"a model's tone beside the user's": {"", []profile.Mention{said(day(0), set(tone, "direct")),
			{Changes: []profile.Change{set(tone, "formal")}, Time: day(1), By: answer.Model}},
			[]string{tone + ".direct = direct", tone + ".formal = formal"}, nil},
		"the same message twice": {"", []profile.Mention{said(day(0), set(stacks, "Bun")), said(day(0), set(stacks, "Bun"))},
			[]string{stacks + ".bun = Bun"}, []string{"set " + stacks + ".bun Bun"}},
		"written by hand": {"---\ntools:\n  editor: Zed # mine\n---\nMy words.\n",
			[]profile.Mention{said(day(0), set("tools.shell", "fish"))},
			[]string{"tools.editor = Zed", "tools.shell = fish"},
			[]string{"set tools.editor Zed (by hand)", "set tools.shell fish"}},
		"hostile values": {"",
			[]profile.Mention{said(day(0), set("tools.editor", "a: [b] # c\n---\n"), set(stacks, "x.y.z: {}"),
				set(stacks, "$(rm -rf /)'\""))},
			[]string{stacks + ".rm-rf = $(rm -rf /)'\"", stacks + ".x-y-z = x.y.z: {}", "tools.editor = a: [b] # c ---"}, nil},
	} {
		out, done := updated(t, []byte(c.src), c.mentions...)
		p := read(t, out)
		if diff := cmp.Diff(c.want, values(p)); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, out)
		}
		if diff := cmp.Diff(c.done, done); c.done != nil && diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if c.src != "" && !strings.Contains(string(out), "Zed # mine\n") {
			t.Errorf("%s: touched what was there:\n%s", name, out)
		}
		if again, done, err := profile.Update(out, day(9), nil); err != nil || len(done) > 0 || string(again) != string(out) {
			t.Errorf("%s: nothing said did %q, %v:\n%s", name, done, err, again)
		}
	}
}

// TestByHand: what a person changes in the file counts as a mention, and what is noted of
// a value goes with it.
func TestByHand(t *testing.T) {
	t.Parallel()
	src, _ := updated(t, nil, said(day(0), set("tools.editor", "Vim"), set("tools.shell", "fish")))
	edited := strings.Replace(strings.Replace(string(src), "editor: Vim", "editor: Helix", 1), "  shell: fish\n", "", 1)
	p := read(t, []byte(edited))
	if diff := cmp.Diff([]string{"tools.editor = Helix"}, values(p)); diff != "" || p.Entries[0].Now(day(300)) != 1 {
		t.Errorf("%s %+v", diff, p.Entries)
	}
	out, done, err := profile.Decay([]byte(edited), day(300))
	if want := []string{"remove tools.shell (by hand)", "set tools.editor Helix (by hand)"}; err != nil ||
		!slices.Equal(done, want) {
		t.Errorf("%q, %v", done, err)
	}
	if e := read(t, out).Entries; len(e) != 1 || !e[0].LastSeen.Equal(day(300)) || e[0].Source != "" ||
		strings.Contains(string(out), "shell") {
		t.Errorf("%+v\n%s", e, out)
	}
}

// TestByAModel holds that what a model wrote is known as such until the user says it, sets it,
// writes it or confirms it.
func TestByAModel(t *testing.T) {
	t.Parallel()
	by := func(c profile.Change) profile.Mention {
		return profile.Mention{Changes: []profile.Change{c}, Time: day(1), By: answer.Model}
	}
	of := func(src []byte) (marks []string) {
		for _, e := range read(t, src).Entries {
			marks = append(marks, e.Value+e.By.Mark())
		}
		return marks
	}
	editor, own := set("tools.editor", "Neovim"), set("codePreferences.preferredStacks", "Go")
	tests := map[string]struct {
		mentions []profile.Mention
		want     []string
	}{
		"a model alone": {[]profile.Mention{by(editor)}, []string{"Neovim (by a model)"}},
		"a model again": {[]profile.Mention{by(editor), by(editor)}, []string{"Neovim (by a model)"}},
		"then the user says it": {[]profile.Mention{by(editor), said(day(2), set("tools.editor", "neovim"))},
			[]string{"Neovim"}},
		"then the user sets it": {[]profile.Mention{by(editor), {Changes: []profile.Change{editor}, Time: day(2)}},
			[]string{"Neovim"}},
		"what the user said before": {[]profile.Mention{said(day(0), editor), by(set("tools.editor", "neovim"))},
			[]string{"Neovim"}},
		"another value": {[]profile.Mention{said(day(0), editor), by(set("tools.editor", "Helix"))},
			[]string{"Helix (by a model)"}},
		"avoids what the user likes": {[]profile.Mention{said(day(0), own), by(set("codePreferences.avoid", "Go"))},
			[]string{"Go (by a model)", "Go"}},
		"an order": {[]profile.Mention{by(set("orders", "Never use malloc"))},
			[]string{"Never use malloc (by a model)"}},
	}
	for name, tt := range tests {
		src, _ := updated(t, nil, tt.mentions...)
		if diff := cmp.Diff(tt.want, of(src)); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, src)
		}
	}

	src, done := updated(t, nil, by(editor), by(own))
	if want := "set tools.editor Neovim (by a model)"; done[0] != want {
		t.Errorf("%q, want %q", done[0], want)
	}
	for _, g := range read(t, src).Groups(day(2)) {
		if name, value := g.Variable(); name != "" {
			t.Errorf("the session's environment gets %s=%s from a model", name, value)
		}
	}
	src, _ = updated(t, src, said(day(1), set("codePreferences.preferredStacks", "Zig")))
	var lines []string
	for _, g := range read(t, src).Groups(day(2)) {
		lines = append(lines, g.Lines()...)
	}
	if diff := cmp.Diff([]string{"codePreferences.preferredStacks: Zig",
		"codePreferences.preferredStacks (by a model): Go", "tools.editor (by a model): Neovim"}, lines); diff != "" {
		t.Error(diff)
	}
	out, done, err := profile.Confirm(src, day(2), "tools.editor")
	if diff := cmp.Diff([]string{"Go (by a model)", "Zig", "Neovim"}, of(out)); err != nil || diff != "" ||
		len(done) != 1 || done[0] != "confirm tools.editor Neovim" {
		t.Errorf("%v %q %s", err, done, diff)
	}
	hand := bytes.ReplaceAll(src, []byte(", by: model"), nil)
	if diff := cmp.Diff([]string{"Go", "Zig", "Neovim"}, of(hand)); diff != "" {
		t.Errorf("by hand: %s\n%s", diff, hand)
	}
}

// TestUnreadable: a file that can't be read is an error and stays as it is.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"---\ntools: [\n---\n", "---\ntools:\n  editor: Vim\n"} {
		if out, _, err := profile.Update([]byte(src), day(0),
			[]profile.Mention{said(day(0), set("tools.editor", "Zed"))}); err == nil {
			t.Errorf("%q became %q", src, out)
		}
	}
}

// TestOlder holds that a message that is read late, or again as a fork of a session repeats
// it, changes nothing that was said or removed since.
func TestOlder(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	say := func(n int, source string, c ...profile.Change) profile.Mention {
		return profile.Mention{Time: day(n), Source: source, Changes: c}
	}
	helix, vim := profile.Change{Path: "tools.editor", Value: "Helix"}, profile.Change{Path: "tools.editor", Value: "Vim"}
	order := profile.Change{Path: "orders", Value: "Never use malloc"}
	src := profile.Head(profile.File)
	step := func(name, want string, change func([]byte) ([]byte, []string, error)) {
		t.Helper()
		out, done, err := change(src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Join(done, "; "); got != want {
			t.Errorf("%s: done %q, want %q", name, got, want)
		}
		src = out
	}
	update := func(now int, m ...profile.Mention) func([]byte) ([]byte, []string, error) {
		return func(src []byte) ([]byte, []string, error) { return profile.Update(src, day(now), m) }
	}
	step("first", "set tools.editor Helix; set orders.never-use-malloc Never use malloc",
		update(20, say(20, "transcript:a:1", helix, order)))
	step("an older one", "", update(21, say(10, "transcript:b:1", vim)))
	step("an older end", "",
		update(21, say(10, "transcript:b:2", profile.Change{Path: "tools.editor", Value: "Helix", Remove: true})))
	step("a command", "set tools.editor Zed",
		update(21, profile.Mention{Time: day(21), Changes: []profile.Change{{Path: "Tools.Editor", Value: "Zed"}}}))
	step("removed", "remove orders.never-use-malloc Never use malloc; remove tools.editor Zed",
		func(src []byte) ([]byte, []string, error) {
			return profile.Remove(src, day(22), "")
		})
	step("repeated by a fork", "", update(23, say(20, "transcript:c:1", helix, order)))
	step("said again", "set tools.editor Helix", update(23, say(23, "transcript:c:9", helix)))
	step("of the future", "set tools.editor Vim", update(1, say(1, "transcript:d:1", vim)))
}

// TestPartial holds that what can't be changed keeps nothing else from it, and is not said to be.
func TestPartial(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	src := []byte("---\nformat: 1\nversions:\n  node.js: \"20\"\ntools:\n  editor: vim # best\n  shell: fish\n" +
		"codePreferences:\n  style: {indent: tabs}\n---\n")
	out, done, err := profile.Remove(src, now, "tools")
	if err == nil || strings.Contains(string(out), "fish") || !strings.Contains(string(out), "vim # best") ||
		!slices.Contains(done, "remove tools.shell fish") || slices.Contains(done, "remove tools.editor vim") {
		t.Errorf("removed: %q, %v\n%s", done, err, out)
	}
	_, done, err = profile.Remove(src, now, "versions")
	if slices.ContainsFunc(done, func(d string) bool { return strings.HasPrefix(d, "remove") }) {
		t.Errorf("removed: %q, %v", done, err)
	}
	style, order := profile.Change{Path: "codePreferences.style", Value: "short functions"},
		profile.Change{Path: "tools.shell", Value: "zsh"}
	out, done, err = profile.Update(src, now,
		[]profile.Mention{{Time: now, Source: "transcript:a:1", Changes: []profile.Change{style, order}}})
	if err == nil || !slices.Contains(done, "set tools.shell zsh") || !strings.Contains(string(out), "shell: zsh") {
		t.Errorf("updated: %q, %v\n%s", done, err, out)
	}
}

// TestMachines: two machines that learn different things at once merge without loss; of one
// value the later mention counts.
func TestMachines(t *testing.T) {
	t.Parallel()
	const stacks = "codePreferences.preferredStacks"
	base, _ := updated(t, nil, said(day(0), set("tools.editor", "Vim"), set(stacks, "Go"), set("tools.shell", "bash")))
	ours, _ := updated(t, base, said(day(1), set("tools.editor", "Helix"), set(stacks, "Bun"), drop("bash")))
	theirs, _ := updated(t, base, said(day(2), set("tools.editor", "Zed"), set(stacks, "Deno"),
		set("work.role", "developer")))
	for _, sides := range [][2][]byte{{ours, theirs}, {theirs, ours}} {
		merged, conflicts := markdown.Merge3(base, sides[0], sides[1])
		want := []string{stacks + ".bun = Bun", stacks + ".deno = Deno", stacks + ".go = Go", "tools.editor = Zed",
			"work.role = developer"}
		if diff := cmp.Diff(want, values(read(t, merged))); diff != "" || len(conflicts) > 0 {
			t.Errorf("%d conflicts, %s\n%s", len(conflicts), diff, merged)
		}
		if again, done, err := profile.Decay(merged, day(3)); err != nil || len(done) > 0 || string(again) != string(merged) {
			t.Errorf("what is noted does not fit: %q, %v", done, err)
		}
	}
}

// TestRandomUpdates: whatever is said in whatever order, the file can be read, decay never
// makes anything surer, and a value that was removed is gone with all that was noted of it.
func TestRandomUpdates(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	paths := []string{"tools.editor", "tools.other", "work.role", "codePreferences.preferredStacks",
		"codePreferences.avoid", "a.b.c"}
	words := []string{"vim", "Bun", "C++", "don't: ask", "\"q\"", "- x", "#y", "ä水", "true", "1.5", "{a: b}"}
	rounds := 30
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		rounds = 1000
	}
	for range rounds {
		var src []byte
		for n := range 12 {
			c := profile.Change{Remove: rnd.IntN(4) == 0, Path: paths[rnd.IntN(len(paths))], Value: words[rnd.IntN(len(words))]}
			src, _ = updated(t, src, said(day(n), c))
		}
		p := read(t, src)
		for _, e := range p.Entries {
			if e.Now(day(40)) > e.Now(day(20)) || e.Now(day(20)) > 1 {
				t.Fatalf("%+v", e)
			}
		}
		for _, e := range p.Entries {
			out, _, err := profile.Remove(src, day(20), e.Path)
			if err != nil || len(read(t, out).Find(e.Path)) > 0 || strings.Contains(string(out), e.Path+":") {
				t.Fatalf("%s is left (%v):\n%s", e.Path, err, out)
			}
		}
	}
}

// TestLongKeys holds that two long orders that begin alike are two.
func TestLongKeys(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const order = "always run the linter and the unit tests before you commit to the "
	out, _, err := profile.Update(profile.Head(profile.File), now,
		[]profile.Mention{{Time: now, Changes: []profile.Change{{Path: "orders", Value: order + "main branch"},
			{Path: "orders", Value: order + "release branch"}}}})
	if p, readErr := profile.Read(out); err != nil || readErr != nil || len(p.Entries) != 2 {
		t.Errorf("%v, %v\n%s", err, readErr, out)
	}
}

func TestValidPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"tools.editor": true, "orders": true, "codePreferences.style": true, "work.team.lead": true,
		"editor": false, "meta.x": false, "format": false, "kind.x": false, "codePreferences.style.indent": false,
		"orders.x": false, "Tools.Other.x": false, "a b.c": false, "": false, "a.b.c.d.e": false,
	} {
		if got := profile.ValidPath(path); got != want {
			t.Errorf("ValidPath(%q) = %v", path, got)
		}
	}
}
