//go:build linux

package distribution_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"gopkg.in/yaml.v3"
)

const files = "https://github.com/gitmem/gitmem/releases/download/v"

// testManifests compares the manifests with the files of the release. Their published schemas are not in this
// repository: where GITMEM_SCHEMAS names a folder with them they are checked, too; without it only the fields
// that they want are.
func testManifests(t *testing.T, r release) {
	archive := "gitmem_" + r.version + "_windows_amd64.zip"
	scoop := r.fields(t, "gitmem.json", "scoop.json", "version", "description", "homepage", "license", "bin")
	only := map[string]any{"url": files + r.version + "/" + archive, "hash": r.sum(t, archive)}
	if diff := cmp.Diff(map[string]any{"64bit": only}, scoop["architecture"]); diff != "" ||
		scoop["version"] != r.version {
		t.Errorf("scoop (-want +got):\n%s", diff)
	}
	always := []string{"PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion"}
	winget := map[string][]string{"version": {"DefaultLocale"}, "installer": {"Installers", "NestedInstallerFiles"},
		"defaultLocale": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"}}
	for kind, wanted := range winget {
		file := map[string]string{"installer": "installer.", "defaultLocale": "locale.en-US."}[kind]
		m := r.fields(t, "gitmem.gitmem."+file+"yaml", "winget-"+kind+".json", append(wanted, always...)...)
		if m["ManifestType"] != kind || m["PackageVersion"] != r.version || m["PackageIdentifier"] != "gitmem.gitmem" {
			t.Errorf("%s: %v", kind, m)
		}
		if kind == "installer" {
			only := map[string]any{"Architecture": "x64", "InstallerUrl": files + r.version + "/" + archive,
				"InstallerSha256": strings.ToUpper(r.sum(t, archive))}
			if diff := cmp.Diff([]any{only}, m["Installers"]); diff != "" {
				t.Errorf("winget (-want +got):\n%s", diff)
			}
		}
	}
	testFormula(t, r)
}

// testFormula checks that each system gets its own archive.
func testFormula(t *testing.T, r release) {
	t.Helper()
	formula := string(read(t, r.path("gitmem.rb")))
	block := regexp.MustCompile(`on_(\w+) do\n    on_(arm) do\n      url "(.+)"\n      sha256 "(.+)"\n    end\n` +
		`    on_(intel) do\n      url "(.+)"\n      sha256 "(.+)"\n    end\n  end\n`)
	found := block.FindAllStringSubmatch(formula, -1)
	if len(found) != 2 || found[0][1] != "macos" || found[1][1] != "linux" || strings.Count(formula, " do\n") != 7 ||
		strings.Count(formula, "end\n") != 9 || !strings.HasPrefix(formula, "class Gitmem < Formula\n") {
		t.Fatalf("the formula is not whole:\n%s", formula)
	}
	for i, system := range []string{"darwin", "linux"} {
		for j, cpu := range []string{"arm64", "amd64"} {
			archive := "gitmem_" + r.version + "_" + system + "_" + cpu + ".tar.gz"
			if m := found[i][3+3*j:]; m[0] != files+r.version+"/"+archive || m[1] != r.sum(t, archive) {
				t.Errorf("%s is %s %s", archive, m[0], m[1])
			}
		}
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		run(t, ruby, "-c", r.path("gitmem.rb"))
	}
}

// fields are those of a manifest in JSON or YAML, which must have some and be valid by its schema.
func (r release) fields(t *testing.T, name, schema string, wanted ...string) map[string]any {
	t.Helper()
	var m map[string]any
	check(t, yaml.Unmarshal(read(t, r.path(name)), &m)) // JSON is YAML, too
	checkFields(t, name, m, schema, wanted...)
	return m
}

func checkFields(t *testing.T, name string, m map[string]any, schema string, wanted ...string) {
	t.Helper()
	for _, field := range wanted {
		if m[field] == nil || m[field] == "" {
			t.Errorf("%s has no %s", name, field)
		}
	}
	text, err := os.ReadFile(filepath.Join(os.Getenv("GITMEM_SCHEMAS"), schema))
	if os.Getenv("GITMEM_SCHEMAS") == "" || err != nil {
		t.Logf("%s: checked without its schema: GITMEM_SCHEMAS names no folder with %s", name, schema)
		return
	}
	var s jsonschema.Schema
	check(t, json.Unmarshal(text, &s))
	resolved, err := s.Resolve(nil)
	check(t, err)
	if err := resolved.Validate(m); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// testBundles unpacks each bundle as its client does, and starts that of this machine as its manifest says.
func testBundles(t *testing.T, r release) {
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"} {
		dir, name := t.TempDir(), "gitmem_"+r.version+"_"+platform+".mcpb"
		unzip(t, r.path(name), dir)
		var m map[string]any
		check(t, json.Unmarshal(read(t, filepath.Join(dir, "manifest.json")), &m))
		checkFields(t, name, m, "mcpb.json", "manifest_version", "name", "version", "description", "author", "server")
		system, _, _ := strings.Cut(platform, "_")
		if system == "windows" {
			system = "win32"
		}
		if diff := cmp.Diff(map[string]any{"platforms": []any{system}}, m["compatibility"]); diff != "" ||
			m["version"] != r.version {
			t.Errorf("%s: version %v (-want +got):\n%s", name, m["version"], diff)
		}
		server, _ := m["server"].(map[string]any)
		config, _ := server["mcp_config"].(map[string]any)
		command, _ := config["command"].(string)
		entry, _ := server["entry_point"].(string)
		if info, err := os.Stat(filepath.Join(dir, entry)); command != "${__dirname}/"+entry || err != nil ||
			info.Mode()&0o111 == 0 && system != "win32" {
			t.Errorf("%s: it starts %s, and %s is %v: %v", name, command, entry, info, err)
		}
		if diff := cmp.Diff([]any{"mcp"}, config["args"]); diff != "" {
			t.Errorf("%s: arguments (-want +got):\n%s", name, diff)
		}
		if platform == runtime.GOOS+"_"+runtime.GOARCH {
			testServer(t, r, strings.ReplaceAll(command, "${__dirname}", dir))
		}
	}
}

// testServer starts the server of a bundle.
func testServer(t *testing.T, r release, command string) {
	t.Helper()
	c, want := exec.Command(command, "version"), "gitmem v"+r.version
	if r.real {
		c, want = exec.Command(command, "mcp"), `"serverInfo":{"name":"gitmem"`
		c.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` +
			`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
	}
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "HOME="+c.Dir, "GITMEM_OFFLINE=1")
	if out, err := c.Output(); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v\n%s", err, out)
	}
}
