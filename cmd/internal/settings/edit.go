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
		Args          []string `json:"args,omitempty"`
		Timeout       int      `json:"timeout,omitempty"`
		StatusMessage string   `json:"statusMessage,omitempty"`
	}
)

// editor is one edit under way.
type editor struct {
	lead, tail string // around the settings
	root       *node
	style      style
	want       Wanted
	changes    []Change
}

func newEditor(src []byte, w Wanted) (*editor, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		src = append(slices.Clone(src), "{}\n"...)
	}
	lead, root, tail, err := parse(src)
	switch {
	case err != nil:
		return nil, err
	case root.kind != '{':
		return nil, fmt.Errorf("the settings are %s, not an object", what(root.kind))
	}
	return &editor{lead: lead, tail: tail, root: root, style: styleOf(src, root), want: w}, nil
}

// result is the settings as they are now and what was changed in src, which stays where
// nothing was.
func (e *editor) result(src []byte) ([]byte, []Change, error) {
	if !slices.ContainsFunc(e.changes, func(c Change) bool { return c.Did != "kept" }) {
		return src, e.changes, nil
	}
	b := bytes.NewBufferString(e.lead)
	e.root.write(b)
	b.WriteString(e.tail)
	return b.Bytes(), e.changes, nil
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
	kept := e.tidy()
	for _, h := range w.Hooks {
		if !slices.ContainsFunc(kept, func(f found) bool { return f.event == h.Event && f.hook() == h.Args[1] }) {
			e.addHook(h)
		}
	}
	for _, rule := range w.Allow {
		e.allow(rule)
	}
	return e.result(src)
}

// check refuses settings in which something else stands where entries belong.
func (e *editor) check() error {
	if err := e.expect('{', "hooks"); err != nil {
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
	if err := e.expect('{', "permissions"); err != nil {
		return err
	}
	return e.expect('[', "permissions", "allow")
}

func (e *editor) checkEvent(event string) error {
	if err := e.expect('[', "hooks", event); err != nil {
		return err
	}
	for i, g := range e.root.get("hooks", event).items {
		path := fmt.Sprintf("hooks.%s[%d]", event, i)
		if err := g.value.expect('{', path); err != nil {
			return err
		}
		if err := g.value.get("hooks").expect('[', path+".hooks"); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) expect(kind byte, path ...string) error {
	return e.root.get(path...).expect(kind, strings.Join(path, "."))
}

// expect refuses a value of another kind; none is fine.
func (n *node) expect(kind byte, path string) error {
	if n.kind != 0 && n.kind != kind {
		return fmt.Errorf("%s is %s, not %s", path, what(n.kind), what(kind))
	}
	return nil
}

// ensure is the value of a member, which is made empty where there is none yet.
func (e *editor) ensure(in *node, name string, empty any) *node {
	if in.member(name) < 0 {
		e.style.insert(in, len(in.items)-1, name, empty)
	}
	return in.get(name)
}

func (e *editor) addHook(h Hook) {
	list := e.ensure(e.ensure(e.root, "hooks", struct{}{}), h.Event, []any{})
	e.note("added", "hooks."+h.Event, "")
	e.style.insert(list, len(list.items)-1, "", group{h.Matcher, []handler{{
		Type: "command", Command: h.Command, Args: h.Args, Timeout: h.Timeout, StatusMessage: h.StatusMessage,
	}}})
}

func (e *editor) allow(rule string) {
	if slices.ContainsFunc(e.root.get("permissions", "allow").items, isText(rule)) {
		return
	}
	list := e.ensure(e.ensure(e.root, "permissions", struct{}{}), "allow", []any{})
	e.note("added", "permissions.allow "+rule, "")
	e.style.insert(list, len(list.items)-1, "", rule)
}

func isText(text string) func(item) bool {
	return func(it item) bool { return it.value.kind == '"' && it.value.text == text }
}
