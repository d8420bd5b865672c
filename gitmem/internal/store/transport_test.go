package store_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func TestHasPassword(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://ada:pw@host/a.git":         true,
		"gcrypt::https://ada:pw@host/a.git": true,
		"ssh://ada:pw@[::1]/a.git":          true,
		"https://ada@host/a.git":            false,
		"git@host:ada/a.git":                false,
		"gcrypt::git@host:ada/a.git":        false,
		"/media/usb/memory":                 false,
	} {
		if got := store.HasPassword(address); got != want {
			t.Errorf("HasPassword(%q) = %t", address, got)
		}
	}
}
