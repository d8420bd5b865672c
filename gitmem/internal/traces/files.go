package traces

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/internal/slice"
)

// keptDays is the number of days for which a hook's record is kept.
const keptDays = 30

// Files lists the trace files from one day to another, both inclusive and "" for no bound, oldest first. Missing days
// are not an error.
func Files(dirs []string, from, to string) []string {
	var out []string
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // empty if no hook has written a trace
		for _, e := range entries {
			if day, ok := DayOf(e.Name()); ok && !e.IsDir() && day >= from && (to == "" || day <= to) {
				out = append(out, filepath.Join(dir, e.Name()))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return out
}

// Open opens the file of a day for appending, in the first folder that allows it: a root
// may be read-only.
func Open(dirs []string, day time.Time) (*os.File, error) {
	var errs []error
	for _, dir := range dirs {
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			var f *os.File
			if f, err = osfile.OpenLog(filepath.Join(dir, day.UTC().Format(time.DateOnly)+".jsonl"), math.MaxInt64); err == nil {
				return f, nil
			}
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// DayOf returns the day of a trace file.
func DayOf(name string) (string, bool) {
	day, ok := strings.CutSuffix(filepath.Base(name), ".jsonl")
	if _, err := time.Parse(time.DateOnly, day); !ok || err != nil {
		return "", false
	}
	return day, true
}

// Prune deletes files older than 30 days. A file that cannot be deleted is retried the next time.
func Prune(dirs []string, now time.Time) error {
	before := now.UTC().AddDate(0, 0, -keptDays-1).Format(time.DateOnly)
	errs := slice.Map(Files(dirs, "", before), os.Remove)
	return errors.Join(errs...)
}

// Held returns the first day with traces, "" for none, and the total size.
func Held(dirs []string) (first string, bytes int64) {
	for _, name := range Files(dirs, "", "") {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted meanwhile
		}
		if day, _ := DayOf(name); first == "" {
			first = day
		}
		bytes += info.Size()
	}
	return first, bytes
}
