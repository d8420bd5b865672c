package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/forgotten"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

// noteAgain refuses a note that says what was forgotten. With force it is let in
// again: its line goes from the list.
func (m *Editor) noteAgain(ctx context.Context, text string, force bool) (changed bool, err error) {
	set := m.src.Forgotten()
	var stones []forgotten.Stone
	for line := range strings.Lines(text) {
		stones = append(stones, set.Lines(line)...)
	}
	if len(stones) == 0 {
		return false, nil
	}
	if !force {
		return false, fmt.Errorf("%w of what was forgotten on purpose", wording.ErrDuplicate)
	}
	defer m.src.ForgetSet()
	return true, m.ws.Store.Rewrite(ctx, forgotten.File, func(old []byte) ([]store.Insertion, error) {
		var out []store.Insertion
		at := 0
		for line := range strings.Lines(string(old)) {
			if slices.ContainsFunc(stones, func(s forgotten.Stone) bool { return strings.TrimSpace(line) == s.String() }) {
				out = append(out, store.Insertion{At: at, Cut: len(line)})
			}
			at += len(line)
		}
		return out, nil
	})
}
