package settings

import "slices"

// Remove takes everything of ours out of settings: hooks, and permission rules but
// those that were there before. Objects and lists that end up empty go too, unless
// they were there before. before is what the settings were then, nil if that is not
// known.
func Remove(src, before []byte, w Wanted) ([]byte, []Change, error) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil, nil, err
	}
	old := &editor{}
	if before != nil {
		if old, err = newEditor(before, w); err != nil {
			old = &editor{} // then it tells nothing
		}
	}
	for f, ok := first(e); ok && e.err == nil; f, ok = first(e) {
		e.drop(f, "", old)
	}
	e.disallow(old)
	switch {
	case e.err != nil:
		return nil, nil, e.err
	case len(e.changes) == 0:
		return src, nil, nil
	}
	return e.src, e.changes, nil
}

func first(e *editor) (found, bool) {
	for f := range e.found() {
		return f, true
	}
	return found{}, false
}

// Empty tells settings that say nothing.
func Empty(src []byte) bool {
	root, err := parse(src)
	return err == nil && root.kind == '{' && len(root.items) == 0
}

// drop takes an entry out, and of what it lies in all that has nothing else and was
// not in the settings of before.
func (e *editor) drop(f found, notes string, old *editor) {
	e.note("removed", "hooks."+f.event, notes)
	group := func() node { return e.root.items[f.hooks].items[f.list].items[f.group] }
	e.remove(group().get("hooks"), f.handler)
	foreign := func(k key) bool { return k.name != "hooks" && k.name != "matcher" }
	if len(group().get("hooks").items) > 0 || slices.ContainsFunc(group().keys, foreign) {
		return
	}
	e.remove(e.root.items[f.hooks].items[f.list], f.group)
	e.prune(old, f.hooks, f.list, "hooks", f.event)
}

// prune takes the member i of the root's member at out where it is empty, and then that
// one; what was in the settings of before stays.
func (e *editor) prune(old *editor, at, i int, name, member string) {
	if len(e.root.items[at].items[i].items) > 0 || old.at(name+"."+member).kind != 0 {
		return
	}
	e.remove(e.root.items[at], i)
	if len(e.root.items[at].items) == 0 && old.at(name).kind == 0 {
		e.remove(e.root, at)
	}
}

// disallow takes our permission rules out.
func (e *editor) disallow(old *editor) {
	for _, rule := range e.want.Allow {
		is := func(n node) bool { return n.kind == '"' && n.text == rule }
		if slices.ContainsFunc(old.at("permissions.allow").items, is) {
			continue
		}
		for e.err == nil {
			list := e.at("permissions.allow")
			i := slices.IndexFunc(list.items, is)
			if list.kind != '[' || i < 0 {
				break
			}
			e.note("removed", "permissions.allow "+rule, "")
			e.remove(list, i)
			at, _ := e.root.member("permissions")
			allow, _ := e.root.items[at].member("allow")
			e.prune(old, at, allow, "permissions", "allow")
		}
	}
}
