package browse

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/internal/lazy"
)

// TestSchemaHasViews compares the types of the schema with the views. UPDATE_SCRIPTS=1 writes them.
func TestSchemaHasViews(t *testing.T) {
	t.Parallel()
	types := definitions{}
	types.name(reflect.TypeFor[AskStep]()) // of the subscription
	for m := range reflect.TypeFor[*queries]().Methods() {
		if view := m.Type.Out(0); view.Kind() == reflect.Struct {
			types.name(view)
		}
	}
	name := filepath.Join("..", "..", "..", "templates", "web", "schema.graphql")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\n# The types of views.\n"
	written, was, found := strings.Cut(string(b), mark)
	want := "\n" + strings.Join(slices.Sorted(maps.Values(types)), "\n")
	if diff := cmp.Diff(was, want); diff != "" && os.Getenv("UPDATE_SCRIPTS") == "" {
		t.Errorf("-schema +views, UPDATE_SCRIPTS=1 writes it:\n%s", diff)
	} else if diff != "" {
		if err := os.WriteFile(name, []byte(written+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Errorf("%s lacks %q", name, mark)
	}
}

// definitions are the GraphQL types of views, by name.
type definitions map[string]string

// name returns the GraphQL name of a Go type, and adds its definition if it is a struct.
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
		d[t.Name()] = "" // placeholder while its fields are read, one of which may have the same type
		var fields strings.Builder
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous {
				fmt.Fprintf(&fields, "  %s: %s\n", fieldName(f.Name), d.name(f.Type))
			}
		}
		d[t.Name()] = "type " + t.Name() + " {\n" + fields.String() + "}\n"
	}
	return t.Name() + "!"
}

var capitals = lazy.Pattern(`[A-Z]+`)

// fieldName returns the GraphQL name of a Go field: url for URL, and sessionId for SessionID.
func fieldName(name string) string {
	name = capitals().ReplaceAllStringFunc(name, func(s string) string { return s[:1] + strings.ToLower(s[1:]) })
	return strings.ToLower(name[:1]) + name[1:]
}
