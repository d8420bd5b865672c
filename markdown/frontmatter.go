package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v2"
)

// maxFrontmatter is the maximum size in bytes for parsing values. The parsers of YAML and TOML are not linear
// on hostile input; gitmem's own frontmatter is a few kilobytes.
const maxFrontmatter = 256 << 10

// maxTOMLNesting limits nested brackets: the TOML parser recurses without a limit, and a stack overflow
// cannot be recovered.
const maxTOMLNesting = 1000

// The fences of YAML and TOML.
const (
	fenceYAML = "---"
	fenceTOML = "+++"
)

// Frontmatter is the block of fields at the top of a file.
type Frontmatter struct {
	// Span covers both fences and the text between them, with the closing fence's line end.
	Span Span
	// Fields are the values: strings, numbers, booleans, []any and map[string]any at every depth; TOML dates are
	// time values. Keys of nested maps that are not strings are formatted as strings. For a duplicate YAML key,
	// the first value counts. Fields is nil if and only if the text could not be parsed.
	Fields map[string]any
	// Err is why Fields is nil, or reports a duplicate top-level key.
	Err error
}

// Field returns a value as text, or ""; dates keep their form. A value below the field metadata counts as
// well: in its memory files, the client moves unknown fields there.
func (f *Frontmatter) Field(key string) string {
	if f == nil {
		return ""
	}
	if text := fieldText(f.Fields[key]); text != "" {
		return text
	}
	metadata, _ := f.Fields["metadata"].(map[string]any)
	return fieldText(metadata[key])
}

func fieldText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.Format(time.DateOnly)
	default:
		return fmt.Sprint(v)
	}
}

// Day returns the date at the beginning of a value, at midnight UTC; zero if there is none.
func (f *Frontmatter) Day(key string) time.Time {
	text, _, _ := strings.Cut(strings.Replace(f.Field(key), "T", " ", 1), " ")
	day, _ := time.Parse(time.DateOnly, text)
	return day
}

// parseFront parses the frontmatter at the top of src, or reports that its fence is never closed.
func parseFront(src []byte) (*Frontmatter, []Skip) {
	start := bomLen(src)
	first := Span{start, lineEnd(src, start)}
	fence := string(trimEnd(first.Of(src)))
	if fence != fenceYAML && fence != fenceTOML {
		return nil, nil
	}
	for pos := first.End; pos < len(src); {
		line := Span{pos, lineEnd(src, pos)}
		if string(trimEnd(line.Of(src))) == fence {
			f := &Frontmatter{Span: Span{start, line.End}}
			return f, f.read(fence, src[first.End:line.Start])
		}
		pos = line.End
	}
	return nil, []Skip{{Span: first, Reason: "frontmatter is not closed: read as text"}}
}

func trimEnd(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }

// read sets Fields and Err.
func (f *Frontmatter) read(fence string, content []byte) []Skip {
	fields, doubled, err := readFields(fence, content)
	if err != nil {
		f.Err = fmt.Errorf("frontmatter: %w", err)
		return []Skip{{Span: f.Span, Reason: "frontmatter not understood: " + err.Error()}}
	}
	f.Fields = fields
	var skips []Skip
	for _, name := range doubled {
		f.Err = errors.Join(f.Err, fmt.Errorf("frontmatter: duplicate key %q", name))
		skips = append(skips, Skip{Span: f.Span, Reason: "frontmatter has the key " + name + " twice: the first one holds"})
	}
	return skips
}

// readFields parses the text between the fences, and returns the duplicate keys.
func readFields(fence string, content []byte) (fields map[string]any, doubled []string, err error) {
	if len(content) > maxFrontmatter {
		return nil, nil, fmt.Errorf("%d bytes are more than the %d that are read", len(content), maxFrontmatter)
	}
	if fence == fenceTOML && nesting(content) > maxTOMLNesting {
		return nil, nil, fmt.Errorf("more than %d brackets within brackets", maxTOMLNesting)
	}
	// The parsers below are third-party code: even if they panic, a user's file must stay readable.
	defer func() {
		if r := recover(); r != nil {
			fields, err = nil, fmt.Errorf("parser failed: %v", r)
		}
	}()
	// Fences that cannot occur in the content: a multi-line string may contain indented fences.
	const edge = "\x01"
	in := func() *bytes.Reader { return bytes.NewReader([]byte(edge + "\n" + string(content) + edge + "\n")) }
	fields = map[string]any{}
	if fence == fenceTOML {
		_, err = frontmatter.Parse(in(), &fields, frontmatter.NewFormat(edge, edge, toml.Unmarshal))
		for k, v := range fields {
			fields[k] = plainValue(v)
		}
		return fields, nil, err
	}
	var list yaml.MapSlice
	if _, err := frontmatter.Parse(in(), &list, frontmatter.NewFormat(edge, edge, unmarshalYAML)); err != nil {
		return nil, nil, err
	}
	for _, item := range list {
		name := fmt.Sprint(item.Key)
		if _, known := fields[name]; known {
			doubled = append(doubled, name)
			continue
		}
		fields[name] = plainValue(item.Value)
	}
	return fields, doubled, nil
}

// yamlValue matches the value on a line of YAML, after its key or after the dash of a list item. It excludes
// values that begin with a quote, a bracket or a block indicator, because they may continue on the next line.
var yamlValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^((?:[\w-]+:|[ \t]*-)[ \t]+)([\pL\pN*@.~/_-].*?)[ \t\r]*$`)
})

// unmarshalYAML parses YAML. If that fails, it treats values that are invalid YAML as strings: people write
// "paths: **/*.ts", and the client accepts it.
func unmarshalYAML(content []byte, to any) error {
	err := yaml.Unmarshal(content, to)
	if err == nil {
		return nil
	}
	quoted := yamlValue().ReplaceAllFunc(content, func(line []byte) []byte {
		var one any
		if yaml.Unmarshal(line, &one) == nil {
			return line
		}
		m := yamlValue().FindSubmatch(line)
		return append(m[1], QuoteYAML(string(m[2]))...)
	})
	if yaml.Unmarshal(quoted, to) != nil {
		return err
	}
	return nil
}

// nesting returns the nesting depth of brackets, including those in strings.
func nesting(b []byte) int {
	depth, deepest := 0, 0
	for _, c := range b {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// plainValue converts every map to map[string]any and every list to []any.
func plainValue(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
	case yaml.MapSlice:
		out := make(map[string]any, len(v))
		for _, item := range v {
			out[fmt.Sprint(item.Key)] = plainValue(item.Value)
		}
		return out
	case map[string]any:
		for k, val := range v {
			v[k] = plainValue(val)
		}
	case []map[string]any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	}
	return v
}
