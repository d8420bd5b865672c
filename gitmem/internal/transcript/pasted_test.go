package transcript_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/gitmem/internal/linear/lineartest"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/templates"
)

// writtenPrompt is a prompt that was written for the models, part by part: typed and pasted text.
type writtenPrompt struct {
	Kind  string
	Parts []struct{ By, Text string }
}

// lines returns the lines of the prompt, each with its class: 0 for a typed one, 1 for a pasted one, and -1 for a mixed
// or empty one.
func (p writtenPrompt) lines() (lines []string, classes []int) {
	var text strings.Builder
	var pasted []bool // by byte
	for _, part := range p.Parts {
		text.WriteString(part.Text)
		for range len(part.Text) {
			pasted = append(pasted, part.By == "pasted")
		}
	}
	at := 0
	for line := range strings.SplitSeq(text.String(), "\n") {
		var bytes [2]int // typed and pasted bytes
		for i, b := range []byte(line) {
			if b <= ' ' {
				continue
			}
			if pasted[at+i] {
				bytes[1]++
			} else {
				bytes[0]++
			}
		}
		at += len(line) + 1
		const most = 4 // maximum ratio of bytes to those of the other class
		class := -1
		if bytes[0] > most*bytes[1] {
			class = 0
		} else if bytes[1] > most*bytes[0] {
			class = 1
		}
		lines, classes = append(lines, line), append(classes, class)
	}
	return lines, classes
}

// examples returns the lines of a prompt that are suitable for training.
func (p writtenPrompt) examples() (list []lineartest.Example) {
	lines, classes := p.lines()
	for i, features := range transcript.LineFeatures(lines) {
		if features != nil && classes[i] >= 0 {
			list = append(list, lineartest.Example{Features: features, Class: classes[i]})
		}
	}
	return list
}

func writtenPrompts(t *testing.T) (list []writtenPrompt) {
	t.Helper()
	for line := range strings.Lines(testdata(t, "prompts-train.jsonl")) {
		var p writtenPrompt
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// joined returns prompts that are combinations of others: a short message with a pasted text after or before it, and
// several short messages. The written prompts were made to be hard, and have few such.
func joined(t *testing.T, prompts []writtenPrompt) (list []writtenPrompt) {
	t.Helper()
	chance := rand.New(rand.NewPCG(2, 2))
	var short []string
	for line := range strings.Lines(testdata(t, "../../profile/testdata/orders-train.jsonl")) {
		var parts [2]json.RawMessage
		var text string
		if json.Unmarshal([]byte(line), &parts) != nil || json.Unmarshal(parts[0], &text) != nil {
			t.Fatal(line)
		}
		short = append(short, strings.TrimSpace(text))
	}
	breaks := func() string { return "\n\n"[chance.IntN(2):] }
	typed := func() (text string) {
		for range 1 + chance.IntN(3) {
			text += short[chance.IntN(len(short))] + breaks()
		}
		return text
	}
	for _, p := range prompts {
		var made writtenPrompt
		for _, part := range p.Parts {
			if part.By == "pasted" && strings.Contains(strings.TrimSpace(part.Text), "\n") {
				part.Text = strings.Trim(part.Text, "\n") + "\n\n"
				made.Parts = append(made.Parts, part)
			}
		}
		made.Parts = slices.Insert(made.Parts, chance.IntN(len(made.Parts)+1), struct{ By, Text string }{"typed", typed()})
		list = append(list, made)
	}
	return list
}

// teachPasted trains the model of pasted lines.
func teachPasted(t *testing.T, prompts []writtenPrompt) string {
	t.Helper()
	prompts = slices.Concat(prompts, joined(t, prompts))
	var all []lineartest.Example
	for _, p := range prompts {
		all = append(all, p.examples()...)
	}
	chance := rand.New(rand.NewPCG(1, 1))
	return lineartest.Train([]string{"typed", "pasted"}, all, 4, func() bool { return chance.Float64() < hidden })
}

// TestPastedModel checks that the built-in model is the one trained on the written prompts.
func TestPastedModel(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns for seconds")
	}
	t.Parallel()
	if err := lineartest.Check(*update, "pasted", templates.Pasted(), teachPasted(t, writtenPrompts(t))); err != nil {
		t.Error(err)
	}
}

// TestPastedUnseen measures how many lines a model classifies correctly in prompts that it was not trained on. Many of
// them were written to be misclassified.
func TestPastedUnseen(t *testing.T) {
	if testing.Short() {
		t.Skip("it learns for seconds")
	}
	t.Parallel()
	var count [2][2]int // by class: classified as typed, as pasted
	for learnt, unseen := range lineartest.Fifths(writtenPrompts(t)) {
		m, err := linear.Parse(teachPasted(t, learnt))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range unseen {
			for _, e := range p.examples() {
				taken := 0
				if m.Predict(e.Features)[1] >= transcript.PastedFrom {
					taken = 1
				}
				count[e.Class][taken]++
			}
		}
		break // one fifth suffices
	}
	typed, pasted := count[0], count[1]
	t.Logf("typed taken for pasted: %s; pasted taken for typed: %s", ratio(typed[1], typed[0]+typed[1]),
		ratio(pasted[0], pasted[0]+pasted[1]))
	if 100*typed[1] > 27*(typed[0]+typed[1]) || 100*pasted[0] > 10*(pasted[0]+pasted[1]) {
		t.Error("worse than was found")
	}
}

func TestTypedLines(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"Never use malloc in this repo, it fragments.\n\n14:22:10 error: relay.h: No such file or directory\n" +
			"14:22:11 make: *** [all] Error 2": "Never use malloc in this repo, it fragments.\n\n\n",
		"why red?\n14:22:10 error: relay.h: No such file or directory\n14:22:11 " +
			"Always run setup.sh before you build.": "why red?\n\n",
		"ok, now do this:\n- rename foo to bar\n- run the tests again": "" +
			"ok, now do this:\n- rename foo to bar\n- run the tests again",
		// a fence is enough
		"look\n```\nrm -rf build\n```\nwhat does it do?": "look\n```\nrm -rf build\n```\nwhat does it do?",
		"2026-01-19 08:41:07 ERROR out of memory":        "2026-01-19 08:41:07 ERROR out of memory",
		"": "",
	} {
		if got := transcript.Typed(prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

func BenchmarkTyped(b *testing.B) {
	prompt := strings.Repeat("please look at reader.go, it drops the last row when there is no newline\n", 8)
	transcript.Typed(prompt)
	for b.Loop() {
		transcript.Typed(prompt)
	}
}
