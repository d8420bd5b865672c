package search_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func TestPhraseIn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		phrase, text string
		want         bool
	}{
		{"exact words", "these are the exact words.", true},
		{"exact words", "words exact", false},
		{"exact words", "exact other words", false},
		{"exact words", "EXACT\n  **words**", true},
		{"exact words", "exact wording", false},
		{"decided to", "we have decided to go", true},
		{"decided to", "we decide to go", false},
		{"café au lait", "Cafe au Lait", true},
		{"don't panic", "Don’t panic!", true},
		{"Ann book", "Ann's book", false},
		{"Ann's book", "Ann’s book", true},
		{"long term", "a long-term plan", true},
		{"long-term", "a long term plan", false},
		{"err != nil", "if err != nil {", true},
		{"err != nil", "if err == nil {", false},
		{"err nil", "if err == nil {", true},
		{"internal/search", "see gitmem/internal/search/query.go", true},
		{"query.go", "see gitmem/internal/search/query.go", true},
		{"foo_bar", "call foo_bar()", true},
		{"foo bar", "call foo_bar()", true},
		{"parse header", "call parseHeader()", false},
		{"parseHeader", "call parseheader()", true},
		{"parseHeader", "call header()", false},
		{"to be or not", "To be, or not to be", true},
		{"データ構造", "このデータ構造は", true},
		{"データ構造", "構造データ", false},
		{"猫", "黒猫が", true},
		{"v1.2", "since v1.2 it", true},
		{"ann@example.org", "mail ann@example.org now", true},
		{"example", "mail ann@example.org now", true},
		{"#123", "fixes #123", true},
		{"C++ code", "the C++ code", true},
		{"==", "a == b", true},
		{"==", "a = b", false},
		{"a && b", "if a && b", true},
		{"x x y", "x x x y", true},
	}
	for _, tt := range tests {
		p := search.NewPhrase(tt.phrase, false)
		if got := p.In(tt.text); got != tt.want {
			t.Errorf("%q in %q: %v, want %v", tt.phrase, tt.text, got, tt.want)
		}
		if !tt.want {
			continue
		}
		// A text with a phrase must have its terms, or the index would not find it.
		have := index.Terms(tt.text)
		for _, term := range p.Terms() {
			if !slices.Contains(have, term) {
				t.Errorf("%q holds %q but not its term %q", tt.text, tt.phrase, term)
			}
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	texts := []string{"pump a", "b pump", "the pump a b", "pump, a", "pump a valve"}
	var hits []search.Hit
	for i := range texts {
		hits = append(hits, search.Hit{Row: i})
	}
	read := func(h search.Hit) ([]string, error) { return []string{"title", texts[h.Row]}, nil }
	phrases := func(not bool, said ...string) (out []search.Phrase) {
		for _, s := range said {
			out = append(out, search.NewPhrase(s, not))
		}
		return out
	}
	tests := []struct {
		name         string
		phrases      []search.Phrase
		limit, bound int
		want         []int
		checked      int
		more         bool
	}{
		{"in rank order until the limit", phrases(false, "pump a"), 2, 10, []int{0, 2}, 3, false},
		{"all", phrases(false, "pump a"), 10, 10, []int{0, 2, 3, 4}, 5, false},
		{"the bound ends it", phrases(false, "pump a valve"), 10, 3, nil, 3, true},
		{"two phrases", phrases(false, "pump a", "a b"), 10, 10, []int{2}, 5, false},
		{"without a phrase", phrases(true, "pump a"), 10, 10, []int{1}, 5, false},
	}
	for _, tt := range tests {
		v, err := search.Verify(hits, tt.phrases, tt.limit, tt.bound, read)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, h := range v.Hits {
			got = append(got, h.Row)
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" || v.Checked != tt.checked || v.More != tt.more {
			t.Errorf("%s: checked %d, more %v (-want +got):\n%s", tt.name, v.Checked, v.More, diff)
		}
	}
	broken := errors.New("broken")
	if _, err := search.Verify(hits, phrases(false, "a"), 1, 1, func(search.Hit) ([]string, error) {
		return nil, broken
	}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

// Phrases are found through the index: their words are required there.
func TestPhraseNarrowsRun(t *testing.T) {
	t.Parallel()
	snap := machines(t)
	for said, want := range map[string]string{"pump clicks": "b", "the pump": "abcd", "zorvax pump": "", "==": "abcde"} {
		res, err := search.Run(t.Context(), []*index.Snapshot{snap},
			search.Query{Phrases: []search.Phrase{search.NewPhrase(said, false)}})
		if err != nil {
			t.Fatal(err)
		}
		got := ids(res.Hits)
		slices.Sort(got)
		if strings.Join(got, "") != want {
			t.Errorf("%q: hits %v, want %s", said, got, want)
		}
	}
}

func FuzzPhrase(f *testing.F) {
	f.Add("exact words", "these are the exact words")
	f.Add("a-b_c.d", "x a-b_c.d y")
	f.Add("データ構造 x", "このデータ構造 x は")
	f.Add("ー", "㯮データ構造0は")
	f.Add("猫", "黒猫が")
	f.Fuzz(func(t *testing.T, said, text string) {
		p := search.NewPhrase(said, false)
		if !p.In(said) {
			t.Errorf("%q is not in itself", said)
		}
		if p.In(text) && len(p.Terms()) > 0 {
			have := index.Terms(text)
			for _, term := range p.Terms() {
				if !slices.Contains(have, term) {
					t.Errorf("%q holds %q but not its term %q", text, said, term)
				}
			}
		}
	})
}
