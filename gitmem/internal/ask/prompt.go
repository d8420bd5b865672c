package ask

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/templates"
)

// Limits for reading a prompt. People state their request before or after pasted text.
const (
	promptHead, promptTail = 24 << 10, 8 << 10 // bytes
	proseHead, proseTail   = 3000, 1500        // bytes of a long text that a person wrote
	mostPasted             = 6                 // pasted lines with errors that are read
	mostTerms              = 100               // terms that are looked up
)

// Prompt is a prompt parsed for the lookup of its subject in memory.
type Prompt struct {
	Text  string
	Parts [][]string // significant terms by sentence, including those of pasted errors

	script script
}

// ReadPrompt parses a prompt into the sentences that a person wrote and the pasted lines with errors. It drops the
// imperatives that begin an order.
func ReadPrompt(text string) Prompt {
	text = strings.ToValidUTF8(headAndTail(text, promptHead, promptTail), " ")
	prose, pasted := splitPasted(text)
	in, english := translator(prose)
	p := Prompt{Text: strings.TrimSpace(text), script: in}
	sentences := promptSentences(headAndTail(prose, proseHead, proseTail))
	for i, s := range sentences {
		sentences[i] = english(s)
	}
	for _, sentence := range append(sentences, pasted...) {
		if terms := promptTerms(sentence); len(terms) > 0 {
			p.Parts = append(p.Parts, terms)
		}
	}
	return p
}

// headAndTail returns the start and the end of a long text.
func headAndTail(text string, head, tail int) string {
	if len(text) <= head+tail {
		return text
	}
	return text[:head] + "\n" + text[len(text)-tail:]
}

// Terms returns the distinct terms of all parts, up to the number that is looked up.
func (p Prompt) Terms() (out []string) {
	for _, t := range slices.Concat(p.Parts...) {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out[:min(len(out), mostTerms)]
}

var (
	troubleWord = lazy.Pattern(`(?i)(error|exception)\b|\b(panic|fatal|fail|failed|failure|cannot|can't|could not` +
		`|refused|denied|timeout|timed out|undefined|not found)\b`)
	pastedLine = lazy.Pattern(`^\s*(\[?\d{4}-\d\d-\d\d[T ]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d|\[?\d\d:\d\d:\d\d|at \S+[(:]` +
		`|File "|Traceback|goroutine \d+|#\d+ 0x|[\w./-]+:\d+:|[{}()\[\]];?$|//|/\*` +
		`|import |func |def |class |\+\+\+ |--- |@@ |(INFO|WARN|ERROR|DEBUG|FATAL|TRACE)\b|\w*(Error` +
		`|Exception): |panic: |--- FAIL)|[;{]\s*$`)
)

// splitPasted separates the text that a person wrote from pasted text, and returns the pasted lines with errors.
func splitPasted(text string) (prose string, errors []string) {
	var b strings.Builder
	fenced := false
	trouble := troubleWord()
	// Lines of logs, stack traces, code and data that their length and indentation do not reveal.
	pasted := pastedLine()
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fenced = !fenced
			continue
		}
		switch {
		case t == "":
			b.WriteString("\n")
		case !fenced && !strings.HasPrefix(line, "    ") && line[0] != '\t' && len(line) <= 2000 && !pasted.MatchString(line):
			b.WriteString(t + "\n")
		case len(errors) < mostPasted && trouble.MatchString(t[:min(len(t), 400)]):
			errors = append(errors, strings.ToValidUTF8(t[:min(len(t), 400)], " "))
		}
	}
	return b.String(), errors
}

// promptSentences splits prose at the ends of sentences and paragraphs.
func promptSentences(prose string) []string {
	var out []string
	for para := range strings.SplitSeq(prose, "\n") {
		words := strings.Fields(para)
		start := 0
		for i, w := range words {
			last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(w, `"')`))
			if i == len(words)-1 || strings.ContainsRune(".!?。！？;", last) {
				out = append(out, strings.Join(words[start:i+1], " "))
				start = i + 1
			}
		}
	}
	return out
}

// promptTerms returns the terms of a sentence that name its subject.
func promptTerms(sentence string) []string {
	words := strings.Fields(sentence)
	order := imperatives()
	for len(words) > 0 { // "please can you add …", "we should fix …"
		w := strings.ToLower(strings.Trim(words[0], `?!.,;:"'()-*`))
		if w != "" && !order[w] && !index.IsStopword(w) {
			break
		}
		words = words[1:]
	}
	_, terms := contentTerms(strings.Join(words, " "), answer.KindGeneral)
	return slices.DeleteFunc(terms, func(t string) bool { return len(t) < 2 || !hasLetter(t) && len(t) < 3 })
}

// imperatives returns the words that begin an order to an agent. The subject follows them.
func imperatives() map[string]bool {
	const words = `please pls can could would should must let lets let's we i you now then next also and so ok okay yes
		no great thanks
		just maybe try
		add write make create build implement generate produce draft design set setup put insert introduce extend
		support enable disable allow prevent avoid
		fix repair solve resolve correct debug investigate analyse analyze examine inspect look check see find search locate
		identify review audit verify validate test ensure confirm
		change update upgrade bump modify adjust adapt edit rewrite refactor rename move extract split merge clean
		cleanup simplify improve optimise optimize speed tidy reorganise reorganize restructure
		remove delete drop replace swap switch convert migrate port translate format sort order
		explain describe tell show give list summarise summarize compare discuss draw document read open print handle
		use run start stop need want help take turn configure install deploy raise lower increase decrease reduce`
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	templates.Languages(func(english, word string) {
		if english == "*order" {
			set[word] = true
		}
	})
	return set
}
