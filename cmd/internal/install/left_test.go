package install_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLeftOfAKilledOne: the temporary file of a killed process is removed; one that may be in use, and others
// with similar names, stay.
func TestLeftOfAKilledOne(t *testing.T) {
	t.Parallel()
	for _, removed := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "settings.json")
		write(t, path, "a")
		for name, age := range map[string]time.Duration{".gitmem-1.tmp": time.Hour, ".gitmem-2.tmp": 0,
			".gitmem.tmp": time.Hour, "gitmem-1.tmp": time.Hour} {
			write(t, filepath.Join(dir, name), "copy")
			at := time.Now().Add(-age)
			if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if f := read(t, path); removed {
			err = f.Remove()
		} else {
			err = f.Write([]byte("b"))
		}
		if err != nil {
			t.Fatal(err)
		}
		for name, stays := range map[string]bool{".gitmem-1.tmp": false, ".gitmem-2.tmp": true, ".gitmem.tmp": true,
			"gitmem-1.tmp": true} {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
				t.Errorf("removed %t, %s: %v", removed, name, err)
			}
		}
	}
}
