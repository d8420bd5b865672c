package gitmem_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// A program keeps a note in its own home and asks for it. If nothing answers a question, the closest record is cited as
// a lead.
func Example() {
	home, err := os.MkdirTemp("", "gitmem-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)
	m, err := gitmem.Open(gitmem.Options{
		Dir: home, Home: home, CacheDir: filepath.Join(home, "cache"),
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()

	ctx := context.Background()
	if _, err := m.Note(ctx, "Measure the inrush current before choosing a relay", false); err != nil {
		log.Fatal(err)
	}
	for _, question := range []string{"what should we measure before choosing a relay?", "why did we paint the relay?"} {
		a, err := m.Ask(ctx, question, gitmem.Filter{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Confidence, len(a.Citations))
		for _, c := range a.Citations {
			fmt.Printf("%s: %s, line %d: %s\n", c.Role, filepath.Base(c.Path), c.Line, c.Excerpt)
		}
	}
	// Output:
	// medium 1
	// evidence: MEMORY.md, line 5: Measure the inrush current before choosing a relay
	// low 1
	// lead: MEMORY.md, line 5: Measure the inrush current before choosing a relay
}
