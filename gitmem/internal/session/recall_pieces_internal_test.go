package session

import (
	"os"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// A unit that is cut from its section is the one that is cut from the whole file,
// and so are those of what a file has got since.
func TestPiecesOfAnArchive(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../testdata/recall/store.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range txtar.Parse(b).Files {
		f := cite.File{Path: file.Name, Area: cite.AreaOf(file.Name)}
		if f.Area != cite.AreaArchive {
			continue
		}
		units, _ := cite.Units(f, file.Data)
		for _, want := range units {
			got, _ := cite.Units(f, archive.SectionAt(file.Data, want.Line-1, want.Span.Len()))
			sameUnit(t, want, got)
			seen++
		}
		for size := range file.Data {
			line, ok := appendedTo(f, file.Data, index.Mark{Size: int64(size), Hash: ingest.HashOf(file.Data[:size])})
			if !ok {
				continue
			}
			got, _ := cite.Units(f, archive.FromLine(file.Data, line))
			for _, want := range units {
				if want.Span.End > size {
					sameUnit(t, want, got)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d units were looked at", seen)
	}
}

func sameUnit(t *testing.T, want cite.Unit, units []cite.Unit) {
	t.Helper()
	for _, got := range units {
		if got.ID == want.ID {
			got.Span = want.Span // counts from the beginning of the piece
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-whole +piece):\n%s", want.ID, diff)
			}
			return
		}
	}
	t.Errorf("%s is not in its piece: %v", want.ID, len(units))
}
