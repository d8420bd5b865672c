package git_test

import (
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

func TestLacks(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	replaced := cloneOf(t, dir, "--no-local")
	run(t, replaced, "replace", "HEAD", "HEAD~1")
	packed := cloneOf(t, replaced, "--mirror")
	run(t, packed, "pack-refs", "--all")
	for name, tt := range map[string]struct {
		dir  string
		want git.Lacks
	}{
		"whole":    {dir, git.Lacks{}},
		"shallow":  {cloneOf(t, dir, "--depth=1", "--no-local"), git.Lacks{Shallow: true}},
		"blobless": {cloneOf(t, dir, "--filter=blob:none", "--no-local"), git.Lacks{Partial: true}},
		"treeless": {cloneOf(t, dir, "--filter=tree:0", "--no-local"), git.Lacks{Partial: true}},
		"replaced": {replaced, git.Lacks{Replaced: 1}},
		"packed":   {packed, git.Lacks{Replaced: 1}},
	} {
		if got := open(t, tt.dir).Lacks(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
