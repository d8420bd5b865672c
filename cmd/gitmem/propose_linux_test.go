package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/templates"
)

// TestProposed: shared files are written if a person at a terminal agrees, only once, and uninstalling
// removes a file that was created.
func TestProposed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args       []string
		file, want string
	}{
		{[]string{"--client", "cursor"}, "AGENTS.md", templates.Agents()},
		{[]string{"--shared"}, filepath.Join(".claude", "settings.json"), `"gitmem@gitmem": true`},
	} {
		a, out := installer(t)
		file := filepath.Join(a.dir, tt.file)
		if err := os.Mkdir(filepath.Join(a.dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		master, slave := openPty(t)
		a.in, a.outTTY = slave, true
		run := func(verb, answer string) (text string) {
			t.Helper()
			out.Reset()
			if _, err := master.WriteString(answer); err != nil {
				t.Fatal(err)
			}
			if code := a.run(t.Context(), append([]string{verb}, tt.args...)); code != exitOK {
				t.Fatalf("%s %v: %d %s", verb, tt.args, code, out)
			}
			b, _ := os.ReadFile(file)
			return string(b)
		}
		if text := run("install", "n\n"); text != "" || !strings.Contains(out.String(), "[y/N]") {
			t.Errorf("%v: no wrote %q\n%s", tt.args, text, out)
		}
		if text := run("install", "y\n"); !strings.Contains(text, tt.want) || strings.Contains(text, a.home) {
			t.Errorf("%v: yes wrote %q\n%s", tt.args, text, out)
		}
		if text := run("install", ""); strings.Count(text, tt.want) != 1 || bytes.Contains(out.Bytes(), []byte("[y/N]")) {
			t.Errorf("%v: again: %q\n%s", tt.args, text, out)
		}
		if text := run("uninstall", "n\n"); !strings.Contains(text, tt.want) || !strings.Contains(out.String(), "[y/N]") {
			t.Errorf("%v: no removed it: %q\n%s", tt.args, text, out)
		}
		run("uninstall", "y\n")
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%v: %s is left", tt.args, file)
		}
	}
}

// TestParagraph: the paragraph is removed from a shared file, unless somebody changed it.
func TestParagraph(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "Mine.", "# Mine\n\nText.\n"} {
		e := paragraph("AGENTS.md")
		out, _, err := e.put([]byte(src), nil)
		if back, _, err2 := e.take(out, nil); err != nil || err2 != nil || string(back) != src {
			t.Errorf("%q: %v %v %q", src, err, err2, back)
		}
		changed := bytes.Replace(out, []byte("ask memory"), []byte("ask me"), 1)
		if back, c, err := e.take(changed, nil); err != nil || !bytes.Equal(back, changed) || len(c) != 1 ||
			c[0].Did != "kept" {
			t.Errorf("%q changed: %v %v %q", src, err, c, back)
		}
		if again, c, err := e.put(changed, nil); err != nil || !bytes.Equal(again, changed) || c[0].Did != "kept" {
			t.Errorf("%q changed: %v %v %q", src, err, c, again)
		}
	}
	if n := len(templates.Agents()); n > 600 {
		t.Errorf("the paragraph has %d characters", n)
	}
}
