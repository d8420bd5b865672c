package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/internal/lazy"
)

// lineError is an invalid value on a line, with the fix.
type lineError struct {
	line int
	key  string // key of the value, or ""
	text string
}

// Error implements error.
func (e *lineError) Error() string {
	if e.key == "" {
		return fmt.Sprintf("line %d: %s", e.line, e.text)
	}
	return fmt.Sprintf("line %d: %s: %s", e.line, e.key, e.text)
}

// errorAt returns an error at a node.
func errorAt(n *yaml.Node, format string, args ...any) error {
	return &lineError{line: n.Line, text: fmt.Sprintf(format, args...)}
}

// field is a key of a mapping.
type field struct {
	key    string
	values string // valid values for the error about a missing value; "" leaves that to set
	set    func(*yaml.Node) error
}

// fields passes the values of a mapping to the functions of its fields. It returns an error for unknown and duplicate
// keys and for a node that is not a mapping; expected describes the valid forms.
func fields(n *yaml.Node, expected string, known []field) error {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		return errorAt(n, "%s", expected)
	}
	var names, seen []string
	for _, f := range known {
		names = append(names, f.key)
	}
	for pair := range slices.Chunk(merged(n), 2) {
		key, value := pair[0], target(pair[1])
		j := slices.Index(names, key.Value)
		switch {
		case j < 0 || key.Kind != yaml.ScalarNode:
			return errorAt(key, "unknown key %q: known are %s", key.Value, strings.Join(names, ", "))
		case slices.Contains(seen, key.Value):
			return errorAt(key, "%s stands twice: remove one", key.Value)
		case isNull(value) && known[j].values != "":
			return errorAt(key, "%s has no value: write %s, or remove it", key.Value, known[j].values)
		}
		seen = append(seen, key.Value)
		if err := known[j].set(value); err != nil {
			if e := (*lineError)(nil); errors.As(err, &e) && e.key == "" {
				e.key = key.Value
			}
			return err
		}
	}
	return nil
}

// merged returns the keys and values of a mapping, including those that << merges, without << itself.
func merged(n *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Tag != "!!merge" {
			out = append(out, pair...)
			continue
		}
		for more := range slices.Chunk(target(pair[1]).Content, 2) {
			if len(more) == 2 && !slices.ContainsFunc(n.Content, func(k *yaml.Node) bool { return k.Value == more[0].Value }) {
				out = append(out, more...)
			}
		}
	}
	return out
}

// target resolves an alias.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// boolOf parses on, off and their synonyms; ok is false for other values.
func boolOf(n *yaml.Node) (on, ok bool) {
	return on, !isNull(n) && n.Decode(&on) == nil
}

// toggle parses on or off.
func toggle(to *bool) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if on, ok := boolOf(n); ok {
			*to = on
		} else if !isNull(n) {
			return errorAt(n, "neither on nor off: write on or off")
		}
		return nil
	}
}

// oneOf parses one of the given words.
func oneOf(to *string, problem string, words ...string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if !slices.Contains(words, n.Value) {
			return errorAt(n, "%s", problem)
		}
		*to = n.Value
		return nil
	}
}

// text parses a string; null is "".
func text(to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode {
			return errorAt(n, "not a text")
		}
		if !isNull(n) {
			*to = n.Value
		}
		return nil
	}
}

// items calls entry for each item of a list. A list whose items are all commented out is empty.
func items(n *yaml.Node, entry func(i int, n *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode && !isNull(n) {
		return errorAt(n, "a list is expected, one folder or remote in each line behind a -")
	}
	for i, e := range n.Content {
		if err := entry(i, target(e)); err != nil {
			return err
		}
	}
	return nil
}

// rules parses a list of folders and remotes.
func rules(to *[]Rule) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		return items(n, func(i int, n *yaml.Node) error {
			switch {
			case isNull(n):
				return errorAt(n, "entry %d is empty, as a bare ~ is: write a folder (~/**) or a remote, or remove it", i+1)
			case n.Kind != yaml.ScalarNode:
				return errorAt(n, "not a text: write one folder or remote in each line")
			}
			r, err := parseRule(n.Value)
			if err != nil {
				return errorAt(n, "%s", err.Error())
			}
			*to = append(*to, r)
			return nil
		})
	}
}

var (
	yamlLine = lazy.Pattern(`^line ([0-9]+): `)
	starRule = lazy.Pattern(`^\s*-\s+\*`)
)

// syntaxError converts an error of the decoder into one with a fix.
func syntaxError(src []byte, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	if n, key := findLine(src, starRule().Match); n > 0 {
		return &lineError{n, key, `a rule that begins with * must stand in quotes, as in - "**/clients/*"`}
	}
	if line == 0 {
		line, _ = findLine(src, func(b []byte) bool { return strings.ContainsFunc(string(b), notAllowed) })
	}
	if strings.Contains(text, "escape character") {
		text += ": put a path with backslashes in single quotes"
	}
	return &lineError{max(1, line), "", "this is no YAML that can be read: " + strings.Join(strings.Fields(text), " ")}
}

// notAllowed reports whether YAML disallows a character.
func notAllowed(r rune) bool {
	return r == '\uFFFD' || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0
}

var lineKey = lazy.Pattern(`^[{ "']*([a-z_]+)["']?\s*:`)

// findLine returns the first line that match accepts, 0 if there is none, and the last key up to that line.
func findLine(src []byte, match func([]byte) bool) (line int, key string) {
	for text := range bytes.Lines(src) {
		line++
		if m := lineKey().FindSubmatch(text); m != nil {
			key = string(m[1])
		}
		if match(text) {
			return line, key
		}
	}
	return 0, ""
}
