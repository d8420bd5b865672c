//go:build unix

package store_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

func makePipe(t *testing.T, name string) {
	t.Helper()
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
}
