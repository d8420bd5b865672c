package settings

import "slices"

// Remove removes our entries from settings: hooks, and permission rules except those that
// were there before. Objects and lists that become empty are removed too, unless they were
// there before. before is the settings before installation, nil if unknown.
func Remove(src, before []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	old := &node{}
	if before != nil {
		if _, root, _, err := parse(before); err == nil { // else it has no information
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
	return e.result(src)
}

// HasOwn reports whether settings have an entry of ours, also if the client does not read
// it.
func HasOwn(src []byte, w Wanted) bool {
	e, err := newEditor(src, w)
	return err == nil && len(e.ownEntries()) > 0
}

// Empty reports whether settings are empty.
func Empty(src []byte) bool {
	_, root, _, err := parse(src)
	return err == nil && root.kind == '{' && len(root.items) == 0
}

// drop removes an entry, and those of its containers that hold nothing else and were not in
// the settings of before.
func (e *editor) drop(f ownEntry, notes string, old *node) {
	e.note("removed", "hooks."+f.event, notes)
	entries := f.group.get("hooks")
	e.take(entries, f.entry)
	foreign := func(it item) bool { return it.name != "hooks" && it.name != "matcher" }
	if len(entries.items) == 0 && !slices.ContainsFunc(f.group.items, foreign) {
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
	if len(value.items) > 0 || old.get(path...).kind != 0 {
		return
	}
	e.take(in, value)
	if len(in.items) == 0 && old.get(path[0]).kind == 0 {
		e.take(e.root, in)
	}
}

// removeRules removes our permission rules, and reports whether there were any.
func (e *editor) removeRules(old *node) bool {
	in := e.root.get("permissions")
	list := in.get("allow")
	if list.kind != '[' {
		return false
	}
	had := len(list.items)
	for _, rule := range e.want.Allow {
		if slices.ContainsFunc(old.get("permissions", "allow").items, isText(rule)) {
			continue
		}
		for i := slices.IndexFunc(list.items, isText(rule)); i >= 0; i = slices.IndexFunc(list.items, isText(rule)) {
			e.note("removed", "permissions.allow "+rule, "")
			e.style.remove(list, i)
		}
	}
	if len(list.items) == had {
		return false
	}
	e.prune(old, in, list, "permissions", "allow")
	return true
}
