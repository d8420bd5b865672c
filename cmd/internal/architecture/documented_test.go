package architecture_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedLayers compares the lists of layers in CONTRIBUTING.md and doc.go with the real ones.
func TestDocumentedLayers(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"doc.go", filepath.Join("..", "..", "..", "CONTRIBUTING.md")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documented := documentedLayers(string(text))
		for _, pkg := range loadTree(t).packages() {
			if strings.HasSuffix(pkg, "test") {
				continue // a helper of tests
			}
			named := false
			for _, h := range documented {
				match, _ := path.Match(h.pattern, pkg)
				if named = named || match; match && h.layer != layerOf(pkg) {
					t.Errorf("%s: %s is on layer %d, not %d", file, pkg, layerOf(pkg), h.layer)
				}
			}
			if !named {
				t.Errorf("%s: the list of layers lacks %s, of layer %d", file, pkg, layerOf(pkg))
			}
		}
	}
}

// documentedLayers reads a list of layers: a line begins with the number of its layer, or continues
// the one before, and names packages as in a/{b,c} or a/*.
func documentedLayers(text string) (list []home) {
	numbered := regexp.MustCompile(`^(?://)?\s+([0-9])  `)
	names := regexp.MustCompile(`\b(?:cmd|gitmem|internal|markdown|providers|templates)(?:/(?:[a-z]+|\{[a-z,]+\}|\*))*`)
	layer := unknownLayer
	for line := range strings.Lines(text) {
		if m := numbered.FindStringSubmatch(line); m != nil {
			layer = int(m[1][0] - '0')
		} else if strings.Trim(line, "/ \t\r\n") == "" {
			layer = unknownLayer
		}
		if layer == unknownLayer {
			continue
		}
		for _, name := range names.FindAllString(line, -1) {
			before, rest, _ := strings.Cut(name, "{")
			inside, after, _ := strings.Cut(rest, "}")
			for _, part := range strings.Split(inside, ",") {
				list = append(list, home{before + part + after, layer})
			}
		}
	}
	return list
}
