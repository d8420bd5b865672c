package transcript_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// TestOutcome checks that a session's outcome is the assistant's last statement about its subject.
func TestOutcome(t *testing.T) {
	t.Parallel()
	ask := func(text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: text}
	}
	say := func(text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleAssistant, Text: text}
	}
	edit := transcript.Message{Role: transcript.RoleAssistant,
		Tools: []transcript.ToolUse{{Name: "Edit", Paths: []string{"relay.c"}, Writes: true}}}
	wired := say("I wired the relay driver to pin 12. All tests pass.")
	for name, c := range map[string]struct {
		msgs []transcript.Message
		want string
	}{
		"thanks": {[]transcript.Message{ask("wire the relay driver"), edit, wired, ask("thanks!"),
			say("You're welcome! Let me know if you need anything else.")},
			"I wired the relay driver to pin 12. All tests pass."},
		"done": {[]transcript.Message{ask("wire the relay driver"), edit, wired, ask("and commit it"), edit, say("Done.")},
			"I wired the relay driver to pin 12. All tests pass."},
		"joy first": {[]transcript.Message{ask("wire the relay driver"), edit,
			say("Perfect! I wired the relay driver to pin 12. All tests pass.")},
			"I wired the relay driver to pin 12. All tests pass."},
		"heading and label": {[]transcript.Message{ask("wire the relay driver"), edit,
			say("## Summary of pin 12\n\nHere is what I changed:\n\n- Wired the relay driver to the gate.")},
			"Wired the relay driver to the gate."},
		"question at the end": {[]transcript.Message{ask("wire the relay driver"), edit, wired,
			say("Shall I measure the relay's inrush current too?")}, "I wired the relay driver to pin 12. All tests pass."},
		"announced": {[]transcript.Message{ask("wire the relay driver"), edit, wired, ask("and the fuse?"),
			say("Let me look at the fuse in fuse.c first.")}, "I wired the relay driver to pin 12. All tests pass."},
		"only announced": {[]transcript.Message{ask("and the fuse?"), say("Let me look at the fuse in fuse.c first.")},
			"Let me look at the fuse in fuse.c first."},
		"wished": {[]transcript.Message{ask("wire the relay driver for the auditor"), edit, wired, ask("bye"),
			say("Good luck with the auditor and the Relay!")}, "I wired the relay driver to pin 12. All tests pass."},
		"joy with a figure": {[]transcript.Message{ask("wire the relay driver"), edit,
			say("All 14 tests of the relay pass now!")}, "All 14 tests of the relay pass now!"},
		"offered behind it": {[]transcript.Message{ask("wire the relay driver"), edit,
			say("I wired the relay driver to its gate. Shall I commit it?")}, "I wired the relay driver to its gate."},
		"only done":   {[]transcript.Message{ask("wire the relay driver"), edit, say("Done.")}, ""},
		"only polite": {[]transcript.Message{ask("hello"), say("Hello! How can I help you today?")}, ""},
		"answer": {[]transcript.Message{ask("what is a TCXO?"),
			say("A TCXO is an oscillator that compensates its temperature.")},
			"A TCXO is an oscillator that compensates its temperature."},
		"German": {[]transcript.Message{ask("verdrahte das Relais"), edit,
			say("Ich habe das Relais an Pin 12 verdrahtet."), ask("danke"), say("Gern geschehen!")},
			"Ich habe das Relais an Pin 12 verdrahtet."},
		"Chinese": {[]transcript.Message{ask("把继电器接上"), edit, say("继电器已经接到十二号引脚，所有测试都通过了。"), ask("谢谢"),
			say("不客气！")}, "继电器已经接到十二号引脚，所有测试都通过了。"},
	} {
		d, err := transcript.Summarise(messages(c.msgs...))
		if err != nil || d.Outcome.Text != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, d.Outcome.Text, c.want, err)
		}
	}
}

// TestVague checks that prompts without content of their own are not work, and those that name a thing are.
func TestVague(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"dunno": true, "fix it": true, "ok": true, "yes": true, "why?": true, "please refactor this": true, "do that": true,
		"I don't know": true, "keine Ahnung": true, "délete ça": true,
		"fix the relay": false, "relay?": false, "run staticcheck": false, "fix relay.c": false, "delete the cache": false,
		"3.3 V": false, "wire it to pin 12": false, "选继电器": false, "make it blue": false,
	} {
		if got := transcript.Vague(prompt); got != want {
			t.Errorf("%q: %v", prompt, got)
		}
		d, err := transcript.Summarise(messages(transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: prompt}))
		if got := len(d.Quotes["work"]) == 0; err != nil || got != want {
			t.Errorf("%q: work %+v (%v)", prompt, d.Quotes["work"], err)
		}
	}
}
