package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// remembered is a question about something from an earlier session.
type remembered struct{ cwd, prompt string }

// Limits of the length of a sentence that is asked about, in words.
const leastWords, mostWords = 9, 30

// rememberedOf makes a question of the first sentence of a message that contains an identifier: its longer
// words in another order, because nobody asks in the words of the answer.
func rememberedOf(m corpus.Message) (remembered, bool) {
	for sentence := range strings.SplitSeq(m.Text, ". ") {
		words := strings.Fields(sentence)
		if len(words) < leastWords || len(words) > mostWords || strings.ContainsAny(sentence, "\n`") ||
			!slices.ContainsFunc(words, isName) {
			continue
		}
		return remembered{m.Folder, "What do we know of " + turned(words) + "?"}, true
	}
	return remembered{}, false
}

// isName reports whether a word is an identifier, with capitals inside.
func isName(word string) bool {
	return len(word) > 8 && unicode.IsLower(rune(word[0])) && strings.ContainsFunc(word, unicode.IsUpper)
}

// turned returns the longer words without punctuation, in reverse order.
func turned(words []string) string {
	var out []string
	for _, w := range slices.Backward(words) {
		if w = strings.Trim(w, ".,:;()"); len(w) > 3 {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// known returns a payload that asks about something from an earlier session. Each payload has a new session,
// to which nothing was injected yet.
func (w *hookWorld) known(run int) ([]byte, error) {
	ask := w.asked[run%len(w.asked)]
	session := fmt.Sprintf("20000000-0000-4000-8000-%012x", uint64(time.Now().UnixNano())&(1<<48-1))
	return w.call(session, "UserPromptSubmit", map[string]any{"prompt": ask.prompt, "cwd": ask.cwd})
}

// pastedBytes is the size of a prompt into which somebody pasted a log.
const pastedBytes = 5 << 20

// pasted returns a payload with a very long text. It is only built once, in its final form, because children
// inherit the peak of their parent's memory.
func (w *hookWorld) pasted(int) ([]byte, error) {
	const mark = "PASTED"
	if w.long == nil {
		p, err := w.call(turnSession, "UserPromptSubmit", map[string]any{"prompt": mark})
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(strings.Join(w.prompts, "\n") + "\n")
		if err != nil {
			return nil, err
		}
		before, after, _ := bytes.Cut(p, []byte(mark))
		text = text[1 : len(text)-1]
		w.long = append(make([]byte, 0, pastedBytes+len(p)+len(text)), before...)
		for len(w.long) < pastedBytes {
			w.long = append(w.long, text...)
		}
		w.long = append(w.long, after...)
	}
	return w.long, nil
}
