package settings

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Hook is a command that the client runs at an event, without a shell unless Shell is set.
type Hook struct {
	Event, Matcher string   // the matcher is "" for all
	Command        string   // program, or a shell command line
	Args           []string // hook, its name and more
	Shell          bool     // Command includes the arguments
	Timeout        int      // in the unit of the client
	StatusMessage  string
}

// Member is a value with a name, in a member of the settings that is an object.
type Member struct {
	In, Name string
	Value    any
}

// Wanted are the entries that the settings should have, and how to recognise our entries.
type Wanted struct {
	Hooks   []Hook
	Allow   []string // permission rules
	AllowIn string   // the list of permissions for them, "" for allow
	Members []Member
	// Comments is set if the client accepts comments and trailing commas.
	Comments bool
	// Own reports whether a command is ours, and returns its words; args is nil if a shell splits the command.
	Own func(command string, args []string) (words []string, ok bool)
}

// allowPath returns the path of the permission rules.
func (w Wanted) allowPath() []string { return []string{"permissions", cmp.Or(w.AllowIn, "allow")} }

// containers returns the paths of the objects and lists that contain our entries.
func (w Wanted) containers() (paths [][]string) {
	for _, h := range w.Hooks {
		paths = append(paths, []string{"hooks", h.Event})
	}
	for _, m := range w.Members {
		paths = append(paths, []string{m.In})
	}
	if len(w.Allow) > 0 {
		paths = append(paths, w.allowPath())
	}
	return paths
}

// Change is one result of an edit.
type Change struct {
	Did   string `json:"did"`   // added, moved, removed, or kept
	What  string `json:"what"`  // hooks.Stop, a member, or permissions.allow with its rule
	Notes string `json:"notes"` // information for a person, or ""
}

// The JSON types of the client, in the order in which they are written.
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

// editor is one edit in progress.
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
	lead, root, tail, err := parse(src, w.Comments)
	switch {
	case err != nil:
		return nil, err
	case root.kind != '{':
		return nil, fmt.Errorf("the settings are %s, not an object", typeName(root.kind))
	}
	return &editor{lead: lead, tail: tail, root: root, style: styleOf(src, root), want: w}, nil
}

// result returns the edited settings with the changes; without changes it returns src.
func (e *editor) result(src []byte) ([]byte, []Change, error) {
	if !slices.ContainsFunc(e.changes, func(c Change) bool { return c.Did != "kept" }) {
		return src, e.changes, nil
	}
	b := bytes.NewBufferString(e.lead)
	e.root.write(b)
	b.WriteString(e.tail)
	if _, _, _, err := parse(b.Bytes(), e.want.Comments); err != nil {
		return nil, nil, fmt.Errorf("its comments leave no place for the change: %w", err)
	}
	return b.Bytes(), e.changes, nil
}

func (e *editor) note(did, what, notes string) {
	e.changes = append(e.changes, Change{did, what, notes})
}

// Install adds the wanted entries to settings. Existing entries stay in their position, with the user's
// changes; an entry of ours with another program gets this one; entries of ours that are no longer wanted are
// removed. No other byte changes.
func Install(src []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	if err := e.check(); err != nil {
		return nil, nil, err
	}
	kept := e.updateOwn()
	for _, h := range w.Hooks {
		if !slices.ContainsFunc(kept, func(f ownEntry) bool { return f.event == h.Event && f.hook() == h.Args[1] }) {
			e.addHook(h)
		}
	}
	for _, rule := range w.Allow {
		e.allow(rule)
	}
	for _, m := range w.Members {
		e.put(m)
	}
	return e.result(src)
}

// check rejects settings with values of other types where our entries belong.
func (e *editor) check() error {
	if err := e.expect('{', "hooks"); err != nil {
		return err
	}
	for _, h := range e.want.Hooks {
		if err := e.checkEvent(h.Event); err != nil {
			return err
		}
	}
	for _, m := range e.want.Members {
		if err := e.expect('{', m.In); err != nil {
			return err
		}
	}
	if len(e.want.Allow) == 0 {
		return nil
	}
	if err := e.expect('{', "permissions"); err != nil {
		return err
	}
	return e.expect('[', e.want.allowPath()...)
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

// expect rejects a value of another JSON type; a missing one is accepted.
func (n *node) expect(kind byte, path string) error {
	if n.kind != 0 && n.kind != kind {
		return fmt.Errorf("%s is %s, not %s", path, typeName(n.kind), typeName(kind))
	}
	return nil
}

// ensure returns the value of a member, and creates an empty one if it is missing.
func (e *editor) ensure(in *node, name string, empty any) *node {
	if in.member(name) < 0 {
		e.style.insert(in, len(in.items)-1, name, empty)
	}
	return in.get(name)
}

func (e *editor) addHook(h Hook) {
	list := e.ensure(e.ensure(e.root, "hooks", struct{}{}), h.Event, []any{})
	e.note("added", "hooks."+h.Event, "")
	entry := handler{Type: "command", Command: h.Command, Args: h.Args, Timeout: h.Timeout, StatusMessage: h.StatusMessage}
	if h.Shell {
		entry.Args = nil
	}
	e.style.insert(list, len(list.items)-1, "", group{h.Matcher, []handler{entry}})
}

func (e *editor) allow(rule string) {
	path := e.want.allowPath()
	if slices.ContainsFunc(e.root.get(path...).items, isText(rule)) {
		return
	}
	list := e.ensure(e.ensure(e.root, path[0], struct{}{}), path[1], []any{})
	e.note("added", strings.Join(path, ".")+" "+rule, "")
	e.style.insert(list, len(list.items)-1, "", rule)
}

func isText(text string) func(item) bool {
	return func(it item) bool { return it.value.kind == '"' && it.value.text == text }
}
