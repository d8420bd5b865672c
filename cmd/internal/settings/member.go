package settings

import (
	"bytes"
	"encoding/json"
	"slices"
)

// server is a server of tools that a program runs. Some clients add an empty environment.
type server struct {
	Type, Command string
	Args          []string
	Env           map[string]string
}

// isOurs reports whether a value runs our program as we write it, with nothing that a user
// added, or is what we write: any other is another's of that name.
func (e *editor) isOurs(m Member, n *node) bool {
	var b bytes.Buffer
	n.write(&b)
	text := b.String()
	var has, want server
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	_ = json.Unmarshal([]byte(e.style.encode(m.Value, "")), &want) // stays empty for what is no server
	_, ok := e.want.Own(n.get("command").text, []string{"hook", m.Name})
	return ok && d.Decode(&has) == nil && slices.Equal(has.Args, want.Args) && len(has.Env) == 0 || text == e.style.encode(m.Value, n.indent)
}

// put adds a member. One of ours gets this program, and is otherwise the user's to change.
func (e *editor) put(m Member) {
	what, n, program := m.In+"."+m.Name, e.root.get(m.In, m.Name), e.style.node(m.Value, "").get("command")
	switch {
	case n.kind == 0:
		in := e.ensure(e.root, m.In, struct{}{})
		e.style.insert(in, len(in.items)-1, m.Name, m.Value)
		e.note("added", what, "")
	case !e.isOurs(m, n):
		e.note("kept", what, "another of that name is there, which stays")
	case program.text != n.get("command").text:
		e.note("moved", what, "from "+n.get("command").text)
		*n.get("command") = *program
	default:
		e.note("kept", what, "")
	}
}

// removeMember removes a member of ours, and what held nothing else.
func (e *editor) removeMember(m Member, old *node) {
	in := e.root.get(m.In)
	if i := in.member(m.Name); i >= 0 && !e.isOurs(m, in.items[i].value) {
		e.note("kept", m.In+"."+m.Name, "it is not as install wrote it")
	} else if i >= 0 {
		e.note("removed", m.In+"."+m.Name, "")
		if e.style.remove(in, i); len(in.items) == 0 && old.get(m.In).kind == 0 {
			e.take(e.root, in)
		}
	}
}
