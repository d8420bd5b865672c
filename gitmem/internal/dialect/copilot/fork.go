package copilot

import (
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// copied returns the ids of a fork's events that count in another session. A fork begins with the same event as its
// origin, except for the time. An event counts in the oldest session with the same beginning, since the origin may be
// deleted, rewound or a fork itself. The event that names the origin is not used because rewinding the fork may remove
// it.
func copied(file string, start event) map[string]bool {
	ids := map[string]bool{}
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(filepath.Dir(dir)) // unreadable files are ignored
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
