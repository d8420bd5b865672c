package settings

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
)

// server parses a tool server. It returns the program and the remaining fields, without those that clients
// add: a type, an enabled flag, and an empty environment.
func server(text string) (program string, rest map[string]any) {
	_ = json.Unmarshal([]byte(text), &rest) // stays empty for another value
	switch c := rest["command"].(type) {
	case string:
		program = c
	case []any:
		if len(c) > 0 {
			program, _ = c[0].(string)
			rest["args"] = c[1:]
		}
	}
	maps.DeleteFunc(rest, func(name string, value any) bool {
		empty, isMap := value.(map[string]any)
		return name == "command" || name == "type" || name == "enabled" && value == true ||
			(name == "env" || name == "environment") && isMap && len(empty) == 0
	})
	return program, rest
}

// isOurs reports whether a value is exactly what we write, or runs our program without additions of a user:
// any other value belongs to somebody else.
func (e *editor) isOurs(m Member, n *node) bool {
	var b bytes.Buffer
	n.write(&b)
	program, has := server(b.String())
	_, want := server(e.style.encode(m.Value, ""))
	_, ok := e.want.Own(program, []string{"hook", m.Name})
	return ok && reflect.DeepEqual(has, want) || b.String() == e.style.encode(m.Value, n.indent)
}

// program returns the node with the program of a server.
func (n *node) program() *node {
	c := n.get("command")
	if c.kind == '[' && len(c.items) > 0 {
		return c.items[0].value
	}
	return c
}

// put adds a member. An existing one of ours gets this program, and keeps the user's changes.
func (e *editor) put(m Member) {
	what, n, program := m.In+"."+m.Name, e.root.get(m.In, m.Name), e.style.node(m.Value, "").program()
	switch {
	case n.kind == 0:
		in := e.ensure(e.root, m.In, struct{}{})
		e.style.insert(in, len(in.items)-1, m.Name, m.Value)
		e.note("added", what, "")
	case !e.isOurs(m, n):
		e.note("kept", what, "another of that name is there, which stays")
	case program.text != n.program().text:
		e.note("moved", what, "from "+n.program().text)
		*n.program() = *program
	default:
		e.note("kept", what, "")
	}
}

// removeMember removes a member of ours, and containers that become empty.
func (e *editor) removeMember(m Member, old *node) {
	in := e.root.get(m.In)
	if i := in.member(m.Name); i >= 0 && !e.isOurs(m, in.items[i].value) {
		e.note("kept", m.In+"."+m.Name, "it is not as install wrote it")
	} else if i >= 0 {
		e.note("removed", m.In+"."+m.Name, "")
		if e.style.remove(in, i); in.bare() && old.get(m.In).kind == 0 {
			e.take(e.root, in)
		}
	}
}
