package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/providers"
)

// TestKeys finds names in the product's source that look like a key and are not in the list.
func TestKeys(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`"([A-Z]\w*(?:_TOKEN|_KEY|_EMBEDDINGS|_PASSWORD|_SECRET))"`)
	names := map[string]string{}
	for _, kind := range providers.Kinds() {
		// the others use a token
		if !slices.Contains([]string{providers.Git, providers.Docs, providers.MCP}, kind) {
			names[strings.ToUpper(kind)+"_TOKEN"] = "providers"
		}
	}
	top := filepath.Join("..", "..", "..")
	for _, dir := range []string{"gitmem", "cmd/gitmem", "cmd/internal", "providers"} {
		err := filepath.WalkDir(filepath.Join(top, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(filepath.ToSlash(path), "/redact/") {
				return err
			}
			b, err := os.ReadFile(path)
			for _, m := range named.FindAllStringSubmatch(string(b), -1) {
				names[m[1]] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, path := range names {
		if !slices.Contains(config.Keys(), name) {
			t.Errorf("%s names %s, which is not in the list", path, name)
		}
	}
	if len(names) < 10 {
		t.Errorf("only %v are found", names)
	}
}

func TestWithoutKeys(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=/bin", "GITHUB_TOKEN=x", "MY_GITHUB_TOKEN=y", "GITMEM_EMBED_API_KEY="}
	if got := config.WithoutKeys(env); !slices.Equal(got, []string{"PATH=/bin", "MY_GITHUB_TOKEN=y"}) || len(env) != 4 ||
		env[1] != "GITHUB_TOKEN=x" {
		t.Errorf("%q of %q", got, env)
	}
}
