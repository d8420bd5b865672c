package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// exchangeNow synchronises one machine, and reports what the sync itself lost.
func (m *machine) exchangeNow() {
	m.t.Helper()
	before, files, remote := m.tokens, m.files, m.withRemote()
	m.say("%s syncs", m.name)
	err := m.by.sync(m)
	if err == nil { // otherwise it may not have received the remote's state
		before = remote
	}
	m.look()
	m.fails("sync", err)
	if m.by.strict {
		m.missing(before, files)
	}
}

// withRemote returns the tokens of the machine and, if it is a local folder, of the remote.
func (m *machine) withRemote() map[string]int {
	all := maps.Clone(m.tokens)
	if !filepath.IsAbs(m.remote) {
		return all
	}
	out, _ := m.inMemory("--git-dir", m.remote, "grep", "-h", "-o", "-E", "tok[0-9]{5}", "main") // exit 1: none
	for tok := range tokensOf(out) {
		if m.ledger[tok] != nil {
			all[tok]++
		}
	}
	return all
}

// missing reports what was on a machine or on the remote before a sync, and no longer is although nobody
// removed it.
func (m *machine) missing(before map[string]int, files map[string]string) {
	m.t.Helper()
	for _, tok := range slices.Sorted(maps.Keys(before)) {
		gone := false
		m.about(tok, func(k *token) {
			gone = m.tokens[tok] == 0 && k.removed == "" && !k.reported && !m.isReplaced(k)
			k.reported = k.reported || gone
			m.broken = m.broken || gone
		})
		if gone {
			m.t.Errorf("seed %d: a sync of machine %s lost %s%s", m.seed, m.name, m.report(tok), m.versions(files, tok))
		}
	}
}

// versions returns the versions of the file that contained a token, around a sync.
func (m *machine) versions(before map[string]string, tok string) string {
	for _, rel := range slices.Sorted(maps.Keys(m.files)) {
		if strings.Contains(before[rel]+m.second(rel), tok) {
			base, _ := m.inMemory("merge-base", "HEAD^1", "HEAD^2")
			base, _ = m.inMemory("show", strings.TrimSpace(base)+":"+rel)
			return fmt.Sprintf("== %s, ours:\n%s\n== after:\n%s\n== second parent of HEAD:\n%s\n== base:\n%s\n",
				rel, before[rel], m.files[rel], m.second(rel), base)
		}
	}
	return ""
}

// second returns a file in the second parent of a merge, "" if it does not exist.
func (m *machine) second(rel string) string {
	text, err := m.inMemory("show", "HEAD^2:"+rel)
	if err != nil {
		return ""
	}
	return text
}

// quiet synchronises all machines until nothing changes any more.
func (f *fleet) quiet() {
	f.t.Helper()
	kills := f.kills
	f.kills = killNone
	defer func() { f.kills = kills }()
	for range len(f.machines) + 3 {
		var heads []string
		for _, m := range f.machines {
			m.away = 0
			m.exchangeNow()
		}
		for _, m := range f.machines {
			head, err := m.inMemory("rev-parse", "HEAD")
			f.must(err)
			heads = append(heads, head)
		}
		if len(slices.Compact(heads)) == 1 {
			return
		}
	}
	if f.by.strict {
		f.broken = true
		f.t.Errorf("seed %d: the machines do not come to rest", f.seed)
	}
}

// outcome counts the results of the writes, and the files.
type outcome struct {
	writes, lost, doubled, returned, replaced, invalid, unequal int
	conflicts                                                   int            // versions that were kept as conflicts
	by                                                          map[string]int // writes of each operation
	examples                                                    []string
}

func (o outcome) String() string {
	return fmt.Sprintf("%d writes: %d lost, %d doubled, %d removed and there again, %d replaced in the profile by later "+
		"ones; "+
		"%d files invalid, %d unequal; %d versions in conflict; writes %v",
		o.writes, o.lost, o.doubled, o.returned, o.replaced, o.invalid, o.unequal, o.conflicts, o.by)
}

// check compares the machines, and searches every token on the first one.
func (f *fleet) check() outcome {
	f.t.Helper()
	first := f.machines[0]
	found := first.judge()
	found[doubled] = slices.DeleteFunc(found[doubled], func(tok string) bool { return f.ledger[tok].reported })
	for _, tok := range found[doubled] {
		f.ledger[tok].reported = true
	}
	o := outcome{
		lost: len(found[lost]), doubled: len(found[doubled]), returned: len(found[returned]), replaced: len(found[replaced]),
	}
	o.by = map[string]int{}
	for _, k := range f.ledger {
		if k.by != "" {
			_, operation, _ := strings.Cut(k.by, " ")
			o.by[operation]++
			o.writes++
		}
	}
	for _, text := range first.files {
		o.conflicts += strings.Count(text, "[conflict]")
	}
	tell := func(format string, args ...any) { o.examples = append(o.examples, fmt.Sprintf(format, args...)) }
	for _, kind := range []string{lost, doubled, returned} {
		for _, tok := range found[kind] {
			if k := f.ledger[tok]; kind != returned || k.forgot && k.edits == 0 {
				tell("%s: %s%s", kind, f.report(tok), first.holder(tok))
			} else if testing.Verbose() {
				f.t.Logf("%s: %s", kind, f.report(tok))
			}
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(first.files)) {
		if ill := invalid(rel, first.files[rel]); ill != "" {
			o.invalid++
			tell("%s: %s\n%s", rel, ill, first.files[rel])
		}
	}
	for _, m := range f.machines {
		o.unequal += f.compare(first, m, tell)
		if out, err := m.inMemory("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
			o.invalid++
			tell("machine %s: git fsck: %v\n%s", m.name, err, out)
		}
	}
	f.keepsReplaced(found[replaced], tell)
	return o
}

// holder returns the file that contains a token.
func (m *machine) holder(tok string) string {
	for _, rel := range m.sorted(func(rel string) bool { return strings.Contains(m.files[rel], tok) }) {
		return fmt.Sprintf("== %s:\n%s", rel, m.files[rel])
	}
	return ""
}

// compare counts the files that differ between two machines, or between git and the folder.
func (f *fleet) compare(one, other *machine, tell func(string, ...any)) int {
	n := 0
	for rel := range maps.Keys(one.files) {
		if text, ok := other.files[rel]; !ok || text != one.files[rel] {
			n++
			tell("%s differs on %s and %s:\n%s\n== and\n%s", rel, one.name, other.name, one.files[rel], text)
		}
	}
	for rel := range other.files {
		if _, ok := one.files[rel]; !ok {
			n++
			tell("%s is on %s and not on %s", rel, other.name, one.name)
		}
	}
	if out, err := other.inMemory("status", "--porcelain"); err != nil || out != "" {
		n++
		tell("machine %s: git status: %v\n%s", other.name, err, out)
	}
	return n
}

// keepsReplaced searches history for values that were replaced by later ones.
func (f *fleet) keepsReplaced(replaced []string, tell func(string, ...any)) {
	if len(replaced) == 0 {
		return
	}
	out, err := f.machines[0].inMemory("log", "--all", "-m", "-p", "--format=", "--", "gitmem/profile.md")
	f.must(err)
	for _, tok := range replaced {
		if !strings.Contains(out, tok) {
			tell("not in history: %s", f.report(tok))
		}
	}
}

// invalid returns what is wrong with a file of memory, or "".
func invalid(rel, text string) string {
	if at := regexp.MustCompile(`(?m)^(<{7}|={7}|>{7}|\|{7})( |\r?$)`).FindString(text); at != "" {
		return "has the conflict marker " + at
	}
	if strings.HasPrefix(text, "---\n") {
		front, _, closed := strings.Cut(text[4:], "\n---\n")
		var fields map[string]any
		if err := yaml.Unmarshal([]byte(front), &fields); !closed || err != nil {
			return fmt.Sprintf("frontmatter: closed %v, %v", closed, err)
		}
	} else if strings.HasPrefix(rel, "gitmem/projects/") || rel == "gitmem/profile.md" {
		return "has no frontmatter"
	}
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(`(?m) (\^[a-z]-?[\w-]+)\r?$`).FindAllStringSubmatch(text, -1) {
		if seen[id[1]] {
			return "has twice the id " + id[1]
		}
		seen[id[1]] = true
	}
	return ""
}
