package transcript_test

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// TestPartsOfSessions checks that long sessions have parts within one subject, and that a prompt of mere agreement is
// not a title.
func TestPartsOfSessions(t *testing.T) {
	t.Parallel()
	parts := 0
	for _, p := range labelledIn(t, "sessions-train.jsonl") {
		for _, session := range p.Sessions {
			d, err := transcript.Summarise(messages(session.messages()...))
			if err != nil {
				t.Fatal(err)
			}
			for i, topic := range d.Topics {
				if topic.Part {
					parts++
				}
				if i == 0 && topic.Part || i > 0 && transcript.Agrees(session.Turns[topic.Line-1].Text) {
					t.Errorf("%s has the topic %+v", session.ID, topic)
				}
			}
		}
	}
	if parts == 0 {
		t.Error("no topic has a part")
	}
}

// TestTopicsReturn checks that a prompt that returns to the subject of an earlier topic begins another topic, and one
// that returns to the current subject does not.
func TestTopicsReturn(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]int{
		"ok, back to the relays: which pin drives them?": 3, "Let's get back to the relays please": 3,
		"zurück zu den relays":                 3,
		"back to the fuse, is sixteen enough?": 2, "the fuse goes back to sixteen ampere": 2,
	} {
		var list []transcript.Message
		for i, text := range []string{
			"which relays does the pump need?", "The pump needs relays of ten ampere.",
			"next topic: the fuse of the charger", "The charger has a fuse of sixteen ampere.", prompt, "Fine.",
		} {
			m := transcript.Message{Line: i + 1, Session: "s", Time: time.Date(2026, 11, 2, 9, i, 0, 0, time.UTC),
				Role: transcript.RoleAssistant, Text: text}
			if m.Prompt = i%2 == 0; m.Prompt {
				m.Role = transcript.RoleUser
			}
			list = append(list, m)
		}
		d, err := transcript.Summarise(messages(list...))
		if err != nil || len(d.Topics) != want {
			t.Errorf("%q: topics %+v, want %d (%v)", prompt, d.Topics, want, err)
		}
	}
}

// TestTopicsSaid checks that a prompt that begins with an announcement of another topic begins one, and one with the
// same words elsewhere need not.
func TestTopicsSaid(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]int{
		"now lets move on to the pump relay": 2, "Moving on to the pump relay": 2, "ok, new topic: the pump relay": 2,
		"anderes Thema: das Pumpenrelais":                           2,
		"the kafka consumer of the reader reads from another topic": 1,
		"the reader needs a new topic for its pages in Kafka":       1, "don't move on to the next page of the reader": 1,
		"the reader should move on to the next page": 1,
	} {
		var list []transcript.Message
		for i, text := range []string{"why does the reader of pages stop at the last page?",
			"The reader stops, since the page has no next page.", prompt, "Done."} {
			m := transcript.Message{Line: i + 1, Session: "s", Time: time.Date(2026, 11, 2, 9, i, 0, 0, time.UTC),
				Role: transcript.RoleAssistant, Text: text}
			if m.Prompt = i%2 == 0; m.Prompt {
				m.Role = transcript.RoleUser
			}
			list = append(list, m)
		}
		d, err := transcript.Summarise(messages(list...))
		if err != nil || len(d.Topics) != want {
			t.Errorf("%q: %d topics, want %d (%v)", prompt, len(d.Topics), want, err)
		}
	}
}
