package profile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

// clauses are the places in a message at which an order could begin.
type clauses struct {
	text string // the prose of the message
	list []clause
}

// clause is one of them. The order would go on to the end of the sentence.
type clause struct {
	from, to int      // bytes of the text
	features []string // what tells orders from all else, each once
}

// clauses are those of a message, in its order. Their features are the words from there on, where the
// clause stands in its sentence and the sentence in the message, and how the sentences beside it
// begin and end.
func (r rules) clauses(message string) clauses {
	m := clauses{text: r.prose(message)}
	plain := r.plain(m.text)
	type sentence struct {
		from, to int
		question bool
		words    []string
	}
	var all []sentence
	from := 0
	for _, stop := range append(r.re("stop").FindAllStringIndex(plain, -1), []int{len(plain), len(plain)}) {
		if s := plain[from:stop[0]]; strings.TrimSpace(s) != "" {
			all = append(all, sentence{from, stop[0], strings.ContainsAny(plain[stop[0]:stop[1]], "?？"), orderWords(s)})
		}
		from = stop[1]
	}
	var intro []string // words of the line that introduces the list at hand
	asked := slices.ContainsFunc(all, func(s sentence) bool { return s.question })
	for i, s := range all {
		around := features{"sentences:" + strconv.Itoa(linear.Step(len(all), 1, 2, 4, 8))}
		around.mark("first", i == 0)
		around.mark("last", i == len(all)-1)
		around.mark("question", s.question)
		around.mark("asked", asked)
		if i > 0 && strings.Contains(m.text[all[i-1].to:s.from], "\n\n") {
			intro = nil
		}
		if i > 0 && strings.HasSuffix(strings.TrimRight(plain[:all[i-1].to], " "), ":") {
			intro = all[i-1].words
		}
		around.words("l:", intro)
		if i > 0 {
			around.edges("p", all[i-1].words)
			around.mark("p:question", all[i-1].question)
		}
		if i+1 < len(all) {
			around.edges("n", all[i+1].words)
		}
		m.list = append(m.list, clausesOf(plain[s.from:s.to], s.from, around)...)
	}
	return m
}

// clausesOf are the clauses of a sentence that begins at a byte.
func clausesOf(sentence string, from int, around features) (list []clause) {
	starts := clauseStarts(sentence)
	for n, at := range starts {
		f := append(slices.Clone(around), "clauses:"+strconv.Itoa(min(len(starts), 4)), "n:"+strconv.Itoa(min(n, 3)))
		end := len(sentence)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		rest := orderWords(sentence[at:])
		f.words("", rest)
		f.begins(rest)
		f.words("c:", orderWords(sentence[at:end]))
		if n > 0 {
			f.words("b:", orderWords(sentence[:at]))
			f.edges("b", orderWords(sentence[:at]))
		}
		f = append(f, "long:"+strconv.Itoa(linear.Step(len(rest), 1, 10, 25)))
		slices.Sort(f)
		list = append(list, clause{from + at, from + len(sentence), slices.Compact(f)})
	}
	return list
}

// features are what a model tells classes apart by.
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

// begins are the first words, and all pairs.
func (f *features) begins(words []string) {
	for i, w := range words {
		if i > 0 {
			*f = append(*f, words[i-1]+"_"+w)
		}
		if i < 3 {
			*f = append(*f, strconv.Itoa(i+1)+"="+strings.Join(words[:i+1], "_"))
		}
	}
}

// edges are the first and the last word.
func (f *features) edges(name string, words []string) {
	if len(words) > 0 {
		*f = append(*f, name+"1="+words[0], name+"9="+words[len(words)-1])
	}
}

// joining are the words that join a clause to what stands before.
var joining = [...]string{"and", "but", "so", "btw", "also", "please", "pls", "plz", "then", "und", "aber", "bitte", "übrigens", "sondern"}

// clauseStarts are the bytes of a sentence at which its clauses begin, behind the words that join
// them to what stands before; the beginning where there are none.
func clauseStarts(s string) (starts []int) {
	start, word := 0, 0 // of the clause and of the word
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
		next := i + utf8.RuneLen(r)
		if slices.Contains(joining[:], strings.ToLower(s[word:i])) {
			end(word)
			start = next
		}
		word = next
		if strings.ContainsRune("，；：、(", r) || strings.ContainsRune(",;:)–—…-", r) && next < len(s) && s[next] == ' ' {
			end(i)
			start = next
		}
	}
	if end(len(s)); len(starts) == 0 {
		return []int{0}
	}
	return starts
}

// orderWords are the words of a text in lower case, of Chinese each character and each pair; # is
// one with a digit, ¤ what is quoted.
func orderWords(text string) (list []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '¤'
	}) {
		switch r := []rune(w); {
		case unicode.Is(unicode.Han, r[0]):
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
