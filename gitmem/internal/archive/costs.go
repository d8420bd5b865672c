package archive

import (
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Costs sums what the sections of an archive file say of their sessions: a
// continuation counts what came after the section before.
func Costs(src []byte) map[string]traces.Injection {
	out := map[string]traces.Injection{}
	for _, text := range cite.ArchiveSections(src) {
		if h := cite.ReadHead(time.Time{}, text); h.Chars > 0 && transcript.ValidSessionID(h.Session) {
			sum := out[h.Session]
			sum.Add(traces.Injection{Injections: h.Injections, Chars: h.Chars})
			out[h.Session] = sum
		}
	}
	return out
}

// InjectedPart is what a session's section of the archive has of its cost, "" for
// nothing: how often, and how many characters at a time, rounded down.
func InjectedPart(injections, chars int) string {
	if injections <= 0 || chars <= 0 {
		return ""
	}
	return fmt.Sprintf("injected: %d × %d characters", injections, chars/injections)
}
