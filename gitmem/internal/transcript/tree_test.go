package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

// line returns a record for "uuid<parent kind", where a parent - is none, ? is unknown, and the kinds are p for a
// prompt, a for an answer, r for a tool's result, m for a meta record.
func line(record string) string {
	uuid, rest, _ := strings.Cut(record, "<")
	parent, kind, _ := strings.Cut(rest, " ")
	parts := []string{fmt.Sprintf(`"uuid":%q`, uuid)}
	switch parent {
	case "-":
		parts = append(parts, `"parentUuid":null`)
	case "?":
	default:
		parts = append(parts, fmt.Sprintf(`"parentUuid":%q`, parent))
	}
	parts = append(parts, map[string]string{
		"p": `"type":"user","message":{"content":"go on"}`, "a": `"type":"assistant","message":{"content":"\"uuid\":\"x\""}`,
		"r": `"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}`,
		"m": `"type":"user","isMeta":true,"message":{"content":"x"}`,
	}[kind])
	return "{" + strings.Join(parts, ",") + "}\n"
}

func TestTakenBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, records string
		want          []int // lines that were taken back
	}{
		{"no branches", "1<- p,2<1 a,3<2 p,4<3 a", nil},
		{"back once", "1<- p,2<1 a,3<2 p,4<3 a,5<2 p,6<5 a", []int{3, 4}},
		{"back twice to one place", "1<- p,2<1 a,3<2 p,4<2 p,5<4 a,6<2 p", []int{3, 4, 5}},
		{"back within what is taken back", "1<- p,2<1 a,3<2 p,4<3 a,5<4 p,6<4 p,7<2 p", []int{3, 4, 5, 6}},
		{"back to the beginning", "1<- p,2<1 a,3<- p,4<3 a", []int{1, 2}},
		{"a second window goes on", "1<- p,2<1 a,3<2 p,4<3 a,5<2 p,6<4 p", nil},
		{"results of parallel tools", "1<- p,2<1 a,3<2 a,4<2 r,5<3 r,6<5 a,7<6 p", nil},
		{"a meta record beside", "1<- p,2<1 a,3<2 a,4<3 r,5<2 m,6<4 a", nil},
		{"the parent is missing", "1<- p,2<1 a,3<x p,4<3 a,5<y p", nil},
		{"no parents are named", "1<? p,2<? a,3<? p", nil},
		{"a circle", "1<2 p,2<1 a,3<2 p,4<1 p", nil},
		{"a child before its parent", "2<1 a,1<- p,3<2 p,4<2 p", []int{3}},
		{"the same record again", "1<- p,2<1 a,1<- p,3<2 p", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			records := strings.Split(tt.records, ",")
			var b strings.Builder
			for _, r := range records {
				b.WriteString(line(r))
			}
			tree, whole, err := transcript.ReadTree(strings.NewReader(b.String()), transcript.Position{}, "")
			if err != nil || !whole {
				t.Fatal(whole, err)
			}
			var got []int
			for n := range len(records) {
				if tree.TakenBack(n + 1) {
					got = append(got, n+1)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if again := strings.Contains(tt.name, "again"); tree.HoldsAll() != (!again && len(tt.want) == 0) {
				t.Errorf("%+v", tree)
			}
		})
	}
}

// TestTreeOfATail checks that reading after a position reports whether the result depends on earlier records.
func TestTreeOfATail(t *testing.T) {
	t.Parallel()
	for records, want := range map[string]bool{
		"3<2 p,4<3 a,5<4 p": true, "4<2 p": true, "9<8 a,4<3 p": false, "4<2 p,5<2 p": false, "4<3 p,5<1 p": false,
		"3<2 p,4<- p": false,
	} {
		var b strings.Builder
		for _, r := range strings.Split(records, ",") {
			b.WriteString(line(r))
		}
		_, whole, err := transcript.ReadTree(strings.NewReader(b.String()), transcript.Position{Offset: 1, Line: 2}, "")
		if err != nil || whole != want {
			t.Errorf("%s: %t, %v", records, whole, err)
		}
	}
	_, whole, _ := transcript.ReadTree(strings.NewReader(line("4<3 p")), transcript.Position{Offset: 1, Line: 3}, "3")
	_, other, _ := transcript.ReadTree(strings.NewReader(line("4<2 p")), transcript.Position{Offset: 1, Line: 3}, "3")
	if !whole || other {
		t.Errorf("behind the last record %t, behind another one %t", whole, other)
	}
}

// TestTreeBehindALeftRecord: the record before the position is the one to which the person went back.
func TestTreeBehindALeftRecord(t *testing.T) {
	t.Parallel()
	for records, want := range map[string]transcript.Lines{"4<3 p,5<4 a,6<3 p,7<6 a": {{4, 5}},
		"4<3 a,5<4 a,6<3 p": {{4, 5}}, "4<3 p,5<4 a": nil} {
		var b strings.Builder
		for _, r := range strings.Split(records, ",") {
			b.WriteString(line(r))
		}
		tree, whole, err := transcript.ReadTree(strings.NewReader(b.String()), transcript.Position{Offset: 1, Line: 3}, "3")
		if got := tree.TakenBackRanges(); err != nil || !whole || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %t, %v", records, got, whole, err)
		}
	}
}

// FuzzReadTree checks that no input makes reading a tree fail or loop, and that lines taken back are within the file.
func FuzzReadTree(f *testing.F) {
	f.Add(line("1<- p") + line("2<1 a") + line("3<1 p"))
	f.Add(`{"uuid":"a","parentUuid":{"x":["\"`)
	f.Fuzz(func(t *testing.T, text string) {
		tree, _, err := transcript.ReadTree(strings.NewReader(text), transcript.Position{}, "")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		if slices.ContainsFunc(tree.TakenBackRanges(), func(r [2]int) bool {
			return r[0] < 1 || r[1] > lines || r[0] > r[1]
		}) {
			t.Errorf("%d lines, taken back %v", lines, tree.TakenBackRanges())
		}
	})
}
