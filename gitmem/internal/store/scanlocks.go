package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// workTime is a generous limit for how long a running git holds a lock.
const workTime = time.Minute

// Locks finds the lock files in our git directory, and temporary files of memory and of git's objects. [Store.Repair]
// can remove those of a dead process; locks of others are reported with their age, and never removed.
func (s *Store) Locks(_ context.Context) ([]Trouble, error) {
	if !s.HasRepository() {
		return nil, nil
	}
	if s.regular(lockFile) != nil {
		return []Trouble{{Level: Fail, Path: lockFile, Detail: "is no file, so that nothing can be locked: remove it"}}, nil
	}
	idle, err := s.idle()
	if err != nil {
		return nil, err
	}
	records, err := s.lockRecords()
	if err != nil {
		return nil, err
	}
	ours := map[string]bool{}
	for _, r := range records {
		ours[r.lock] = ours[r.lock] || r.held
	}
	var found []Trouble
	err = s.eachGitFile(func(rel string, d fs.DirEntry) error {
		if !strings.HasSuffix(d.Name(), ".lock") {
			return nil
		}
		fi, err := d.Info()
		if err != nil {
			return nil // released meanwhile
		}
		found = append(found, s.lockTrouble(rel, fi, ours[rel], idle))
		return nil
	})
	temps, tempErr := s.temps(false)
	for _, rel := range temps {
		found = append(found, Trouble{Level: Warn, Path: rel, Fixable: true, Detail: "was left by a process that died"})
	}
	return found, errors.Join(err, tempErr)
}

func (s *Store) lockTrouble(rel string, fi fs.FileInfo, ours, idle bool) Trouble {
	age := max(s.o.Now().Sub(fi.ModTime()), 0).Round(time.Second)
	t := Trouble{Path: rel}
	switch {
	case ours && idle:
		t.Level, t.Fixable = Fail, true
		t.Detail = fmt.Sprintf("left by a gitmem process that died, %s old", age)
	case ours:
		t.Detail = "held by a gitmem process at work" + s.holder()
	default:
		t.Detail = fmt.Sprintf("not made by gitmem, %s old", age)
		if t.Level = Warn; age > workTime {
			t.Level = Fail
		}
	}
	return t
}

// idle reports whether no gitmem process holds the flock. It leaves no trace: it neither creates nor writes the file.
func (s *Store) idle() (bool, error) {
	f, err := os.Open(s.abs(lockFile))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the lock: %w", err)
	}
	defer f.Close()
	ok, err := osfile.TryLock(f)
	if ok {
		err = errors.Join(err, osfile.Unlock(f))
	}
	return ok, err
}
