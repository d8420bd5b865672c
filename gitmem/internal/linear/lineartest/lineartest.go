// Package lineartest trains models in tests, and checks that each built-in model equals the one
// that its examples produce. It knows where models are, and nothing of their classes.
package lineartest

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Check is the error for a model of templates/models that is not what its examples teach; with
// update it writes the model anew. The test that calls it is in a folder of gitmem/internal.
func Check(update bool, name, built, taught string) error {
	if update {
		return os.WriteFile(filepath.Join("..", "..", "..", "templates", "models", name+".txt"), []byte(taught), 0o644)
	}
	if !alike(built, taught) {
		return fmt.Errorf("templates/models/%s.txt is not what its examples teach: see CONTRIBUTING.md", name)
	}
	return nil
}

// alike reports whether two models differ in few lines: processors round the last digits
// differently.
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

// Fifths yields a list in two parts, five times: each fifth of it, to be judged by what the rest
// teaches.
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
