package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Remove removes our entries from settings: hooks, and permission rules except those that
// were there before. Objects and lists that become empty are removed too, unless they were
// there before. before is the settings before installation or their [Outline], nil if unknown.
func Remove(src, before []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	old := &node{}
	if before != nil {
		if _, root, _, err := parse(before, w.Comments); err == nil { // else it has no information
			old = root
		}
	}
	for _, f := range e.ownEntries() {
		e.drop(f, "", old)
	}
	for e.removeRules(old) { // a removed one may have hidden another of its name
	}
	for _, m := range w.Members {
		e.removeMember(m, old)
	}
	for _, path := range append(w.containers(), nil, []string{"hooks"}, w.allowPath()[:1]) {
		if n, was := e.root.get(path...), old.get(path...); n.kind == was.kind && n.bare() && len(was.items) == 0 {
			n.raw = was.raw
		}
	}
	out, changes, err := e.result(src)
	if old.kind == '"' && Empty(out) {
		out = []byte(old.text)
	}
	return out, changes, err
}

// HasOwn reports whether settings have an entry of ours, also if the client does not read
// it.
func HasOwn(src []byte, w Wanted) bool {
	e, err := newEditor(src, w)
	return err == nil && (len(e.ownEntries()) > 0 || len(Places(src, w)) > 0)
}

// Outline is what [Remove] has to know of the settings before installation, without anything else of
// them: the objects and lists that will hold our entries, and the rules of ours that were there. It is
// the settings as a text where they have nothing but white space.
func Outline(src []byte, w Wanted) []byte {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		b, _ := json.Marshal(string(src)) // a text always encodes
		return b
	}
	_, root, _, err := parse(src, w.Comments)
	if err != nil {
		return nil
	}
	out := root.hull()
	for _, path := range w.containers() {
		to := out
		for i, name := range path {
			n := root.get(path[:i+1]...)
			if n.kind != '{' && n.kind != '[' {
				break
			}
			if to.member(name) < 0 {
				style{}.insert(to, len(to.items)-1, name, nil)
				to.items[len(to.items)-1].value = n.hull()
			}
			to = to.get(name)
		}
	}
	for _, rule := range w.Allow {
		if list := out.get(w.allowPath()...); slices.ContainsFunc(root.get(w.allowPath()...).items, isText(rule)) {
			style{}.insert(list, len(list.items)-1, "", rule)
		}
	}
	var b bytes.Buffer
	out.write(&b)
	return b.Bytes()
}

// bare reports whether an object or a list has neither items nor comments.
func (n *node) bare() bool { return len(n.items) == 0 && comments(n.raw) == "" }

// hull is an object or a list without its items, with the white space of an empty one.
func (n *node) hull() *node {
	h := &node{kind: n.kind}
	if len(n.items) == 0 && strings.TrimSpace(n.raw) == "" {
		h.raw = n.raw
	}
	return h
}

// Empty reports whether settings are empty.
func Empty(src []byte) bool {
	_, root, _, err := parse(src, true)
	return err == nil && root.kind == '{' && len(root.items) == 0
}

// drop removes an entry, and those of its containers that hold nothing else and were not in
// the settings of before.
func (e *editor) drop(f ownEntry, notes string, old *node) {
	e.note("removed", "hooks."+f.event, notes)
	entries := f.group.get("hooks")
	e.take(entries, f.entry)
	foreign := func(it item) bool { return it.name != "hooks" && it.name != "matcher" }
	if entries.bare() && !slices.ContainsFunc(f.group.items, foreign) {
		e.take(f.list, f.group)
		e.prune(old, f.hooks, f.list, "hooks", f.event)
	}
}

func (e *editor) take(from, value *node) {
	e.style.remove(from, slices.IndexFunc(from.items, func(it item) bool { return it.value == value }))
}

// prune removes a value from a member of the root if it is empty, and then that member;
// what was in the settings of before stays.
func (e *editor) prune(old, in, value *node, path ...string) {
	if !value.bare() || old.get(path...).kind != 0 {
		return
	}
	e.take(in, value)
	if in.bare() && old.get(path[0]).kind == 0 {
		e.take(e.root, in)
	}
}

// removeRules removes our permission rules, and reports whether there were any.
func (e *editor) removeRules(old *node) bool {
	path := e.want.allowPath()
	in := e.root.get(path[0])
	list := in.get(path[1])
	if list.kind != '[' {
		return false
	}
	had := len(list.items)
	for _, rule := range e.want.Allow {
		if slices.ContainsFunc(old.get(path...).items, isText(rule)) {
			continue
		}
		for i := slices.IndexFunc(list.items, isText(rule)); i >= 0; i = slices.IndexFunc(list.items, isText(rule)) {
			e.note("removed", strings.Join(path, ".")+" "+rule, "")
			e.style.remove(list, i)
		}
	}
	if len(list.items) == had {
		return false
	}
	e.prune(old, in, list, path...)
	return true
}
