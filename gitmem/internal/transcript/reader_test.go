package transcript_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

func say(text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u-%s","message":{"content":%q}}`, text, text)
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörter ", 50_000)
	all, r := read(t, say("a")+"\n"+say(long)+"\n"+say("b")+"\n")
	if diff := cmp.Diff([]string{"a", long, "b"}, texts(all)); diff != "" {
		t.Error(diff)
	}
	if r.Position().Line != 3 {
		t.Errorf("position %+v", r.Position())
	}
}

func TestTooLongLinesAreCounted(t *testing.T) {
	t.Parallel()
	in := say("a") + "\n" + say(strings.Repeat("x", 200_000)) + "\n" + say("b") + "\n"
	r := transcript.NewReader(strings.NewReader(in), transcript.Position{})
	transcript.SetLimit(r, 100_000)
	var all []transcript.Message
	for m, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	if diff := cmp.Diff([]string{"a", "b"}, texts(all)); diff != "" {
		t.Error(diff)
	}
	if s := r.Stats(); s.Skipped != 1 || all[1].Line != 3 || r.Position().Offset != int64(len(in)) {
		t.Errorf("stats %+v, position %+v", s, r.Position())
	}
}

func TestStrangeBytes(t *testing.T) {
	t.Parallel()
	in := "\ufeff" + say("a") + "\r\n\r\n\x00\x00\x00\n\x00\x00" + say("b") + "\nnot json\n" + say("c") + say("d") +
		"\x00" + say("e") + "tail\n" + say("f") + "\n"
	all, r := read(t, in)
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e", "f"}, texts(all)); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for _, m := range all {
		lines = append(lines, m.Line)
		if got := in[m.Offset : m.Offset+m.Length]; got != say(m.Text) {
			t.Errorf("record of %q: %q", m.Text, got)
		}
	}
	if diff := cmp.Diff([]int{1, 4, 6, 6, 6, 7}, lines); diff != "" {
		t.Error(diff)
	}
	if n := r.Stats().Skipped; n != 3 {
		t.Errorf("%d lines were skipped, want 3", n)
	}
}

// TestGrowth writes a file in pieces that break off anywhere and continues reading after each.
func TestGrowth(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	whole := say("a") + "\n" + say("b") + "\n\n" + say("ü") + "\n"
	for cut := 1; cut < len(whole); cut += 7 {
		var got []transcript.Message
		var at transcript.Position
		for _, upTo := range []int{cut, min(cut+11, len(whole)), len(whole)} {
			if err := os.WriteFile(path, []byte(whole[:upTo]), 0o600); err != nil {
				t.Fatal(err)
			}
			b, _ := os.ReadFile(path)
			more, r := readFrom(t, string(b), at)
			got = append(got, more...)
			at = r.Position()
			if torn := r.Stats().Torn; torn != (at.Offset < int64(upTo)) {
				t.Errorf("cut %d, read up to %d: torn %v at %+v", cut, upTo, torn, at)
			}
		}
		want, r := read(t, whole)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cut %d: %s", cut, diff)
		}
		if at != r.Position() {
			t.Errorf("cut %d: ends at %+v, not at %+v", cut, at, r.Position())
		}
	}
}

func TestStoppingAndGoingOn(t *testing.T) {
	t.Parallel()
	in := testdata(t, "session.jsonl")
	want, _ := read(t, in)
	r := transcript.NewReader(strings.NewReader(in), transcript.Position{})
	for n := 1; n <= len(want); n++ {
		for m := range r.All() {
			if diff := cmp.Diff(want[n-1], m); diff != "" {
				t.Error(diff)
			}
			break
		}
		rest, _ := readFrom(t, in, r.Position())
		if diff := cmp.Diff(want[n:], rest, cmp.Transformer("nil", func(m []transcript.Message) []transcript.Message {
			return append([]transcript.Message{}, m...)
		})); diff != "" && len(want[n:])+len(rest) > 0 {
			t.Fatalf("after %d: %s", n, diff)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader(say("a")+"\n"+say("b")[:9]), iotest.ErrReader(broken))
	r := transcript.NewReader(in, transcript.Position{})
	var got error
	n := 0
	for _, err := range r.All() {
		got, n = err, n+1
	}
	if !errors.Is(got, broken) || n != 2 || r.Position().Line != 1 {
		t.Errorf("%d yields, error %v, position %+v", n, got, r.Position())
	}
}

func TestAtAndLine(t *testing.T) {
	t.Parallel()
	in := testdata(t, "session.jsonl")
	all, _ := read(t, in)
	for _, want := range all {
		got, err := transcript.Line(strings.NewReader(in), want.Line)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("line %d: %v %s", want.Line, err, diff)
		}
		got, err = transcript.At(strings.NewReader(in), want.Offset, want.Length)
		got.Line = want.Line
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("at %d: %v %s", want.Offset, err, diff)
		}
	}
	for n, want := range map[int]error{-1: io.ErrUnexpectedEOF, 0: io.ErrUnexpectedEOF, 1: transcript.ErrNoMessage,
		16: transcript.ErrNoMessage, 17: io.ErrUnexpectedEOF, 99: io.ErrUnexpectedEOF} {
		if _, err := transcript.Line(strings.NewReader(in), n); !errors.Is(err, want) {
			t.Errorf("line %d: %v", n, err)
		}
	}
	if _, err := transcript.At(strings.NewReader(in), 5, 20); err == nil {
		t.Error("half a record was read")
	}
	if _, err := transcript.At(strings.NewReader(in), int64(len(in)), 20); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if _, err := transcript.At(strings.NewReader(in), 0, -1); err == nil {
		t.Error("a negative length was read")
	}
}

func FuzzReader(f *testing.F) {
	for _, d := range append(conversation(), bookkeeping()...) {
		f.Add(d.record+"\n"+d.record, uint(len(d.record)))
	}
	f.Add("\ufeff"+say("a")+"\r\n\x00"+say("b")+"x\n\n"+say("c"), uint(60))
	f.Add(say("a")+" "+say("b")+"12"+say("c")+"\n", uint(70))
	f.Add("{}{}{\n{}\x00\n", uint(3))
	f.Fuzz(func(t *testing.T, in string, cut uint) {
		want, r := read(t, in)
		end := r.Position()
		if end.Offset > int64(len(in)) || end.Offset < int64(strings.LastIndexByte(in, '\n')+1) {
			t.Fatalf("ends at %+v of %d bytes", end, len(in))
		}
		if rest := in[end.Offset:]; strings.Trim(rest, " \t\r\n\x00\ufeff") != "" != r.Stats().Torn {
			t.Fatalf("torn is %v with %q left", r.Stats().Torn, rest)
		}
		first, half := read(t, in[:cut%uint(len(in)+1)])
		rest, again := readFrom(t, in, half.Position())
		if diff := cmp.Diff(want, append(first, rest...)); diff != "" {
			t.Fatalf("cut at %d: %s", cut%uint(len(in)+1), diff)
		}
		if again.Position() != end {
			t.Fatalf("cut at %d ends at %+v, not at %+v", cut%uint(len(in)+1), again.Position(), end)
		}
		for _, m := range want {
			if _, err := transcript.At(strings.NewReader(in), m.Offset, m.Length); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	in := strings.Repeat(testdata(b, "session.jsonl")+say(strings.Repeat("some words of a long result ", 400))+"\n", 50)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, in)
	}
}

func BenchmarkSummarise(b *testing.B) {
	in := strings.Repeat(testdata(b, "session.jsonl"), 100)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		digest(b, in)
	}
}
