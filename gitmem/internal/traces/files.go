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

// keptDays is for how many days a hook's record is kept.
const keptDays = 30

// Files lists the files of traces from one day to another, both included and
// "" for no bound, oldest first. A day that has none is no error.
func Files(dirs []string, from, to string) []string {
	var out []string
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // none where no hook has written a trace
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

// DayOf is the day of a trace's file.
func DayOf(name string) (string, bool) {
	day, ok := strings.CutSuffix(filepath.Base(name), ".jsonl")
	if _, err := time.Parse(time.DateOnly, day); !ok || err != nil {
		return "", false
	}
	return day, true
}

// Prune deletes what is older than 30 days. A file that cannot be deleted is left for the
// next time.
func Prune(dirs []string, now time.Time) error {
	before := now.UTC().AddDate(0, 0, -keptDays-1).Format(time.DateOnly)
	errs := slice.Map(Files(dirs, "", before), os.Remove)
	return errors.Join(errs...)
}

// Held is the first day with traces, "" for none, and the size of all.
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
