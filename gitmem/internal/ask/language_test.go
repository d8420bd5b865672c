package ask_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestReadOtherLanguages(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		in    string
		kind  ask.Kind
		terms string
		times string
	}{
		{"Warum haben wir uns damals für Redis entschieden?", ask.KindWhy, "Redis", "any time"},
		{"Wer hat den Parser geschrieben?", ask.KindWho, "Parser", "any time"},
		{"Wann wurde die Warteschlange abgelöst?", ask.KindWhen, "Warteschlange abgelöst", "any time"},
		{"Was haben wir letzte Woche gemacht?", ask.KindRecent, "", "2024-05-08 to 2024-05-15"},
		{"Woran habe ich gestern gearbeitet?", ask.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"Wo waren wir stehen geblieben?", ask.KindContinue, "", "any time"},
		{"Wie sollen Tests heißen?", ask.KindHow, "Tests heißen", "any time"},
		{"Woran lag der Absturz im März 2024?", ask.KindWhy, "Absturz", "2024-03-01 to 2024-03-31"},
		{"Почему мы решили отказаться от Redis?", ask.KindWhy, "отказаться Redis", "any time"},
		{"Кто написал парсер?", ask.KindWho, "парсер", "any time"},
		{"Когда отключили очередь?", ask.KindWhen, "отключили очередь", "any time"},
		{"Что мы делали вчера?", ask.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"На чём мы остановились?", ask.KindContinue, "", "any time"},
		{"我们为什么放弃了Redis?", ask.KindWhy, "放弃 Redis", "any time"},
		{"解析器是谁写的？", ask.KindWho, "解析器 写", "any time"},
		{"什么时候下线了队列？", ask.KindWhen, "下线 队列", "any time"},
		{"昨天我们做了什么？", ask.KindRecent, "", "2024-05-14 to 2024-05-14"},
		{"上次做到哪里了？", ask.KindContinue, "", "any time"},
		{"なぜRedisをやめたのですか？", ask.KindWhy, "Redis", "any time"},
		{"パーサーは誰が書きましたか？", ask.KindWho, "パーサー 書", "any time"},
		{"先週何をしましたか？", ask.KindRecent, "", "2024-05-08 to 2024-05-15"},
		{"前回の続きから", ask.KindContinue, "", "any time"},
		{"what was the die cast in?", ask.KindGeneral, "die cast", "any time"},
		{"was man page removed", ask.KindGeneral, "man page removed", "any time"},
		{`Wer schrieb "was ist neu"?`, ask.KindWho, "was ist neu", "any time"},
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
