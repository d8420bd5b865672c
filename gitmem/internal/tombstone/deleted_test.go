package tombstone_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
)

const twoSections = `---
format: 1
date: 2026-11-20
---

# 2026-11-20

A line of mine.

## Choose a relay ^s-3f2a91c4

- [decision] Use 10 A relays (L124 14:22) ^i-81c2d0k7qa
  - supersedes [[2026-10-02#^i-77aa01m3xz]]

### Wiring (L200–L300) ^t-3f2a91c4-2

- [todo] Buy wire (L210 14:30) ^i-90ab14r2fd

session: 3f2a91c4-aaaa · 14:02–15:40 UTC · through: line 412 9c1e

## Mine

- [note] By hand ^i-aaaaaaaaaa
`

// TestAfterMerge: one machine deleted something that another one had changed meanwhile.
func TestAfterMerge(t *testing.T) {
	t.Parallel()
	path := archiveFile().Path
	for _, tt := range []struct {
		name    string
		deleted string
		gone    []string // of twoSections
		cut     int
	}{
		{"a section", "s-3f2a91c4", []string{"Choose", "10 A", "supersedes", "Wiring", "Buy wire", "session:"}, 6},
		{"a topic", "t-3f2a91c4-2", []string{"Wiring", "Buy wire"}, 2},
		{"an idea", "i-81c2d0k7qa", []string{"10 A", "supersedes"}, 2},
		{"what is of another file", "s-00000000", nil, 0},
	} {
		list := mason().Listed(nil, []string{tombstone.BlockKey(path, tt.deleted)}, nil)
		set := tombstone.ParseSet(list)
		got, cut := cutter(set).AfterMerge(archiveFile(), []byte(twoSections))
		if len(cut) != tt.cut {
			t.Errorf("%s: cut %q", tt.name, cut)
		}
		for line := range strings.Lines(twoSections) {
			goes := false
			for _, text := range tt.gone {
				goes = goes || strings.Contains(line, text)
			}
			if strings.TrimSpace(line) != "" && strings.Contains(string(got), line) == goes {
				t.Errorf("%s: %q stays %v:\n%s", tt.name, line, goes, got)
			}
		}
		if again, cut := cutter(set).AfterMerge(archiveFile(), got); string(again) != string(got) || len(cut) > 0 {
			t.Errorf("%s: once more changes it:\n%s", tt.name, again)
		}
		other := archiveFile()
		other.Path = strings.ReplaceAll(path, "2026-11-20", "2026-11-21")
		if got, _ := cutter(set).AfterMerge(other, []byte(twoSections)); string(got) != twoSections {
			t.Errorf("%s: another file was cut:\n%s", tt.name, got)
		}
		if got, cut := (tombstone.Cutter{Set: set}).Cut(archiveFile(), []byte(twoSections)); string(got) != twoSections ||
			len(cut) > 0 || set.Len() > 0 {
			t.Errorf("%s counts as forgotten, which history hides: %q", tt.name, cut)
		}
	}
}

func TestAfterMergeOfAllSections(t *testing.T) {
	t.Parallel()
	file := archiveFile()
	one := strings.Replace(twoSections[:strings.Index(twoSections, "## Mine")], "A line of mine.\n", "", 1)
	set := tombstone.ParseSet(mason().Listed(nil, []string{tombstone.BlockKey(file.Path, "s-3f2a91c4")}, nil))
	if got, _ := cutter(set).AfterMerge(file, []byte(one)); got != nil {
		t.Errorf("a file of nothing but its title stays:\n%s", got)
	}
	forgotten := set.With(mason().Unit("idea:i-aaaaaaaaaa", project))
	if got, _ := cutter(forgotten).AfterMerge(file, []byte(twoSections)); strings.Contains(string(got), "By hand") ||
		strings.Contains(string(got), "Choose") || !strings.Contains(string(got), "A line of mine.") {
		t.Errorf("with what was forgotten:\n%s", got)
	}
}

func TestListed(t *testing.T) {
	t.Parallel()
	line := mason().Line("- The relay clicks")[0].String() + "\n"
	before := tombstone.Header + line
	deleted := mason().Listed([]byte(before), []string{"a", "b"}, nil)
	set := tombstone.ParseSet(deleted)
	if !set.HasDeleted("a") || !set.HasDeleted("b") || set.HasDeleted("c") || set.Len() != 1 || set.Skipped != 0 {
		t.Errorf("the list:\n%s", deleted)
	}
	if got := mason().Listed(deleted, []string{"a"}, nil); string(got) != string(deleted) {
		t.Errorf("listed twice:\n%s", got)
	}
	other := tombstone.Builder{Day: "2026-11-21", Salt: "00000000000000aa"}
	// from another machine, and a last line without a line end
	both := append([]byte(string(deleted)), other.Deleted("a").String()...)
	if got := tombstone.ParseSet(mason().Listed(both, []string{"c"}, []string{"a"})); got.HasDeleted("a") ||
		!got.HasDeleted("b") || !got.HasDeleted("c") || got.Len() != 1 {
		t.Errorf("put back: %+v", got)
	}
	if got := tombstone.WithoutDeleted(deleted); string(got) != before {
		t.Errorf("without what was deleted:\n%s", got)
	}
	now := append([]byte(string(deleted)), "- a line of somebody\n"...)
	undone := tombstone.Reverted([]byte(before), deleted, now)
	if string(undone) != before+"- a line of somebody\n" {
		t.Errorf("undone:\n%s", undone)
	}
	if again := tombstone.ParseSet(tombstone.Reverted(deleted, []byte(before), undone)); !again.HasDeleted("a") ||
		!again.HasDeleted("b") {
		t.Errorf("undone twice: %+v", again)
	}
	if got := tombstone.Reverted([]byte(tombstone.Header), []byte(before), []byte(before)); string(got) != before {
		t.Errorf("what was forgotten came back:\n%s", got)
	}
}

func cutter(set *tombstone.Set) tombstone.Cutter { return tombstone.Cutter{Set: set} }
