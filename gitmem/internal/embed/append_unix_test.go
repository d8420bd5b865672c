//go:build unix

package embed

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestAppendBesideAStartingProcess: the lock is released even if a process that is just starting has inherited it.
func TestAppendBesideAStartingProcess(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "vectors")
	for _, end := range []func(*Appender) error{(*Appender).Close, func(a *Appender) error { return a.Compact(nil) }} {
		a, err := Append(name, Fingerprint{})
		if err != nil || a == nil {
			t.Fatalf("the lock is held: %v, %v", a, err)
		}
		inherited, err := syscall.Dup(int(a.lock.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(inherited)
		if err := end(a); err != nil {
			t.Fatal(err)
		}
	}
	if a, err := Append(name, Fingerprint{}); err != nil || a == nil {
		t.Errorf("the lock is held: %v, %v", a, err)
	}
}
