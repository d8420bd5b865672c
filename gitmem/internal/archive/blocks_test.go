package archive_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
)

const blocksDay = `---
format: 1
date: 2026-11-20
---

# 2026-11-20

## Choose a relay ^s-3f2a91c4

- [decision] Use 10 A relays (L124 14:22) ^i-81c2d0k7qa

### Wiring (L200–L300) ^t-3f2a91c4-2

- [todo] Buy wire (L210 14:30) ^i-90ab14r2fd

session: 3f2a91c4-0000-4000-8000-000000000001 · 14:02–15:40 UTC · through: line 412 9c1e

## More (continued) ^s-3f2a91c4-2

session: 3f2a91c4-0000-4000-8000-000000000001 · 16:02–17:40 UTC · through: line 500 aaaa

## Its log (compacted) ^s-3f2a91c4-3

session: 3f2a91c4-0000-4000-8000-000000000001 · 14:02–15:40 UTC · log: a.md, 3 lines

## Mine
`

func TestBlocks(t *testing.T) {
	t.Parallel()
	got := map[string][]string{}
	for id, b := range archive.Blocks([]byte(blocksDay)) {
		got[id] = b.Holds
	}
	want := map[string][]string{
		"s-3f2a91c4": {"t-3f2a91c4-2", "i-81c2d0k7qa", "i-90ab14r2fd"}, "t-3f2a91c4-2": {"i-90ab14r2fd"},
		"i-81c2d0k7qa": nil, "i-90ab14r2fd": nil, "s-3f2a91c4-2": nil, "s-3f2a91c4-3": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if b := archive.Blocks([]byte(blocksDay))["s-3f2a91c4"]; b.Session != "3f2a91c4-0000-4000-8000-000000000001" ||
		b.Through != 412 || b.Mark != "9c1e" {
		t.Errorf("the section: %+v", b)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	list := archive.Sessions([]byte(blocksDay))
	a := list["3f2a91c4-0000-4000-8000-000000000001"]
	if len(list) != 1 || a.Sections != 2 || a.Through != 500 || a.Mark != "aaaa" {
		t.Errorf("%+v", list)
	}
}
