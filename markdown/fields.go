package markdown

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrBrokenFrontmatter is returned by [Doc.SetField] when the frontmatter
// cannot be read, so that no edit of it can be checked.
var ErrBrokenFrontmatter = errors.New("frontmatter is broken")

// ErrNestedValue is returned by [Doc.SetField] when a key's value runs over
// several lines or is a list or map: one line of text cannot replace it
// without loss.
var ErrNestedValue = errors.New("value is nested or has several lines")

// SetField gives a top-level frontmatter key a new value on its own line.
// value is text in the frontmatter's language, such as 3, true or what
// [QuoteYAML] or [QuoteTOML] return; it must fit one line. A missing key is
// added as the last one (in TOML before the first table), a missing
// frontmatter is created in YAML. A comment behind the old value stays.
//
// The edit is tried out on the frontmatter before it is returned: when the
// value is not what one scalar looks like, or any other field would change, it
// is refused. A list or map that stands whole on its line is replaced only by
// another one. Errors wrap [ErrBrokenFrontmatter] and [ErrNestedValue];
// a doubled key is refused with [ErrDuplicateKey].
func (d *Doc) SetField(key, value string) (Edit, error) {
	if strings.ContainsAny(value, "\r\n") {
		return Edit{}, fmt.Errorf("set field %q: the new value has several lines", key)
	}
	if d.Front != nil && d.Front.Fields == nil {
		return Edit{}, fmt.Errorf("set field %q: %w: %w", key, ErrBrokenFrontmatter, d.Front.Err)
	}
	e, err := d.fieldEdit(key, value)
	if err == nil {
		err = d.checkField(e, key, value)
	}
	if err != nil {
		return Edit{}, fmt.Errorf("set field %q: %w", key, err)
	}
	return e, nil
}

func (d *Doc) fieldEdit(key, value string) (Edit, error) {
	if d.Front == nil {
		return d.newFrontmatter(key, value), nil
	}
	var found []Key
	for _, k := range d.Front.Keys {
		if k.Name == key {
			found = append(found, k)
		}
	}
	_, known := d.Front.Fields[key]
	switch {
	case len(found) > 1:
		return Edit{}, ErrDuplicateKey
	case len(found) == 1:
		return d.replaceField(found[0], value)
	case known:
		return Edit{}, fmt.Errorf("the key has no line of its own: %w", ErrNestedValue)
	}
	at := d.Front.Content.End
	if d.Front.Format == TOML {
		at = d.firstTable()
	}
	return Edit{Span: Span{at, at}, Text: d.fieldLine(d.Front.Format, key, value)}, nil
}

func (d *Doc) newFrontmatter(key, value string) Edit {
	at := bomLen(d.Source)
	text := "---" + d.EOL + d.fieldLine(YAML, key, value) + "---" + d.EOL
	if !isBlank(d.Source[at:lineEnd(d.Source, at)]) {
		text += d.EOL
	}
	return Edit{Span: Span{at, at}, Text: text}
}

func (d *Doc) fieldLine(f Format, key, value string) string {
	if f == TOML {
		if !isID(key) {
			key = QuoteTOML(key)
		}
		return key + " = " + value + d.EOL
	}
	return strings.TrimRight(QuoteYAML(key)+": "+value, " ") + d.EOL
}

// firstTable is where the TOML keys of the top level end.
func (d *Doc) firstTable() int {
	for _, k := range d.Front.Keys {
		if line := strings.TrimLeft(string(k.Line.Of(d.Source)), " \t"); strings.HasPrefix(line, "[") {
			return k.Line.Start
		}
	}
	return d.Front.Content.End
}

// replaceField edits a key that is there.
func (d *Doc) replaceField(k Key, value string) (Edit, error) {
	for line := range strings.Lines(string(d.Source[k.Line.End:k.Span.End])) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return Edit{}, ErrNestedValue
		}
	}
	old := d.Front.Fields[k.Name]
	if isNested(old) && !strings.HasPrefix(value, string(k.Value.Of(d.Source)[:min(1, k.Value.Len())])) {
		return Edit{}, ErrNestedValue
	}
	if isNested(old) && k.Value.Len() == 0 {
		return Edit{}, ErrNestedValue // a TOML table
	}
	if k.Value.Len() == 0 && value != "" || k.Value.Start > 0 && d.Source[k.Value.Start-1] == ':' {
		value = " " + value
	}
	return Edit{Span: k.Value, Text: value}, nil
}

func isNested(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// checkField tries the edit out on the frontmatter alone.
func (d *Doc) checkField(e Edit, key, value string) error {
	head := d.Source[:bomLen(d.Source)]
	var old map[string]any
	if d.Front != nil {
		head = d.Source[:d.Front.Span.End]
		old = d.Front.Fields
	}
	changed, err := Apply(head, e)
	if err != nil {
		return err
	}
	front, _ := parseFront(changed)
	if front == nil || front.Span.End != len(changed) && d.Front != nil {
		return errors.New("the new value would end the frontmatter")
	}
	if front.Fields == nil {
		return fmt.Errorf("the frontmatter cannot hold the new value: %w", front.Err)
	}
	alone, err := readFields(front.Format, []byte(d.fieldLine(front.Format, key, value)))
	got, ok := front.Fields[key]
	if err != nil || !ok || !sameValue(got, alone[key]) || isNested(got) && old[key] != nil && !isNested(old[key]) {
		return errors.New("the new value is not read as the key's value")
	}
	for k, v := range old {
		if k != key && !sameValue(v, front.Fields[k]) {
			return fmt.Errorf("the new value would change field %q", k)
		}
	}
	for k := range front.Fields {
		if _, was := old[k]; !was && k != key {
			return fmt.Errorf("the new value would add field %q", k)
		}
	}
	return nil
}

// sameValue compares by print, which takes not-a-number for itself.
func sameValue(a, b any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

// QuoteYAML formats s as a YAML string on one line: as it is where no reader
// of YAML 1.1 or 1.2 takes it for anything else, otherwise in double quotes.
// Bytes that are not UTF-8 become U+FFFD.
func QuoteYAML(s string) string {
	if isPlainYAML(s) {
		return s
	}
	return quote(s, func(r rune) string {
		if r < 0x100 {
			return fmt.Sprintf(`\x%02X`, r)
		}
		return fmt.Sprintf(`\u%04X`, r)
	})
}

// QuoteTOML formats s as a TOML basic string on one line. Bytes that are not
// UTF-8 become U+FFFD.
func QuoteTOML(s string) string {
	return quote(s, func(r rune) string { return fmt.Sprintf(`\u%04X`, r) })
}

// quote puts s in double quotes. escape writes what must not stand there
// plainly: controls, line separators, byte order marks and non-characters.
func quote(s string, escape func(rune) string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, string(utf8.RuneError)) {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlainYAML is narrower than YAML: letters first, then letters, digits and
// a few signs, words apart by single blanks, and no word that means a value.
func isPlainYAML(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		inside := c >= '0' && c <= '9' || strings.IndexByte("./-", c) >= 0 ||
			c == ' ' && i+1 < len(s) && s[i+1] != ' '
		if !letter && (i == 0 || !inside) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity":
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}
