package archive_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// TestFoundInto: ideas that a model found replace those of the digest up to the line through which the model read;
// prompts stay.
func TestFoundInto(t *testing.T) {
	t.Parallel()
	found := archive.Found{
		Quotes: map[string][]transcript.Quote{"decision": {{Line: 2, Text: "redis then"}}},
		Topics: []transcript.Topic{{Line: 1, Title: "a"}}, Through: 4,
	}
	d := transcript.Digest{
		Quotes: map[string][]transcript.Quote{"work": {{Line: 1, Text: "yes"}},
			"decision": {{Line: 3, Text: "tabs"}, {Line: 5, Text: "bronze"}}, "todo": {{Line: 4, Text: "b"}}},
		Topics: []transcript.Topic{{Line: 3, Title: "b"}, {Line: 5, Title: "c"}},
	}
	found.Into(&d)
	want := transcript.Digest{
		Quotes: map[string][]transcript.Quote{"work": {{Line: 1, Text: "yes"}},
			"decision": {{Line: 2, Text: "redis then"}, {Line: 5, Text: "bronze"}}},
		Topics: []transcript.Topic{{Line: 1, Title: "a"}, {Line: 5, Title: "c"}}, Marked: true,
	}
	if diff := cmp.Diff(want, d, cmpopts.IgnoreUnexported(transcript.Digest{})); diff != "" {
		t.Error(diff)
	}
	var empty transcript.Digest // of a session in which the user only agreed
	found.Into(&empty)
	if len(empty.Quotes["decision"]) != 1 {
		t.Errorf("%+v", empty)
	}
}

// TestMarkAgain: a line is marked if its id occurs in the file or in an earlier line.
func TestMarkAgain(t *testing.T) {
	t.Parallel()
	idea := func(text string) archive.Idea {
		return archive.Idea{Intent: "todo", Quote: transcript.Quote{Text: text}}
	}
	list := []archive.Idea{idea("a"), idea("b"), idea("a"), idea("c")}
	archive.MarkAgain(list, []byte("- [todo] c (L1 10:00) ^"+idea("c").ID()+"\n"))
	for i, want := range []bool{false, false, true, true} {
		if list[i].Again != want {
			t.Errorf("%d: %t", i, list[i].Again)
		}
	}
}

// TestPartsOfTopics: a topic continues through its parts, and each part ends at the next heading.
func TestPartsOfTopics(t *testing.T) {
	t.Parallel()
	d := transcript.Digest{
		Session: "3f2a91c4-0000-4000-8000-000000000001", FirstPrompt: "Wire it", LastLine: 12,
		Topics: []transcript.Topic{{Line: 1, Title: "a"}, {Line: 4, Title: "b", Part: true},
			{Line: 6, Title: "c", Part: true}, {Line: 8, Title: "d"}},
	}
	section := archive.Section(d, nil, archive.Session{}, "", "", "2026-11-20")
	want := []string{
		"### a (L1–L7) ^t-3f2a91c4-1", "#### b (L4–L5) ^t-3f2a91c4-2", "#### c (L6–L7) ^t-3f2a91c4-3",
		"### d (L8–L12) ^t-3f2a91c4-4",
	}
	if diff := cmp.Diff(want, regexp.MustCompile("(?m)^###.*$").FindAllString(section, -1)); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

// TestSurestIdeas: if there are more ideas of a kind than fit, a section has those with the highest scores, in session
// order.
func TestSurestIdeas(t *testing.T) {
	t.Parallel()
	d := transcript.Digest{Quotes: map[string][]transcript.Quote{}}
	for line := range 14 {
		d.Quotes["decision"] = append(d.Quotes["decision"], transcript.Quote{Line: line + 1, Text: "a", Sure: 0.4 +
			0.01*float64(line)})
	}
	list := archive.Ideas(d)
	if len(list) != 12 || list[0].Line != 3 || list[11].Line != 14 {
		t.Errorf("%+v", list)
	}
}

// TestIdeaLineSaysWhose: the speaker in an idea line is read again as a part of its reference.
func TestIdeaLineSaysWhose(t *testing.T) {
	t.Parallel()
	for by, want := range map[transcript.Speaker]string{
		transcript.Person: "me", transcript.Program: "a program", transcript.Model: "a model",
		transcript.Agent: "an agent", "": "",
	} {
		line := archive.IdeaLine(archive.Idea{Intent: "work", Quote: transcript.Quote{Line: 3, Text: "Triage this", By: by}})
		ideas := markdown.Parse([]byte("- " + line + "\n")).Ideas
		if len(ideas) != 1 || ideas[0].Text != "Triage this" || ideas[0].Refs.By != want {
			t.Errorf("%q: %+v", line, ideas)
		}
	}
}
