package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keyOf is the prefix of the keys in a test.
const keyOf = "key-of-gitmem-"

// visibleKeys returns the names of the keys in the environment of this process.
func visibleKeys() (names []string) {
	for _, e := range os.Environ() {
		if name, value, _ := strings.Cut(e, "="); strings.HasPrefix(value, keyOf) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestProviderKeys: a server of a provider gets none of the keys that gitmem reads, but the rest of the
// environment; the same holds for the claude program if it has no server of gitmem to start.
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

// keyNames returns the variables that the product treats as keys and tokens.
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
