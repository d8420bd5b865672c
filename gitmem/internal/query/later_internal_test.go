package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
)

// hitOf returns a hit of a source; a document's excerpt is its title, which is a section of a changelog unless it
// begins with a path.
func hitOf(source, title string) Hit {
	id := source + ":CHANGELOG.md#" + strings.NewReplacer(" ", "-", "#", "", ",", "").Replace(title)
	if strings.HasPrefix(title, "docs/") {
		id = source + ":" + title
	}
	if source == "git" {
		id = "git:commit:" + title
	}
	return Hit{Citation: answer.Citation{ID: id, Source: source, Title: title, Excerpt: title}}
}

func TestFoldDocuments(t *testing.T) {
	t.Parallel()
	commit, other := hitOf("git", "Carry ten ampere (#12)"), hitOf("git", "Paint it")
	entry, again := hitOf("docs", "Carry ten ampere, see #12"), hitOf("docs", "The entry of #12 in a second file")
	var sections []Hit
	for n := range 6 {
		sections = append(sections, hitOf("docs", fmt.Sprintf("Section %d", n)))
	}
	first := hitOf("docs", "First section")
	first.first = true
	for _, tt := range []struct {
		name  string
		hits  []Hit
		limit int
		want  string
	}{
		{"an entry of a changelog is its commit", []Hit{entry, commit, again}, 6,
			"Carry ten ampere (#12) + docs:CHANGELOG.md#Carry-ten-ampere-see-12 " +
				"docs:CHANGELOG.md#The-entry-of-12-in-a-second-file"},
		{"a third are documents", append(append([]Hit{}, sections...), commit, other), 3,
			"Section 0, Carry ten ampere (#12), Paint it"},
		{"unless there is nothing else", append([]Hit{commit}, sections...), 4,
			"Carry ten ampere (#12), Section 0, Section 1, Section 2"},
		{"another number is another entry", []Hit{commit, hitOf("docs", "See #123")}, 6, "Carry ten ampere (#12), See #123"},
		{"another document says more", []Hit{commit, hitOf("docs", "docs/relay.md#why: Since #12")}, 6,
			"Carry ten ampere (#12), docs/relay.md#why: Since #12"},
		{"an issue is no pull request", []Hit{hitOf("git", "Fix #7 (#12)"), hitOf("docs", "See #7"), entry}, 6,
			"Fix #7 (#12) + docs:CHANGELOG.md#Carry-ten-ampere-see-12, See #7"},
		{"the first of a query stays", append(slices.Clone(sections[:3]), commit, other, first), 3,
			"Section 0, Carry ten ampere (#12), First section"},
		{"none", nil, 6, ""},
	} {
		var got []string
		for _, h := range foldDocuments(tt.hits, tt.limit) {
			line := h.Title
			if len(h.Also) > 0 {
				line += " + " + strings.Join(h.Also, " ")
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestKeepFirst checks that the first hit of each query is kept in its position, and the others fill the rest.
func TestKeepFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		hits, want string
		limit      int
	}{
		{"a b c d e", "a b c", 3}, {"a b c D e", "a b D", 3}, {"a B c D e", "a B D", 3}, {"a B C", "a", 1},
		{"A B C D e", "A B C", 3}, {"a B", "a B", 3}, {"", "", 3},
	} {
		var hits []Hit
		for name := range strings.FieldsSeq(tt.hits) {
			hits = append(hits, Hit{Citation: answer.Citation{ID: name}, first: strings.ToUpper(name) == name})
		}
		var got []string
		for _, h := range keepFirst(hits, tt.limit) {
			got = append(got, h.ID)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.hits, got, tt.want)
		}
	}
}

func TestLinesWith(t *testing.T) {
	t.Parallel()
	files := []FileChange{{Patch: `--- a/relay.c
+++ b/relay.c
@@ -1,3 +1,4 @@
 int relay_ampere = 5;
-	int relay_ampere = 7;
+	int relay_ampere = 7;
+	/* the relay carries ten ampere */
+	int pump;
+	int relay;
`}, {Patch: "+relay ampere " + strings.Repeat("x ", 200) + "\n+ampere relay two\n+ampere relay three\n"}}
	got := linesWith(files, []string{"relai", "amper", "ten"}, 3)
	want := []string{"-int relay_ampere = 7;", "+/* the relay carries ten ampere */"}
	if len(got) != 3 || !cmp.Equal(got[:2], want) || len([]rune(got[2])) > changedRunes+1 {
		t.Errorf("%q", got)
	}
	if got := linesWith(files, []string{"pump"}, 1); !cmp.Equal(got, []string{"+int pump;"}) {
		t.Errorf("one term: %q", got)
	}
}
