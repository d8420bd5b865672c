package traces

import (
	"bytes"
	"errors"
	"os"
	"slices"
)

// InjectedInto sums what hooks injected into a session, by the newest traces, up to a
// number of bytes; whole is false if there are more.
func InjectedInto(dirs []string, session string, most int64) (sum Injection, whole bool, err error) {
	var errs []error
	needle := []byte(`"` + session + `"`)
	for _, name := range slices.Backward(Files(dirs, "", "")) {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted meanwhile
		}
		if most -= info.Size(); most < 0 {
			return sum, false, errors.Join(errs...)
		}
		_, err = Each(name, func(line []byte) bool { return bytes.Contains(line, needle) }, func(r Record) {
			if r.Session == session && r.Chars > 0 {
				sum.Add(Injection{1, r.Chars})
			}
		})
		errs = append(errs, err)
	}
	return sum, true, errors.Join(errs...)
}
