package query

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// lockShard holds the lock of a shard, like a process that builds it.
func lockShard(t *testing.T, m *Reader, name string) {
	t.Helper()
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shards, err := m.src.Shards(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shards {
		if s.Name == name {
			unlock, ok, err := osfile.Lock(filepath.Join(s.Index.Dir(), "lock"))
			if err != nil || !ok {
				t.Fatalf("the lock: %v, %v", ok, err)
			}
			t.Cleanup(unlock)
		}
	}
}

// damageIndex inverts all bytes of all its files.
func damageIndex(t *testing.T, m *Reader) {
	t.Helper()
	if _, err := m.Search(t.Context(), "solder", Filter{Project: "all"}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(m.ws.IndexDir(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i := range b {
			b[i] ^= 0xff
		}
		return os.WriteFile(name, b, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestGrepWithoutIndex checks that text that only a literal search finds is found in any state of the index, also
// beside hits of other indexes.
func TestGrepWithoutIndex(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		spoil func(*testing.T, *Reader)
	}{
		{"missing", func(*testing.T, *Reader) {}},
		{"built by another process", func(t *testing.T, m *Reader) { lockShard(t, m, "transcripts") }},
		{"damaged", damageIndex},
		{"in the way", func(t *testing.T, m *Reader) {
			if err := os.WriteFile(m.ws.Options.CacheDir, []byte("a file"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := seer(t, time.Now())
			m.src.FirstBuildWait = time.Millisecond
			aged(t, m, 1, time.Hour)
			rule := filepath.Join(m.ws.ClientDir, "CLAUDE.md")
			if err := os.WriteFile(rule, []byte("# Solder\n\nBuy thermistor number9 and thermistor wires.\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t, m)
			for _, query := range []string{"older hermist umber1", "solder thermistor"} {
				r, err := m.Search(t.Context(), query, Filter{Project: "all", Limit: 5})
				if err != nil || !slices.ContainsFunc(r.Hits, func(h Hit) bool { return strings.Contains(h.Excerpt, "number1") }) {
					t.Errorf("%s: %v, hits %+v", query, err, r.Hits)
				}
				if raw := query != "solder thermistor" || strings.Contains(tt.name, "process") ||
					tt.name == "in the way"; slices.Contains(r.Used, "grep") != raw || raw && len(r.Hits) == 1 &&
					r.Confidence != "low" {
					t.Errorf("%s: fallbacks %q, confidence %s", query, r.Used, r.Confidence)
				}
			}
			g, err := m.Grep(t.Context(), "HERMISTOR NUM", Filter{Project: "all"})
			if err != nil || len(g.Hits) != 1 {
				t.Errorf("%v, %+v", err, g)
			}
		})
	}
}

func TestHashtags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Use 10 A relays #tech/relay (see #yard), again #tech/relay.": "#tech/relay #yard",
		"# Heading\n#include <x>\n  #define y": "", "closes #12, a#b, http://x/#frag, C# and #ffi-": "#ffi",
		"Größe #größe/ü": "#größe/ü",
	} {
		if got := strings.Join(hashtags(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
