package ask_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

func TestTrivial(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"", " \n\t", "y", "Y.", "yes", "Yes!", "YES PLEASE", "yesss", "okaaaay", "ok", "o.k.", "OK, go on", "k", "yep, do it",
		"sure, go ahead", "continue", "Continue.",
		"please continue", "go on", "keep going", "thanks", "Thank you!", "thx :)", "thanks, that looks good", "lgtm",
		"perfect, commit and push", "do it", "Yes, do that please",
		"no", "nope", "stop", "wait", "try again", "run it again", "next", "all of them", "both", "1", "2.", "the first one",
		"ok 👍", "👍", "…", "...", "?", "??", "why?", "what now?",
		"Ja, mach weiter", "danke!", "weiter", "oui", "vas-y", "d'accord, merci", "sí, gracias", "continúa", "да",
		"да, продолжай", "спасибо", "tak", "tamam",
		"好的", "继续", "是的，继续", "谢谢！", "请继续", "はい", "続けてください。", "ありがとうございます", "네", "계속해줘", "네, 감사합니다",
		"/clear", "/compact", "/review 123 and look at the uploader", "/gitmem:remember relay for the pump",
		"<command-name>/clear</command-name>",
		"<local-command-stdout>12 files changed in the uploader</local-command-stdout>",
		"src/main.go", "@src/uploader/retry.go", "./cmd/gitmem/main.go:12", "/home/dev/project/src/uploader.go",
		`C:\work\pump\relay.go`, "main_test.go", "https://example.org/a/b/c?d=e",
		"@a/b.go @c/d.go", "fix it", "fix relay bug", "run tests", "12345 67890 12345 67890", "------------------------",
	} {
		if !ask.Trivial(prompt) {
			t.Errorf("%q is taken for something to look up", prompt)
		}
	}
	for _, prompt := range []string{
		"why redis?", "why redis", "Why Kafka?", "who wrote it: relay?", "redis?", "which port?", "how to deploy",
		"warum Redis?", "pourquoi redis", "почему redis?",
		"为什么用redis", "继电器是什么？", "谁写的解析器", "なぜRedis", "왜 redis", "修复继电器的驱动程序", "リレーを修理してください",
		"no, use the ten ampere relay instead", "yes, but the relay must not click at night", "continue with the uploader",
		"Add retries to the uploader",
		"/usr/bin/gitmem crashes when the index is damaged", "src/main.go panics on start",
		"look at https://example.org/a and fix the uploader",
		"thanks, now make the uploader resume", "panic: runtime error: index out of range [5] with length 3",
	} {
		if ask.Trivial(prompt) {
			t.Errorf("%q is taken for trivial", prompt)
		}
	}
}

// FuzzTrivial: no prompt causes a panic, and surrounding white space changes nothing.
func FuzzTrivial(f *testing.F) {
	for _, s := range []string{"yes", "why redis?", "/clear", "继续", "a/b.go", "\xff\x00", "ok 👍"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ask.Trivial(s) != ask.Trivial(" "+s+"\n") {
			t.Errorf("white space around %q changes what it is", s)
		}
	})
}
