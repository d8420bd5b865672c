package lazy_test

import (
	"testing"

	"github.com/gitmem/gitmem/internal/lazy"
)

func TestPattern(t *testing.T) {
	t.Parallel()
	digits := lazy.Pattern(`[0-9]+`)
	if got := digits().FindString("a12b"); got != "12" {
		t.Errorf("found %q, want 12", got)
	}
	if first, second := digits(), digits(); first != second {
		t.Error("compiled again at the second call")
	}
	broken := lazy.Pattern(`(`) // does not panic yet
	defer func() {
		if recover() == nil {
			t.Error("a broken expression was compiled")
		}
	}()
	broken()
}
