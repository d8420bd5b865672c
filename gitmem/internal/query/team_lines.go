package query

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
)

// survivingTime is how long the lines of an area are counted by who wrote them.
const survivingTime = 600 * time.Millisecond

// surviving counts the lines of files as they are now by who wrote them. Files for which
// there is no time are left out, and so are lines of which nobody knows.
func (v *View) surviving(ctx context.Context, paths []string) map[string]int {
	out := map[string]int{}
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil {
		return out
	}
	ctx, stop := deadline.After(ctx, v.Reader.ws.Options.Now, survivingTime)
	defer stop()
	rev := "HEAD"
	if v.Reader.ws.Past != nil {
		rev = v.Reader.ws.Past.Head
	}
	authors := map[string]string{}
	for _, file := range paths {
		lines, err := repo.Blame(ctx, rev, file, 0, 0)
		if err != nil {
			continue // too large, or out of time
		}
		for _, l := range lines {
			who, known := authors[l.Commit]
			if !known {
				if c, err := repo.Commit(l.Commit); err == nil {
					who = v.Reader.ws.Clean(c.Author.Name + " <" + c.Author.Email + ">")
				}
				authors[l.Commit] = who
			}
			if who != "" {
				out[who]++
			}
		}
	}
	return out
}
