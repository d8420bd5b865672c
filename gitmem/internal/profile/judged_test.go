package profile_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// judgement is a message with the changes that a person would record.
type judgement struct {
	Say    string
	Lang   string
	Expect []expectation
}

type expectation struct{ Op, Kind, Value string }

func (e expectation) String() string { return e.Op + " " + e.Kind + " " + e.Value }

// tally counts right, wrong and missing results; misplaced ones are right except for their path and count as wrong.
type tally struct{ right, wrong, missing, misplaced int }

func (s tally) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s tally) recall() float64    { return float64(s.right) / float64(max(1, s.right+s.missing)) }

func (s tally) String() string {
	return fmt.Sprintf("P %.3f (%d/%d)  R %.3f (%d/%d)  right but for the path %d",
		s.precision(), s.right, s.right+s.wrong, s.recall(), s.right, s.right+s.missing, s.misplaced)
}

// kindPath returns the path of changes of a kind.
func kindPath(kind string) string {
	switch kind {
	case "stack":
		return "codePreferences.preferredStacks"
	case "style", "avoid", "tone", "language":
		return "codePreferences." + kind
	case "tool":
		return "tools.other"
	case "role", "team", "location", "name":
		return "work." + kind
	}
	return "tools." + kind
}

// TestJudgedMessages compares the changes found in messages with a person's judgement. For sealed sets only the counts
// are printed: a rule made for one of their messages would prove nothing.
func TestJudgedMessages(t *testing.T) {
	t.Parallel()
	floors := map[string][2]float64{ // minimum precision and recall
		"dev en": {0.9, 0.56}, "dev de+zh": {0.9, 0.42}, "sealed en": {0.84, 0.41}, "sealed de+zh": {0.73, 0.27},
	}
	files, _ := filepath.Glob("testdata/judged/profile-*.jsonl")
	if len(files) == 0 {
		t.Fatal("no judged messages")
	}
	for _, half := range []string{"dev", "sealed"} {
		byLang, kinds := map[string]*tally{}, map[string]*tally{}
		for _, file := range files {
			if !strings.HasSuffix(file, "-"+half+".jsonl") {
				continue
			}
			set := map[string]*tally{}
			for _, j := range readJudged(t, file) {
				verbose := half == "dev"
				judge(t, j, verbose, count(set, j.Lang), count(byLang, j.Lang), kinds)
			}
			for _, lang := range sortedKeys(set) {
				t.Logf("%s %s: %v", filepath.Base(file), lang, *set[lang])
			}
		}
		for _, lang := range sortedKeys(byLang) {
			t.Logf("%s %s: %v", half, lang, *byLang[lang])
			if floor := floors[half+" "+lang]; byLang[lang].precision() < floor[0] || byLang[lang].recall() < floor[1] {
				t.Errorf("%s %s: %v is below the floor %v", half, lang, *byLang[lang], floor)
			}
		}
		for _, kind := range sortedKeys(kinds) {
			t.Logf("%s kind %-8s %v", half, kind, *kinds[kind])
		}
	}
}

func count(m map[string]*tally, key string) *tally {
	if m[key] == nil {
		m[key] = &tally{}
	}
	return m[key]
}

func sortedKeys(m map[string]*tally) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func readJudged(t *testing.T, file string) []judgement {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []judgement
	for sc := bufio.NewScanner(f); sc.Scan(); {
		j := judgement{Lang: "en"}
		if err := json.Unmarshal(sc.Bytes(), &j); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if j.Lang != "en" {
			j.Lang = "de+zh"
		}
		all = append(all, j)
	}
	return all
}

// judge adds the changes of one message to its tallies.
func judge(t *testing.T, j judgement, verbose bool, set, lang *tally, kinds map[string]*tally) {
	t.Helper()
	left := slices.Clone(j.Expect)
	all := func(kind string, add func(*tally)) { add(set); add(lang); add(count(kinds, kind)) }
	for _, c := range profile.Extract(j.Say) {
		if c.Mentioned {
			continue // it has no value
		}
		at := slices.IndexFunc(left, func(e expectation) bool { return says(c, e) && placed(c, e) })
		if at >= 0 {
			all(left[at].Kind, func(s *tally) { s.right++ })
			left = slices.Delete(left, at, at+1)
			continue
		}
		kind := pathKind(c.Path)
		all(kind, func(s *tally) { s.wrong++ })
		if slices.ContainsFunc(left, func(e expectation) bool { return says(c, e) }) {
			all(kind, func(s *tally) { s.misplaced++ })
		}
		if verbose {
			t.Logf("WRONG %+v\n\t%q\n\twant %v", c, j.Say, j.Expect)
		}
	}
	for _, e := range left {
		all(e.Kind, func(s *tally) { s.missing++ })
		if verbose {
			t.Logf("MISSING %v\n\t%q", e, j.Say)
		}
	}
}

func pathKind(path string) string {
	for _, kind := range []string{"stack", "style", "avoid", "tone", "language", "editor", "shell", "terminal", "os",
		"browser", "tool", "role", "team", "location", "name"} {
		if kindPath(kind) == path {
			return kind
		}
	}
	return "none"
}

// placed reports whether a change has the path of its kind; a removal without a path removes the value at any path.
func placed(c profile.Change, e expectation) bool {
	return c.Path == kindPath(e.Kind) || c.Remove && c.Path == ""
}

func says(c profile.Change, e expectation) bool {
	if c.Remove != (e.Op == "remove") {
		return false
	}
	if profile.Key(c.Value) == profile.Key(e.Value) {
		return true
	}
	switch e.Kind {
	case "style", "avoid", "tone", "role", "team":
		return overlap(c.Value, e.Value) >= 0.5
	}
	return false
}

// overlap returns the share of common words of two texts; each Han character is a word.
func overlap(a, b string) float64 {
	x, y := wordSet(a), wordSet(b)
	common := 0
	for w := range x {
		if y[w] {
			common++
		}
	}
	return float64(common) / float64(max(1, len(x)+len(y)-common))
}

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if unicode.Is(unicode.Han, r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	for _, w := range strings.Fields(b.String()) {
		set[strings.Trim(w, ".,'")] = true
	}
	return set
}
