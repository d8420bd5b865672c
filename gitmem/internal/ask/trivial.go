package ask

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// leastWidth is how many columns a prompt that asks nothing must have to say anything.
const leastWidth = 15

// Trivial reports whether a prompt needs nothing remembered: an agreement, a
// push to go on, a command of the client, a bare path, and short ones that ask
// nothing. A short question is none of these.
func Trivial(prompt string) bool {
	text := strings.TrimSpace(prompt)
	words := strings.Fields(text)
	switch {
	case len(words) == 0, isCommand(text, words[0]), !slices.ContainsFunc(words, isNoPath), agrees(text):
		return true
	case !slices.ContainsFunc(index.QueryTerms(text), func(t string) bool { return hasLetter(t) }):
		return true
	case isAsking(text):
		return len(Read(text, time.Time{}, nil).Terms) == 0
	}
	return width(text) < leastWidth
}

// isCommand recognises commands of the client, as they were typed or as it writes them down.
func isCommand(text, first string) bool {
	for _, tag := range []string{"<command-", "<local-command", "<bash-", "<task-notification"} {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return regexp.MustCompile(`^/[A-Za-z][\w:.-]*$`).MatchString(first)
}

// isNoPath reports whether a word is neither a path nor an address nor a mention of a file.
func isNoPath(word string) bool {
	w := strings.Trim(word, "\"'`,;()[]<>")
	w, mention := strings.CutPrefix(w, "@")
	return !mention && !strings.Contains(w, "://") && !(strings.ContainsAny(w, `/\`) && len(w) > 1) &&
		!regexp.MustCompile(`^[\w.-]*[A-Za-z_]\.[A-Za-z][A-Za-z0-9]{0,4}(:\d+)*$`).MatchString(w)
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// width is about the number of columns that a terminal gives a text: wide characters,
// all of which are behind the letters of Europe, two.
func width(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// isAsking recognises questions by a question mark or by the word that opens them.
func isAsking(text string) bool {
	if strings.ContainsAny(text, "?？؟") {
		return true
	}
	for _, w := range []string{"什么", "什麼", "怎么", "怎麼", "为何", "為何", "为啥", "谁", "誰", "哪", "吗", "嗎", "几", "なぜ", "どう", "何", "いつ", "どこ", "왜", "어떻게", "언제", "누가", "무엇"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return slices.Contains(strings.Fields(questionWords), strings.Trim(first, ",;:'\""))
}

// questionWords open a question in English, German, French, Spanish, Portuguese,
// Italian, Dutch, Polish and Russian.
const questionWords = `why how when who whom whose where what which whats what's wheres where's whos who's
	warum wieso weshalb wie wann wer wo woher wohin was welche welcher welches womit
	pourquoi comment quand qui où quel quelle quels quelles combien
	porqué cómo cuándo quién dónde qué cuál cuánto porque como quando quem onde qual quanto perché chi dove quale
	waarom hoe wanneer wie waar welke dlaczego jak kiedy kto gdzie почему как когда кто где зачем какой какая какие сколько`

// agrees recognises prompts of nothing but agreement, thanks, refusal and pushes to go on.
func agrees(text string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’':
			return -1
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, text)
	words := strings.Fields(plain)
	if len(words) > 8 {
		return false
	}
	known := strings.Fields(agreements)
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(known, w) })
}

// agreements are words of which prompts consist that say nothing of a subject.
const agreements = `
	y n yes yep yeah yup yea ya no nope nah ok okay okey k kk okie alright right sure fine good great nice cool perfect excellent awesome
	thanks thank thx ty cheers you u it that this is it's its looks lgtm sounds well done correct exactly agreed indeed
	go on ahead continue proceed carry next more again keep going do so please pls plz now then and just try retry run stop wait cancel
	hi hello hey bye morning evening hmm hm ah oh wow lol
	the a all of them both first second one two three 1 2 3 4 5 6 7 8 9 same i we am were ready let lets us start begin finish
	approve approved accept accepted confirm confirmed ship commit push apply undo revert
	ja jo jap nein doch gut genau passt weiter mach macht bitte danke dankeschön super prima klar stimmt richtig los
	oui non daccord merci vas y continue continuez parfait bien bon allez très
	sí si vale gracias sigue continúa continua adelante perfecto bien claro de acuerdo hazlo
	sim não obrigado obrigada prossiga siga certo
	va bene sì grazie avanti procedi perfetto certo
	da net да нет ок хорошо спасибо продолжай продолжи дальше давай ага ладно понятно
	tak nie dobrze dzięki dalej kontynuuj
	nee bedankt ga door verder prima goed
	evet hayır tamam teşekkürler devam
	是 是的 对 對 好 好的 好吧 可以 行 嗯 不 不是 继续 繼續 谢谢 謝謝 没问题 沒問題 开始 請繼續 请继续 继续吧 明白 收到
	はい いいえ うん ok了 ありがとう ありがとうございます 続けて 続けてください お願いします 了解 了解です わかりました いいね
	네 예 응 아니요 아니 좋아 좋아요 계속 계속해 계속해줘 계속하세요 감사합니다 고마워 알겠습니다 그래`
