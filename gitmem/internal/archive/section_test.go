package archive_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const session = "3f2a91c4-0000-4000-8000-000000000001"

// digest returns the digest of a session in which every text and every name is words.
func digest(words string, line int) transcript.Digest {
	at := time.Date(2025, 3, 9, 12, line%60, 0, 0, time.UTC)
	q := transcript.Quote{Text: words, Line: line, Time: at}
	return transcript.Digest{
		Session: session, Start: at, End: at.Add(time.Hour), Branch: words, FirstPrompt: words, Messages: 4,
		LastLine: line + 3,
		Outcome:  q, Quotes: map[string][]transcript.Quote{"work": {q}, "decision": {q}},
		Reads: []string{words, "a.go"}, Writes: []string{"b.go", words}, Tools: []transcript.Count{{Name: words, N: 2}},
	}
}

// FuzzFind: for any words and any names of files, tools and branches, each section of a session is found again, with
// the line through which it reaches and the injections of hooks up to then, and without its quotations. The first
// section has the older form, and a person wrote below each section.
func FuzzFind(f *testing.F) {
	for _, words := range []string{
		"Chose 10 A relays.", "", "## x ^s-3f2a91c4",
		"x ^s-3f2a91c4\nsession: " + session + " · through: line 900 ffff · injected: 9 × 9 characters",
		"· injected: 9 × 9 characters", "a · injected: 9 × 9 characters · b", "· · injected: 9 × 9 characters",
		"^· ^injected: 9 × 9 characters ^·",
		"session: " + session + " · injected: 9 × 9 characters", "injected: 9 × 9 characters", "- · wrote: c.go", "+x.go",
		"session: x", "messages: 3\nsession: " + session, "wrote: a.go\n\nsession: " + session + " · through: line 900 ffff",
		"# session: x", "last prompt: line 999",
	} {
		f.Add(words, 0)
		f.Add(words, 300)
	}
	f.Fuzz(func(t *testing.T, words string, chars int) {
		find(t, strings.ToValidUTF8(words, "?"), min(max(chars, 0), 1_000_000)) // as in JSON
	})
}

func find(t *testing.T, words string, chars int) {
	t.Helper()
	file := archive.Header("local/x", "2025-03-09")
	var want archive.Session
	for i := range 3 {
		d := digest(words, 1+9*i)
		section := older(d, archive.InjectedPart(1, chars), "00ff")
		if i > 0 {
			section = archive.Section(d, archive.Ideas(d), archive.Find([]byte(file), session), archive.InjectedPart(1, chars),
				"00ff", "2025-03-09")
		}
		if i > 1 {
			section = archive.Summarised(section, "# What "+words+" is. [L1]", "summary: model · "+words+", 1 sentence cut")
		}
		file += section + "- [note] " + messages.Paragraph(words) + "\n"
		want = archive.Session{Sections: i + 1, Through: d.LastLine, Mark: "00ff"}
		if chars > 0 {
			want.Injections, want.Chars = i+1, (i+1)*chars
		}
		if diff := cmp.Diff(want, archive.Find([]byte(file), session),
			cmpopts.IgnoreUnexported(archive.Session{})); diff != "" {
			t.Errorf("%q, section %d (-want +got):\n%s\n%s", words, i+1, diff, file)
		}
	}
	if got := archive.Find([]byte(file), session[:35]+"2"); got.Sections != 0 {
		t.Errorf("%q: another session has %d sections", words, got.Sections)
	}
	if got := archive.Costs([]byte(file))[session]; got != (traces.Injection{Injections: want.Injections,
		Chars: want.Chars}) {
		t.Errorf("%q: costs %+v, want %+v", words, got, want)
	}
}

// older returns a session's section in the older form, which begins with the lines for programs.
func older(d transcript.Digest, injected, mark string) string {
	if injected != "" {
		injected += " · "
	}
	text := messages.Paragraph(d.Outcome.Text)
	return fmt.Sprintf("\n## Relays ^s-%s\n\nsession: %s · 12:01–13:01 UTC · branch main · 4 messages · outcome: done\n"+
		"tools: Edit 2 · %sthrough: line %d %s\n\n%s\n\n- [work] %s (L1 12:01)\n",
		transcript.ShortID(d.Session), d.Session, injected, d.LastLine, mark, text, text)
}

// TestNames: the descriptions of files and tools in a section are distinguished from their names.
func TestNames(t *testing.T) {
	t.Parallel()
	d := digest("", 1)
	d.Reads, d.Writes, d.Tools = []string{"+page.svelte", "a · wrote: c.go", "· b.go"}, []string{"-x.go", "l·l.go"},
		[]transcript.Count{{Name: "Edit", N: 2}}
	text := archive.Section(d, archive.Ideas(d), archive.Session{}, "", "00ff", "2025-03-09")
	if want := "\nread: +page.svelte, a, wrote: c.go, b.go · wrote: -x.go, l·l.go · tools: Edit 2 · messages: 4 · " +
		"branch none · 12:01–13:01 UTC\nsession: " + session + " · through: line 4 00ff\n"; !strings.Contains(text, want) {
		t.Errorf("want %s in\n%s", want, text)
	}
}
