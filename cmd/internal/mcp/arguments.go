package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/internal/lazy"
)

// argumentsOf returns the names of the arguments of a tool, in the order of their fields.
func argumentsOf[In any]() (names []string) {
	in := reflect.TypeFor[In]()
	for i := range in.NumField() {
		name, _, _ := strings.Cut(in.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// sameArgument has the names of the same argument in different tools: for one value, for a question, and for
// a list.
var sameArgument = [...][3]string{{"query", "question", "queries"}, {"id", "id", "ids"}}

// withOtherNames accepts the name of an argument in another tool, if it is unambiguous, so that memory_search
// accepts a single query like the other searches. No definition mentions it, because a model pays for each
// word of a definition.
func (s *server) withOtherNames(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if c, ok := r.(*sdk.CallToolRequest); ok {
			c.Params.Arguments = s.otherNames(c.Params.Name, c.Params.Arguments)
		}
		return next(ctx, method, r)
	}
}

// otherNames renames the arguments of a call to the tool's own names. The query of memory_personal has
// another meaning.
func (s *server) otherNames(tool string, arguments json.RawMessage) json.RawMessage {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &in); err != nil || tool == "memory_personal" {
		return arguments
	}
	changed := false
	for _, names := range sameArgument {
		own := func(name string) bool { return slices.Contains(s.arguments[tool], name) }
		at := slices.IndexFunc(names[:], own)
		given := slices.DeleteFunc(slices.Compact(slices.Clone(names[:])), func(name string) bool { return in[name] == nil })
		if at < 0 || len(given) != 1 || own(given[0]) {
			continue
		}
		value, many := in[given[0]], []json.RawMessage(nil)
		switch list := json.Unmarshal(value, &many) == nil; {
		case at == 2 && !list:
			value = slices.Concat([]byte("["), value, []byte("]"))
		case at < 2 && len(many) == 1:
			value = many[0]
		case at < 2 && list:
			continue
		}
		delete(in, given[0])
		in[names[at]], changed = value, true
	}
	if !changed {
		return arguments
	}
	out, _ := json.Marshal(in) // it was JSON before
	return out
}

// withOwnErrors reports errors in the arguments of a call in the tool's terms. The SDK reports them in those of
// JSON Schema.
func (s *server) withOwnErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		c, called := r.(*sdk.CallToolRequest)
		failed, ok := result.(*sdk.CallToolResult)
		if err != nil || !called || !ok || !failed.IsError || len(failed.Content) != 1 {
			return result, err
		}
		if text, ok := failed.Content[0].(*sdk.TextContent); ok {
			text.Text = argumentError(c.Params.Name, s.arguments[c.Params.Name], text.Text)
		}
		return result, err
	}
}

var (
	unknownArguments = lazy.Pattern(`^validating .*unexpected additional properties \[(.*)\]$`)
	lackedArguments  = lazy.Pattern(`^validating .*missing properties: \[(.*)\]$`)
	wrongArgument    = lazy.Pattern(`^validating .*/properties/(\w+).*: type: .*, want (?:one of )?"(?:null, )?(\w+)"$`)
)

// argumentError describes an error in the arguments of a tool call.
func argumentError(tool string, takes []string, text string) string {
	names := func(list string) string { return strings.ReplaceAll(strings.ReplaceAll(list, `"`, ""), " ", ", ") }
	usage := fmt.Sprintf("%s takes %s", tool, strings.Join(takes, ", "))
	if m := unknownArguments().FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("invalid request: unknown argument %s: %s", names(m[1]), usage)
	}
	if m := lackedArguments().FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("invalid request: %s is missing: %s", names(m[1]), usage)
	}
	if m := wrongArgument().FindStringSubmatch(text); m != nil {
		words := map[string]string{
			"string": "a text", "array": "a list", "integer": "a whole number", "boolean": "true or false",
		}
		return fmt.Sprintf("invalid request: %s: expected %s", m[1], words[m[2]])
	}
	return text
}
