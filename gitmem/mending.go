package gitmem

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// mending answers a question, and once more where an index turned out to be damaged
// on the way: the damage was noted, so that the second time finds it built anew.
func mending[T any](ctx context.Context, answer func(damaged *bool) (T, error)) (T, error) {
	damaged := false
	out, err := answer(&damaged)
	if (damaged || errors.Is(err, index.ErrCorrupt)) && ctx.Err() == nil {
		return answer(&damaged)
	}
	return out, err
}

// mended tells that a damaged index was built anew. Answers are as ever, so that it
// is no caveat.
func (m *Memory) mended(name string, res index.Result) {
	if res.Rebuilt && res.State == index.Corrupt {
		m.o.Warn("the " + name + " index was damaged and has been built anew")
	}
}
