package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// first measures the first prompt after an install beside old transcripts: without
// an index, and while one is being built.
func (r *hookRunner) first(ctx context.Context) ([]*hookCase, error) {
	h := r.home
	root := filepath.Join(h.dir, "first")
	h.own = []string{"GITMEM_HOME=" + root}
	if err := errors.Join(os.RemoveAll(root), os.MkdirAll(root, 0o700)); err != nil {
		return nil, err
	}
	if _, err := h.run(ctx, r.Self, "init"); err != nil {
		return nil, err
	}
	w := *r.world
	w.home, w.made = h, nil
	none := &hookCase{hook: "user-prompt-submit", about: "the first prompt, no index yet", limit: 100, payload: w.prompt}
	built := &hookCase{hook: "user-prompt-submit", about: "the first prompts, index being built", limit: 100, payload: w.prompt}
	cases := []*hookCase{none, built}
	var st struct {
		IndexDir string `json:"index_dir"`
	}
	if _, err := h.answer(ctx, &st, r.Self, "status", "--json"); err != nil {
		return nil, err
	}
	// Whoever has the lock is the indexer, so that the hook starts none.
	unlock, ok, err := index.TryLock(filepath.Join(st.IndexDir, "indexer.lock"))
	if err != nil || !ok {
		return nil, errors.Join(err, fmt.Errorf("another process indexes %s", st.IndexDir))
	}
	err = r.turns(ctx, h, []*hookCase{none})
	unlock()
	if err != nil {
		return nil, err
	}
	return cases, r.beside(ctx, h, func() error { return r.turns(ctx, h, []*hookCase{built}) })
}

// beside does something while an index is being built.
func (r *hookRunner) beside(ctx context.Context, h home, do func() error) error {
	c := exec.CommandContext(ctx, r.Self, "index")
	c.Dir, c.Env = h.work(), h.environ()
	if err := c.Start(); err != nil {
		return err
	}
	err := do()
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()         // says that it was killed
	return err
}

// failures counts the runs of each hook that ended with an error, by their traces.
func (r *hookRunner) failures(ctx context.Context, h home) (map[string]int, error) {
	var cost struct {
		Hooks []struct {
			Hook   string `json:"hook"`
			Errors int    `json:"errors"`
		} `json:"hooks"`
	}
	if _, err := h.answer(ctx, &cost, r.Self, "stats", "--cost", "--json"); err != nil {
		return nil, err
	}
	failed := map[string]int{}
	for _, k := range cost.Hooks {
		failed[k.Hook] = k.Errors
	}
	return failed, nil
}
