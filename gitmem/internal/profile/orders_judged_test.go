package profile_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// orderJudgement is a message with the orders that a person finds in it.
type orderJudgement struct {
	Say    string
	Expect []expectedOrder
}

type expectedOrder struct{ Order, Scope string }

// orderTally counts orders, and the right ones with the right scope.
type orderTally struct {
	tally
	scoped int
}

// TestJudgedOrders compares the orders found in messages with a person's judgement. For sealed sets only the counts are
// printed, as in [TestJudgedMessages].
func TestJudgedOrders(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/judged/orders-*.jsonl")
	if len(files) == 0 {
		t.Fatal("no judged messages")
	}
	for _, file := range files {
		dev := strings.HasSuffix(file, "-dev.jsonl")
		byLang := map[string]*orderTally{"all": {}, "en": {}, "de": {}, "zh": {}}
		for _, j := range readOrders(t, file) {
			judgeOrders(t, j, dev, byLang["all"], byLang[languageOf(j.Say)])
		}
		for _, lang := range []string{"en", "de", "zh", "all"} {
			c := byLang[lang]
			t.Logf("%s %-3s P %.3f (%d/%d)  R %.3f (%d/%d)  scope %d/%d", filepath.Base(file), lang,
				c.precision(), c.right, c.right+c.wrong, c.recall(), c.right, c.right+c.missing, c.scoped, c.right)
		}
		if all := byLang["all"]; all.precision() < 0.95 || all.recall() < 0.7 || all.scoped*10 < all.right*9 {
			t.Errorf("%s: below the floor", filepath.Base(file))
		}
	}
}

func readOrders(t *testing.T, file string) []orderJudgement {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []orderJudgement
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var j orderJudgement
		if err := json.Unmarshal(sc.Bytes(), &j); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, j)
	}
	return all
}

// languageOf guesses the language of a message, which the set does not record.
func languageOf(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains([]string{"der", "das", "und", "nicht", "ich", "wir", "immer", "keine", "wird", "ist", "den", "mir",
			"bitte", "auf", "nie"}, w) {
			return "de"
		}
	}
	return "en"
}

// judgeOrders adds the orders of one message to tallies.
func judgeOrders(t *testing.T, j orderJudgement, verbose bool, tallies ...*orderTally) {
	t.Helper()
	left := slices.Clone(j.Expect)
	add := func(count func(*orderTally)) {
		for _, c := range tallies {
			count(c)
		}
	}
	for _, o := range profile.Orders(j.Say) {
		at := slices.IndexFunc(left, func(e expectedOrder) bool { return sameOrder(o.Text, e.Order) })
		if at < 0 {
			add(func(c *orderTally) { c.wrong++ })
			if verbose {
				t.Logf("WRONG %+v\n\t%q", o, j.Say)
			}
			continue
		}
		add(func(c *orderTally) { c.right++ })
		if (left[at].Scope == "person") == o.Person {
			add(func(c *orderTally) { c.scoped++ })
		} else if verbose {
			t.Logf("SCOPE %+v\n\t%q", o, j.Say)
		}
		left = slices.Delete(left, at, at+1)
	}
	for _, e := range left {
		add(func(c *orderTally) { c.missing++ })
		if verbose {
			t.Logf("MISSING %+v\n\t%q", e, j.Say)
		}
	}
}

// sameOrder reports whether half of the words are common to two texts, or one contains the other and is at most twice
// as long.
func sameOrder(a, b string) bool {
	x, y := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	holds := strings.Contains(a, b) || strings.Contains(b, a)
	return overlap(a, b) >= 0.5 || holds && 2*min(x, y) >= max(x, y)
}
