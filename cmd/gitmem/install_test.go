package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
)

func walkFiles(root fs.FS, dir string, do func(name string)) error {
	return fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			do(name)
		}
		return err
	})
}

// installer returns a program called gitmem with its own home; out is its output.
func installer(t *testing.T) (a *app, out *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "gitmem")
	for _, d := range []string{"bin", "home", "work"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	out = &bytes.Buffer{}
	return &app{
		in: strings.NewReader(""), out: out, err: out, dir: filepath.Join(dir, "work"), home: filepath.Join(dir, "home"),
		cache: filepath.Join(dir, "cache"),
		temp:  dir, machine: "test", getenv: func(string) string {
			return ""
		}, now: func() time.Time { return time.Unix(1763640000, 0) },
		name: program, program: func() (string, error) {
			return program, nil
		}, environ: os.Environ, managed: filepath.Join(dir, "managed.json"),
	}, out
}

func installedFields() fields {
	return fields{
		"settings": "string", "backup": "string", "program": "string", "root": "string", "dry_run": "bool", "changes": "list",
		"skills":   "list",
		"sessions": "number", "notes": "list", "diff": "string",
	}
}

func changeFields() fields { return fields{"did": "string", "what": "string", "notes": "string"} }

func TestInstallContract(t *testing.T) {
	t.Parallel()
	a, out := installer(t)
	for _, args := range [][]string{{"install", "--dry-run"}, {"install"}, {"install"}, {"uninstall", "--dry-run"},
		{"uninstall"}, {"uninstall"}} {
		out.Reset()
		if code := a.run(t.Context(), append(args, "--json")); code != exitOK {
			t.Fatalf("%v: %d %s", args, code, out)
		}
		var got map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if diff := cmp.Diff(installedFields(), kinds(got)); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
		for _, list := range []string{"changes", "skills"} {
			for _, c := range got[list].([]any) {
				if diff := cmp.Diff(changeFields(), kinds(c.(map[string]any))); diff != "" {
					t.Errorf("%v: %s", args, diff)
				}
			}
		}
	}
}

// kinds returns the types of an object's values.
func kinds(object map[string]any) fields {
	f := fields{}
	for name, v := range object {
		switch v.(type) {
		case string:
			f[name] = "string"
		case bool:
			f[name] = "bool"
		case float64:
			f[name] = "number"
		case []any:
			f[name] = "list"
		default:
			f[name] = "object"
		}
	}
	return f
}

// TestManaged: restrictions of an administrator are reported by install and by the doctor.
func TestManaged(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"allowManagedHooksOnly": true}`:  "lets only hooks of",
		`{"disableAllHooks": true}`:        "disableAllHooks is true",
		`{`:                                "can't be read",
		`{"allowManagedHooksOnly": false}`: "",
	} {
		a, out := installer(t)
		if err := os.WriteFile(a.managed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"install"}, {"doctor", "--quick"}} {
			out.Reset()
			a.run(t.Context(), args)
			if got := strings.Contains(out.String(), "managed.json"); got != (want != "") ||
				!strings.Contains(out.String(), want) {
				t.Errorf("%s: %v: no %q in\n%s", text, args, want, out)
			}
		}
	}
}

func TestStableProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "cellar", "1.2", "gitmem")
	for _, d := range []string{filepath.Dir(file), filepath.Join(dir, "bin"), filepath.Join(dir, "other")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "bin", "gitmem")
	other := filepath.Join(dir, "other", "gitmem")
	for _, p := range []string{file, other, filepath.Join(dir, "cellar", "memory")} {
		if err := os.WriteFile(p, []byte(p), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	tests := []struct{ name, called, path, program, want string }{
		{"found by PATH", "gitmem", filepath.Dir(link), file, link},
		{"another one in PATH", "gitmem", filepath.Dir(other), file, file},
		{"none in PATH", "gitmem", "", file, file},
		{"by its path", link, "", file, link},
		{"by a path from here", "bin/gitmem", "", file, link},
		{"by another name", "memory", "", filepath.Join(dir, "cellar", "memory"), ""},
	}
	for _, tt := range tests {
		a := &app{name: tt.called, dir: dir, program: func() (string, error) {
			return tt.program, nil
		}, getenv: func(name string) string {
			return map[string]string{"PATH": tt.path}[name]
		}}
		got, err := a.stableProgram()
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestSettingsBusy: an edit is repeated if the file changed meanwhile, but not for ever.
func TestSettingsBusy(t *testing.T) {
	t.Parallel()
	a, _ := installer(t)
	m, err := a.memory(a.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	err = m.Installing(t.Context(), func() error {
		b := *a
		b.lockWait = 1
		n, err := b.memory(b.dir)
		if err != nil {
			return err
		}
		return errors.Join(n.Installing(t.Context(), func() error { return errors.New("two at once") }), n.Close())
	})
	if !errors.Is(err, gitmem.ErrLocked) {
		t.Errorf("%v", err)
	}
}
