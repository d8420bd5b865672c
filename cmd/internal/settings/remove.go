package settings

import (
	"fmt"
	"slices"
)

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
	for {
		f, ok := first(e)
		if !ok {
			break
		}
		if err := e.drop(f, "", old); err != nil {
			return nil, nil, err
		}
	}
	if err := e.disallow(old); err != nil {
		return nil, nil, err
	}
	if len(e.changes) == 0 {
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

// drop takes an entry out, and of what it lies in all that has nothing else.
func (e *editor) drop(f found, notes string, old *editor) error {
	if old == nil {
		old = &editor{}
	}
	e.note("removed", "hooks."+f.event, notes)
	group := func() node { return e.root.items[f.hooks].items[f.list].items[f.group] }
	if err := e.set(e.style.remove(e.src, group().get("hooks"), f.handler)); err != nil {
		return err
	}
	only := func(k key) bool { return k.name == "hooks" || k.name == "matcher" }
	if len(group().get("hooks").items) > 0 || slices.ContainsFunc(group().keys, func(k key) bool { return !only(k) }) {
		return nil
	}
	if err := e.set(e.style.remove(e.src, e.root.items[f.hooks].items[f.list], f.group)); err != nil {
		return err
	}
	if len(e.root.items[f.hooks].items[f.list].items) > 0 || old.at("hooks."+f.event).kind != 0 {
		return nil
	}
	if err := e.set(e.style.remove(e.src, e.root.items[f.hooks], f.list)); err != nil {
		return err
	}
	if len(e.root.items[f.hooks].items) > 0 || old.at("hooks").kind != 0 {
		return nil
	}
	return e.set(e.style.remove(e.src, e.root, f.hooks))
}

// disallow takes our permission rules out.
func (e *editor) disallow(old *editor) error {
	for _, rule := range e.want.Allow {
		is := func(n node) bool { return n.kind == '"' && n.text == rule }
		if slices.ContainsFunc(old.at("permissions.allow").items, is) {
			continue
		}
		for {
			list := e.at("permissions.allow")
			i := slices.IndexFunc(list.items, is)
			if list.kind != '[' || i < 0 {
				break
			}
			e.note("removed", "permissions.allow "+rule, "")
			if err := e.set(e.style.remove(e.src, list, i)); err != nil {
				return err
			}
			if err := e.dropEmpty(old, "permissions.allow"); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropEmpty takes the list of rules and what it lies in out when they are empty.
func (e *editor) dropEmpty(old *editor, path string) error {
	if len(e.at(path).items) > 0 || old.at(path).kind != 0 {
		return nil
	}
	parent := e.at("permissions")
	i, ok := parent.member("allow")
	if !ok {
		return fmt.Errorf("%s is gone", path)
	}
	if err := e.set(e.style.remove(e.src, parent, i)); err != nil {
		return err
	}
	if len(e.at("permissions").items) > 0 || old.at("permissions").kind != 0 {
		return nil
	}
	i, _ = e.root.member("permissions")
	return e.set(e.style.remove(e.src, e.root, i))
}
