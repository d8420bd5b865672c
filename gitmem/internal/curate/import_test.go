package curate_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
)

// TestImport imports an older memory once.
func TestImport(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	dir := filepath.Join(m.Home, "old")
	for name, text := range map[string]string{
		"profile.json": `{"tools": {"editor": "Neovim", "shell": null, "terminal": 7}, "codePreferences": ` +
			`{"preferredStacks": ["Go", ""]}, "a b": "x", "communication": {"verbosity": "` + secret + `"}}`,
		"profile-meta.json": `{"preferences": {"tools.editor": {"confidence": 0.9, "lastSeen": "2025-03-01T00:00:00Z"}}}`,
		"changelog.jsonl": `{"timestamp": "2025-03-01", "action": "add", "path": "tools.editor", "newValue": "Neovim"}` +
			"\nnot JSON\n",
		"sessions/session-3f2a91c4-0000-4000-8000-000000000001.json": `{"startedAt": "2025-03-02T10:00:00Z",
			"summary": "The relay works.",
			"tasks": {"drain": {"title": "Clean the drain", "status": "done"}, "x": "Buy a brush"},
			"decisions": [{"decision": "Use the big relay", "rationale": "It draws seven ampere.",
				"timestamp": "2025-03-02T11:00:00Z"},
				{"decision": ""}]}`,
		"sessions/broken.json": "{",
		"sessions/noid.json":   `{"id": "../x", "summary": "Nothing"}`,
	} {
		m.Write(filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	did := []string{"set tools.editor Neovim (imported)", "set codePreferences.preferredStacks.go Go (imported)",
		"task Clean the drain", "task Buy a brush", "decision Use the big relay", "summary of session 3f2a91c4"}
	for _, step := range []struct {
		name  string
		dry   bool
		done  []string
		known int
	}{{"a dry run", true, did, 0}, {"the import", false, did, 0}, {"again", false, []string{}, 4}} {
		got, err := m.editor().Import(t.Context(), dir, step.dry)
		if err != nil {
			t.Fatal(err)
		}
		sortLines := func(list []string) string { return strings.Join(slices.Sorted(slices.Values(list)), "\n") }
		if diff := cmp.Diff(sortLines(step.done), sortLines(got.Done)); diff != "" || got.Known != step.known {
			t.Errorf("%s: %d known (-want +got):\n%s", step.name, got.Known, diff)
		}
		skipped := strings.Join(got.Skipped, "\n")
		for _, want := range []string{"tools.terminal: no value", "a b: no value", "communication.verbosity: a secret",
			"broken.json", "a decision", "noid.json: its session has an id"} {
			contains(t, step.name, skipped, want)
		}
		if _, err := os.Stat(m.InRoot("gitmem/profile.md")); err == nil == step.dry {
			t.Errorf("%s: the profile: %v", step.name, err)
		}
	}
	p, err := m.editor().Profile(t.Context(), "tools.editor")
	if err != nil || p.Entries[0].LastSeen != "2025-03-01T00:00:00Z" || p.Entries[0].Trust != "imported" {
		t.Errorf("%+v, %v", p, err)
	}
	log, err := m.editor().ProfileLog(t.Context(), 0)
	if err != nil || !strings.Contains(joined(log), "imported 2025-03-01 add tools.editor Neovim") {
		t.Errorf("%+v, %v", log, err)
	}
	if _, err := m.editor().Import(t.Context(), filepath.Join(m.Home, "none"), false); !errors.Is(err,
		messages.ErrNotFound) {
		t.Errorf("no folder: %v", err)
	}
}

func joined(log []curate.ProfileChange) (out string) {
	for _, c := range log {
		out += c.Done + "\n"
	}
	return out
}
