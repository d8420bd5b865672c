// Package linear tells things apart by the features that they have: a multinomial logistic
// regression over words. It knows nothing of what a feature or a class means: that is for
// whoever trains a model, as tests do, and asks it.
//
// A model is text, a line for each feature, so that a change of it can be read:
//
//	classes none decision todo
//	u:w=todo -12 -3 31
//
// The numbers are the weights of the classes, in hundredths.
package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// scale is how many units of a written weight one is.
const scale = 100

// Model tells classes apart.
type Model struct {
	Classes []string
	weights map[string][]int16 // by feature: a weight for each class, in units of 1/scale
}

// Parse reads a model. The error names the line that is none.
func Parse(text string) (*Model, error) {
	m := &Model{weights: make(map[string][]int16, strings.Count(text, "\n"))}
	n := 0
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		if n == 1 && len(words) > 2 && words[0] == "classes" {
			m.Classes = words[1:]
			continue
		}
		if n == 1 || len(words) != len(m.Classes)+1 {
			return nil, fmt.Errorf("line %d: not a feature with %d weights", n, len(m.Classes))
		}
		row := make([]int16, len(m.Classes))
		for i, word := range words[1:] {
			w, err := strconv.ParseInt(word, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			row[i] = int16(w)
		}
		m.weights[words[0]] = row
	}
	return m, nil
}

// Predict gives each class its probability, by the features that a thing has. What the
// model does not know counts nothing.
func (m *Model) Predict(features []string) []float64 {
	sums := make([]int, len(m.Classes))
	for _, f := range features {
		for i, w := range m.weights[f] {
			sums[i] += int(w)
		}
	}
	p := make([]float64, len(sums))
	for i, s := range sums {
		p[i] = float64(s) / scale
	}
	softmax(p)
	return p
}

// Step is into which of the steps between some bounds, which rise, a number falls: 0 up to the
// first one. So a number becomes a feature.
func Step[T cmp.Ordered](x T, bounds ...T) int {
	for i, b := range bounds {
		if x <= b {
			return i
		}
	}
	return len(bounds)
}

// softmax makes probabilities of sums.
func softmax(p []float64) {
	highest, total := slices.Max(p), 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - highest)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
}

// Built is a model that is built in: it is read when it is first asked for. A text that is none
// is a mistake of who built it in.
func Built(text func() string) func() *Model {
	return sync.OnceValue(func() *Model {
		m, err := Parse(text())
		if err != nil {
			panic("a model that is built in: " + err.Error())
		}
		return m
	})
}
