package ask_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestReadOtherLanguages(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		in    string
		kind  answer.Kind
		terms string
		times string
	}{
		{"Warum haben wir uns damals für Redis entschieden?", answer.KindWhy, "Redis", "any time"},
		{"Wer hat den Parser geschrieben?", answer.KindWho, "Parser", "any time"},
		{"Wann wurde die Warteschlange abgelöst?", answer.KindWhen, "Warteschlange abgelöst", "any time"},
		{"Was haben wir letzte Woche gemacht?", answer.KindRecent, "", "2024-05-06 to 2024-05-12"},
		{"Woran habe ich gestern gearbeitet?", answer.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"Wo waren wir stehen geblieben?", answer.KindContinue, "", "any time"},
		{"Wie sollen Tests heißen?", answer.KindHow, "Tests heißen", "any time"},
		{"Woran lag der Absturz im März 2024?", answer.KindWhy, "Absturz", "2024-03-01 to 2024-03-31"},
		{"Почему мы решили отказаться от Redis?", answer.KindWhy, "отказаться Redis", "any time"},
		{"Кто написал парсер?", answer.KindWho, "парсер", "any time"},
		{"Когда отключили очередь?", answer.KindWhen, "отключили очередь", "any time"},
		{"Что мы делали вчера?", answer.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"На чём мы остановились?", answer.KindContinue, "", "any time"},
		{"我们为什么放弃了Redis?", answer.KindWhy, "放弃 Redis", "any time"},
		{"解析器是谁写的？", answer.KindWho, "解析器 写", "any time"},
		{"什么时候下线了队列？", answer.KindWhen, "下线 队列", "any time"},
		{"昨天我们做了什么？", answer.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"上次做到哪里了？", answer.KindContinue, "", "any time"},
		{"なぜRedisをやめたのですか？", answer.KindWhy, "Redis", "any time"},
		{"パーサーは誰が書きましたか？", answer.KindWho, "パーサー 書", "any time"},
		{"先週何をしましたか？", answer.KindRecent, "", "2024-05-06 to 2024-05-12"},
		{"前回の続きから", answer.KindContinue, "", "any time"},
		{"what was the die cast in?", answer.KindGeneral, "die cast", "any time"},
		{"was man page removed", answer.KindGeneral, "man page removed", "any time"},
		{`Wer schrieb "was ist neu"?`, answer.KindWho, "was ist neu", "any time"},
	}
	for _, tt := range tests {
		q := ask.Read(tt.in, now, nil)
		if q.Kind != tt.kind {
			t.Errorf("Read(%q).Kind = %s, want %s", tt.in, q.Kind, tt.kind)
		}
		if diff := cmp.Diff(index.QueryTerms(tt.terms), q.Terms); diff != "" && len(tt.terms)+len(q.Terms) > 0 {
			t.Errorf("Read(%q).Terms: -want +got:\n%s", tt.in, diff)
		}
		if got := q.Range.String(); got != tt.times {
			t.Errorf("Read(%q).Range = %s, want %s", tt.in, got, tt.times)
		}
	}
}

func TestOrdersInOtherLanguagesStayOut(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Bitte füge der Wochenansicht einen Filter hinzu": "Wochenansicht Filter",
		"Пожалуйста, добавь фильтр в отчёт":               "фильтр отчёт",
		"请帮我修复登录页面":                                       "修复登录页面",
		"ログイン画面を直してください":                                  "ログイン 画面 直",
	} {
		if got := ask.ReadPrompt(in).Terms(); !slices.Equal(got, index.QueryTerms(want)) {
			t.Errorf("ReadPrompt(%q).Terms() = %q, want %q", in, got, index.QueryTerms(want))
		}
	}
}
