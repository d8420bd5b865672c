package substance

import (
	"strings"

	"github.com/gitmem/gitmem/internal/linediff"
)

// maxEdit is the longest text in bytes that is shown of either side.
const maxEdit = 40

// singleEdit shows what became of the only line that a change replaces, as "old →
// new", where that is short: a version, a flag, a name.
func singleEdit(hunks []linediff.Hunk) string {
	if len(hunks) != 1 || hunks[0].Old.Len() != 1 || hunks[0].New.Len() != 1 || len(hunks[0].Removed)+len(hunks[0].Added) > 2*maxLine {
		return ""
	}
	before, after := strings.Fields(string(hunks[0].Removed)), strings.Fields(string(hunks[0].Added))
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	from, to := strings.Join(before, " "), strings.Join(after, " ")
	if from == "" || to == "" || len(from) > maxEdit || len(to) > maxEdit {
		return ""
	}
	return from + " → " + to
}
