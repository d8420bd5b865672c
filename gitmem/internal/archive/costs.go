package archive

import (
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Costs sums the injection costs in the sections of an archive file, by session. A continuation counts only what was
// added since the previous section.
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

// InjectedPart returns the part of a section's head for the injections: their number and the average number of
// characters, rounded down, or "" if there are none.
func InjectedPart(injections, chars int) string {
	if injections <= 0 || chars <= 0 {
		return ""
	}
	return fmt.Sprintf("injected: %d × %d characters", injections, chars/injections)
}
