package traces

import (
	"bytes"
	"errors"
	"os"
	"slices"
)

// InjectedInto sums what hooks told a session's model, by the traces that are still there.
func InjectedInto(dirs []string, session string) (sum Injection, err error) {
	var errs []error
	for _, name := range Files(dirs, "", "") {
		errs = append(errs, sum.addFile(name, session))
	}
	return sum, errors.Join(errs...)
}

// RecentlyInjected sums a session's records of the newest traces, so many bytes of them;
// whole is false where there are more than were read. What can't be read is left out.
func RecentlyInjected(dirs []string, session string, most int64) (sum Injection, whole bool) {
	for _, name := range slices.Backward(Files(dirs, "", "")) {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted meanwhile
		}
		if most -= info.Size(); most < 0 {
			return sum, false
		}
		_ = sum.addFile(name, session) // a line for people to glance at
	}
	return sum, true
}

func (t *Injection) addFile(name, session string) error {
	needle := []byte(`"` + session + `"`)
	_, err := Each(name, func(line []byte) bool { return bytes.Contains(line, needle) }, func(r Record) {
		if r.Session == session && r.Chars > 0 {
			t.Add(Injection{1, r.Chars})
		}
	})
	return err
}
