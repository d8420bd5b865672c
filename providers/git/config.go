package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
// an error it still returns the entries that stand before the damage, because
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

// parseConfig reads the format described in git-config(1), "Syntax". It stops
// at the first line that does not follow it and returns what it has.
func parseConfig(text string) (config, error) {
	var out config
	p := configParser{text: strings.TrimPrefix(text, "\uFEFF"), line: 1}
	for {
		p.skipSpace(true)
		switch c := p.peek(); {
		case c == 0 && p.pos >= len(p.text):
			return out, nil
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if err := p.header(); err != nil {
				return out, err
			}
		default:
			e, err := p.entry()
			if err != nil {
				return out, err
			}
			out = append(out, e)
		}
	}
}

type configParser struct {
	text                string
	pos, line           int
	section, subsection string
	inSection           bool
}

func (p *configParser) fail(what string) error {
	return fmt.Errorf("line %d: %s", p.line, what)
}

// peek returns the next byte, or 0 at the end.
func (p *configParser) peek() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *configParser) skipSpace(lines bool) {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case '\n':
			if !lines {
				return
			}
			p.line++
		case ' ', '\t', '\r':
		default:
			return
		}
		p.pos++
	}
}

func (p *configParser) skipLine() {
	for p.pos < len(p.text) && p.text[p.pos] != '\n' {
		p.pos++
	}
}

// header reads [section], [section "sub"] or the old form [section.sub].
func (p *configParser) header() error {
	p.pos++
	name := p.name(".")
	section, sub, _ := strings.Cut(strings.ToLower(name), ".")
	p.skipSpace(false)
	if p.peek() == '"' {
		var err error
		if sub, err = p.subsectionName(); err != nil {
			return err
		}
	}
	if section == "" || p.peek() != ']' {
		return p.fail("expected a section such as [core]")
	}
	p.pos++
	p.section, p.subsection, p.inSection = section, sub, true
	return nil
}

// subsectionName reads "…" in which a backslash makes the next byte literal.
func (p *configParser) subsectionName() (string, error) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; c {
		case '"':
			p.pos++
			return b.String(), nil
		case '\n':
			return "", p.fail("a section name does not end")
		case '\\':
			if p.pos++; p.peek() == 0 || p.peek() == '\n' {
				return "", p.fail("a section name does not end")
			}
			b.WriteByte(p.text[p.pos])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fail("a section name does not end")
}

// name reads letters, digits, hyphens and the bytes in also.
func (p *configParser) name(also string) string {
	from := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		if !isLetterOrDigit(c) && c != '-' && strings.IndexByte(also, c) < 0 {
			break
		}
		p.pos++
	}
	return p.text[from:p.pos]
}

// entry reads "key = value" or a lone key, which means true.
func (p *configParser) entry() (configEntry, error) {
	key := p.name("")
	if key == "" || !p.inSection {
		return configEntry{}, p.fail("expected a key or a section")
	}
	e := configEntry{Section: p.section, Subsection: p.subsection, Key: strings.ToLower(key), Value: "true"}
	p.skipSpace(false)
	switch p.peek() {
	case '=':
		p.pos++
		var err error
		e.Value, err = p.value()
		return e, err
	case '#', ';':
		p.skipLine()
		return e, nil
	case '\n', 0:
		return e, nil
	}
	return e, p.fail("expected = after " + key)
}

// value reads to the end of the line, with quotes, escapes, comments and lines
// that a backslash continues.
func (p *configParser) value() (string, error) {
	p.skipSpace(false)
	var b strings.Builder
	quoted, keep := false, 0 // keep: length without unquoted space at the end
	for ; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		switch {
		case c == '\n' && quoted:
			return "", p.fail("a quoted value does not end")
		case c == '\n':
			return b.String()[:keep], nil
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			return b.String()[:keep], nil
		case c == '"':
			quoted = !quoted
			keep = b.Len()
			continue
		case c == '\\':
			if err := p.escape(&b); err != nil {
				return "", err
			}
			keep = b.Len()
			continue
		}
		b.WriteByte(c)
		if quoted || c != ' ' && c != '\t' && c != '\r' {
			keep = b.Len()
		}
	}
	if quoted {
		return "", p.fail("a quoted value does not end")
	}
	return b.String()[:keep], nil
}

// escape reads the byte behind a backslash.
func (p *configParser) escape(b *strings.Builder) error {
	p.pos++
	if strings.HasPrefix(p.text[min(p.pos, len(p.text)):], "\r\n") {
		p.pos++
	}
	switch p.peek() {
	case '\n':
		p.line++
	case 't':
		b.WriteByte('\t')
	case 'b':
		b.WriteByte('\b')
	case 'n':
		b.WriteByte('\n')
	case '\\', '"':
		b.WriteByte(p.text[p.pos])
	default:
		return p.fail("unknown escape in a value")
	}
	return nil
}

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
