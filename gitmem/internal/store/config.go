package store

import (
	"bufio"
	"bytes"
	"strings"
)

// parseConfig reads a git config file into "section.key" or
// "section.subsection.key"; section and key in lower case, the last value
// wins. It knows what git and gitmem themselves write: lines, comments, simple
// quotes. Includes and continued lines are not followed, since only our mark
// and the extensions are looked up, and git writes those as plain lines.
func parseConfig(b []byte) map[string]string {
	conf := map[string]string{}
	section := ""
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if strings.HasPrefix(line, "[") {
			section = configSection(line)
			continue
		}
		if line == "" || line[0] == '#' || line[0] == ';' || section == "" {
			continue
		}
		key, value, has := strings.Cut(line, "=")
		if !has {
			value = "true" // git: a key alone is a true boolean
		}
		key = strings.ToLower(strings.TrimSpace(key))
		conf[section+"."+key] = configValue(value)
	}
	return conf
}

func configSection(line string) string {
	name, _, _ := strings.Cut(line[1:], "]")
	name, sub, has := strings.Cut(name, " ")
	name = strings.ToLower(strings.TrimSpace(name))
	if has {
		name += "." + strings.Trim(strings.TrimSpace(sub), `"`)
	}
	return name
}

func configValue(v string) string {
	v = strings.TrimSpace(v)
	if len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"' {
		return v[1 : len(v)-1]
	}
	if i := strings.IndexAny(v, "#;"); i >= 0 {
		v = strings.TrimSpace(v[:i])
	}
	return v
}
