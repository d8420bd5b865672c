package archive_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// TestCompacted: whatever names tools and files of a log have and whatever failed, its section is found again and
// quotes nothing from the transcript.
func TestCompacted(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"a.go", "a · log: 09-x.md, 900 lines", "session: x · log: 09-x.md, 900 lines", "log: 09-x.md, 900 lines",
		"· through: line 900 ffff", "injected: 9 × 9 characters",
	} {
		at := time.Date(2025, 3, 9, 12, 0, 0, 0, time.UTC)
		d := transcript.Digest{Session: session, Start: at, End: at, FirstPrompt: words, Reads: []string{words},
			Tools: []transcript.Count{{Name: words, N: 2}}}
		l := archive.Log{Name: "09-x.md", Lines: 20, Calls: 16, Skipped: 1}
		for i := range 14 {
			l.Failed = append(l.Failed, fmt.Sprintf("12:00:%02d %s failed", i, words))
		}
		file := archive.Header("local/x", "2025-03-09") + archive.Section(digest("Wire it", 5), nil, archive.Session{}, "",
			"00ff", "2025-03-09")
		before := archive.Find([]byte(file), session)
		file += archive.Compacted(d, nil, l, before, "2025-03-09")

		if lines, ok := archive.Covered([]byte(file), session, "09-x.md"); lines != 20 || !ok {
			t.Errorf("%q: %d lines are covered, %t\n%s", words, lines, ok, file)
		}
		if lines, ok := archive.Covered([]byte(file), session, "10-x.md"); lines != 0 || ok {
			t.Errorf("%q: %d lines of another log are covered, %t", words, lines, ok)
		}
		after := archive.Find([]byte(file), session)
		if after.Sections != 2 || after.Through != before.Through || after.Mark != before.Mark || after.Chars != 0 ||
			after.BlockID(session) != "s-3f2a91c4-3" {
			t.Errorf("%q: %+v, next %s", words, after, after.BlockID(session))
		}
		units, skips := cite.Units(cite.File{Area: cite.AreaArchive}, []byte(file))
		if last := units[len(units)-1]; last.ID != "session:2025-03-09#s-3f2a91c4-2" ||
			!strings.HasSuffix(last.Title, cite.Compacted) || last.Session != session || !last.Time.Equal(at) {
			t.Errorf("%q: %+v", words, last)
		}
		if len(skips) > 0 {
			t.Errorf("%q: skipped %+v", words, skips)
		}
		if n := strings.Count(file, "\n- 12:00:"); n != 12 || !strings.Contains(file, "\n- and 2 more calls that failed\n") {
			t.Errorf("%q: %d calls are quoted\n%s", words, n, file)
		}
	}
}
