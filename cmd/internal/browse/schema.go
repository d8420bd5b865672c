package browse

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// definitions are the types of GraphQL for views, by their names.
type definitions map[string]string

// name is how GraphQL names a type of Go, whose definition it adds if it is a struct. The tag doc
// describes a field.
func (d definitions) name(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "String!"
	case reflect.Bool:
		return "Boolean!"
	case reflect.Int32:
		return "Int!"
	case reflect.Float64:
		return "Float!"
	case reflect.Slice:
		return "[" + d.name(t.Elem()) + "]!"
	case reflect.Pointer:
		return strings.TrimSuffix(d.name(t.Elem()), "!")
	}
	if _, ok := d[t.Name()]; !ok {
		d[t.Name()] = "" // while its fields are read, of which one may be of the same type
		var fields strings.Builder
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous {
				fmt.Fprintf(&fields, "%q %s: %s\n", f.Tag.Get("doc"), fieldName(f.Name), d.name(f.Type))
			}
		}
		d[t.Name()] = "type " + t.Name() + " {\n" + fields.String() + "}\n"
	}
	return t.Name() + "!"
}

var capitals = lazy.Pattern(`[A-Z]+`)

// fieldName is how GraphQL names a field of Go: url for URL, and sessionId for SessionID.
func fieldName(name string) string {
	name = capitals().ReplaceAllStringFunc(name, func(s string) string { return s[:1] + strings.ToLower(s[1:]) })
	return strings.ToLower(name[:1]) + name[1:]
}
