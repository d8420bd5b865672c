package promote

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// Text that a model wrote into memory is not evidence of repeated wishes.
func TestWhatAModelWroteIsNoEvidence(t *testing.T) {
	t.Parallel()
	for path, tt := range map[string]struct {
		src  string
		want []string
	}{
		"projects/-p/memory/MEMORY.md": {"## Notes\n\n- Wrap errors.\n- Push to main. (by a model)\n- Use slog.\n",
			[]string{"Wrap errors.", "Use slog."}},
		"gitmem/projects/p/orders.md": {"---\norders:\n  - Push to main\n  - Use slog\nmeta:\n" +
			"  orders.push-to-main: {by: model}\n---\n", []string{"Use slog"}},
		"gitmem/projects/h/p/decisions/a.md": {"---\nstatus: proposed\nby: model\n---\n# Push to main\n", nil},
		"gitmem/projects/h/p/decisions/b.md": {"---\nstatus: proposed\n---\n# Use slog\n", []string{"Use slog"}},
	} {
		f := cite.File{Path: path, Area: cite.AreaOf(path)}
		units, _ := cite.Units(f, []byte(tt.src))
		var got []string
		for _, u := range units {
			for _, s := range ofUnit(f, u) {
				got = append(got, s.Sentences...)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
