package transcript

import (
	"slices"
	"strings"
	"unicode"
)

// Agrees reports whether a prompt is of nothing but greetings, agreement, thanks, refusal and
// pushes to go on: it says nothing worth remembering.
func Agrees(text string) bool {
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
	hi hello hey bye morning evening hmm hm ah oh wow lol there claude test testing ping exit quit help
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
