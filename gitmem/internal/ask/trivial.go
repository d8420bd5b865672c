package ask

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
)

// leastWidth is the minimum width in columns of a prompt that is not a question.
const leastWidth = 15

// Trivial reports whether a prompt needs no memory: an agreement, a request to continue, a client command, a bare path,
// or a short text. A short question is not trivial.
func Trivial(prompt string) bool {
	text := strings.TrimSpace(prompt)
	words := strings.Fields(text)
	switch {
	case len(words) == 0, isCommand(text, words[0]), !slices.ContainsFunc(words, isNoPath), transcript.Agrees(text):
		return true
	case !slices.ContainsFunc(index.QueryTerms(text), func(t string) bool { return hasLetter(t) }):
		return true
	case isAsking(text):
		return len(Read(text, time.Time{}, nil).Terms) == 0
	}
	return width(text) < leastWidth
}

var commandName = lazy.Pattern(`^/[A-Za-z][\w:.-]*$`)

// isCommand reports whether a prompt is a client command, as typed or as the client records it.
func isCommand(text, first string) bool {
	written := slices.ContainsFunc([]string{"<command-", "<local-command", "<bash-", "<task-notification"},
		func(tag string) bool {
			return strings.HasPrefix(text, tag)
		})
	return written || commandName().MatchString(first)
}

var fileForm = lazy.Pattern(`^[\w.-]*[A-Za-z_]\.[A-Za-z][A-Za-z0-9]{0,4}(:\d+)*$`)

// isNoPath reports whether a word is neither a path nor an address nor a file mention.
func isNoPath(word string) bool {
	w := strings.Trim(word, "\"'`,;()[]<>")
	w, mention := strings.CutPrefix(w, "@")
	return !mention && !strings.Contains(w, "://") && !(strings.ContainsAny(w, `/\`) && len(w) > 1) &&
		!fileForm().MatchString(w)
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// width returns the approximate width of a text in columns: characters from U+1100 on count two.
func width(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// isAsking reports whether a text is a question, by a question mark or its first word.
func isAsking(text string) bool {
	if strings.ContainsAny(text, "?？؟") {
		return true
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= '\u3000' }) && // most texts have none of these scripts
		slices.ContainsFunc(askingWords[:], func(w string) bool { return strings.Contains(text, w) }) {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return isOneOf(questionWords, strings.Trim(first, ",;:'\""))
}

// askingWords occur in questions in Chinese, Japanese and Korean.
var askingWords = [...]string{
	"什么", "什麼", "怎么", "怎麼", "为何", "為何", "为啥", "谁", "誰", "哪", "吗", "嗎", "几",
	"なぜ", "どう", "何", "いつ", "どこ", "왜", "어떻게", "언제", "누가", "무엇",
}

// questionWords begin a question in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish and Russian.
const questionWords = " why how when who whom whose where what which whats what's wheres where's whos who's " +
	"warum wieso weshalb wie wann wer wo woher wohin was welche welcher welches womit " +
	"pourquoi comment quand qui où quel quelle quels quelles combien " +
	"porqué cómo cuándo quién dónde qué cuál cuánto porque como quando quem onde qual quanto perché chi dove quale " +
	"waarom hoe wanneer wie waar welke dlaczego jak kiedy kto gdzie почему как когда кто где зачем какой какая какие " +
	"сколько "
