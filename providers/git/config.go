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

// config is a list of entries in file order; where a key has one value, the
// last entry wins.
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

// isTrue reads a boolean the way git does; anything odd is false.
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// readConfig reads the shared configuration of a repository and, where
// extensions.worktreeConfig asks for it, the one of the work tree behind it. On
// an error it still returns the entries before the damage, because
// history can be read without any configuration. Includes are not followed.
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

// Settings reads the text of a git configuration file into "section.key" or
// "section.subsection.key"; section and key in lower case, the last value wins. Of a
// damaged section it returns what is before the damage. Includes are not followed.
func Settings(text []byte) map[string]string {
	all, _ := parseConfig(string(text)) // see above
	settings := map[string]string{}
	for _, e := range all {
		if e.Subsection != "" {
			e.Section += "." + e.Subsection
		}
		settings[e.Section+"."+e.Key] = e.Value
	}
	return settings
}

// parseConfig reads the format described in git-config(1), "Syntax", with go-git's
// reader of it, entry by entry: go-git's own form of a configuration forgets in what
// order sections come, which safe.directory and include.path need. Of a section it has
// the entries before the first line that does not follow the format. What git reads
// and go-git does not is brought into the form that it does read only where it
// stumbles: few configurations need that. An empty name of a subsection stays damage,
// and so does a section whose name begins with a digit.
func parseConfig(text string) (config, error) {
	c, err := scanConfig(text)
	if err == nil {
		return c, nil
	}
	again, err2 := scanConfig(commonForm(text))
	if err2 == nil {
		return again, nil
	}
	// Section by section: one that can't be read hides no other.
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
		if key == "" { // a section begins
			return nil
		}
		if lone {
			value = "true"
		}
		value = strings.ReplaceAll(value, "\n", "") // of a line that goes on; no value that is asked for has its own
		out = append(out, configEntry{Section: strings.ToLower(section), Subsection: sub, Key: strings.ToLower(key),
			Value: value})
		return nil
	})
	if err != nil {
		err = fmt.Errorf("line %w", err) // it begins with the number of the line
	}
	return out, err
}

var (
	keyOnHead  = lazy.Pattern(`(?m)^([ \t]*\[(?:[^\]"\n]|"(?:[^"\\\n]|\\.)*")*\])[ \t]*([^\s;#])`)
	dottedHead = lazy.Pattern(`(?m)^[ \t]*\[[-0-9A-Za-z]+\.[^]\s"]+\]`)
)

// commonForm writes [section.sub] as [section "sub"], gives an entry beside its
// section a line of its own, and replaces bytes that are not UTF-8.
func commonForm(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\uFEFF"), "\uFFFD")
	text = keyOnHead().ReplaceAllString(text, "$1\n$2")
	return dottedHead().ReplaceAllStringFunc(text, func(head string) string {
		section, sub, _ := strings.Cut(strings.ToLower(head[:len(head)-1]), ".")
		return section + ` "` + sub + `"]`
	})
}
