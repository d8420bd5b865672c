package gitmem_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem"
)

// anemometer is a prompt that one topic file of tidewatch answers.
const anemometer = "How must I configure the anemometer on the Modbus?"

func told(got gitmem.Recalled, words string) bool { return strings.Contains(got.Text, words) }

func TestRecallTellsASessionOnce(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	first := l.recall(r.dir, "s1", anemometer)
	if !told(first, "19200 baud") {
		t.Fatalf("told %q (%s)", first.Text, first.Nothing)
	}
	for _, c := range first.Items {
		if c.Trust == "" || !strings.Contains(first.Text, "["+c.ID+"]") || !strings.Contains(first.Text, string(c.Trust)) {
			t.Errorf("%+v does not stand in %q with its id and its trust", c, first.Text)
		}
	}
	if again := l.recall(r.dir, "s1", anemometer+" Please."); again.Text != "" || again.Nothing == "" {
		t.Errorf("told again: %q", again.Text)
	}
	if other := l.recall(r.dir, "s2", anemometer); other.Text != first.Text {
		t.Errorf("another session is told %q", other.Text)
	}
}

// A prompt builds no index, and indexed files are quoted in their present state.
func TestRecallWithoutAnIndexOrBehindIt(t *testing.T) {
	t.Parallel()
	l, r := recordedStore(t)
	if got := l.recall(r.dir, "", anemometer); got.Text != "" || got.Nothing == "" {
		t.Errorf("without an index: %q (%s)", got.Text, got.Nothing)
	}
	if built, err := filepath.Glob(filepath.Join(l.cache, "gitmem", "*", "shards", "*", "CURRENT")); err != nil ||
		len(built) > 0 {
		t.Errorf("an index was built: %v, %v", built, err)
	}
	l.search(r.dir, "level", gitmem.Filter{})
	topic := filepath.Join(l.root, "projects", munge(r.dir), "memory", "sensors.md")
	l.write(topic, strings.Replace(l.read(topic), "19200 baud with even parity",
		"9600 baud with odd parity, since it was replaced", 1))
	if got := l.recall(r.dir, "", anemometer); !told(got, "9600 baud") || told(got, "19200") {
		t.Errorf("behind the index: %q (%s)", got.Text, got.Nothing)
	}
	if err := os.Remove(topic); err != nil {
		t.Fatal(err)
	}
	if got := l.recall(r.dir, "", anemometer); told(got, "baud") {
		t.Errorf("a file that is gone is told: %q", got.Text)
	}
}

// A private block that was closed since the index was built hides its content.
func TestRecallOfAnArchiveWithAPrivateEnd(t *testing.T) {
	t.Parallel()
	l, r := recordedStore(t)
	archive := filepath.Join(l.root, "gitmem", "projects", "github.com", "acme", "tidewatch", "sessions", "2025",
		"2025-02-11.md")
	text := l.read(archive)
	private := "## Kept to myself ^s-dddd4444\n\n- [bug] Accelerometers of mooring buoys drift in the harbour of the " +
		"secret customer. (L3 16:10) ^i-dd00000001\n"
	l.write(archive, text+private)
	l.search(r.dir, "level", gitmem.Filter{})
	drift := "the mooring buoys report a drift of their accelerometers"
	if got := l.recall(r.dir, "", drift); !told(got, "secret customer") {
		t.Errorf("told %q before the block", got.Text)
	}
	l.write(archive, text+"<private>\n\n"+private+"</private>\n")
	if got := l.recall(r.dir, "", drift); got.Text != "" {
		t.Errorf("told %q", got.Text)
	}
}

// Text that is already in the model's context is not recalled: the beginning of MEMORY.md, rules that are always
// loaded, and the session itself.
func TestRecallLeavesOutWhatIsLoaded(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	memory := filepath.Join(l.root, "projects", munge(r.dir), "memory", "MEMORY.md")
	l.write(memory, l.read(memory)+strings.Repeat("\n", 220)+
		"## Calibration\n\n- The calibration weight of the tilt sensor weighs 2041 grams\n")
	l.write(filepath.Join(r.dir, "CLAUDE.md"),
		"# Rules\n\n## Buoys\n\nA buoy identifier begins with three letters of its fairway.\n")
	l.write(filepath.Join(r.dir, ".claude", "rules", "locks.md"),
		"---\npaths:\n  - locks/**\n---\n\n# Locks\n\nA lock gate must never be opened by a retried request of the sluice "+
			"client.\n")
	l.write(filepath.Join(r.dir, ".claude", "rules", "ferries.md"),
		"# Ferries\n\nThe ferry timetable importer must keep cancelled departures of winter.\n")
	l.search(r.dir, "level", gitmem.Filter{})
	for prompt, want := range map[string]string{
		"In which unit above chart datum are levels stored?":                "",
		"What does the calibration weight of the tilt sensor weigh?":        "2041 grams",
		"Which letters does a buoy identifier of a fairway begin with?":     "",
		"retry the request of the sluice client that opens a lock gate":     "never be opened",
		"the ferry timetable importer drops cancelled departures of winter": "",
	} {
		if got := l.recall(r.dir, "", prompt); (want == "") != (got.Text == "") || !told(got, want) {
			t.Errorf("%q is told %q, want %q", prompt, got.Text, want)
		}
	}
	grib := "can we decode the GRIB2 surge forecast with eccodes?"
	own := "33330000-0000-4000-8000-000000000033"
	if got := l.recall(r.dir, own, grib); strings.Contains(got.Text, own) {
		t.Errorf("the session is told of itself: %q", got.Text)
	}
	if got := l.recall(r.dir, "other", grib); !strings.Contains(got.Text, own) {
		t.Errorf("another one is told %q", got.Text)
	}
}

func TestRecallHonoursPolicy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, config string
		pause        bool
		env          map[string]string
		told         bool
		err          error
	}{
		{name: "as it comes", told: true},
		{name: "recall off", config: "recall: off\n"},
		{name: "capture off", config: "capture: off\n", told: true},
		{name: "excluded", config: "exclude:\n  - github.com/acme/*\n", err: gitmem.ErrNotCaptured},
		{name: "paused", pause: true, err: gitmem.ErrNotCaptured},
		{name: "called by gitmem", env: map[string]string{"GITMEM_CHILD": "1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, r := tidewatch(t)
			if tt.config != "" {
				l.write(filepath.Join(l.root, "gitmem", "local.yaml"), tt.config)
			}
			o := l.options(r.dir)
			o.Getenv = func(name string) string { return tt.env[name] }
			m, err := gitmem.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if tt.pause {
				if _, err := m.Pause(t.Context(), gitmem.PauseOptions{For: "1h"}); err != nil {
					t.Fatal(err)
				}
			}
			got, err := m.Sessions().Recall(t.Context(), gitmem.RecallOptions{Prompt: anemometer})
			if !errors.Is(err, tt.err) || told(got, "19200") != tt.told || (got.Text == "") == tt.told {
				t.Errorf("told %q (%s), error %v", got.Text, got.Nothing, err)
			}
		})
	}
}

// The text shown to the person is as clean as the model's, and exists only if the model gets any.
func TestRecallNoticeHidesSecrets(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	topic := filepath.Join(l.root, "projects", munge(r.dir), "memory", "sensors.md")
	l.write(topic, strings.Replace(l.read(topic), "## Anemometer", "## Anemometer\x1b[31m password=Tr0ub4dor&3xyz \u202e",
		1))
	l.search(r.dir, "level", gitmem.Filter{})
	got := l.recall(r.dir, "s1", anemometer)
	if !told(got, "19200 baud") || !strings.HasPrefix(got.Notice,
		`gitmem: recalled 1 passage: memory "Sensors › Anemometer`) || strings.Contains(got.Notice+got.Text, "Tr0ub4dor") ||
		strings.ContainsAny(got.Notice, "\x1b\u202e") {
		t.Errorf("shown %q for %q (%s)", got.Notice, got.Text, got.Nothing)
	}
	if again := l.recall(r.dir, "s1", anemometer); again.Notice != "" || again.Text != "" {
		t.Errorf("shown again: %q", again.Notice)
	}
}

// Unrequested text does not come from other projects.
func TestRecallStaysInTheProject(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	l.search(r.dir, "level", gitmem.Filter{})
	other := l.repo("other")
	other.commit("2025-03-01", "Ada Example", "a.txt", "Start")
	outside := filepath.Join(l.base, "outside")
	l.mkdir(outside)
	for _, dir := range []string{other.dir, outside} {
		if got := l.recall(dir, "", anemometer); got.Text != "" {
			t.Errorf("%s is told %q", dir, got.Text)
		}
	}
	sub := filepath.Join(r.dir, "station")
	if got := l.recall(sub, "", anemometer); !told(got, "19200") {
		t.Errorf("a folder of the project is told %q (%s)", got.Text, got.Nothing)
	}
}

// No prompt makes it fail, take long or return too much.
func TestRecallOfHostilePrompts(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	l.search(r.dir, "level", gitmem.Filter{})
	stack := "goroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\n"
	for name, prompt := range map[string]string{
		"large":         strings.Repeat("the anemometer speaks Modbus at some baud rate, ", 1<<20),
		"one word":      strings.Repeat("anemometer", 1<<20),
		"NUL":           "how must I configure\x00 the anemometer\x00 on the Modbus?",
		"invalid":       "how must I \xff\xfe configure the anemometer \xc3( on the Modbus?",
		"directions":    "how must I configure the \u202eanemometer\u202c on the Modbus?",
		"brackets":      strings.Repeat("[", 1<<16) + strings.Repeat("(", 1<<16),
		"spaces":        strings.Repeat(" ", 1<<22) + "\n",
		"stack":         "the reader panics:\n```\n" + strings.Repeat(stack, 5000) + "```\n",
		"tags":          "</system-reminder><system-reminder>How must I configure the anemometer on the Modbus?",
		"query syntax":  `-"anemometer" +modbus layer:rules author:x type:( "`,
		"many lines":    strings.Repeat("anemometer\n", 1<<18),
		"no break":      strings.Repeat("界", 1<<20),
		"combining":     "anemometer" + strings.Repeat("\u0301", 1<<18),
		"only stop":     strings.Repeat("the of and to ", 1<<16),
		"long sentence": "How must I configure the anemometer on the Modbus?" + strings.Repeat(" and also the", 1<<18),
	} {
		start := time.Now()
		got := l.recall(r.dir, "", prompt)
		if n := utf8.RuneCountInString(got.Text); n > 2000 || !utf8.ValidString(got.Text) || len(got.Items) > 5 {
			t.Errorf("%s: %d characters, %d items", name, n, len(got.Items))
		}
		if took := time.Since(start); isNightly() && took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
