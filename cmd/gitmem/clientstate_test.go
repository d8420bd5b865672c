package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClientStates: the doctor reports what the files of other clients show: a program that does not exist,
// hooks that Codex skips, a folder that Gemini CLI does not trust.
func TestClientStates(t *testing.T) {
	t.Parallel()
	a, out := installer(t)
	codex, gemini := filepath.Join(a.home, ".codex"), filepath.Join(a.home, ".gemini")
	doctor := func() string {
		t.Helper()
		out.Reset()
		a.run(t.Context(), []string{"doctor", "--quick", "--all"})
		return out.String()
	}
	if shown := doctor(); strings.Contains(shown, "clients") {
		t.Errorf("without any: %s", shown)
	}
	for _, name := range []string{"codex", "gemini", "opencode"} {
		if code := a.run(t.Context(), []string{"install", "--client", name}); code != exitOK {
			t.Fatal(out)
		}
	}
	if err := os.WriteFile(filepath.Join(gemini, "trustedFolders.json"),
		[]byte(`{"`+filepath.ToSlash(a.dir)+`/x": "TRUST_PARENT"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if shown := doctor(); !strings.Contains(shown, "Codex CLI: 7 of 7 hooks are not trusted") ||
		strings.Contains(shown, "Gemini CLI: it does not trust") {
		t.Errorf("not trusted: %s", shown)
	}
	config, err := os.ReadFile(filepath.Join(codex, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	state := "\n[hooks.state]\n"
	for _, event := range []string{"session_start", "user_prompt_submit", "post_tool_use", "stop", "subagent_stop",
		"pre_compact", "session_end"} {
		state += "\n[hooks.state.\"" + filepath.Join(codex, "hooks.json") + ":" + event +
			":0:0\"]\ntrusted_hash = \"sha256:0\"\n"
	}
	if err := os.WriteFile(filepath.Join(codex, "config.toml"), append(config, state...), 0o600); err != nil {
		t.Fatal(err)
	}
	if shown := doctor(); strings.Contains(shown, "not trusted") {
		t.Errorf("trusted: %s", shown)
	}
	program, _ := a.program()
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(gemini, "trustedFolders.json"), []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := doctor()
	for _, want := range []string{"Codex CLI: it runs " + program + ", which is not there", "OpenCode: it runs ",
		"Gemini CLI: it does not trust " + a.dir, "gitmem install --client opencode"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
}
