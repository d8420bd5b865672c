package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

// sample is the payload of a client for a hook at some event.
type sample struct{ hook, event, name, text string }

// hookSamples reads the samples and inserts the fixture's paths. A hook that only this program calls gets the
// payload of a session end, and must print nothing.
func hookSamples(d *desk, transcript string) []sample {
	d.tb.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "hooks", "*.json"))
	d.check(err)
	var all []sample
	for _, name := range files {
		b, err := os.ReadFile(name)
		d.check(err)
		text := strings.NewReplacer("REPO", quoted(d.repo), "TRANSCRIPT", quoted(transcript), "SESSION",
			deskSession).Replace(string(b))
		var p hook.Payload
		d.check(json.Unmarshal([]byte(text), &p))
		which, _, _ := strings.Cut(filepath.Base(name), ".")
		all = append(all, sample{which, p.Event, filepath.Base(name), text})
	}
	end := slices.IndexFunc(all, func(s sample) bool { return s.hook == "session-end" })
	for _, name := range hook.Names() {
		if !slices.ContainsFunc(all, func(s sample) bool { return s.hook == name }) {
			all = append(all, sample{name, "", name, all[end].text})
		}
	}
	for _, r := range hook.Registered("claude") {
		if !slices.ContainsFunc(all, func(s sample) bool { return s.hook == r.Name && s.event == r.Event }) {
			d.tb.Errorf("no sample of %s for %s", r.Event, r.Name)
		}
	}
	return all
}

// quoted returns a text as the content of a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// mutator changes payloads at random.
type mutator struct {
	rng     *rand.Rand
	strings []string // strings that have a meaning somewhere
}

func newMutator(d *desk, seed uint64) *mutator {
	return &mutator{rand.New(rand.NewPCG(seed, 41)), []string{
		"", " ", "\x00", "..", "../../../etc/passwd", "/", "C:\\", "~", "-rf", "--help", "\n## injected ^s-12345678\n",
		"</system-reminder>",
		d.repo, d.home, filepath.Join(d.home, ".claude"), filepath.Join(d.home, "missing"),
		filepath.Join(d.repo, "parser.go"), os.DevNull, "/dev/zero",
		"Which relay does the pump need?", "why did we drop Redis?", "ok", "継電器は何アンペアですか",
		"\u202e\u0301\U0001F600", "\xff\xfe",
		"AKIAIOSFODNN7EXAMPLE", "password=hunter2hunter2", "<private>a</private>", strings.Repeat("relay ", 20_000),
		strings.Repeat("x", 200_000),
		"PostToolUse", "SessionStart", "UserPromptSubmit", "Stop", "startup", "resume", "compact", deskSession,
		"00000000-0000-4000-8000-000000000000",
	}}
}

func pick[T any](m *mutator, from []T) T { return from[m.rng.IntN(len(from))] }

// mutate changes a payload one to three times.
func (m *mutator) mutate(text string) string {
	for range 1 + m.rng.IntN(3) {
		if m.rng.IntN(3) > 0 {
			text = m.restructure(text)
		} else {
			text = m.scramble(text)
		}
	}
	return text
}

// restructure replaces, removes or adds a field; the result is valid JSON.
func (m *mutator) restructure(text string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil || len(fields) == 0 {
		return m.scramble(text)
	}
	within := fields
	keys := sortedKeys(within)
	key := pick(m, keys)
	if nested, ok := within[key].(map[string]any); ok && len(nested) > 0 && m.rng.IntN(2) == 0 {
		within, key = nested, pick(m, sortedKeys(nested))
	}
	switch m.rng.IntN(8) {
	case 0:
		delete(within, key)
	case 1:
		within[strings.ToUpper(key)] = within[key]
	case 2:
		within[pick(m, []string{"session_id", "agent_id", "agent_type", "stop_hook_active", "prompt", "source",
			"compact_summary"})] = m.value()
	default:
		within[key] = m.value()
	}
	b, err := json.Marshal(fields)
	if err != nil {
		return text
	}
	return string(b)
}

func sortedKeys(fields map[string]any) []string {
	var keys []string
	for k := range fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (m *mutator) value() any {
	switch m.rng.IntN(12) {
	case 0:
		return nil
	case 1:
		return m.rng.IntN(2) == 0
	case 2:
		return pick(m, []any{0, -1, 1.5e300, 1 << 53})
	case 3:
		return []any{pick(m, m.strings), nil, map[string]any{"type": "text", "text": pick(m, m.strings)}}
	case 4:
		return map[string]any{"file_path": pick(m, m.strings), "command": pick(m, m.strings)}
	}
	return pick(m, m.strings)
}

// scramble changes bytes; the result is usually not valid JSON.
func (m *mutator) scramble(text string) string {
	if text == "" {
		return pick(m, []string{"null", "[]", "{", `{"session_id":`, `"`, "\x00"})
	}
	from := m.rng.IntN(len(text))
	to := min(len(text), from+1+m.rng.IntN(40))
	switch m.rng.IntN(8) {
	case 0:
		return text[:from]
	case 1:
		return text[from:]
	case 2:
		return text[:from] + text[to:]
	case 3:
		return text[:to] + text[from:]
	case 4:
		return text[:from] + string([]byte{byte(m.rng.IntN(256))}) + text[to:]
	case 5:
		return text[:from] + strings.Repeat(pick(m, []string{"[", `{"a":`, `"`, `\u0000`, "\xff", "}"}),
			1+m.rng.IntN(30_000)) + text[from:]
	case 6:
		return text + text
	}
	return ""
}

// maxReply is how many characters of a reply reach the model.
const maxReply = 10_000

// judgeReply returns what a client would not accept, or "": a reply must be empty, or JSON for an event that
// accepts it, and must never stop anybody.
func judgeReply(event string, out []byte) string {
	if len(out) == 0 {
		return ""
	}
	var reply struct {
		Message  *string `json:"systemMessage"`
		Specific *struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.DisallowUnknownFields()
	err := dec.Decode(&reply)
	switch {
	case err != nil:
		return fmt.Sprintf("no reply that a client knows: %v: %.200q", err, out)
	case dec.More() || !utf8.Valid(out):
		return fmt.Sprintf("more than one reply: %.200q", out)
	case event == "":
		return fmt.Sprintf("nobody reads this: %.200q", out)
	case reply.Specific == nil:
		return ""
	case reply.Specific.Event != event:
		return fmt.Sprintf("a reply to %q at %q", reply.Specific.Event, event)
	case event != "SessionStart" && event != "UserPromptSubmit":
		return fmt.Sprintf("words for the model at %s make it go on or are lost: %.200q", event, out)
	case utf8.RuneCountInString(reply.Specific.Context) > maxReply:
		return "more words than reach the model"
	}
	return ""
}

// hookBench is a store with recorded data, whose hooks run in this process.
type hookBench struct {
	*desk
	transcript string
}

func newHookBench(t testing.TB) *hookBench {
	t.Helper()
	d := newDesk(t)
	b := &hookBench{d, filepath.Join(d.home, ".claude", "projects", "-w-repo", deskSession+".jsonl")}
	d.write("repo/docs/relay.md", "# Relay\n\nThe pump needs a relay of ten ampere.\n")
	agent := strings.ReplaceAll(deskTranscript(d.repo), `"sessionId"`,
		`"isSidechain":true,"agentId":"a41c7be0d2f95e630","sessionId"`)
	d.write("home/.claude/projects/-w-repo/"+deskSession+".jsonl.agent", agent)
	const old = "11111111-18be-494e-9c54-6e697febc51c"
	past := strings.ReplaceAll(strings.ReplaceAll(deskTranscript(d.repo), deskSession, old), "Choose a relay for the pump",
		"Measure what the relay of the pump carries")
	d.write("home/.claude/projects/-w-repo/"+old+".jsonl", past)
	for _, args := range [][]string{{"init"}, {"note", "The relay of the pump must carry ten ampere"}, {"index"}} {
		if r := d.run("", args...); r.code != 0 {
			t.Fatalf("gitmem %q: %+v", args, r)
		}
	}
	return b
}

// inProcess runs a hook in this process, which can't start background processes.
func (b *hookBench) inProcess(name, stdin string) (out, errs []byte, took time.Duration) {
	var stdout, stderr bytes.Buffer
	env := map[string]string{"TMPDIR": filepath.Dir(b.repo)}
	now, err := time.Parse(time.RFC3339, "2026-11-20T12:00:00Z")
	b.check(err)
	a := &app{
		in: strings.NewReader(stdin), out: &stdout, err: &stderr, dir: b.repo, home: b.home,
		cache: filepath.Join(filepath.Dir(b.repo), "cache"),
		temp:  filepath.Dir(b.repo), machine: "bench", getenv: func(k string) string {
			return env[k]
		}, now: func() time.Time { return now },
		name: "gitmem", program: func() (string, error) {
			return "", errors.New("not in a test")
		}, environ: func() []string { return nil },
	}
	began := time.Now()
	if code := a.run(b.tb.Context(), []string{"hook", name}); code != exitOK {
		b.tb.Errorf("hook %s exits %d", name, code)
	}
	return stdout.Bytes(), stderr.Bytes(), time.Since(began)
}

// panics returns the panics in traces.
func (b *hookBench) panics() []string {
	var found []string
	files, err := filepath.Glob(filepath.Join(b.home, ".claude", "gitmem", ".index", "trace", "*.jsonl"))
	b.check(err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		b.check(err)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `"detail":"panic`) || strings.Contains(line, "panic: ") {
				found = append(found, line)
			}
		}
	}
	return found
}

// TestMutations: for any change to the client's payload, a hook exits 0 and prints nothing or what the client
// accepts. More of them, with another seed: go test ./cmd/gitmem -run Mutations$ -mutations 20000 -seed 7
func TestMutations(t *testing.T) {
	t.Parallel()
	n := numberFlag(t, "mutations")
	b := newHookBench(t)
	samples := hookSamples(b.desk, b.transcript)
	m := newMutator(b.desk, uint64(numberFlag(t, "seed")))
	slowest := map[string]time.Duration{}
	replies := 0
	for i := range n + len(samples) {
		s := samples[i%len(samples)]
		text := s.text
		if i >= len(samples) { // first each of them unchanged
			text = m.mutate(text)
		}
		out, errs, took := b.inProcess(s.hook, text)
		if complaint := judgeReply(s.event, out); complaint != "" {
			t.Errorf("%s, number %d: %s\n%.300q", s.name, i, complaint, text)
		}
		if len(errs) > 0 {
			t.Errorf("%s, number %d: standard error %.300q\n%.300q", s.name, i, errs, text)
		}
		if len(out) > 0 {
			replies++
		}
		slowest[s.hook] = max(slowest[s.hook], took)
	}
	for _, line := range b.panics() {
		t.Errorf("a bug: %.600s", line)
	}
	t.Logf("%d runs, %d of them told something, slowest %v", n+len(samples), replies, slowest)
	if r := b.run("", "doctor"); r.code != 0 || strings.Contains(r.out, "!!") {
		t.Errorf("the store is not sound afterwards: exit %d\n%s%s", r.code, r.out, r.err)
	}
}
