package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Hook is a command that the client is to run at an event, without a shell.
type Hook struct {
	Event, Matcher string // the matcher is "" for all
	Command        string // program
	Args           []string
	Timeout        int // seconds
	StatusMessage  string
}

// Wanted is what belongs into the settings, and whose it is.
type Wanted struct {
	Hooks []Hook
	Allow []string // permission rules
	// Own tells a command that is ours, by its words; args is nil where a shell reads
	// the command.
	Own func(command string, args []string) (words []string, ok bool)
}

// Change is one thing that an edit did or found.
type Change struct {
	Did   string `json:"did"`   // added, moved, removed, or kept
	What  string `json:"what"`  // hooks.Stop, or permissions.allow with its rule
	Notes string `json:"notes"` // "" or what a person should know of it
}

// The forms that the client reads, in the order in which they are written.
type (
	group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
	handler struct {
		Type          string   `json:"type"`
		Command       string   `json:"command"`
		Args          []string `json:"args"`
		Timeout       int      `json:"timeout,omitempty"`
		StatusMessage string   `json:"statusMessage,omitempty"`
	}
)

// editor is one edit under way.
type editor struct {
	src     []byte
	root    node
	style   style
	want    Wanted
	changes []Change
	err     error // of the first edit that failed; nothing is changed after it
}

func newEditor(src []byte, w Wanted) (*editor, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		src = append(slices.Clone(src), "{}\n"...)
	}
	e := &editor{want: w}
	switch e.set(src); {
	case e.err != nil:
		return nil, e.err
	case e.root.kind != '{':
		return nil, fmt.Errorf("the settings are %s, not an object", e.root.what())
	}
	e.style = styleOf(src, e.root)
	return e, nil
}

// set goes on with new bytes. An edit is a step from one valid file to the next, so
// that none has to know where the others moved things.
func (e *editor) set(src []byte) {
	if e.err != nil {
		return
	}
	var root node
	if root, e.err = parse(src); e.err == nil {
		e.src, e.root = src, root
	}
}

// insert puts a value behind the last item of an object, under a name, or of a list.
func (e *editor) insert(in node, name string, v any) {
	e.set(e.style.insert(e.src, in, len(in.items)-1, name, v))
}

func (e *editor) remove(from node, i int) { e.set(e.style.remove(e.src, from, i)) }

func (e *editor) note(did, what, notes string) {
	e.changes = append(e.changes, Change{did, what, notes})
}

// Install puts what is wanted into settings. What is there already is kept where it
// is, with what was changed in it; an entry of ours that names another program gets
// this one; what is ours and no longer wanted goes. Nothing else changes by a byte.
func Install(src []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	if err := e.check(); err != nil {
		return nil, nil, err
	}
	e.tidy()
	for _, h := range w.Hooks {
		e.addHook(h)
	}
	for _, rule := range w.Allow {
		e.allow(rule)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	if !slices.ContainsFunc(e.changes, func(c Change) bool { return c.Did != "kept" }) {
		return src, e.changes, nil // an empty file, too
	}
	return e.src, e.changes, nil
}

// check refuses settings in which something else stands where entries belong.
func (e *editor) check() error {
	if err := e.expect("hooks", '{'); err != nil {
		return err
	}
	for _, h := range e.want.Hooks {
		if err := e.checkEvent(h.Event); err != nil {
			return err
		}
	}
	if len(e.want.Allow) == 0 {
		return nil
	}
	if err := e.expect("permissions", '{'); err != nil {
		return err
	}
	return e.expect("permissions.allow", '[')
}

func (e *editor) checkEvent(event string) error {
	path := "hooks." + event
	if err := e.expect(path, '['); err != nil {
		return err
	}
	for i, g := range e.at(path).items {
		if g.kind != '{' {
			return wrongKind(fmt.Sprintf("%s[%d]", path, i), g, '{')
		}
		if list := g.get("hooks"); list.kind != '[' && list.kind != 0 {
			return wrongKind(fmt.Sprintf("%s[%d].hooks", path, i), list, '[')
		}
	}
	return nil
}

// at is the value at a path of names, the zero node if there is none.
func (e *editor) at(path string) node {
	n := e.root
	for name := range strings.SplitSeq(path, ".") {
		n = n.get(name)
	}
	return n
}

func (e *editor) expect(path string, kind byte) error {
	if n := e.at(path); n.kind != 0 && n.kind != kind {
		return wrongKind(path, n, kind)
	}
	return nil
}

func wrongKind(path string, n node, kind byte) error {
	return fmt.Errorf("%s is %s, not %s", path, n.what(), node{kind: kind}.what())
}

// ensure is the value of a member, which is made empty where there is none yet.
func (e *editor) ensure(parent, name string, empty any) node {
	path, in := name, e.root
	if parent != "" {
		path, in = parent+"."+name, e.at(parent)
	}
	if e.at(path).kind == 0 {
		e.insert(in, name, empty)
	}
	return e.at(path)
}

// addHook registers a hook unless an entry of ours does it already.
func (e *editor) addHook(h Hook) {
	for f := range e.found() {
		if f.event == h.Event && f.shown && f.hook() == h.Args[1] {
			return // tidy told of it
		}
	}
	e.ensure("", "hooks", struct{}{})
	list := e.ensure("hooks", h.Event, []any{})
	e.note("added", "hooks."+h.Event, "")
	e.insert(list, "", group{h.Matcher, []handler{{
		Type: "command", Command: h.Command, Args: h.Args, Timeout: h.Timeout, StatusMessage: h.StatusMessage,
	}}})
}

func (e *editor) allow(rule string) {
	if slices.ContainsFunc(e.at("permissions.allow").items, func(n node) bool { return n.text == rule }) {
		return
	}
	e.ensure("", "permissions", struct{}{})
	list := e.ensure("permissions", "allow", []any{})
	e.note("added", "permissions.allow "+rule, "")
	e.insert(list, "", rule)
}
