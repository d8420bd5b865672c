// Package lineartest trains models in tests, and checks that each built-in model equals the one trained on its
// examples. It knows the location of models, but not their classes.
package lineartest

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Check returns an error if a model in templates/models differs from the trained one; with update it rewrites the model
// instead. The calling test is in a folder of gitmem/internal.
func Check(update bool, name, built, taught string) error {
	if update {
		return os.WriteFile(filepath.Join("..", "..", "..", "templates", "models", name+".txt"), []byte(taught), 0o644)
	}
	if !alike(built, taught) {
		return fmt.Errorf("templates/models/%s.txt is not what its examples teach: see CONTRIBUTING.md", name)
	}
	return nil
}

// alike reports whether two models differ in few lines only: processors round the last digits differently.
func alike(a, b string) bool {
	lines := map[string]bool{}
	for line := range strings.Lines(a) {
		lines[line] = true
	}
	differ := 0
	for line := range strings.Lines(b) {
		if !lines[line] {
			differ++
		}
		delete(lines, line)
	}
	return 50*(differ+len(lines)) <= strings.Count(a, "\n")
}

// Fifths yields five splits of a list: each fifth for testing, and the rest for training.
func Fifths[T any](list []T) iter.Seq2[[]T, []T] {
	return func(yield func(learnt, unseen []T) bool) {
		for part := range 5 {
			var learnt, unseen []T
			for i, v := range list {
				if i%5 == part {
					unseen = append(unseen, v)
				} else {
					learnt = append(learnt, v)
				}
			}
			if !yield(learnt, unseen) {
				return
			}
		}
	}
}
