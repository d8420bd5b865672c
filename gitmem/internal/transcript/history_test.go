package transcript_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

const historyLines = `{"display":"Fix it [Pasted text #1 +2 lines] and [Pasted text #10] or [Pasted text #2]",` +
	`"pastedContents":{"1":{"id":1,"type":"text","content":"[Pasted text #2]"},"2":{"content":""}},` +
	`"timestamp":1741518000000,"project":"/w/pump","sessionId":"s-1"}
{"display":"/clear","timestamp":1741518000001,"project":"/w/pump","sessionId":"s-1"}

{"display":"/fix the pump","timestamp":"odd","project":"/w/pump","sessionId":"../x"}
{"other":1}
no JSON
{"display":"torn"`

func TestHistory(t *testing.T) {
	t.Parallel()
	h := transcript.NewReader(strings.NewReader(historyLines), transcript.Position{})
	var got []string
	for p, err := range h.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Session+"|"+p.Text)
		again, err := transcript.At(strings.NewReader(historyLines), p.Offset, p.Length)
		if err != nil || again.Text != p.Text {
			t.Errorf("at its place: %+v, %v", again, err)
		}
		again, err = transcript.Line(strings.NewReader(historyLines), p.Line)
		if err != nil || again.Text != p.Text || again.Line != p.Line {
			t.Errorf("in its line: %+v, %v", again, err)
		}
	}
	if diff := cmp.Diff([]string{"s-1|Fix it [Pasted text #2] and [Pasted text #10] or [Pasted text #2]",
		"|/fix the pump"}, got); diff != "" {
		t.Error(diff)
	}
	s := h.Stats()
	if s.Lines != 6 || s.Skipped != 2 || !s.Torn {
		t.Errorf("%+v", s)
	}
	if at := h.Position(); at.Line != 6 || historyLines[at.Offset:] != `{"display":"torn"` {
		t.Errorf("%+v", at)
	}
	if _, err := transcript.Line(strings.NewReader(historyLines), 2); !errors.Is(err, transcript.ErrNoMessage) {
		t.Errorf("a bare command: %v", err)
	}
	if _, err := transcript.Line(strings.NewReader(historyLines), 9); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("behind the end: %v", err)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(historyLines)
	f.Fuzz(func(t *testing.T, text string) {
		h := transcript.NewReader(strings.NewReader(text), transcript.Position{})
		for p, err := range h.All() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Text == "" || p.Line < 1 || p.Offset < 0 || p.Offset+p.Length > int64(len(text)) {
				t.Fatalf("%+v", p)
			}
		}
		if at := h.Position(); at.Offset > int64(len(text)) {
			t.Fatalf("%+v of %d bytes", at, len(text))
		}
	})
}
