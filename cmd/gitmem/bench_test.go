package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// build compiles a package like a release, for a process that starts as fast as the user's: the test binary
// contains the tests and starts slower.
func (d *desk) build(pkg, name string) string {
	d.tb.Helper()
	bin := filepath.Join(filepath.Dir(d.repo), name)
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin,
		pkg).CombinedOutput(); err != nil {
		d.tb.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// buildEmpty compiles the smallest Go program, as a baseline for the cost of a process.
func (d *desk) buildEmpty() string {
	d.tb.Helper()
	d.write("empty/main.go", "package main\n\nfunc main() {}\n")
	return d.build(filepath.Join(filepath.Dir(d.repo), "empty", "main.go"), "nothing")
}

func median(ms []float64) float64 {
	slices.Sort(ms)
	return ms[len(ms)/2]
}

// benchProcess measures two processes alternately, so that both have the same load, and reports medians:
// ms/<name>, ms/empty and the difference, ms/above.
func benchProcess(b *testing.B, d *desk, name, stdin string, args ...string) {
	b.Helper()
	d.bin = d.build(".", "gitmem-release")
	empty := *d
	empty.bin = d.buildEmpty()
	timed := func(d *desk, stdin string, args ...string) float64 {
		start := time.Now()
		if got := d.run(stdin, args...); got.code != exitOK || got.err != "" {
			b.Fatalf("%v: exit code %d: %s", args, got.code, got.err)
		}
		return float64(time.Since(start).Microseconds()) / 1000
	}
	timed(d, stdin, args...) // fills caches, and loads the binary into memory
	timed(&empty, "")
	var with, without []float64
	for b.Loop() {
		with = append(with, timed(d, stdin, args...))
		without = append(without, timed(&empty, ""))
	}
	b.ReportMetric(0, "ns/op") // of both processes together: not useful
	b.ReportMetric(median(with), "ms/"+name)
	b.ReportMetric(median(without), "ms/empty")
	b.ReportMetric(median(with)-median(without), "ms/above")
}

func BenchmarkHookProcess(b *testing.B) {
	d := newDesk(b)
	d.run("", "init")
	benchProcess(b, d, "hook", `{"session_id":"`+deskSession+`","cwd":"`+filepath.ToSlash(d.repo)+
		`","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."},`+
		`"tool_response":{"stdout":"ok","stderr":""}}`,
		"hook", "post-tool-use")
}

func BenchmarkAskProcess(b *testing.B) {
	d := newDesk(b)
	benchProcess(b, d, "ask", "", "ask", "why did we drop Redis?")
}
