package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// besideLines is the number of lines before and after a wanted line that are indexed with it: its question and its
// answers.
const besideLines = 10

// Lines selects lines of a transcript, in order.
type Lines struct {
	File    transcript.File
	Numbers []int
}

// Unindexed returns the transcripts that an index of only the newest ones lacks.
func (o Opened) Unindexed(files []transcript.File) []transcript.File {
	for i, snap := range o.Snaps {
		if snap == nil || o.Shards[i].Name != cite.LayerTranscripts {
			continue
		}
		if _, newest := snap.Mark(laterKey); newest {
			return slices.DeleteFunc(slices.Clone(files), func(f transcript.File) bool {
				_, known := snap.Mark(f.Path)
				return known
			})
		}
	}
	return nil
}

// OpenLines opens an index of some lines of transcripts, with those around each. It is stored like an index of a past
// state and named by its content.
func (src *Sources) OpenLines(ctx context.Context, lines []Lines) (Opened, error) {
	var name strings.Builder
	news := make([]appended, len(lines))
	for i, l := range lines {
		news[i] = appended{file: l.File, mark: TranscriptStamp(&l.File), lines: l.Numbers}
		fmt.Fprintf(&name, "%+v %v\n", news[i].mark, l.Numbers)
	}
	source := &TranscriptSource{M: src}
	plan := func(_ map[string]index.Mark, st index.State) (u index.Update, _ error) {
		if st != index.Current {
			u.Docs, u.Marks = source.docs(news)
		}
		return u, nil
	}
	return src.UpToDate(ctx,
		[]Shard{src.frozenShard("transcripts", HashOf([]byte(name.String()))[:16], src.whenPolicyIsKnown(plan))})
}

// wants reports whether to index a line.
func (g appended) wants(line int) bool {
	i, _ := slices.BinarySearch(g.lines, line-besideLines)
	return g.lines == nil || i < len(g.lines) && g.lines[i] <= line+besideLines
}
