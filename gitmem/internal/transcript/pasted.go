package transcript

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// pastedFrom is the minimum probability that a line was pasted. It is low: another's text that counts as the person's
// own does more harm than a missed sentence of theirs.
const pastedFrom = 0.25

// keptEnd is the length of each end of a long prompt that is examined. The middle is a log or a document, which nobody
// types.
const keptEnd = 8 << 10

// withoutPasted returns a prompt in which each line that looks pasted is empty. A prompt of one line counts as typed,
// since it has no context to decide by.
func withoutPasted(prompt string) string {
	if !strings.Contains(strings.TrimSpace(prompt), "\n") { // fast path for most prompts
		return prompt
	}
	if from := len(prompt) - keptEnd; from > keptEnd {
		head, tail := strings.LastIndexByte(prompt[:keptEnd], '\n')+1, strings.IndexByte(prompt[from:], '\n')+1
		prompt = prompt[:head] + "\n" + prompt[from+tail:]
	}
	lines := strings.Split(prompt, "\n")
	for i, features := range lineFeatures(lines) {
		if features != nil && models[pastedModel]().Predict(features)[1] >= pastedFrom {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// lineFeatures returns, for each line of a prompt, the features that distinguish typed from pasted lines, each once:
// the look of the line, its words, the adjacent lines and the manner of the whole prompt. A line without text or in a
// code block has none, and a prompt with a single text line has none at all.
func lineFeatures(lines []string) [][]string {
	var at []int // indexes of the lines with text
	var shapes []lineShape
	for line := range markdown.ProseLines(strings.Join(lines, "\n")) {
		i := line.Number - 1
		if line.Text == "" {
			continue
		}
		s := shapeOf(lines[i])
		s.code = line.Kind == markdown.LineCode
		s.gap = i > 0 && strings.TrimSpace(lines[i-1]) == ""
		at, shapes = append(at, i), append(shapes, s)
	}
	all := make([][]string, len(lines))
	if len(at) < 2 {
		return all
	}
	manner := mannerOf(shapes)
	for n, i := range at {
		if shapes[n].code {
			continue
		}
		f := append(shapes[n].features("", true), manner...)
		for _, d := range [...]int{-2, -1, 1, 2} {
			place := "at" + strconv.Itoa(d) + ":"
			if beside := n + d; beside >= 0 && beside < len(at) {
				f = append(f, shapes[beside].features(place, d == -1)...)
			} else {
				f = append(f, place+"none")
			}
		}
		f = append(f, "from:"+strconv.Itoa(min(n, 4)), "left:"+strconv.Itoa(min(len(at)-1-n, 4)))
		slices.Sort(f)
		all[i] = slices.Compact(f)
	}
	return all
}

// lineShape is the look of a line.
type lineShape struct {
	words     []string
	marks     []string // names of visible properties
	gap, code bool     // follows a blank line; belongs to a code block
}

func shapeOf(line string) lineShape {
	text := strings.TrimSpace(line)
	s := lineShape{words: linear.Words(text)}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	letters, signs := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsSpace(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".,!?'\"-", r):
			signs++
		}
	}
	s.marks = []string{
		"first:" + runeKind(first), "last:" + runeKind(last), "begins:" + shapeOfWord(strings.Fields(text)[0]),
		"signs:" + strconv.Itoa(linear.Step(signs*100/len(text), 0, 4, 10, 25)),
		"letters:" + strconv.Itoa(linear.Step(letters*100/len(text), 40, 60, 75, 85)),
		"long:" + strconv.Itoa(linear.Step(utf8.RuneCountInString(text), 15, 40, 80, 160, 320)),
	}
	head, _, colon := strings.Cut(text, ":")
	named := len(strings.Fields(head))
	for mark, is := range map[string]bool{
		"head:" + strconv.Itoa(named): colon && named < 4, "indented": line[0] == ' ' || line[0] == '\t',
		"sentences": strings.Contains(text, ". "), "quoted": strings.ContainsAny(text, "\"“„«「"),
		"code": strings.Contains(text, "`"), "lower": strings.ToLower(text) == text,
	} {
		if is {
			s.marks = append(s.marks, mark)
		}
	}
	return s
}

// features returns the features of a line with a prefix, with all its words or only the first two.
func (s lineShape) features(prefix string, words bool) (list []string) {
	list = slice.Map(s.marks, func(m string) string { return prefix + m })
	if s.gap {
		list = append(list, prefix+"gap")
	}
	if s.code {
		list = append(list, prefix+"block")
	}
	for i, w := range s.words {
		if words {
			list = append(list, prefix+"w="+w)
		}
		if i < 2 {
			list = append(list, prefix+"w"+strconv.Itoa(i)+"="+w)
		}
	}
	return list
}

// mannerOf returns the features of a whole prompt: the share of its lines with each mark, in quarters.
func mannerOf(shapes []lineShape) (list []string) {
	count := map[string]int{}
	for _, s := range shapes {
		for _, m := range s.marks {
			count[m]++
		}
	}
	for _, m := range [...]string{"lower", "first:A", "first:-", "last:.", "indented", "code", "head:1", "head:2"} {
		list = append(list, "all:"+m+strconv.Itoa(linear.Step(count[m]*4/len(shapes), 0, 1, 2, 3)))
	}
	return append(list, "lines:"+strconv.Itoa(linear.Step(len(shapes), 2, 3, 5, 8, 14)))
}

// runeKind returns the kind of a rune at the edge of a line: the rune itself if it is a sign.
func runeKind(r rune) string {
	switch {
	case unicode.IsDigit(r):
		return "0"
	case unicode.IsUpper(r):
		return "A"
	case unicode.IsLetter(r):
		return "a"
	}
	return string(r)
}

// shapeOfWord returns a word with A, a and 0 for its letters and digits, each run of one kind once.
func shapeOfWord(word string) string {
	var b strings.Builder
	last := ""
	for _, r := range word {
		if k := runeKind(r); k != last {
			b.WriteString(k)
			last = k
		}
		if b.Len() > 12 {
			break
		}
	}
	return b.String()
}
