package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Remove removes our entries from settings: hooks, and permission rules except those that existed before.
// Objects and lists that become empty are removed too, unless they existed before. before is the settings
// before installation or their [Outline], nil if unknown.
func Remove(src, before []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	old := &node{}
	if before != nil {
		if _, root, _, err := parse(before, w.Comments); err == nil { // otherwise it has no information
			old = root
		}
	}
	for _, f := range e.ownEntries() {
		e.drop(f, "", old)
	}
	for e.removeRules(old) { // a removed one may have hidden another with its name
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

// HasOwn reports whether settings have an entry of ours, even one that the client does not read.
func HasOwn(src []byte, w Wanted) bool {
	e, err := newEditor(src, w)
	return err == nil && (len(e.ownEntries()) > 0 || len(Places(src, w)) > 0)
}

// Outline returns what [Remove] needs to know about the settings before installation, and nothing else: the
// objects and lists that will contain our entries, and the rules of ours that existed. If the settings are
// only white space, it returns them as a JSON string.
func Outline(src []byte, w Wanted) []byte {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		b, _ := json.Marshal(string(src)) // a string can always be encoded
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

// hull returns an object or a list without its items, with the white space of an empty one.
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

// drop removes an entry, and those of its containers that become empty and were not in the settings before.
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

// prune removes an empty value from a member of the root, and then that member if it is empty; values that
// were in the settings before stay.
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
