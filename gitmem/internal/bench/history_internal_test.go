package bench

import (
	"strings"
	"testing"
)

// records makes a source of records out of what git prints.
func records(printed string) func() (record, bool) {
	s := scanRecords(strings.NewReader(printed))
	return func() (record, bool) {
		if !s.Scan() {
			return record{}, false
		}
		return parseRecord(s.Bytes()), true
	}
}

// printed is a commit as git prints it.
func printed(hash, subject string, files ...string) string {
	s := recordMark + strings.Join([]string{hash, "parent", "tree", "Ada", "ada@x.org", "5", "Ada", "ada@x.org", "5", subject, "body\n"}, fieldMark) + fieldMark + "\x00"
	if len(files) > 0 {
		s += "\n" + strings.Join(files, "\x00") + "\x00"
	}
	return s
}

func TestHistorySideBySide(t *testing.T) {
	t.Parallel()
	two := printed("a", "one two", "f", "g h") + printed("b", "", "x")
	for _, c := range []struct {
		name, git, here  string
		commits, files   int
		different, texts int
		first            string
	}{
		{"same", two, two, 2, 3, 0, 0, ""},
		{"white space", two, strings.ReplaceAll(two, "one two", "one\n two"), 2, 3, 0, 0, ""},
		{"none", "", "", 0, 0, 0, 0, ""},
		{"another file", two, strings.Replace(two, "g h", "g i", 1), 2, 3, 1, 0, "g i"},
		{"a file less", two, strings.Replace(two, "f\x00", "", 1), 2, 3, 1, 0, `["g h"]`},
		{"another order", printed("a", "") + printed("b", ""), printed("b", "") + printed("a", ""), 2, 0, 2, 0, "here: b"},
		{"a commit less", two, printed("a", "one two", "f", "g h"), 2, 3, 1, 0, "git: b"},
		{"a commit more", printed("a", ""), printed("a", "") + printed("b", ""), 2, 0, 1, 0, "here: b"},
		{"another message", two, strings.Replace(two, "one", "uno", 1), 2, 3, 0, 1, "uno two"},
		{"message, then file", two, strings.NewReplacer("one", "uno", "\nx\x00", "\ny\x00").Replace(two), 2, 3, 1, 1, `["y"]`},
	} {
		var rep HistoryReport
		rep.sideBySide(records(c.git), records(c.here))
		if rep.Commits != c.commits || rep.Files != c.files || rep.Different != c.different || rep.Texts != c.texts {
			t.Errorf("%s: %+v", c.name, rep)
		}
		if !strings.Contains(rep.First, c.first) || (rep.First == "") != (c.first == "") {
			t.Errorf("%s: the first is %q, want %q in it", c.name, rep.First, c.first)
		}
	}
}

func TestHistoryVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ratio, heap float64
		want        string
	}{{1.1, 150, "aim"}, {1.11, 1, "limit"}, {1.6, 1, "limit"}, {1.61, 1, "missed"}, {0.5, 151, "missed"}} {
		row := HistoryRow{Ratio: c.ratio, HeapInUse: c.heap}
		if row.judge(historyFigures(false)[0]); row.Verdict != c.want {
			t.Errorf("ratio %v, heap %v: %q, want %q", c.ratio, c.heap, row.Verdict, c.want)
		}
	}
}

func TestHistoryCounts(t *testing.T) {
	t.Parallel()
	commit := func(hash string, rows ...string) string {
		return recordMark + hash + fieldMark + "\x00\n" + strings.Join(rows, "\x00") + "\x00"
	}
	theirs := commit("a", "1\t2\tf g", "3\t0\th", "-\t-\tbin") + commit("b", "1\t1\tx", "5\t0\tnew")
	ours := commit("a", "1\t2\tf g", "2\t0\th", "0\t0\tbin") + commit("b", "1\t1\tx")
	var rep HistoryReport
	if rep.countSideBySide(records(theirs), records(ours)); rep.Counted != 3 || rep.CountedEqual != 2 {
		t.Errorf("%d counted, %d equal, want 3 and 2", rep.Counted, rep.CountedEqual)
	}
}
