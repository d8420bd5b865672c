package config_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/config"
)

func minute(n int) time.Time { return time.Date(2026, 11, 20, 12, n, 0, 0, time.UTC) }

func inWork(folder string) bool { return folder == "/work" }

func TestPauses(t *testing.T) {
	t.Parallel()
	var p config.Pauses
	p = p.Begin(config.Pause{Since: minute(0), Until: minute(10)})
	p = p.Begin(config.Pause{Folder: "/work", Since: minute(5)})
	p = p.Begin(config.Pause{Folder: "/other", Since: minute(5)})
	tests := []struct {
		at    int
		below func(string) bool
		want  bool
		until time.Time
	}{
		{-1, inWork, false, time.Time{}},
		{0, inWork, true, minute(10)},
		{7, inWork, true, time.Time{}}, // the pause without an end wins
		{7, func(string) bool { return false }, true, minute(10)},
		{10, func(string) bool { return false }, false, time.Time{}}, // has expired
		{99, inWork, true, time.Time{}},
	}
	for _, tt := range tests {
		got, ok := p.At(minute(tt.at), tt.below)
		if ok != tt.want || !got.Until.Equal(tt.until) {
			t.Errorf("At(%d) = %+v, %v, want %v until %v", tt.at, got, ok, tt.want, tt.until)
		}
	}
	p = p.End(minute(20), "/work")
	if _, ok := p.At(minute(21), inWork); ok {
		t.Error("the pause goes on after its end")
	}
	if _, ok := p.At(minute(15), inWork); !ok {
		t.Error("what lay in the pause does so no more when it has ended")
	}
	if n := len(p.Running(minute(21))); n != 1 {
		t.Errorf("%d pauses run, want the one of /other", n)
	}
	if p = p.End(minute(20).AddDate(2, 0, 0), "/other"); len(p) != 1 {
		t.Errorf("after two years %+v is still remembered", p)
	}
}

// A new pause replaces the running one; a pause that ends when it begins leaves no trace.
func TestPauseAgain(t *testing.T) {
	t.Parallel()
	p := config.Pauses{}.Begin(config.Pause{Since: minute(0)}).Begin(config.Pause{Since: minute(1), Until: minute(3)})
	want := config.Pauses{{Since: minute(0), Until: minute(1)}, {Since: minute(1), Until: minute(3)}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := (config.Pauses{}).Begin(config.Pause{Since: minute(0)}).End(minute(0), ""); len(p) != 0 {
		t.Errorf("a pause without any time in it stays: %+v", p)
	}
}

func TestParsePauses(t *testing.T) {
	t.Parallel()
	p := config.Pauses{{Since: minute(0), Until: minute(10)}, {Folder: "/wörk \"x\"", Since: minute(5)}}
	b, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := config.ParsePauses(b)
	if diff := cmp.Diff(p, got); diff != "" || err != nil {
		t.Errorf("ParsePauses: %v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{"", "{", "[]", `{"pauses":[{}]}`, `{"pauses":[],"x":1}`, `{"pauses":[{"since":"soon"}]}`,
		string(b) + "x"} {
		if p, err := config.ParsePauses([]byte(bad)); err == nil || !strings.Contains(err.Error(), "gitmem resume") {
			t.Errorf("ParsePauses(%q) = %v, %v, want an error with the way out", bad, p, err)
		}
	}
}

// FuzzParsePauses: accepted input is written again unchanged.
func FuzzParsePauses(f *testing.F) {
	f.Add([]byte(`{"pauses":[]}`))
	f.Add([]byte(`{"pauses":[{"folder":"/w","since":"2026-11-20T12:00:00Z","until":"2026-11-20T12:00:00.5+01:00"}]}`))
	f.Add([]byte(`{"Pauses":null}{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := config.ParsePauses(b)
		if err != nil {
			return
		}
		out, err := p.Encode()
		if err != nil {
			t.Fatalf("Encode(%+v): %v", p, err)
		}
		again, err := config.ParsePauses(out)
		if err != nil {
			t.Fatalf("ParsePauses(Encode): %v", err)
		}
		second, err := again.Encode()
		if err != nil || !bytes.Equal(out, second) {
			t.Errorf("encoded twice: %v\n%s\n%s", err, out, second)
		}
	})
}
