package gitmem_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// heard is a line of testdata/speakers. Carriers bring an order into a session that no person gave:
// programs, agents, the client, tools, and text that a person pasted. Orders are prompts as people
// type them. Both were written by hands that had not seen the code, and the sealed halves were
// not looked at to make it better.
type heard struct {
	ID, Class, Order, Prompt, Withdraws string
	Records                             []json.RawMessage
}

// heardIn reads a file of testdata/speakers.
func heardIn(t *testing.T, name string) (list []heard) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata/speakers", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var h heard
		if err := json.Unmarshal(in.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
	return list
}

// learnt are the changes of profile and orders that a session of some records makes.
func (l *lab) learnt(dir string, n int, records []json.RawMessage) []string {
	l.t.Helper()
	session := fmt.Sprintf("%08x-0000-4000-8000-000000000000", n+1)
	var text strings.Builder
	for _, r := range records {
		text.WriteString(strings.ReplaceAll(string(r), "/home/ada/work/pump", dir) + "\n")
	}
	file := l.write(filepath.Join(l.root, "projects", munge(dir), session+".jsonl"), text.String())
	var did gitmem.Stopped
	l.with(dir, func(m *gitmem.Memory) (err error) {
		did, err = m.Sessions().EndTurn(l.t.Context(), gitmem.Turn{Session: session, Transcript: file})
		return err
	})
	return did.Learnt
}

func TestSpeakers(t *testing.T) {
	t.Parallel()
	for _, half := range []string{"dev", "sealed"} {
		t.Run(half, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			l.note(r.dir, "The pump has a door")
			for n, h := range heardIn(t, "carriers-"+half+".jsonl") {
				if h.Withdraws != "" {
					l.with(r.dir, func(m *gitmem.Memory) error {
						_, err := m.Profile().Set(t.Context(), "orders", h.Withdraws)
						return err
					})
				}
				if got := l.learnt(r.dir, n, h.Records); len(got) > 0 {
					t.Errorf("%s %s: %q", h.ID, h.Class, got)
				}
			}
			orders, given := heardIn(t, "orders-"+half+".jsonl"), 0
			for n, h := range orders {
				prompt, err := json.Marshal(h.Prompt)
				if err != nil {
					t.Fatal(err)
				}
				record := fmt.Sprintf(`{"type":"user","uuid":"u1","promptSource":"typed","origin":{"kind":"human"},"version":"2.1.332","entrypoint":"cli","timestamp":"2025-03-10T09:00:00Z","cwd":"/home/ada/work/pump","message":{"content":%s}}`, prompt)
				got := l.learnt(r.dir, 1000+n, []json.RawMessage{json.RawMessage(record)})
				ordered := strings.Contains(strings.Join(got, "\n"), "orders")
				if h.Order == "" && len(got) > 0 {
					t.Errorf("%s is no order: %q", h.ID, got)
				}
				if ordered {
					given++
				} else if h.Order != "" {
					t.Logf("%s is missed", h.ID)
				}
			}
			if given < 27 {
				t.Errorf("%d of 30 orders are known, want 27", given)
			}
		})
	}
}
