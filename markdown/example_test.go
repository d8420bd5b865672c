package markdown_test

import (
	"fmt"

	"github.com/gitmem/gitmem/markdown"
)

func ExampleParse() {
	d := markdown.Parse([]byte(`---
kind: sessions
---

## Relay board bring-up ^s-3f2a91c4

- [decision] Use 10 A relays #tech/relay (L124 14:22) ^i-81c2d0k7qa
  - supersedes [[2026-10-02#^i-77aa01m3xz]]
`))
	fmt.Println(d.Front.Fields["kind"])
	for _, s := range d.Sections {
		fmt.Printf("line %d: %s (%s)\n", s.Line, s.Title, s.ID)
	}
	for _, i := range d.Ideas {
		fmt.Printf("line %d: %s: %s, said in line %d at %s\n", i.Line, i.Intent, i.Text, i.Refs.Line, i.Refs.Time)
		for _, r := range i.Relations {
			fmt.Println(r.Kind, r.ID())
		}
	}
	// Output:
	// sessions
	// line 5: Relay board bring-up (s-3f2a91c4)
	// line 7: decision: Use 10 A relays, said in line 124 at 14:22
	// supersedes i-77aa01m3xz
}

func ExampleApply() {
	d := markdown.Parse([]byte("---\nstatus: proposed # by ada\n---\n\n# Relays\n\n- [ ] measure\n"))
	relays, _ := d.Section("relays")
	out, err := markdown.Apply(d.Source, d.AppendTo(relays, "- [decision] Use 10 A relays"))
	fmt.Print(string(out), err)
	// Output:
	// ---
	// status: proposed # by ada
	// ---
	//
	// # Relays
	//
	// - [ ] measure
	// - [decision] Use 10 A relays
	// <nil>
}
