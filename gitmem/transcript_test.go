package gitmem_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// transcript reads a part of a session and returns its lines as line, speaker and text.
func (l *lab) transcript(dir, session string, line, lines int) (out gitmem.Transcript, said string) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		out, err = m.Data().Transcript(l.t.Context(), session, gitmem.TranscriptOptions{Line: line, Lines: lines})
		return err
	})
	for _, m := range out.Messages {
		said += fmt.Sprintf("%d %s %s", m.Line, m.Speaker, m.Text)
		for _, b := range m.Blocks {
			said += fmt.Sprintf(" [%s|%s|%s]", b.Name, b.Title, b.Text)
		}
		if m.TakenBack {
			said += " (taken back)"
		}
		said += "\n"
	}
	return out, said
}

// pumpSession writes a session with calls, a branch that was taken back, a summary and a secret.
func (l *lab) pumpSession(dir string) string {
	l.t.Helper()
	record := func(n int, parent, typ, content, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":%s,"sessionId":%q,"timestamp":"2025-03-10T09:%02d:00Z",`+
			`"cwd":%q,"version":"2.1.100"%s,`+
			`"message":{"role":%q,"content":%s}}`, typ, n, parent, sessionA, n, dir, more, typ, content)
	}
	return l.write(filepath.Join(l.root, "projects", munge(dir), sessionA+".jsonl"), strings.Join([]string{
		record(1, "null", "user", `"Mend the pump"`, ""),
		record(2, `"u1"`, "assistant",
			`[{"type":"thinking","thinking":"It hums."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"pump `+
				`status"}}]`, ""),
		record(3, `"u2"`, "user",
			`[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"token `+
				`ghp_0123456789abcdefghijABCDEFGHIJ012345"}]`, ""),
		record(4, `"u3"`, "user", `"Replace it"`, ""),
		record(5, `"u3"`, "user", `"No, we keep the pump and oil it."`, ""),
		record(6, `"u5"`, "user", `"The pump is oiled."`, `,"isCompactSummary":true`),
		`{"type":"system","uuid":"u7","sessionId":"` + sessionA + `"}`,
		record(8, `"u6"`, "assistant", `[{"type":"text","text":"It is quiet now."}]`, ""), "",
	}, "\n"))
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.pumpSession(r.dir)
	out, said := l.transcript(r.dir, sessionA[:8], 0, 100)
	for _, want := range []string{
		"1 user Mend the pump\n", "2 assistant  [thinking|thinking|It hums.] [tool|Bash · pump status|pump status]\n",
		"3 tool  [result|Bash · pump status · error|", "4 user Replace it (taken back)\n",
		"5 user No, we keep the pump and oil it.\n",
		"6 summary The pump is oiled.\n", "8 assistant It is quiet now.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	if strings.Contains(said, "0123456789abc") || !out.Messages[2].Blocks[0].Failed {
		t.Errorf("the result that failed: %s", said)
	}
	if out.Session != sessionA || out.Title != "Mend the pump" || out.Lines != 8 || out.First != 1 || out.Last != 8 ||
		out.Gone || out.Messages[0].ID != "transcript:"+sessionA+":1" {
		t.Errorf("the head: %+v", out)
	}
	if out, said := l.transcript(r.dir, sessionA, 8, 3); out.First != 7 || out.Last != 8 || out.Title != "Mend the pump" ||
		said != "8 assistant It is quiet now.\n" {
		t.Errorf("the last part: %+v", out)
	}
	for _, line := range []int{9, 10, 1000} {
		if out, said := l.transcript(r.dir, sessionA, line, 4); out.First != 5 || out.Last != 8 ||
			!strings.Contains(said, "8 assistant") {
			t.Errorf("behind the end, line %d: %+v", line, out)
		}
	}
	for _, id := range []string{"../x", "unknown-session"} {
		if _, err := l.open(r.dir).Data().Transcript(t.Context(), id, gitmem.TranscriptOptions{Lines: 9}); !errors.Is(err,
			gitmem.ErrUsage) && !errors.Is(err, gitmem.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestTranscriptWithheld checks message by message that everything refused by show is missing.
func TestTranscriptWithheld(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	l.pumpSession(r.dir)
	l.forget(r.dir, false, "transcript:"+sessionA+":1")
	l.forget(r.dir, false, "transcript:"+sessionA+":2#thinking")
	l.write(filepath.Join(l.root, "gitmem", ".paused"),
		`{"pauses": [{"folder": "", "since": "2025-03-10T09:05:00Z", "until": "2025-03-10T09:07:00Z"}]}`)
	out, said := l.transcript(r.dir, sessionA, 0, 100)
	for _, banned := range []string{"Mend", "hums", "oil"} {
		if strings.Contains(said, banned) {
			t.Errorf("%q in:\n%s", banned, said)
		}
	}
	if out.Withheld != 3 || !strings.Contains(said, "2 assistant  [tool|") || out.Title == "Mend the pump" {
		t.Errorf("%d withheld, %q:\n%s", out.Withheld, out.Title, said)
	}
	other := l.repo("other") // the project does not matter to a person
	if _, elsewhere := l.transcript(other.dir, sessionA, 0, 100); elsewhere != said {
		t.Errorf("from another project:\n%s", elsewhere)
	}
	l.configure("exclude: ['" + r.dir + "']\n")
	_, err := l.open(r.dir).Data().Transcript(t.Context(), sessionA, gitmem.TranscriptOptions{Lines: 9})
	if !errors.Is(err, gitmem.ErrNotFound) || !strings.Contains(gitmem.ErrorText(err), "excluded") {
		t.Errorf("of an excluded folder: %v", err)
	}
}

// TestTranscriptGone checks that a deleted transcript is replaced by the archive's entries.
func TestTranscriptGone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	file := l.pumpSession(r.dir)
	l.endSession(r.dir, sessionA, file)
	before, _ := l.transcript(r.dir, sessionA, 0, 100)
	kept := func(out gitmem.Transcript) (ideas string) {
		for _, e := range out.Archive {
			if e.Kind == "idea" {
				ideas += fmt.Sprintf("%d %s %s\n", e.Line, e.Intent, e.Text)
			}
		}
		return ideas
	}
	if ideas := kept(before); !strings.Contains(ideas, "5 decision No, we keep the pump and oil it.") {
		t.Errorf("the ideas:\n%s\n%+v", ideas, before.Archive)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	out, said := l.transcript(r.dir, sessionA, 0, 100)
	if !out.Gone || said != "" || kept(out) != kept(before) || out.Title != before.Title {
		t.Errorf("what is left: %+v", out)
	}
}

// TestTranscriptPrompts checks that a session without a transcript and an archive consists of its prompts.
func TestTranscriptPrompts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	prompt := func(session, text string) string {
		return fmt.Sprintf(`{"display":%q,"timestamp":1741597200000,"project":%q,"sessionId":%q}`+"\n", text, r.dir, session)
	}
	l.write(filepath.Join(l.root, "history.jsonl"), prompt(sessionB, "Not this")+prompt(sessionA, "Oil the pump")+
		prompt(sessionA, "token ghp_0123456789abcdefghijABCDEFGHIJ012345"))
	l.note(r.dir, "The pump has a door")
	out, _ := l.transcript(r.dir, sessionA, 0, 100)
	if len(out.Archive) != 2 || out.Archive[0].ID != "prompt:"+sessionA+":2" || out.Archive[0].Text != "Oil the pump" ||
		strings.Contains(out.Archive[1].Text, "012345") {
		t.Errorf("%+v", out)
	}
	l.forget(r.dir, false, "prompt:"+sessionA+":2")
	if out, _ := l.transcript(r.dir, sessionA, 0, 100); len(out.Archive) != 1 {
		t.Errorf("without a forgotten one: %+v", out)
	}
	l.configure("exclude: ['" + r.dir + "']\n")
	if _, err := l.open(r.dir).Data().Transcript(t.Context(), sessionA,
		gitmem.TranscriptOptions{Lines: 9}); !errors.Is(err, gitmem.ErrNotFound) {
		t.Errorf("of an excluded folder: %v", err)
	}
}
