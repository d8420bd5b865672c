package transcript_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestAgrees(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"", "👍", "hi", "Hello!", "hey Claude", "yes", "yes please do that", "ok", "thanks", "that's fine", "go on", "do it",
		"go for it", "1", "2.", "option b", "the second one",
		"got it", "looks good to me", "I agree", "never mind", "no thanks", "ja", "hallo", "alles klar", "mach das",
		"bonjour", "hola", "привет", "好的", "你好", "继续", "こんにちは", "안녕하세요",
	} {
		if !transcript.Agrees(prompt) {
			t.Errorf("%q says something", prompt)
		}
	}
	for _, prompt := range []string{
		"fix it", "run tests", "und die Tests?", "shorter please", "yes, but wire the relay first",
		"continue with the driver", "3.3 V", "选继电器", "push it to staging",
	} {
		if transcript.Agrees(prompt) {
			t.Errorf("%q says nothing", prompt)
		}
	}
}
