package archive

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Costs sums what the sections of an archive file say of their sessions: a
// continuation tells of what came after the section before.
func Costs(src []byte) map[string]traces.Injection {
	out := map[string]traces.Injection{}
	head, session := false, "" // between a section's heading and its line, and whose lines these are
	for line := range bytes.Lines(src) {
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "- "):
			head, session = strings.HasPrefix(text, "## "), ""
		case text == "":
			session = "" // what is said of a session stands in the lines right below its own
		case head && strings.HasPrefix(text, "session: "):
			head = false
			session, _, _ = strings.Cut(strings.TrimPrefix(text, "session: "), " ")
			if !transcript.ValidSessionID(session) {
				session = ""
			}
		}
		if n, chars := toldIn(text); session != "" && chars > 0 {
			sum := out[session]
			sum.Add(traces.Injection{Injections: n, Chars: chars})
			out[session] = sum
		}
	}
	return out
}

// Told is what a session's section of the archive says of its cost, "" for
// nothing: how often, and how many characters at a time, rounded down.
func Told(injections, chars int) string {
	if injections <= 0 || chars <= 0 {
		return ""
	}
	return fmt.Sprintf("injected: %d × %d characters", injections, chars/injections)
}

// toldIn reads what Told wrote, wherever it stands in a line.
func toldIn(line string) (injections, chars int) {
	if !strings.Contains(line, "injected: ") {
		return 0, 0
	}
	found := regexp.MustCompile(`(?:^|· )injected: ([0-9]{1,6}) × ([0-9]{1,7}) characters(?: ·|$)`).FindStringSubmatch(line)
	if found == nil {
		return 0, 0
	}
	injections, _ = strconv.Atoi(found[1]) // digits, and few
	each, _ := strconv.Atoi(found[2])
	return injections, injections * each
}
