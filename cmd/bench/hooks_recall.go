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

// remembered is a question about something that an earlier session said.
type remembered struct{ cwd, prompt string }

// Bounds of a sentence that is asked about, in words.
const leastWords, mostWords = 9, 30

// rememberedOf makes a question of the first sentence of a message that names
// something of the code: its longer words in another order, since nobody asks in the
// words of the answer.
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

// isName tells names of the code, with capitals inside.
func isName(word string) bool {
	return len(word) > 8 && unicode.IsLower(rune(word[0])) && strings.ContainsFunc(word, unicode.IsUpper)
}

// turned are the longer words without their signs, the last ones first.
func turned(words []string) string {
	var out []string
	for _, w := range slices.Backward(words) {
		if w = strings.Trim(w, ".,:;()"); len(w) > 3 {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// known makes a payload that asks about what a session has said, each time by a new
// session, which was told nothing yet.
func (w *hookWorld) known(run int) ([]byte, error) {
	ask := w.asked[run%len(w.asked)]
	session := fmt.Sprintf("20000000-0000-4000-8000-%012x", uint64(time.Now().UnixNano())&(1<<48-1))
	return w.call(session, "UserPromptSubmit", map[string]any{"prompt": ask.prompt, "cwd": ask.cwd})
}

// pastedBytes is the size of a prompt into which somebody pasted a log.
const pastedBytes = 5 << 20

// pasted makes a payload with very much text. It is put together once, and as it is
// sent: a child is told to take what its parent takes, at least.
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
