package copilot

import (
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// copied returns the ids of the events of a fork that count in another session. A fork begins with the same
// event as its origin, except that it has the time of the fork. An event counts in that one of the sessions
// with the same beginning which began first: the origin may be deleted or rewound, or be a fork itself. The
// event that names the origin is not asked: it is gone when the user rewinds the fork far enough.
func copied(file string, start event) map[string]bool {
	ids := map[string]bool{}
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(filepath.Dir(dir)) // what can't be read has no copies that count
	for _, e := range entries {
		other := filepath.Join(filepath.Dir(dir), e.Name(), eventsFile)
		if e.Name() == filepath.Base(dir) || !dialect.HasAtBeginning(other, `"id":"`+start.ID+`"`) {
			continue
		}
		first, counts := true, false
		_ = dialect.ReadLines(other, func(line []byte) bool { // likewise
			var ev event
			dialect.Decode(line, &ev)
			if first {
				older := ev.Timestamp < start.Timestamp || ev.Timestamp == start.Timestamp && e.Name() < filepath.Base(dir)
				first, counts = false, ev.ID == start.ID && older
			}
			if counts {
				ids[ev.ID] = true
			}
			return true
		})
	}
	return ids
}
