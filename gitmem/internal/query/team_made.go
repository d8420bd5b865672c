package query

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
)

// Maximum number of commits of a file that are read for a question that names it, and the time limit for that.
const (
	fileCommits     = 6
	fileCommitsTime = 100 * time.Millisecond
)

// ChangedBy returns the citation ids of the commits that wrote the present content of a file of HEAD, or of one of its
// lines, nil if they can't be read.
func (v *View) ChangedBy(ctx context.Context, place string) (ids []string) {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil {
		return nil
	}
	ctx, stop := deadline.After(ctx, v.Reader.ws.Options.Now, fileCommitsTime)
	defer stop()
	name, number, _ := strings.Cut(place, ":")
	if _, err := repo.Follow("HEAD", name); err != nil {
		return nil
	}
	if line, err := strconv.Atoi(number); err == nil && line > 0 {
		blamed, err := repo.Blame(ctx, "HEAD", name, line, line)
		if err != nil || len(blamed) == 0 {
			return nil
		}
		return []string{string(cite.KindCommit) + ":" + blamed[0].Commit}
	}
	for change, err := range repo.FollowPath(ctx, "HEAD", name, false) {
		if err != nil || len(ids) == fileCommits {
			break
		}
		ids = append(ids, string(cite.KindCommit)+":"+change.Commit.Hash)
	}
	return ids
}
