package mcp

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/internal/lazy"
)

// argumentsOf are the names of the arguments of a tool, in the order of the fields that hold them.
func argumentsOf[In any]() (names []string) {
	in := reflect.TypeFor[In]()
	for i := range in.NumField() {
		name, _, _ := strings.Cut(in.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
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

// argumentError is an error of a call of a tool that takes some arguments.
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
