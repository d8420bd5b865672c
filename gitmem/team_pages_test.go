package gitmem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/providers"
)

// A commit and its lines have the address at which their forge shows them.
func TestPagesOfCommits(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string][2]string{
		"git@github.com:acme/pump.git": {"https://github.com/acme/pump/commit/SHA",
			"https://github.com/acme/pump/blob/SHA/a%20b.txt#L1-L2"},
		"https://user:word@github.com/acme/pump.git": {"https://github.com/acme/pump/commit/SHA",
			"https://github.com/acme/pump/blob/SHA/a%20b.txt#L1-L2"},
		"https://gitlab.com/acme/deep/pump": {"https://gitlab.com/acme/deep/pump/-/commit/SHA",
			"https://gitlab.com/acme/deep/pump/-/blob/SHA/a%20b.txt#L1-2"},
		"git@git.example.org:acme/pump.git": {"", ""},
		"/srv/git/pump":                     {"", ""},
	} {
		t.Run(remote, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			r := l.repo("pump")
			l.write("pump/a b.txt", "1\n2\n")
			r.git("add", "a b.txt")
			r.commit("2024-01-01", "Ada Example", "b.txt", "Begin the pump")
			r.git("remote", "add", "origin", remote)
			sha := strings.TrimSpace(r.git("rev-parse", "HEAD"))
			m := l.open(r.dir)
			var got [2]string
			for i, id := range []string{"git:commit:" + sha, "git:blame:a b.txt:1-2@" + sha} {
				src, err := m.Shown(t.Context(), id, gitmem.ShowOptions{})
				if err != nil {
					t.Fatal(err)
				}
				got[i] = strings.ReplaceAll(src.URL, sha, "SHA")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Links to an item are shown with it: a commit does not know its pull request.
func TestShownLinks(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	sha := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	commit := "git:commit:" + sha
	f.items = []providers.Item{pr(12, "Begin the pump", "", providers.Link{Rel: providers.Contains, ID: commit})}
	f.asked(l, r.dir, pumpQuestion, nil)
	f.in(l, r.dir, nil, func(m *gitmem.Memory) error {
		for id, want := range map[string]string{
			commit:         "[{part of github:pr:12}]",
			"github:pr:12": "[{contains " + commit + "}]",
		} {
			src, err := m.Shown(t.Context(), id, gitmem.ShowOptions{})
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want, fmt.Sprint(src.Links)); diff != "" {
				t.Error(id, diff)
			}
		}
		return nil
	})
}
