package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Limits for a large memory, enforced if FIGURES is set: they fail on a busy machine.
const (
	firstPaint = 500 * time.Millisecond
	asOneTypes = 150 * time.Millisecond // from the key to the results, 95th percentile
	resident   = 120 << 20
)

// limit fails a test whose figure exceeds an enforced limit, and prints the figure.
func limit[T int64 | time.Duration](t *testing.T, name string, got, most T) {
	t.Helper()
	t.Logf("FIGURE: %s: %v (at most %v)", name, got, most)
	if got > most && os.Getenv("FIGURES") != "" {
		t.Errorf("%s: %v, more than %v", name, got, most)
	}
}

// took has the times of a page, in milliseconds: its first paint, and when its content was displayed.
type took struct{ Paint, Shown float64 }

// TestFigures measures the pages of a large memory: BIG is a folder with its HOME, home, and a repository,
// repo.
func TestFigures(t *testing.T) {
	big := os.Getenv("BIG")
	if big == "" {
		t.Skip("SKIPPED: the figures of pages need a large memory: BIG names a folder with it")
	}
	c := startChromium(t)
	w := &world{t: t, p: build(t), home: filepath.Join(big, "home"), repo: filepath.Join(big, "repo")}
	load, _ := os.ReadFile("/proc/loadavg") // unknown on other systems
	t.Logf("FIGURE: load at the start: %s", load)
	s := w.browse(t)
	b := c.tab(t)
	b.size(1200, "light")
	start := time.Now()
	b.enter(s)
	t.Logf("FIGURE: the first page of a new server after %v", time.Since(start).Round(time.Millisecond))
	for _, path := range []string{"/", "/sessions", "/sessions?project=all", "/stats", "/graph", "/memory", "/profile"} {
		var paints, shows []time.Duration
		for range 7 {
			b.blank()
			b.see(s, path)
			got := script[took](b, "took.js", "")
			paints, shows = append(paints, ms(got.Paint)), append(shows, ms(got.Shown))
		}
		slices.Sort(paints)
		slices.Sort(shows)
		t.Logf("FIGURE: %s: first paint %v, shown %v (middle of 7); slowest %v", path, paints[3], shows[3], shows[6])
		if path == "/" || strings.HasPrefix(path, "/sessions") {
			limit(t, path+" first paint", paints[3], firstPaint)
			limit(t, path+" shown", shows[3], firstPaint)
		}
	}
	w.typing(b, s)
	rss, anon := memoryOf(t, s.pid, "VmRSS:"), memoryOf(t, s.pid, "RssAnon:")
	t.Logf("FIGURE: resident of its own %d MB, at most so far %d MB", anon>>20, memoryOf(t, s.pid, "VmHWM:")>>20)
	limit(t, "resident bytes after the searches", rss, resident)
	load, _ = os.ReadFile("/proc/loadavg")
	t.Logf("FIGURE: load at the end: %s", load)
}

// typing measures the search while typing, with words in the sessions.
func (w *world) typing(b *tab, s *server) {
	t := w.t
	b.see(s, "/sessions?project=all")
	const longWords = `[...new Set(document.querySelector("main ul").innerText.toLowerCase().match(/\b[a-z]{6,}\b/g))]`
	words := eval[[]string](b, longWords+".slice(0, 14)")
	var times, fetches []time.Duration
	before := cpuOf(t, s.pid)
	for _, word := range words {
		b.key("/")
		eval[bool](b, `(document.activeElement.value = "", performance.clearResourceTimings(), true)`)
		for i := range min(len(word), 6) {
			script[bool](b, "typed.js", word[:i+1])
			b.key(word[i : i+1])
			if got := eval[float64](b, "typed"); got < 0 {
				t.Errorf("%q is not searched", word[:i+1])
			} else {
				times = append(times, ms(got))
			}
		}
		for _, f := range eval[[]float64](b, `performance.getEntriesByType("resource").map((e) => e.duration)`) {
			fetches = append(fetches, ms(f))
		}
	}
	slices.Sort(times)
	slices.Sort(fetches)
	if len(times) < 50 || len(fetches) < 50 {
		t.Fatalf("%d searches, %d requests of %q", len(times), len(fetches), words)
	}
	t.Logf("FIGURE: search as one types: %d keys, half within %v, slowest %v; of this 20 ms are waited for the next key",
		len(times), times[len(times)/2], times[len(times)-1])
	t.Logf("FIGURE: its request: half within %v, 95 of 100 within %v; the server's CPU %v each",
		fetches[len(fetches)/2], fetches[len(fetches)*95/100], (cpuOf(t, s.pid)-before)/time.Duration(len(fetches)))
	limit(t, "search as one types, 95 of 100", times[len(times)*95/100], asOneTypes)
}

// cpuOf returns the CPU time of a process so far.
func cpuOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("SKIPPED: the CPU of a process is known on Linux only")
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(f[11]) // in hundredths of a second
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func ms(f float64) time.Duration {
	return time.Duration(f * float64(time.Millisecond)).Round(time.Millisecond)
}

// memoryOf returns a value of the system's memory statistics of a process, in bytes.
func memoryOf(t *testing.T, pid int, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("SKIPPED: the memory of a process is known on Linux only")
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	return 0
}

// scrolled has the measurements of scrolling through a transcript.
type scrolled struct {
	Messages, Frames, Tasks int
	Longest, Task, Total    float64 // milliseconds
}

// TestLongTranscript scrolls through 20,000 messages.
func TestLongTranscript(t *testing.T) {
	if os.Getenv("BIG") == "" {
		t.Skip("SKIPPED: scrolling through 20,000 messages is measured with BIG only")
	}
	c := startChromium(t)
	w := newWorld(t, build(t))
	const id, messages = "55555555-0000-4000-8000-000000000001", 20_000
	long := w.session(id, 3)
	for i := range messages / 2 {
		long.user(fmt.Sprintf("Question %d about the valve, which sticks at %d degrees.", i, i%90))
		long.says(said(fmt.Sprintf("Answer %d: the **valve** sticks since its spring is `weak`.\n\n"+
			"- measure it\n- replace it\n", i)))
	}
	long.write()
	s := w.browse(t)
	b := c.tab(t)
	b.size(1200, "light")
	b.enter(s)
	start := time.Now()
	b.see(s, "/sessions/"+id)
	t.Logf("FIGURE: a transcript of %d messages is shown after %v", messages, time.Since(start).Round(time.Millisecond))
	var all scrolled
	for all.Messages < messages && all.Total < 240_000 {
		got := script[scrolled](b, "scroll.js", "")
		all.Messages, all.Frames, all.Tasks = got.Messages, all.Frames+got.Frames, all.Tasks+got.Tasks
		all.Total += got.Total
		all.Longest, all.Task = max(all.Longest, got.Longest), max(all.Task, got.Task)
	}
	t.Logf("FIGURE: scrolled through %d messages in %.1f s: %d frames, longest %.0f ms; %d long tasks, longest %.0f ms",
		all.Messages, all.Total/1000, all.Frames, all.Longest, all.Tasks, all.Task)
	if all.Messages != messages {
		t.Errorf("%d messages are there at the end, not %d", all.Messages, messages)
	}
	start = time.Now()
	b.blank()
	b.see(s, "/sessions/"+id+"#msg-15001")
	b.until(`document.getElementById("msg-15001")?.classList.contains("target")`)
	t.Logf("FIGURE: message 15001 is shown after %v", time.Since(start).Round(time.Millisecond))
}
