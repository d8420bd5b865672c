package ingest

import (
	"context"
	"errors"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// RetryDamaged answers a question, and retries once if an index turned out to be damaged: the damage was recorded, so
// that the second attempt rebuilds it.
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

// reportRebuilt reports that a damaged index was rebuilt. It is not a caveat, since answers are not affected.
func (src *Sources) reportRebuilt(name string, res index.Result) {
	if res.Rebuilt && res.State == index.Corrupt {
		src.ws.Options.Warn("the " + name + " index was damaged and has been built anew")
	}
}
