package profile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

// clauses are the positions in a message at which an order could begin.
type clauses struct {
	text string // the prose of the message
	list []clause
}

// clause is one of them. The order would extend to the end of the sentence.
type clause struct {
	from, to int      // byte offsets in the text
	features []string // the features for the model, each once
}

// Size limits: anything longer is a log or a list, not an order, and each clause is examined with the whole rest of its
// sentence.
const (
	maxSentence = 1000 // bytes of a sentence
	maxClauses  = 24   // of a sentence
	maxIntro    = 30   // words of the line that introduces a list
)

// written is a sentence of a message.
type written struct {
	from, to int // byte offsets in the text
	question bool
	words    []string
}

// clauses returns the clauses of a message in order. Their features are the words before and after the start of the
// clause, the position of the clause in its sentence and of the sentence in the message, the words of the line that
// introduces its list, and the first and last words of the adjacent sentences.
func (r rules) clauses(message string) clauses {
	m := clauses{text: r.prose(strings.ToValidUTF8(message, ""))}
	plain := r.plain(m.text)
	all := r.written(plain)
	asked := slices.ContainsFunc(all, func(s written) bool { return s.question })
	var intro []string // words of the line that introduces the current list
	for i, s := range all {
		around := features{"sentences:" + strconv.Itoa(linear.Step(len(all), 1, 2, 4, 8))}
		around.mark("first", i == 0)
		around.mark("last", i == len(all)-1)
		around.mark("question", s.question)
		around.mark("asked", asked)
		if i > 0 {
			before := all[i-1]
			switch {
			case strings.HasSuffix(strings.TrimRight(plain[before.from:before.to], " "), ":"):
				intro = before.words[:min(len(before.words), maxIntro)]
			case strings.Contains(plain[before.to:s.from], "\n\n"):
				intro = nil
			}
			around.edges("p", before.words)
			around.mark("p:question", before.question)
		}
		around.words("l:", intro)
		if i+1 < len(all) {
			around.edges("n", all[i+1].words)
		}
		if s.to-s.from <= maxSentence {
			m.list = append(m.list, clausesOf(plain[s.from:s.to], s.from, around)...)
		}
	}
	return m
}

// written returns the sentences of a text.
func (r rules) written(plain string) (all []written) {
	from := 0
	for _, stop := range append(r.re("stop").FindAllStringIndex(plain, -1), []int{len(plain), len(plain)}) {
		if s := plain[from:stop[0]]; strings.TrimSpace(s) != "" {
			asked := strings.ContainsAny(plain[stop[0]:stop[1]], "?？")
			all = append(all, written{from, stop[0], asked, linear.Words(s)})
		}
		from = stop[1]
	}
	return all
}

// clausesOf returns the clauses of a sentence that begins at byte from.
func clausesOf(sentence string, from int, around features) (list []clause) {
	starts := clauseStarts(sentence)
	for n, at := range starts[:min(len(starts), maxClauses)] {
		f := append(slices.Clone(around), "clauses:"+strconv.Itoa(min(len(starts), 4)), "n:"+strconv.Itoa(min(n, 3)))
		end := len(sentence)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		rest := linear.Words(sentence[at:])
		f.words("", rest)
		f.pairs(rest)
		f.words("c:", linear.Words(sentence[at:end]))
		if n > 0 {
			before := linear.Words(sentence[:at])
			f.words("b:", before)
			f.edges("b", before)
		}
		f = append(f, "long:"+strconv.Itoa(linear.Step(len(rest), 1, 10, 25)))
		slices.Sort(f)
		list = append(list, clause{from + at, from + len(sentence), slices.Compact(f)})
	}
	return list
}

// features are the input of a model that classifies clauses.
type features []string

func (f *features) mark(name string, is bool) {
	if is {
		*f = append(*f, name)
	}
}

func (f *features) words(prefix string, words []string) {
	for _, w := range words {
		*f = append(*f, prefix+w)
	}
}

// pairs adds the pairs of adjacent words, and the prefixes of the words.
func (f *features) pairs(words []string) {
	for i, w := range words {
		if i > 0 {
			*f = append(*f, words[i-1]+"_"+w)
		}
		if i < 3 {
			*f = append(*f, strconv.Itoa(i+1)+"="+strings.Join(words[:i+1], "_"))
		}
	}
}

// edges adds the first and the last word.
func (f *features) edges(name string, words []string) {
	if len(words) > 0 {
		*f = append(*f, name+"1="+words[0], name+"9="+words[len(words)-1])
	}
}

// joining are the words that connect a clause to the preceding text.
var joining = [...]string{
	"and", "but", "so", "btw", "also", "please", "pls", "plz", "then", "und", "aber", "bitte", "übrigens", "sondern",
}

// clauseStarts returns the byte offsets in a sentence at which its clauses begin, after connecting words; if there are
// none, its beginning.
func clauseStarts(s string) (starts []int) {
	start, word := 0, 0 // start of the clause and of the word
	end := func(at int) {
		text := strings.TrimLeft(s[start:max(start, at)], " \t")
		if at -= len(text); text != "" && (len(starts) == 0 || starts[len(starts)-1] < at) {
			starts = append(starts, at)
		}
	}
	for i, r := range s {
		if unicode.IsLetter(r) || r == '\'' {
			continue
		}
		next := i + utf8.RuneLen(r) // the text is valid UTF-8
		if slices.Contains(joining[:], strings.ToLower(s[word:i])) {
			end(word)
			start = next
		}
		word = next
		breaks := strings.ContainsRune(",;:)–—…-", r) && next < len(s) && s[next] == ' '
		if breaks || strings.ContainsRune("，；：、(", r) {
			end(i)
			start = next
		}
	}
	if end(len(s)); len(starts) == 0 {
		return []int{0}
	}
	return starts
}
