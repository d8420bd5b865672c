package gitmem

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// sessionCost sums what hooks told a session's model: how often, and how many
// characters in all. It reads the traces that are still there.
func (m *Memory) sessionCost(session string) (injections, chars int, err error) {
	var errs []error
	for _, name := range traceFiles(m.dirsOfTraces(nil), "", "") {
		_, err := eachTrace(name, ofSession(session), func(r traceRecord) {
			if r.Session == session && r.Chars > 0 {
				injections, chars = injections+1, chars+r.Chars
			}
		})
		errs = append(errs, err)
	}
	return injections, chars, errors.Join(errs...)
}

// injected is what a session's section of the archive says of its cost, "" for
// nothing: how often, and how many characters at a time, rounded down.
func injected(injections, chars int) string {
	if injections <= 0 || chars <= 0 {
		return ""
	}
	return fmt.Sprintf("injected: %d × %d characters", injections, chars/injections)
}

// injectedIn reads what injected wrote, wherever it stands in a line.
func injectedIn(line string) (injections, chars int) {
	found := regexp.MustCompile(`(?:^|· )injected: ([0-9]{1,6}) × ([0-9]{1,7}) characters(?: ·|$)`).FindStringSubmatch(line)
	if found == nil {
		return 0, 0
	}
	injections, _ = strconv.Atoi(found[1]) // digits, and few
	each, _ := strconv.Atoi(found[2])
	return injections, injections * each
}
