package gitmem_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestDoctorFindsSecretsEverywhere plants every secret of the privacy test, searches, and checks that none is printed.
func TestDoctorFindsSecretsEverywhere(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	key := plantedKey()
	l.write(filepath.Join(l.root, "gitmem", "past.md"), "line\nline\ntoken "+key+"\n")
	l.gitIn("add", "gitmem/past.md")
	l.gitIn("commit", "--quiet", "--message", "by hand")
	had := l.gitIn("rev-parse", "HEAD")
	l.gitIn("rm", "--quiet", "gitmem/past.md")
	l.gitIn("commit", "--quiet", "--message", "gone")
	l.write(filepath.Join(l.root, "gitmem", "held.md"), "# Held\n\n"+key+"\n")
	before := everything(t, l.root)
	found := l.doctor(dir, gitmem.Checkup{Secrets: true})
	if text := asJSON(t, found); strings.Contains(text, key) || strings.Contains(text, key[4:]) {
		t.Error("a finding says the secret")
	}
	f := found["secret search"]
	if f.State != gitmem.FindingFail || !strings.Contains(f.Advice, "forget --history") {
		t.Errorf("%+v", f)
	}
	want := map[string]bool{"gitmem/held.md 3 github-token ": true, "gitmem/past.md 3 github-token " + had: true}
	for _, p := range f.Places {
		k := fmt.Sprintf("%s %d %s %s", p.Path, p.Line, p.Kind, p.Commit)
		if !want[k] {
			t.Errorf("unexpected: %s", k)
		}
		delete(want, k)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	equal(t, "a search leaves all as it was", before, everything(t, l.root))
	if f := found["secrets"]; f.State != gitmem.FindingFail || len(f.Places) != 1 || f.Places[0].Line != 3 {
		t.Errorf("held back: %+v", f)
	}
}

// TestDoctorSearchesIndexes finds a secret in an index, which an older version of gitmem may have written there.
func TestDoctorSearchesIndexes(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	shard := filepath.Join(l.root, "gitmem", ".index", "shards", "old")
	must(t, gitmem.IndexString(t.Context(), l.open(dir), shard, "projects/"+plantedKey()+"/x.md"))
	f := l.doctor(dir, gitmem.Checkup{Secrets: true})["secret search"]
	if f.State != gitmem.FindingFail || len(f.Places) == 0 || f.Places[0].Path != "index old" {
		t.Errorf("%+v", f)
	}
}
