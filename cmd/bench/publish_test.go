package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIntervals(t *testing.T) {
	t.Parallel()
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.0005 {
			t.Errorf("%s: %.4f, want %.4f", name, got, want)
		}
	}
	w := wilson(8, 10)
	near("8 of 10, low", w.Low, 0.4902)
	near("8 of 10, high", w.High, 0.9433)
	w = wilson(0, 20)
	near("0 of 20, low", w.Low, 0)
	near("0 of 20, high", w.High, 0.1611)
	var values []float64
	for i := range 20 {
		values = append(values, float64(20-i))
	}
	// from a table of order statistics: the 6th and the 15th of 20
	if got := medianInterval(values); got != (interval{6, 15}) {
		t.Errorf("of 20: %v", got)
	}
	if got := medianInterval(values[:3]); got != (interval{18, 20}) {
		t.Errorf("of 3: %v", got)
	}
	near("as fast as the square", exponent([]int{10, 20, 40}, []float64{3, 12, 48}), 2)
	if !math.IsNaN(exponent([]int{1, 2, 3}, []float64{1, 0, 1})) {
		t.Error("of nothing there is an exponent")
	}
}

// A page shows what gitmem loses and what was not measured, in the same table as what it wins.
func TestPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var p page
	p.put(section{Name: "speed", Title: "Speed", Commit: "abc", Date: "2026-01-02", Figures: []figure{
		{Name: "a|b", Text: "one | two", Unit: unitMS, Goal: 0.5, Sides: []side{medianOf(measured, []float64{4, 2, 3}),
			medianOf("git", []float64{1}), single("older", number(6), ""), single("FTS5", nil, "no <compiler>")}},
		{Name: "right", Text: "right ones", Unit: unitShare, More: true,
			Sides: []side{shareOf(measured, 90, 100), shareOf("git", 10, 100), shareOf("older", 89, 100)}},
	}})
	p.put(section{Name: "deleted", Title: "Deleted"})
	p.put(section{Name: "retrieval", Title: "Long", Missing: []string{"no file"}})
	if err := p.write(dir); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "README.md"))
	for _, want := range []string{
		`| one \| two | gitmem | 3 ms | 2 ms to 4 ms | 3 |  |  |`,
		`|  | git | 1 ms | 1 ms to 1 ms | 1 | 3.00 | **gitmem loses**; wanted 0.50: missed |`,
		`|  | older | 6 ms |  | 1 | 0.50 | gitmem wins |`, `|  | FTS5 | – |  |  |  | not measured: no <compiler> |`,
		`| right ones | gitmem | 90.0 % | 82.6 % to 94.5 % | 90 of 100 |  |  |`,
		`|  | git | 10.0 % | 5.5 % to 17.4 % | 10 of 100 | 9.00 | gitmem wins |`,
		`| 89 of 100 | 1.01 | even |`, "Not measured: no file\n", "](speed-a-b.svg)", "](speed-right.svg)",
	} {
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%v: no %s in\n%s", err, want, b)
		}
	}
	if long, gone := bytes.Index(b, []byte("## Long")), bytes.Index(b, []byte("## Deleted")); long < 0 || gone < long {
		t.Errorf("the sections are not in their order: %d, %d", long, gone)
	}
	chart, err := os.ReadFile(filepath.Join(dir, "speed-right.svg"))
	if err != nil || !strings.Contains(string(chart), "gitmem 90.0 %, git 10.0 %, older 89.0 %") {
		t.Errorf("%v: %s", err, chart)
	}
	again, err := readPage(dir)
	if err != nil || len(again.Sections) != 3 ||
		again.Sections[0].Figures[0].value(again.Sections[0].Figures[0].Sides[0].Value) != "3 ms" {
		t.Errorf("%v: %+v", err, again)
	}
}

// invented returns a file in LoCoMo's format.
func invented(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "locomo10.json")
	err := os.WriteFile(name, []byte(`[{"sample_id":"conv-1","conversation":{"speaker_a":"Ada","speaker_b":"Ben",
"session_1_date_time":"1:56 pm on 8 May, 2023",
"session_1":[{"speaker":"Ada","dia_id":"D1:1","text":"I bought a purple canoe yesterday."},
{"speaker":"Ben","dia_id":"D1:2","text":"Nice, where will you paddle?"}],
"session_3_date_time":"10:00 am on 9 June, 2023",
"session_3":[{"speaker":"Ben","dia_id":"D3:1","text":"My sister plays the accordion.","blip_caption":"an accordion"}]},
"qa":[{"question":"What colour is the canoe?","evidence":["D1:1"],"category":4},
{"question":"Who plays the accordion?","evidence":["D3:1"],"category":1},
{"question":"Who sold the trombone?","evidence":["D1:1"],"category":5}]}]`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLoCoMo(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(invented(t))
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	of, questions, err := all[0].read(home{dir: t.TempDir()})
	if err != nil || len(of.turns) != 3 || len(questions) != 2 || questions[1].turns[0] != "D3:1" {
		t.Fatalf("%v: %+v, %+v", err, of.turns, questions)
	}
	if last := of.turns[2]; last.Text != "Ben: My sister plays the accordion. [shared a photo: an accordion]" ||
		!last.Answers || last.At.Format("2006-01-02 15:04") != "2023-06-09 10:00" || last.Session == of.turns[0].Session {
		t.Errorf("%+v", last)
	}
	if of.byTime(of.turns[1].Session, of.turns[1].At) != "D1:2" || of.byID("D9:9").session != "" {
		t.Error("turns are not found by their time or id")
	}
}

// TestPublish measures the sections that need little; what is missing is named.
func TestPublish(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	args := []string{"-quick", "-rounds", "1", "-beside", "nosuchcommit", "-out", out, "-dir", t.TempDir()}
	_, errs, err := bench(t, "publish", append(args, "-only", "retrieval,natural,premises,injection,secrets,deleted",
		"-locomo", invented(t))...)
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	p, err := readPage(out)
	if err != nil || len(p.Sections) != 6 {
		t.Fatalf("%v: %d sections", err, len(p.Sections))
	}
	found := map[string]figure{}
	for _, s := range p.Sections {
		if s.Commit == "" || s.Date == "" || !s.Quick {
			t.Errorf("%+v", s)
		}
		for _, f := range s.Figures {
			found[s.Name+" "+f.Name] = f
		}
	}
	if f := found["retrieval turns"]; len(f.Sides) < 7 || f.Sides[0].Part != 2 || f.Sides[0].Of != 2 ||
		!strings.Contains(f.Sides[1].Missing, "nosuchcommit") {
		t.Errorf("%+v", f)
	}
	if f := found["injection unrelated"]; len(f.Sides) == 0 || f.Sides[0].Of != 3 || f.Sides[0].Part != 0 {
		t.Errorf("%+v", f)
	}
	if f := found["secrets open found"]; len(f.Sides) == 0 || f.Sides[0].Of != 5 {
		t.Errorf("%+v", f)
	}
	if f := found["deleted before"]; len(f.Sides) == 0 || f.Sides[0].Part != 2 {
		t.Errorf("%+v", f)
	}
	b, err := os.ReadFile(filepath.Join(out, "README.md"))
	for _, want := range []string{"no clone was named with -repo of pallets/flask, jqlang/jq, ",
		"a quick run installs nothing", "no figures to cite"} {
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%v: no %q in\n%s", err, want, b)
		}
	}
	if err := render(out); err == nil || !strings.Contains(err.Error(), "sizes of a test") {
		t.Errorf("help of a quick run: %v", err)
	}
	if _, _, err := bench(t, "publish", append(args, "-only", "speed", "-repo", "acme/pump="+
		repository(t))...); err != nil {
		t.Fatal(err)
	}
	if p, err = readPage(out); err != nil || len(p.Sections) != 7 || p.Sections[0].Name != "speed" {
		t.Fatalf("%v: %d sections", err, len(p.Sections))
	}
	names := map[string]bool{}
	for _, f := range p.Sections[0].Figures {
		names[f.Name] = true
	}
	for _, want := range []string{"first answer acme/pump", "index cpu acme/pump", "ask acme/pump", "version",
		"post-tool-use", "index 400", "session-start", "fresh", "server memory", "server memory_search"} {
		if !names[want] {
			t.Errorf("no %s in %v", want, names)
		}
	}
}

func TestPublishUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"publish": "-out names a folder", "publish -out x -only fast": "the sections are speed, retrieval",
		"publish -out x -rounds 0": "-rounds is 1 at least", "publish -out x -messages 5": "-messages 1225",
		"publish -peer nobody=x": "expected name=program", "publish -repo jq": "expected name=folder",
		"questions": "bench questions check",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); !errors.Is(err, errUsage) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("bench %s: %v, want %q", args, err, want)
		}
	}
}

// The help topic and the page are generated from the checked-in figures: go run . publish -figures.
func TestFiguresAreWrittenFromTheirJSON(t *testing.T) {
	t.Parallel()
	p, err := readPage("published")
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.help("published")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "templates", "help", "figures.md"))
	if err != nil || !bytes.Equal(want, got) {
		t.Errorf("%v: templates/help/figures.md is not what published/figures.json makes: go run . publish -figures", err)
	}
	for _, line := range strings.Split(string(want), "\n") {
		if len([]rune(line)) > 110 {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
	again := t.TempDir()
	if err := p.write(again); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(again, "*"))
	for _, name := range files {
		a, _ := os.ReadFile(name)
		b, err := os.ReadFile(filepath.Join("published", filepath.Base(name)))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%v: published/%s is not what figures.json makes", err, filepath.Base(name))
		}
	}
}

func TestQuestionsCheck(t *testing.T) {
	t.Parallel()
	if c, err := checkQuestions(filepath.Join("testdata", "questions")); err != nil || c.Open < 216 || c.Sealed < 216 ||
		c.Meaning < 6752 {
		t.Fatalf("%v: %+v", err, c)
	}
	const good = `{"id":"jq-01","repo":"jqlang/jq","question":"why was it dropped?","words":"own","kind":"why",` +
		`"gold":["commit:9a4576e7567d"],"none":false,"reversed":false,"nameless":"","fact":"9a4576e7"}`
	for change, fault := range map[string]string{
		"": "", `"own"|"mine"`: "own, mixed or para", `"jq-01"|"jq"`: "an id is", `"kind":"why"|"kind":""`: "kind and fact",
		`"fact"|"text"`:                    "unknown field",
		`commit:9a4576e7567d|9a4576e7567d`: "commit:<7 to 40", `"reversed":false|"reversed":true`: "none is true",
		`"gold":["commit:9a4576e7567d"],"none":false|"gold":[],"none":false`: "neither gold nor " +
			"none",
		`"none":false,"reversed":false,"nameless":""|"none":true,"reversed":false,"nameless":"zorvax"`: "does not stand",
		`jqlang/jq|jq`: "owner/name",
	} {
		from, to, _ := strings.Cut(change, "|")
		_, err := checkFile([]byte("["+strings.Replace(good, from, to, 1)+"]"), "jq.json", map[string]string{})
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", change, err, fault)
		}
	}
	if _, err := checkFile([]byte("["+good+"]"), "jq.json", map[string]string{"jq-01": "other.json"}); err == nil ||
		!strings.Contains(err.Error(), "other.json") {
		t.Errorf("an id twice: %v", err)
	}
	if !json.Valid(schemaFile(t)) {
		t.Error("schema.json is no JSON")
	}
}

func schemaFile(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "questions", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSealedQuestionsAreUnchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "questions"))); err != nil {
		t.Fatal(err)
	}
	if err := checkSums(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "sealed", "caddy.json")
	b, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(b, '\n'), 0o600)
	}
	if got := checkSums(dir); err != nil || got == nil ||
		!strings.Contains(got.Error(), "sealed/caddy.json: it is sealed") {
		t.Errorf("%v: %v", err, got)
	}
}
