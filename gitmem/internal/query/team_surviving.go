package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
	"github.com/gitmem/gitmem/providers/git/diffterms"
)

const (
	// survivingTime limits the search for the authors of an area's lines, and survivingFiles the number of its files.
	survivingTime  = 1200 * time.Millisecond
	survivingFiles = 400
)

// tooLong is the caveat for an area with too many lines.
const tooLong = "To find whose lines are still there takes longer than a question waits, so what people did counts."

// Surviving contains the authors of an area's current lines.
type Surviving struct {
	Lines   map[int64]float64 // lines by contribution; nil if unknown
	Unowned float64           // lines of unknown authors, older than a shallow clone
	Caveats []string
}

// surviving counts the lines of the files of HEAD in an area by the contribution that wrote them. Tests, documents,
// copies and generated files count only if an area has no other files.
func (v *View) surviving(ctx context.Context, c *Contributions, area team.Area) (s Surviving) {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil || area == nil {
		return s
	}
	files := v.filesOf(repo, c, area)
	if len(files) > survivingFiles {
		return Surviving{Caveats: []string{tooLong}}
	}
	if len(files) == 0 {
		return s
	}
	ctx, stop := deadline.After(ctx, v.Reader.ws.Options.Now, survivingTime)
	defer stop()
	byCommit, lost := map[string]float64{}, 0
	for _, f := range files {
		lines, err := repo.SurvivingLines(ctx, "HEAD", f.path)
		switch {
		case errors.Is(err, git.ErrNotFound), errors.Is(err, git.ErrTooLarge):
			lost++
		case err != nil: // a partial result would compare the authors of one half with those of the other
			return Surviving{Caveats: []string{tooLong}}
		}
		s.Unowned += f.weight * float64(lines[""])
		for commit, n := range lines {
			byCommit[string(cite.KindCommit)+":"+commit] += f.weight * float64(n)
		}
	}
	if lost > 0 {
		s.Caveats = append(s.Caveats, fmt.Sprintf("Earlier versions of %s are not in this clone or can't be read, "+
			"so what people did counts, and not whose lines are still there.", messages.Plural(lost, "file")))
		return s
	}
	if n := int(s.Unowned); n > 0 {
		s.Caveats = append(s.Caveats, fmt.Sprintf("%s of it are older than this shallow clone, "+
			"so that nobody is named for them; git fetch --unshallow fetches the rest.", messages.Plural(n, "line")))
	}
	s.Lines = map[int64]float64{}
	for row := range c.Rows() {
		if n := byCommit[c.ID(row)]; n > 0 {
			s.Lines[row] = n
		}
	}
	return s
}

// areaFile is a file of HEAD that belongs to an area.
type areaFile struct {
	path   string
	weight float64
}

// filesOf returns the files of HEAD in an area that people write, by descending weight.
func (v *View) filesOf(repo *git.Repository, c *Contributions, area team.Area) (files []areaFile) {
	entries, err := repo.List("HEAD", "")
	if err != nil {
		return nil
	}
	beside := besideCode()
	var last []areaFile
	for _, e := range entries {
		n, known := c.PathNumber(v.Reader.ws.CleanPaths([]string{e.Path})[0])
		switch {
		case !known || area[n] == 0 || e.Mode&0o170000 != ingest.ModeOfFile:
		case beside.MatchString(e.Path) || diffterms.IsGenerated(e.Path) || isProse(e.Path) && docs.LogsChanges(e.Path):
			last = append(last, areaFile{e.Path, float64(area[n])})
		default:
			files = append(files, areaFile{e.Path, float64(area[n])})
		}
	}
	if len(files) == 0 {
		files = last
	}
	slices.SortStableFunc(files, func(a, b areaFile) int { return cmp.Compare(b.weight, a.weight) })
	return files
}
