package bench

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Build makes an index of the documents of a file in dir, which is empty or not
// there, as the product builds one from nothing.
func Build(ctx context.Context, dir, documents string) (index.Result, error) {
	shard := index.Open(dir, index.Options{Fingerprint: "bench"})
	return shard.Refresh(ctx, func(marks map[string]index.Mark, _ index.State) (index.Update, error) {
		if len(marks) > 0 {
			return index.Update{}, fmt.Errorf("%s holds an index already", dir)
		}
		return index.Update{
			Docs:  ReadDocuments(documents),
			Marks: func() []index.Mark { return []index.Mark{{Key: documents}} },
		}, nil
	})
}

// sizeOf is the number of bytes in the files at or below a path.
func sizeOf(name string) (int64, error) {
	total := int64(0)
	err := filepath.WalkDir(name, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
