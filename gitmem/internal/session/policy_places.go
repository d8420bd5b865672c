package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// mayObserve is mayCapture for a tool call: one that touches an excluded file is
// not recorded either, wherever it was made.
func (m *Sessions) mayObserve(ctx context.Context, o Observation) error {
	if err := m.ws.MayCapture(ctx); err != nil {
		return err
	}
	files := slices.Concat(o.Read, o.Wrote, o.Searched)
	for _, f := range o.Searched { // may be folders
		files = append(files, filepath.Join(f, "x"))
	}
	for _, f := range files {
		if rule, ok := m.ws.ExcludedFile(f); ok {
			return fmt.Errorf("%w: a file of the call is excluded by the rule %q in %s", workspace.ErrNotCaptured, rule, m.ws.ConfigFile())
		}
	}
	return nil
}
