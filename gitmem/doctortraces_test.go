package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestDoctorHookTimes checks the warning about slow hooks that people wait for.
func TestDoctorHookTimes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, trace, state, detail, hook string
	}{
		{"none", "", gitmem.FindingOK, "no hook ran in the last 7 days", ""},
		{"fast", traceLine("2025-03-09T10:00:00Z", "stop", "s", 40, 0), gitmem.FindingOK,
			"1 run in the last 7 days, 95 % of each hook's within 40 ms", ""},
		{"slow", strings.Repeat(traceLine("2025-03-09T10:00:00Z", "stop", "s", 1500, 0), 3), gitmem.FindingWarn,
			"3 runs in the last 7 days, 95 % of each hook's within 1500 ms",
			"stop: half of 3 runs within 1500 ms, 95 % within 1500 ms"},
		{"in the background", traceLine("2025-03-09T10:00:00Z", "archive", "s", 9000, 0) +
			traceLine("2025-03-09T10:00:00Z", "sweep", "s", 9000, 0),
			gitmem.FindingOK, "no hook ran in the last 7 days", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, dir := clinic(t)
			l.write(filepath.Join(l.root, "gitmem", ".index", "trace", "2025-03-09.jsonl"), tt.trace)
			f := l.doctor(dir, gitmem.Checkup{})["hook times"]
			places := ""
			for _, p := range f.Places {
				places += p.Detail
			}
			if f.State != tt.state || f.Detail != tt.detail || places != tt.hook {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestDoctorLostFailure counts a tool call that failed and was not logged.
func TestDoctorLostFailure(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	l.write(filepath.Join(l.root, "gitmem", ".index", "trace", "2025-03-09.jsonl"),
		`{"time":"2025-03-09T10:00:00Z","hook":"post-tool-use-failure","session":"s","result":"error","detail":"append to `+
			`x: disk full","ms":3,"tool":"Bash"}`+"\n")
	found := l.doctor(dir, gitmem.Checkup{})
	if f := found["lost observations"]; f.State != gitmem.FindingWarn || len(f.Places) != 1 ||
		!strings.Contains(f.Places[0].Detail, "session s tool Bash") {
		t.Errorf("%+v", f)
	}
	if f := found["hook failures"]; f.Detail != "1 failure in the last 7 days: 1 × disk full" {
		t.Errorf("%+v", f)
	}
}
