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

// maxFrontmatter is the size in bytes up to which values are read. The parsers
// of YAML and TOML are not linear on hostile input; gitmem's own frontmatter
// is a few kilobytes.
const maxFrontmatter = 256 << 10

// maxTOMLNesting bounds brackets within brackets: the TOML parser recurses
// without a bound of its own, and a stack that overflows cannot be caught.
const maxTOMLNesting = 1000

// The fences of YAML and TOML.
const (
	fenceYAML = "---"
	fenceTOML = "+++"
)

// Frontmatter is the block of fields at the top of a file.
type Frontmatter struct {
	// Span covers both fences and what is between them, with the closing
	// fence's line end.
	Span Span
	// Fields are the values: strings, numbers, booleans, []any and
	// map[string]any at every depth; TOML dates are time values. Keys of
	// nested maps that are no strings appear as printed. Where a key of YAML is
	// doubled the first one's value is taken. Fields is nil exactly when
	// the text could not be read.
	Fields map[string]any
	// Err says why Fields is nil, or that a top-level key is there twice.
	Err error
}

// Field is a value as text, "" where there is none; dates keep their day form. A value below the field
// metadata counts as well: in its memory the client moves fields there that it does not know.
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

// Day is the day of a value that begins with a date, with or without a time behind it, at midnight
// UTC; zero where there is none.
func (f *Frontmatter) Day(key string) time.Time {
	text, _, _ := strings.Cut(strings.Replace(f.Field(key), "T", " ", 1), " ")
	day, _ := time.Parse(time.DateOnly, text)
	return day
}

// parseFront reads the frontmatter at the top of src, or reports that a fence
// there is never closed.
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

// read fills in Fields and Err.
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

// readFields turns the text between the fences into values, and names the keys that
// are there twice.
func readFields(fence string, content []byte) (fields map[string]any, doubled []string, err error) {
	if len(content) > maxFrontmatter {
		return nil, nil, fmt.Errorf("%d bytes are more than the %d that are read", len(content), maxFrontmatter)
	}
	if fence == fenceTOML && nesting(content) > maxTOMLNesting {
		return nil, nil, fmt.Errorf("more than %d brackets within brackets", maxTOMLNesting)
	}
	// The parsers below are other people's: whatever they do, a file of the
	// user's must stay readable.
	defer func() {
		if r := recover(); r != nil {
			fields, err = nil, fmt.Errorf("parser failed: %v", r)
		}
	}()
	// Fences that no text can hold: indented ones may stand in a text of several lines.
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

// yamlValue finds the value of a line of YAML, behind its key or behind the sign of a list's item. One
// that begins with a quote, a bracket or the sign of a block may go on in the next line.
var yamlValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^((?:[\w-]+:|[ \t]*-)[ \t]+)([\pL\pN*@.~/_-].*?)[ \t\r]*$`)
})

// unmarshalYAML reads YAML. If that fails, values that are no YAML by themselves are taken as text:
// people write "paths: **/*.ts", and the client reads it.
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

// nesting is how deep brackets are nested, strings included.
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

// plainValue makes every map a map[string]any and every list a []any.
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
