// Package linear classifies texts by their features with multinomial logistic regression. It does not know the meaning
// of features and classes; its callers do.
//
// A model is text, with a line for each feature, so that its changes are readable:
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
	"sync/atomic"
	"unicode"
)

// Scale is the number of units of a written weight in 1.
const Scale = 100

// Model is a classifier. It is safe for concurrent use.
type Model struct {
	Classes []string
	lines   string // of the features, sorted by name
	asked   atomic.Int64
	table   atomic.Pointer[map[string][]int16] // by feature: a weight for each class, in units of 1/Scale
}

// many is the number of features looked up in the lines before the model reads all of them into a table, which is slow
// to build and fast to use.
const many = 20_000

// Parse parses a model. The error names the invalid line.
func Parse(text string) (*Model, error) {
	m, err := read(text)
	if err != nil {
		return nil, err
	}
	_, err = m.makeTable()
	return m, err
}

// read parses the classes of a model and keeps its lines as text.
func read(text string) (*Model, error) {
	head, lines, _ := strings.Cut(text, "\n")
	classes := strings.Fields(head)
	if len(classes) < 3 || classes[0] != "classes" {
		return nil, fmt.Errorf("line 1: not the classes")
	}
	return &Model{Classes: classes[1:], lines: lines}, nil
}

// makeTable parses all lines. The error names the first invalid one.
func (m *Model) makeTable() (map[string][]int16, error) {
	n := strings.Count(m.lines, "\n")
	table := make(map[string][]int16, n)
	all := make([]int16, 0, n*len(m.Classes)) // for all features, to save one allocation each
	last := ""
	for number, rest := 2, m.lines; rest != ""; number++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		name, weights, _ := strings.Cut(line, " ")
		from := len(all)
		var err error
		if all, err = appendWeights(all, weights); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		switch {
		case len(all)-from != len(m.Classes):
			return nil, fmt.Errorf("line %d: not a feature with %d weights", number, len(m.Classes))
		case name <= last:
			return nil, fmt.Errorf("line %d: %s is not sorted", number, name)
		}
		table[name], last = all[from:len(all):len(all)], name
	}
	m.table.Store(&table)
	return table, nil
}

// appendWeights parses weights separated by blanks.
func appendWeights(to []int16, text string) ([]int16, error) {
	for more := text != ""; more; {
		var number string
		number, text, more = strings.Cut(text, " ")
		w, err := strconv.ParseInt(number, 10, 16)
		if err != nil {
			return to, err
		}
		to = append(to, int16(w))
	}
	return to, nil
}

// Predict returns the probability of each class, given the features of an item. Unknown features are ignored.
func (m *Model) Predict(features []string) []float64 {
	sums := make([]int, len(m.Classes))
	var room [16]int16
	for _, f := range features {
		for i, w := range m.weights(f, room[:0]) {
			sums[i] += int(w)
		}
	}
	p := make([]float64, len(sums))
	for i, s := range sums {
		p[i] = float64(s) / Scale
	}
	Softmax(p)
	return p
}

// weights returns the weights of a feature, nil if the model does not know it. The result may use room.
func (m *Model) weights(feature string, room []int16) []int16 {
	if table := m.table.Load(); table != nil {
		return (*table)[feature]
	}
	if m.asked.Add(1) == many {
		table, err := m.makeTable()
		mustRead(err)
		return table[feature]
	}
	lines := m.lines
	for lines != "" {
		from := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, behind, _ := strings.Cut(lines[from:], "\n")
		name, weights, _ := strings.Cut(line, " ")
		switch strings.Compare(feature, name) {
		case 0:
			row, err := appendWeights(room, weights)
			mustRead(err)
			return row
		case 1:
			lines = behind
		default:
			lines = lines[:from]
		}
	}
	return nil
}

// Step returns the index of the interval that contains x, given rising bounds: 0 up to the first bound. It turns a
// number into a feature.
func Step[T cmp.Ordered](x T, bounds ...T) int {
	for i, b := range bounds {
		if x <= b {
			return i
		}
	}
	return len(bounds)
}

// Softmax converts sums to probabilities in place.
func Softmax(p []float64) {
	highest, total := slices.Max(p), 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - highest)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
}

// Built returns a function that returns a built-in model, which is parsed at first use. It panics if the text is
// invalid, which is a programming error.
func Built(text func() string) func() *Model {
	return sync.OnceValue(func() *Model {
		m, err := read(text())
		mustRead(err)
		return m
	})
}

func mustRead(err error) {
	if err != nil {
		panic("a model that is built in: " + err.Error())
	}
}

// Words returns the words of a text as features: in lower case, # for each word with a digit, ¤ for a run of these
// signs, and for Chinese and Japanese each character and each pair.
func Words(text string) (list []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '¤'
	}) {
		switch r := []rune(w); {
		case unicode.In(r[0], unicode.Han, unicode.Hiragana, unicode.Katakana):
			for i := range r {
				list = append(list, string(r[i]))
				if i > 0 {
					list = append(list, string(r[i-1:i+1]))
				}
			}
		case strings.ContainsFunc(w, unicode.IsDigit):
			list = append(list, "#")
		case r[0] == '¤':
			list = append(list, "¤")
		default:
			list = append(list, w)
		}
	}
	return list
}
