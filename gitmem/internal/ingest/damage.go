package ingest

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// RetryDamaged answers a question, and once more where an index turned out to be damaged
// on the way: the damage was noted, so that the second time finds it built anew.
func RetryDamaged[T any](ctx context.Context, answer func(damaged *bool) (T, error)) (T, error) {
	damaged := false
	var out T
	once := func() (err error) {
		out, err = answer(&damaged)
		return err
	}
	err := index.Guard(once)
	if (damaged || errors.Is(err, index.ErrCorrupt)) && ctx.Err() == nil {
		err = index.Guard(once)
	}
	return out, err
}

// reportRebuilt says that a damaged index was built anew. Answers are as ever, so that it
// is no caveat.
func (src *Sources) reportRebuilt(name string, res index.Result) {
	if res.Rebuilt && res.State == index.Corrupt {
		src.ws.Options.Warn("the " + name + " index was damaged and has been built anew")
	}
}
