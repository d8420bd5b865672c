package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/adrg/frontmatter"
)

// Format is the language of a frontmatter.
type Format int

// The formats, by their fence: "---" and "+++".
const (
	YAML Format = iota
	TOML
)

// String is "YAML" or "TOML".
func (f Format) String() string {
	if f == TOML {
		return "TOML"
	}
	return "YAML"
}

func (f Format) fence() string {
	if f == TOML {
		return "+++"
	}
	return "---"
}

// maxFrontmatter is the size in bytes up to which values are read. The parsers
// of YAML and TOML are not linear on hostile input; gitmem's own frontmatter
// is a few kilobytes.
const maxFrontmatter = 256 << 10

// maxTOMLNesting bounds brackets within brackets: the TOML parser recurses
// without a bound of its own, and a stack that overflows cannot be caught.
const maxTOMLNesting = 1000

// ErrDuplicateKey is in [Frontmatter.Err] when a top-level key stands there
// twice. Fields then holds the first of each.
var ErrDuplicateKey = errors.New("duplicate key")

// Frontmatter is the block of fields at the top of a file.
type Frontmatter struct {
	// Format is the language, told by the fences.
	Format Format
	// Span covers both fences and what is between them, with the closing
	// fence's line end.
	Span Span
	// Content covers the lines between the fences.
	Content Span
	// Fields are the values: strings, numbers, booleans, []any and
	// map[string]any at every depth; TOML dates are time values. Keys of
	// nested maps that are no strings appear as printed. Where a top-level key
	// is doubled the first one's value is taken. Fields is nil exactly when
	// the text could not be read.
	Fields map[string]any
	// Keys are the top-level keys in file order, doubled ones included, as far
	// as they stand on a line of their own.
	Keys []Key
	// Err tells why Fields is nil, or holds [ErrDuplicateKey].
	Err error
}

// Key is where a top-level key stands. In TOML a table's header counts as a
// key without value, and a dotted key has its dotted name.
type Key struct {
	// Name is the key without quotes.
	Name string
	// Line covers the key's line with its line end.
	Line Span
	// Value covers the value as far as it stands on Line, without comment and
	// surrounding blanks; it is empty where there is none.
	Value Span
	// Span covers the key with all lines up to the next key.
	Span Span

	repeats bool // [[name]]: may stand there many times
}

// parseFront reads the frontmatter at the top of src, or tells that a fence
// there is never closed.
func parseFront(src []byte) (*Frontmatter, []Skip) {
	start := bomLen(src)
	first := Span{start, lineEnd(src, start)}
	f := &Frontmatter{}
	switch fence := string(trimEnd(first.Of(src))); fence {
	case YAML.fence():
	case TOML.fence():
		f.Format = TOML
	default:
		return nil, nil
	}
	if first.End == len(src) && src[len(src)-1] != '\n' {
		return nil, []Skip{{Span: first, Reason: "frontmatter is not closed: read as text"}}
	}
	for pos := first.End; pos < len(src); {
		line := Span{pos, lineEnd(src, pos)}
		if string(trimEnd(line.Of(src))) == f.Format.fence() {
			f.Span, f.Content = Span{start, line.End}, Span{first.End, line.Start}
			return f, f.read(src)
		}
		pos = line.End
	}
	return nil, []Skip{{Span: first, Reason: "frontmatter is not closed: read as text"}}
}

func trimEnd(line []byte) []byte { return bytes.TrimRight(line, " \t\r\n") }

// read fills in Keys, Fields and Err.
func (f *Frontmatter) read(src []byte) []Skip {
	if f.Format == TOML {
		f.Keys = tomlKeys(src, f.Content)
	} else {
		f.Keys = yamlKeys(src, f.Content)
	}
	content, doubled := f.withoutDuplicates(src)
	skips, errs := []Skip{}, []error{}
	for _, k := range doubled {
		errs = append(errs, fmt.Errorf("%w %q", ErrDuplicateKey, k.Name))
		skips = append(skips, Skip{Span: k.Span, Reason: "frontmatter has the key " + k.Name + " twice: the first one holds"})
	}
	fields, err := readFields(f.Format, content)
	if err != nil {
		f.Err = fmt.Errorf("frontmatter: %w", err)
		return append(skips, Skip{Span: f.Span, Reason: "frontmatter not understood: " + err.Error()})
	}
	f.Fields = fields
	if len(errs) > 0 {
		f.Err = fmt.Errorf("frontmatter: %w", errors.Join(errs...))
	}
	for _, k := range f.Keys {
		if _, ok := fields[k.Name]; !ok && k.Name != "<<" && f.Format == YAML {
			skips = append(skips, Skip{Span: k.Line, Reason: "frontmatter key " + k.Name + " has no value of that name"})
		}
	}
	return skips
}

// withoutDuplicates is the content as the value parsers get it: without the
// later ones of doubled keys, which one parser refuses and the other prefers.
func (f *Frontmatter) withoutDuplicates(src []byte) (out []byte, doubled []Key) {
	seen := map[string]bool{}
	pos := f.Content.Start
	for _, k := range f.Keys {
		if seen[k.Name] && !k.repeats {
			out = append(out, src[pos:k.Span.Start]...)
			pos = k.Span.End
			doubled = append(doubled, k)
		}
		seen[k.Name] = true
	}
	return append(out, src[pos:f.Content.End]...), doubled
}

// readFields turns the text between the fences into values.
func readFields(format Format, content []byte) (fields map[string]any, err error) {
	if len(content) > maxFrontmatter {
		return nil, fmt.Errorf("%d bytes are more than the %d that are read", len(content), maxFrontmatter)
	}
	if format == TOML && nesting(content) > maxTOMLNesting {
		return nil, fmt.Errorf("more than %d brackets within brackets", maxTOMLNesting)
	}
	// The parsers below are other people's: whatever they do, a file of the
	// user's must stay readable.
	defer func() {
		if r := recover(); r != nil {
			fields, err = nil, fmt.Errorf("parser failed: %v", r)
		}
	}()
	fence := format.fence()
	masked, mask := maskFences(content, fence)
	text := fence + "\n" + string(masked) + fence + "\n"
	var raw map[string]any
	if _, err := frontmatter.Parse(strings.NewReader(text), &raw); err != nil {
		return nil, err
	}
	fields = map[string]any{}
	for k, v := range raw {
		fields[unmask(k, mask, fence)] = plainValue(v, mask, fence)
	}
	return fields, nil
}

// nesting is how deep brackets stand in brackets, strings included.
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

// maskFences hides indented fences, which may stand in a text of several
// lines: adrg/frontmatter takes them for the end. mask is a word that occurs
// nowhere else, empty when nothing was hidden.
func maskFences(content []byte, fence string) (masked []byte, mask string) {
	if !bytes.Contains(content, []byte(fence)) {
		return content, ""
	}
	longest, run := 0, 0
	for _, c := range content {
		if run++; c != 'q' {
			run = 0
		}
		longest = max(longest, run)
	}
	word := "q" + strings.Repeat("q", longest)
	for line := range bytes.Lines(content) {
		if string(bytes.TrimSpace(line)) == fence {
			line = bytes.Replace(line, []byte(fence), []byte(word), 1)
			mask = word
		}
		masked = append(masked, line...)
	}
	return masked, mask
}

func unmask(s, mask, fence string) string {
	if mask == "" {
		return s
	}
	return strings.ReplaceAll(s, mask, fence)
}

// plainValue makes every map a map[string]any and takes the mask off.
func plainValue(v any, mask, fence string) any {
	switch v := v.(type) {
	case string:
		return unmask(v, mask, fence)
	case []any:
		for i := range v {
			v[i] = plainValue(v[i], mask, fence)
		}
		return v
	case map[any]any:
		out := make(map[string]any, len(v))
		for k, val := range v {
			out[unmask(fmt.Sprint(k), mask, fence)] = plainValue(val, mask, fence)
		}
		return out
	case map[string]any:
		for k, val := range v {
			v[k] = plainValue(val, mask, fence)
		}
		return v
	case []map[string]any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i], mask, fence)
		}
		return out
	}
	return v
}
