package store

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestMaintain(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	packs := func() int {
		found, _ := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*.pack"))
		return len(found)
	}
	if err := s.Maintain(context.Background()); err != nil || packs() != 0 {
		t.Fatalf("%d packs too early, %v", packs(), err)
	}
	// The sampled folder gets as many objects as it would have with 3,000 in total.
	b := s.objects.batch()
	for i := 0; len(b.order) < 12; i++ {
		if body := fmt.Appendln(nil, "object", i); hashObject("blob", body)[0] == 0x17 {
			b.add("blob", body)
		}
	}
	if _, err := b.flush(s.o.Now(), false); err != nil {
		t.Fatal(err)
	}
	WithoutGit(s)
	if err := s.Maintain(context.Background()); err != nil {
		t.Errorf("without git: %v", err)
	}
	s.disk.around = nil
	if err := s.Maintain(context.Background()); err != nil || packs() == 0 {
		t.Fatalf("%d packs, %v", packs(), err)
	}
	r := s.o.Redactor
	if err := s.Append("gitmem/old.md", r.Clean(""), r.Clean("after the packing")); err != nil {
		t.Fatal(err)
	}
	commitAll(t, s)
	checkClean(t, s.Root())
}
