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

// heard is a line of testdata/speakers. Carriers bring an order into a session that no person gave: programs, agents,
// the client, tools, and pasted text. Orders are prompts as people type them. The authors of both had not seen the
// code, and the sealed halves were not used to improve it.
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

// learnt returns the changes of profile and orders from a session with some records.
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

// TestSpeakers checks that text of programs, agents, the client or tools is not learnt. Some unmarked pasted text, and
// some orders in unusual words, are not distinguished yet.
func TestSpeakers(t *testing.T) {
	t.Parallel()
	for half, limits := range map[string]struct{ pastes, orders, wrong int }{"dev": {0, 44, 0}, "sealed": {3, 42, 1}} {
		t.Run(half, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			l.note(r.dir, "The pump has a door")
			pastes := 0
			for n, h := range heardIn(t, "carriers-"+half+".jsonl") {
				if h.Withdraws != "" {
					l.with(r.dir, func(m *gitmem.Memory) error {
						_, err := m.Profile().Set(t.Context(), "orders", h.Withdraws)
						return err
					})
				}
				switch got := l.learnt(r.dir, n, h.Records); {
				case len(got) == 0:
				case h.Class == "paste":
					pastes++
				default:
					t.Errorf("%s %s: %q", h.ID, h.Class, got)
				}
			}
			t.Logf("%s: %d pastes are learnt from", half, pastes)
			if pastes > limits.pastes {
				t.Errorf("%d pastes are learnt from, at most %d were", pastes, limits.pastes)
			}
			given, of, wrong := 0, 0, 0
			for n, h := range heardIn(t, "orders-"+half+".jsonl") {
				got := l.learnt(r.dir, 1000+n, []json.RawMessage{typedRecord(t, h.Prompt)})
				all := strings.Join(got, "\n")
				switch learnt := strings.Contains(all, "orders") || strings.Contains(all, "work.name"); {
				case h.Order != "":
					of++
					if learnt {
						given++
					}
				case learnt:
					t.Logf("%s is no order", h.ID)
					wrong++
				}
			}
			t.Logf("%d of %d orders are known, and %d that are none", given, of, wrong)
			if wrong > limits.wrong {
				t.Errorf("%d are none, at most %d were", wrong, limits.wrong)
			}
			if given < limits.orders {
				t.Errorf("%d orders are known, %d were", given, limits.orders)
			}
		})
	}
}

// typedRecord returns the record of a prompt typed by a person.
func typedRecord(t *testing.T, prompt string) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(prompt)
	if err != nil {
		t.Fatal(err)
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"user","uuid":"u1","promptSource":"typed","origin":{"kind":"human"},`+
		`"version":"2.1.332","entrypoint":"cli",`+
		`"timestamp":"2025-03-10T09:00:00Z","cwd":"/home/ada/work/pump","message":{"content":%s}}`, text))
}
