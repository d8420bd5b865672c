package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// swap replaces bytes in the middle of a transcript and puts its times back, which
// no scan for changes can see where size and both ends are the same.
func swap(t *testing.T, name, old, with string) {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	b, err := os.ReadFile(name)
	must(t, err)
	changed := strings.Replace(string(b), old, with, 1)
	if changed == string(b) || len(changed) != len(b) {
		t.Fatalf("%q can't be put in the place of %q", with, old)
	}
	must(t, os.WriteFile(name, []byte(changed), 0o600))
	must(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// TestDoctorComparesIndexes finds an index whose bytes are sound and that does not
// say what its source does.
func TestDoctorComparesIndexes(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	var turns strings.Builder
	for i := range 200 {
		fmt.Fprintf(&turns, `{"type":"user","uuid":"u%d","sessionId":"%s","cwd":%q,"timestamp":"2025-03-09T11:%02d:00.000Z","message":{"role":"user","content":"Turn %d is about the pump and its fuses"}}`+"\n",
			i, sessionB, dir, i%60, i)
	}
	name := l.write(filepath.Join(l.root, "projects", "-w-pump", sessionB+".jsonl"), turns.String())
	l.ask(dir, "what about the fuses?", gitmem.Filter{})
	if f := l.doctor(dir, gitmem.Checkup{})["transcripts index"]; f.State != gitmem.FindingOK || f.Detail != "verified" {
		t.Fatalf("before: %+v", f)
	}
	swap(t, name, "Turn 100 is about the pump", "Turn 100 is about the well")
	if f := l.doctor(dir, gitmem.Checkup{Quick: true})["transcripts index"]; f.State != gitmem.FindingOK {
		t.Errorf("quickly: %+v", f)
	}
	before := everything(t, l.root)
	f := l.doctor(dir, gitmem.Checkup{})["transcripts index"]
	if f.State != gitmem.FindingFail || !f.Fixable || !strings.Contains(f.Detail, "in 1 document of 200, the first: transcript:"+sessionB+":101") {
		t.Errorf("found: %+v", f)
	}
	equal(t, "a look leaves all as it was", before, everything(t, l.root))
	if f := l.doctor(dir, gitmem.Checkup{Fix: true})["transcripts index"]; f.State != gitmem.FindingOK || !f.Fixed {
		t.Errorf("fixed: %+v", f)
	}
	if f := l.doctor(dir, gitmem.Checkup{})["transcripts index"]; f.State != gitmem.FindingOK || f.Fixed {
		t.Errorf("afterwards: %+v", f)
	}
}

// TestDoctorLeavesWhatWaits: a source that has changed since is no difference.
func TestDoctorLeavesWhatWaits(t *testing.T) {
	t.Parallel()
	l, dir := clinic(t)
	l.note(dir, "The ladder stands behind the barn")
	f := l.doctor(dir, gitmem.Checkup{})["memory index"]
	if f.State != gitmem.FindingOK || !strings.Contains(f.Detail, "wait for the next question") {
		t.Errorf("%+v", f)
	}
}

// TestDoctorComparesHistoryAfterSteps: an index of history that grew commit by
// commit is compared, not passed over.
func TestDoctorComparesHistoryAfterSteps(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	for i := range 3 {
		r.commit(fmt.Sprintf("2025-03-%02d", i+1), "Ada Example", "f.txt", fmt.Sprintf("Wire fuse %d", i))
		l.ask(r.dir, "which fuse?", gitmem.Filter{})
	}
	if f := l.doctor(r.dir, gitmem.Checkup{})["history index"]; f.State != gitmem.FindingOK || f.Detail != "verified" {
		t.Errorf("%+v", f)
	}
}

// TestDoctorFindsSecretsEverywhere plants every secret of the privacy test, searches,
// and says none of them.
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

// TestDoctorSearchesIndexes finds a secret in what an index keeps, which an older
// version of gitmem may have written there.
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
