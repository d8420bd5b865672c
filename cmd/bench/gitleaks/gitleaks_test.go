// Package gitleaks_test checks gitmem with the rules of gitleaks, which knows the credentials of some two
// hundred vendors. Texts are generated from the regular expression of each rule; those in which gitleaks
// finds a secret become messages of a transcript, and the output of the built program must contain no such
// secret.
//
//	go test ./gitleaks -v
//
// GITMEM_BIN is the path of the program; without it, the one of this checkout is built. GITMEM_SEED and
// GITMEM_DRAWS (10) select the texts and their number.
package gitleaks_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

// sample is a text in which a rule of gitleaks finds a secret.
type sample struct{ rule, text, secret string }

func TestNothingThatGitleaksFindsIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of some thousand texts")
	}
	program := gitmem(t)
	for _, plain := range []bool{true, false} {
		samples, rules := draw(t, plain)
		missed := survivors(t, program, samples)
		count := map[string]int{}
		for _, s := range missed {
			count[s.rule]++
			t.Logf("%s: %q", s.rule, s.text)
		}
		t.Logf("plain=%v: %d rules, %d texts, %d missed", plain, rules, len(samples), len(missed))
		for _, rule := range slices.Sorted(keys(count)) {
			if _, known := refused[rule]; !known && plain {
				t.Errorf("%s: %d missed", rule, count[rule])
			}
		}
	}
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// refused are the rules that gitmem does not follow, and why.
var refused = map[string]string{
	"asana-client-id":       "a public id",
	"discord-client-id":     "a public id",
	"linkedin-client-id":    "a public id",
	"looker-client-id":      "a public id",
	"messagebird-client-id": "a public id",
	"plaid-client-id":       "a public id",
	"sendbird-access-id":    "a public id",
	"sumologic-access-id":   "a public id",
	"sidekiq-sensitive-url": "the password is redacted; the half that survives is the user's name " +
		"before it",
	"jwt":                                    "what is drawn is no JSON in base64, which every real token is",
	"jwt-base64":                             "what is drawn is no JSON in base64, which every real token is",
	"private-key":                            "what is drawn between the lines is no base64, and they are no lines",
	"kubernetes-secret-yaml":                 "what is drawn is one line, which is no YAML",
	"aws-amazon-bedrock-api-key-short-lived": "it knows the beginning only, which is the same for all",
	"sourcegraph-access-token":               "it takes any SHA-1 in a text with its word",
	"vault-service-token": "s. and 24 small letters may be any word; real ones have letters of both " +
		"cases",
	"nytimes-access-token": "a comma it has in the vendor's name by mistake",
	"curl-auth-user": "users and passwords drawn of blanks, quotes and signs, which no shell " +
		"takes for one argument",
	"curl-auth-header":      "headers named Key alone, or with values of words and dots",
	"freemius-secret-key":   "a quote drawn into the value ends it",
	"nuget-config-password": "a quote drawn into the value ends it",
	"hashicorp-tf-password": "a word and a comma before any word in quotes, as in a list of names",
}

// draw generates texts for each rule except the generic one.
func draw(t *testing.T, plain bool) (samples []sample, rules int) {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	seed, wanted := number("GITMEM_SEED", 1), number("GITMEM_DRAWS", 10)
	for i, id := range slices.Sorted(func(yield func(string) bool) {
		for id := range d.Config.Rules {
			if !yield(id) {
				return
			}
		}
	}) {
		rule := d.Config.Rules[id]
		if rule.Regex == nil || id == "generic-api-key" {
			continue
		}
		rules++
		from := drawer{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(i))), plain: plain}
		file, got := "", 0
		if rule.Path != nil {
			if file, err = from.text(rule.Path.String()); err != nil {
				t.Fatal(id, err)
			}
		}
		for tries := 0; got < wanted && tries < 50*wanted; tries++ {
			text, err := from.text(rule.Regex.String())
			if err != nil {
				t.Fatal(id, err)
			}
			if !slices.ContainsFunc(rule.Keywords, func(word string) bool {
				return strings.Contains(strings.ToLower(text), word)
			}) {
				text = rule.Keywords[0] + "\n" + text
			}
			found := d.Detect(detect.Fragment{Raw: text, FilePath: file})
			if n := slices.IndexFunc(found, func(f report.Finding) bool { return f.RuleID == id }); n >= 0 {
				samples = append(samples, sample{id, text, found[n].Secret})
				got++
			}
		}
		if got < wanted {
			t.Logf("%s: %d texts only", id, got)
		}
	}
	return samples, rules
}

func number(name string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return otherwise
	}
	return n
}

// gitmem returns the path of the program.
func gitmem(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("GITMEM_BIN"); program != "" {
		return program
	}
	program := filepath.Join(t.TempDir(), "gitmem")
	build := exec.Command("go", "build", "-o", program, "./cmd/gitmem")
	build.Dir = filepath.Join("..", "..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// survivors returns the samples whose secret, or half of it, appears in the program's output.
func survivors(t *testing.T, program string, samples []sample) []sample {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for i, s := range samples {
		err := e.Encode(map[string]any{"type": "user", "sessionId": "s", "uuid": fmt.Sprint(i),
			"timestamp": "2026-01-02T03:04:05Z", "cwd": "/w",
			"message": map[string]any{"role": "user", "content": s.text}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	missed := make([]bool, len(samples))
	var done sync.WaitGroup
	for worker := range 2 {
		done.Go(func() {
			for i := worker; i < len(samples); i += 2 {
				missed[i] = survives(t, program, home, i+1, samples[i].secret)
			}
		})
	}
	done.Wait()
	var out []sample
	for i, s := range samples {
		if missed[i] {
			out = append(out, s)
		}
	}
	return out
}

func survives(t *testing.T, program, home string, line int, secret string) bool {
	show := exec.Command(program, "show", "--json", "transcript:s:"+strconv.Itoa(line))
	show.Dir = home
	show.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := show.Output()
	var shown struct{ Text string }
	if err := cmp.Or(err, json.Unmarshal(out, &shown)); err != nil {
		t.Errorf("message %d: %v", line, err)
		return true
	}
	if half := len(secret) / 2; half >= 8 {
		return strings.Contains(shown.Text, secret[:half]) || strings.Contains(shown.Text, secret[half:])
	}
	return strings.Contains(shown.Text, secret)
}
