package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keyOf begins the values of the variables that a test gives as keys.
const keyOf = "key-of-gitmem-"

// visibleKeys are the names of the keys that this process sees.
func visibleKeys() (names []string) {
	for _, e := range os.Environ() {
		if name, value, _ := strings.Cut(e, "="); strings.HasPrefix(value, keyOf) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestProviderKeys: a server of a provider sees none of the keys that gitmem reads, and all else of
// the environment; nor does the claude program where it has no server of gitmem's to start.
func TestProviderKeys(t *testing.T) {
	t.Parallel()
	for _, backend := range backends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			name := d.defineProvider("command: tracker\nargs: [keys]\nallowed_tools: [find]\n", "")
			d.withModel(t, backend, "  summaries: on\n", []step{{Call: "mcp__tracker__find", Args: map[string]any{}},
				answering(claiming("It sees its own.", "mcp:tracker:find", "It sees TRACKER_ITEM."))})
			for _, key := range append(keyNames(t), "TRACKER_ITEM") {
				d.env = append(d.env, key+"="+keyOf+"x")
			}
			seen := filepath.Join(t.TempDir(), "keys")
			d.env = append(d.env, "GITMEM_FAKE_KEYS="+seen)
			d.run("", "provider", "allow", name)
			r := d.run("", "ask", "--agent", "did anybody want Redis back?")
			id := regexp.MustCompile(`mcp:tracker:find:[0-9a-f]{12}`).FindString(r.out)
			if shown := d.run("", "show", id).out; !strings.Contains(shown, "It sees TRACKER_ITEM.\n") {
				t.Errorf("%s\n%s%s", shown, r.out, r.err)
			}
			if backend != "claude" {
				return
			}
			d.check(os.Remove(seen))
			d.hook(d.endPayload(), "archive")
			b, err := os.ReadFile(seen)
			d.check(err)
			if string(b) != "ANTHROPIC_API_KEY TRACKER_ITEM" { // it may be the program's own login
				t.Errorf("claude sees %s", b)
			}
		})
	}
}

// keyNames are the variables that the product names as keys and tokens.
func keyNames(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "gitmem", "internal", "config", "keys.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`"([A-Z_]+)"`).FindAllStringSubmatch(string(b), -1) {
		names = append(names, m[1])
	}
	if len(names) < 8 {
		t.Fatalf("only %q", names)
	}
	return names
}
