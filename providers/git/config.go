package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/gcfg"

	"github.com/gitmem/gitmem/internal/lazy"
)

// configEntry is one "key = value" of a git configuration file. Section and Key
// are in lower case, Subsection is as written.
type configEntry struct {
	Section, Subsection, Key, Value string
}

// config is a list of entries in file order; for a key with a single value, the last entry wins.
type config []configEntry

// get returns the last value of section.key, without a subsection.
func (c config) get(section, key string) (string, bool) {
	for i := len(c) - 1; i >= 0; i-- {
		if e := c[i]; e.Section == section && e.Subsection == "" && e.Key == key {
			return e.Value, true
		}
	}
	return "", false
}

func (c config) isTrue(section, key string) bool {
	v, _ := c.get(section, key)
	return isTrue(v)
}

// isTrue parses a boolean like git; anything invalid is false.
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// readConfig reads the shared configuration of a repository and, if extensions.worktreeConfig is set, appends
// that of the work tree. On an error it still returns the entries before the damage, because history can be
// read without any configuration. Includes are not followed.
func readConfig(gitDir, commonDir string) (config, error) {
	c, err := readConfigFile(filepath.Join(commonDir, "config"))
	if c.isTrue("extensions", "worktreeconfig") {
		more, err2 := readConfigFile(filepath.Join(gitDir, "config.worktree"))
		c, err = append(c, more...), errors.Join(err, err2)
	}
	return c, err
}

func readConfigFile(path string) (config, error) {
	b, err := ReadFile(path, maxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read git configuration: %w", err)
	}
	c, err := parseConfig(string(b))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return c, err
}

// Settings parses the text of a git configuration file into "section.key" or "section.subsection.key", with
// section and key in lower case; the last value wins. Of a damaged section it returns the entries before the
// damage. Includes are not followed.
func Settings(text []byte) map[string]string {
	all, _ := parseConfig(string(text)) // Settings ignores damage
	settings := map[string]string{}
	for _, e := range all {
		if e.Subsection != "" {
			e.Section += "." + e.Subsection
		}
		settings[e.Section+"."+e.Key] = e.Value
	}
	return settings
}

// parseConfig parses the format described in git-config(1), "Syntax", with go-git's scanner, entry by entry:
// go-git's own type for a configuration loses the order of sections, which safe.directory and include.path
// need. Of a damaged section it returns the entries before the first invalid line. Syntax that git accepts
// and go-git does not is rewritten only after a failure: few configurations need that. An empty subsection
// name remains an error, and so does a section whose name begins with a digit.
func parseConfig(text string) (config, error) {
	c, err := scanConfig(text)
	if err == nil {
		return c, nil
	}
	again, err2 := scanConfig(commonForm(text))
	if err2 == nil {
		return again, nil
	}
	// Parse each section separately: an invalid one must not hide the others.
	var out config
	section := ""
	read := func() {
		part, _ := scanConfig(section)
		out, section = append(out, part...), ""
	}
	for line := range strings.Lines(commonForm(text)) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "[") {
			read()
		}
		section += line
	}
	read()
	return out, err2
}

func scanConfig(text string) (out config, err error) {
	err = gcfg.ReadWithCallback(strings.NewReader(text), func(section, sub, key, value string, lone bool) error {
		if key == "" { // start of a section
			return nil
		}
		if lone {
			value = "true"
		}
		value = strings.ReplaceAll(value, "\n", "") // from a continued line; no requested value contains a newline
		out = append(out, configEntry{Section: strings.ToLower(section), Subsection: sub, Key: strings.ToLower(key),
			Value: value})
		return nil
	})
	if err != nil {
		err = fmt.Errorf("line %w", err) // the error begins with the line number
	}
	return out, err
}

var (
	keyOnHead  = lazy.Pattern(`(?m)^([ \t]*\[(?:[^\]"\n]|"(?:[^"\\\n]|\\.)*")*\])[ \t]*([^\s;#])`)
	dottedHead = lazy.Pattern(`(?m)^[ \t]*\[[-0-9A-Za-z]+\.[^]\s"]+\]`)
)

// commonForm rewrites [section.sub] as [section "sub"], moves an entry on the line of a section header to its
// own line, and replaces bytes that are not UTF-8.
func commonForm(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\uFEFF"), "\uFFFD")
	text = keyOnHead().ReplaceAllString(text, "$1\n$2")
	return dottedHead().ReplaceAllStringFunc(text, func(head string) string {
		section, sub, _ := strings.Cut(strings.ToLower(head[:len(head)-1]), ".")
		return section + ` "` + sub + `"]`
	})
}
