package gitmem_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

// TestCostSums checks for random traces and archives that the days and the sessions sum to the total, that a later
// since does not increase it, and that it includes each session's own sum.
func TestCostSums(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		l := newLab(t)
		r := rand.New(rand.NewPCG(seed, 1))
		want := inventCost(l, r)
		m := l.open(l.base)
		var before gitmem.Cost
		for _, since := range []string{"", "2025-02-20", "2025-03-05", "2025-03-09"} {
			c, err := m.Cost(t.Context(), gitmem.CostOptions{Since: since})
			must(t, err)
			var days, sessions gitmem.Injected
			for _, d := range c.Days {
				add(&days, d.Injected)
			}
			for _, s := range c.Sessions {
				add(&sessions, s.Injected)
			}
			all := c.Injected
			all.Tokens = 0
			if diff := cmp.Diff([]gitmem.Injected{all, all}, []gitmem.Injected{days, sessions}); diff != "" {
				t.Errorf("seed %d since %q: days and sessions (-all +got):\n%s", seed, since, diff)
			}
			if since == "" && c.Chars != want {
				t.Errorf("seed %d: %d characters, want %d", seed, c.Chars, want)
			}
			if since != "" && c.Chars > before.Chars {
				t.Errorf("seed %d: since %s are %d characters, more than %d before", seed, since, c.Chars, before.Chars)
			}
			before = c
		}
	}
}

func add(sum *gitmem.Injected, i gitmem.Injected) {
	sum.Injections, sum.Chars = sum.Injections+i.Injections, sum.Chars+i.Chars
}

// inventCost writes traces of nine days and an archive with some of their sessions, and others. It returns the total
// number of characters.
func inventCost(l *lab, r *rand.Rand) (total int) {
	traced, archived := map[string]int{}, map[string]int{}
	id := func() string { return fmt.Sprintf("3f2a91c4-0000-4000-8000-%012d", r.IntN(6)) }
	for day := 1; day < 10; day++ {
		var b strings.Builder
		for range r.IntN(8) {
			session, chars := id(), r.IntN(3)*r.IntN(3000)
			traced[session] += chars
			b.WriteString(traceLine(fmt.Sprintf("2025-03-%02dT10:00:00Z", day), "user-prompt-submit", session,
				r.Float64()*100, chars))
		}
		l.write(filepath.Join(l.root, "gitmem", ".index", "trace", fmt.Sprintf("2025-03-%02d.jsonl", day)), b.String())
	}
	for day := 1; day < 10; day += 3 {
		text, told := "# A day\n", map[string]int{}
		for range r.IntN(4) {
			session, n, each := id(), 1+r.IntN(3), r.IntN(2000)
			told[session] += n * each // later records continue it
			text += fmt.Sprintf("\n## A ^s-3f2a91c4\n\nsession: %s · through: line 3 abcd\ntools: Bash 1 · %s\n\n"+
				"injected: 9 × 900 characters\n", session, injectedNote(n, n*each))
		}
		for session, chars := range told { // another file has a copy
			archived[session] = max(archived[session], chars)
		}
		l.write(filepath.Join(l.root, "gitmem", "projects", "github.com", "acme", "pump", "sessions", "2025",
			fmt.Sprintf("2025-03-%02d.md", day)), text)
	}
	for i := range 6 {
		session := fmt.Sprintf("3f2a91c4-0000-4000-8000-%012d", i)
		total += max(traced[session], archived[session])
	}
	return total
}

// TestCostTimes sums the runs of each hook.
func TestCostTimes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var b strings.Builder
	for i := range 100 {
		b.WriteString(traceLine("2025-03-09T10:00:00Z", "post-tool-use", "s", float64(i+1)*1.23456, 0))
	}
	l.write(filepath.Join(l.root, "gitmem", ".index", "trace", "2025-03-09.jsonl"), b.String()+
		traceLine("2025-03-09T10:00:00Z", "stop", "s", 0, 0)+`{"hook":"stop","chars":-1}`+"\n"+`{"hook":"stop","ms":-1}`+"\n")
	c, err := l.open(l.base).Cost(t.Context(), gitmem.CostOptions{})
	must(t, err)
	equal(t, "hooks", []gitmem.HookTime{
		{Hook: "post-tool-use", Runs: 100, Seconds: 6.235, P50: 61.7, P95: 117},
		{Hook: "stop", Runs: 1},
	}, c.Hooks)
	equal(t, "lines that are no records", 2, c.Unread)
}

// FuzzCost reads any trace: each line is a record or counted as bad, and the sums are those of the JSON records.
func FuzzCost(f *testing.F) {
	for _, seed := range []string{
		traceLine("2025-03-09T10:00:00Z", "stop", "s", 3.5, 100), "{", "null", "[]", `{"chars":-1}`, `{"chars":9999999999}`,
		`{"ms":1e300}`, `{"time":1}`,
		`{"session":"s","chars":7}` + "\n" + `{"session":"s","chars":7`, "\x00\n\r\n{}", strings.Repeat("x", 70_000) + "\n{}",
		`{"ms":1e-300}`, `{"time":"0001-01-01T00:00:00Z","ms":5}`,
	} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		must(t, os.MkdirAll(filepath.Join(dir, "gitmem", "trace"), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "gitmem", "trace", "2025-03-09.jsonl"), []byte(text), 0o600))
		m, err := gitmem.Open(gitmem.Options{Dir: dir, Home: dir, CacheDir: dir, Now: fixedNow})
		must(t, err)
		c, err := m.Cost(t.Context(), gitmem.CostOptions{})
		must(t, err)
		lines, chars, runs := 0, 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				lines++
			}
			var r struct{ Chars int }
			if len(line) < 60_000 && json.Unmarshal([]byte(line), &r) == nil && r.Chars > 0 {
				chars += r.Chars
			}
		}
		for _, h := range c.Hooks {
			runs += h.Runs
			if h.P50 > h.P95 || h.P95 < 0 || h.Seconds < 0 {
				t.Errorf("%+v", h)
			}
		}
		if runs+c.Unread != lines {
			t.Errorf("%d runs and %d unread lines of %d", runs, c.Unread, lines)
		}
		if c.Unread == 0 && c.Chars != chars {
			t.Errorf("%d characters, want %d", c.Chars, chars)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Error(err)
		}
	})
}

// traceLine returns a record as written by hooks.
func traceLine(at, hook, session string, ms float64, chars int) string {
	said := ""
	if chars > 0 {
		said = fmt.Sprintf(`,"chars":%d`, chars)
	}
	return fmt.Sprintf(`{"time":"%s","hook":"%s","session":"%s","result":"written","detail":"x","ms":%g%s}`+"\n", at, hook,
		session, ms, said)
}

// injectedNote returns the line about a session's cost in the archive.
func injectedNote(injections, chars int) string {
	if injections == 0 || chars == 0 {
		return ""
	}
	return fmt.Sprintf("injected: %d × %d characters", injections, chars/injections)
}
