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
}

func newEditor(src []byte, w Wanted) (*editor, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		src = append(slices.Clone(src), "{}\n"...)
	}
	e := &editor{want: w}
	if err := e.set(src); err != nil {
		return nil, err
	}
	if e.root.kind != '{' {
		return nil, fmt.Errorf("the settings are %s, not an object", e.root.what())
	}
	e.style = styleOf(src, e.root)
	return e, nil
}

// set goes on with new bytes. An edit is a step from one valid file to the next, so
// that none has to know where the others moved things.
func (e *editor) set(src []byte) (err error) {
	e.src = src
	e.root, err = parse(src)
	return err
}

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
	if err := e.tidy(); err != nil {
		return nil, nil, err
	}
	for _, h := range w.Hooks {
		if err := e.addHook(h); err != nil {
			return nil, nil, err
		}
	}
	for _, rule := range w.Allow {
		if err := e.allow(rule); err != nil {
			return nil, nil, err
		}
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

// ensure makes an empty object or list where there is none yet.
func (e *editor) ensure(path string, empty any) error {
	if e.at(path).kind != 0 {
		return nil
	}
	parent, name := e.root, path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		parent, name = e.at(path[:i]), path[i+1:]
	}
	return e.set(e.style.insert(e.src, parent, len(parent.items)-1, name, empty))
}

// addHook registers a hook unless an entry of ours does it already.
func (e *editor) addHook(h Hook) error {
	path := "hooks." + h.Event
	for f := range e.found() {
		if f.event == h.Event && f.shown && f.hook() == h.Args[1] {
			return nil // tidy told of it
		}
	}
	if err := e.ensure("hooks", struct{}{}); err != nil {
		return err
	}
	if err := e.ensure(path, []any{}); err != nil {
		return err
	}
	list := e.at(path)
	e.note("added", path, "")
	return e.set(e.style.insert(e.src, list, len(list.items)-1, "", group{h.Matcher, []handler{{
		Type: "command", Command: h.Command, Args: h.Args, Timeout: h.Timeout, StatusMessage: h.StatusMessage,
	}}}))
}

func (e *editor) allow(rule string) error {
	if slices.ContainsFunc(e.at("permissions.allow").items, func(n node) bool { return n.text == rule }) {
		return nil
	}
	if err := e.ensure("permissions", struct{}{}); err != nil {
		return err
	}
	if err := e.ensure("permissions.allow", []any{}); err != nil {
		return err
	}
	list := e.at("permissions.allow")
	e.note("added", "permissions.allow "+rule, "")
	return e.set(e.style.insert(e.src, list, len(list.items)-1, "", rule))
}
