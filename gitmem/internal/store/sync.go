package store

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// syncs is a set of files and folders that are synced together, with one wait.
type syncs struct {
	files []*os.File // contents
	paths []string   // contents of files that are not open
	dirs  []string   // names in folders
}

// do starts all syncs concurrently, after the contents in files have been written out: on a journalling file system one
// journal commit then serves all of them. On ext4 a commit then takes three journal commits instead of six.
func (s syncs) do(d *disk) error {
	var calls []func() error
	open := s.files
	for i, rel := range s.paths {
		if i >= flushChunk {
			calls = append(calls, func() error { return d.syncPlain(rel) })
			continue
		}
		f, err := d.openPlain(rel, syncFlag())
		if isMissing(err) {
			continue // deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("sync: %w", err)
		}
		defer f.Close() // opened read-only
		open = append(slices.Clip(open), f)
	}
	for _, f := range open {
		startWriting(f)
		calls = append(calls, func() error { return d.fsync(f) })
	}
	for _, dir := range s.dirs {
		calls = append(calls, func() error {
			err := d.syncDir(dir)
			if isMissing(err) {
				return nil // a gc has packed the objects in it
			}
			return err
		})
	}
	for _, f := range open {
		awaitWriting(f)
	}
	if err := together(calls); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return nil
}

// syncPlain makes the content of a file durable, unless it was deleted.
func (d *disk) syncPlain(rel string) error {
	f, err := d.openPlain(rel, syncFlag())
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(d.fsync(f), f.Close())
}

// together calls functions concurrently, at most 8 at a time.
func together(calls []func() error) error {
	errs := make([]error, len(calls))
	slots := make(chan struct{}, 8)
	var wg sync.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		wg.Go(func() {
			errs[i] = call()
			<-slots
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
