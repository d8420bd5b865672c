package settings

import (
	"slices"
	"strings"
)

// ownEntry is an entry of ours.
type ownEntry struct {
	event, matcher string
	words          []string // program and arguments
	shell          bool     // split by a shell
	shown          bool     // read by the client: no later member has the same name
	command        string

	hooks, list, group, entry *node // the entry, and the values that contain it
}

func (f ownEntry) hook() string { return f.words[2] }

// simple reports whether a shell would only split a command into words.
func (f ownEntry) simple() bool {
	return !f.shell || !strings.ContainsAny(f.command, "|&;<>()`\n#*?[]{}!\\")
}

// ownEntries lists our entries in the order of the file, including those that the client does
// not read.
func (e *editor) ownEntries() (all []ownEntry) {
	for i, it := range e.root.items {
		if it.name != "hooks" {
			continue
		}
		for j, event := range it.value.items {
			shown := i == e.root.member("hooks") && j == it.value.member(event.name)
			for _, g := range event.value.items {
				for _, entry := range g.value.get("hooks").items {
					f := ownEntry{
						event: event.name, matcher: g.value.get("matcher").text, shown: shown,
						hooks: it.value, list: event.value, group: g.value, entry: entry.value,
					}
					if e.isOwn(&f) {
						all = append(all, f)
					}
				}
			}
		}
	}
	return all
}

func (e *editor) isOwn(f *ownEntry) (ok bool) {
	f.command = f.entry.get("command").text
	list := f.entry.get("args")
	f.shell = list.kind != '['
	var args []string
	if !f.shell {
		args = []string{}
	}
	for _, a := range list.items {
		args = append(args, a.value.text)
	}
	f.words, ok = e.want.Own(f.command, args)
	return ok && len(e.want.Hooks) > 0 && f.entry.get("type").text == "command" && len(f.words) >= 3
}

// updateOwn updates the entries of ours that the client reads: each runs this program, none is duplicated,
// and unwanted ones are removed. It returns the remaining ones.
func (e *editor) updateOwn() (kept []ownEntry) {
	for _, f := range e.ownEntries() {
		if !f.shown {
			continue
		}
		want := slices.IndexFunc(e.want.Hooks, func(h Hook) bool { return h.Event == f.event && h.Args[1] == f.hook() })
		duplicate := slices.ContainsFunc(kept, func(o ownEntry) bool {
			return o.event == f.event && o.hook() == f.hook() && overlap(o.matcher, f.matcher)
		})
		switch {
		case want < 0:
			e.drop(f, "no longer used", &node{})
			continue
		case duplicate:
			e.drop(f, "was there twice", &node{})
			continue
		case f.simple() && (f.shell != e.want.Hooks[want].Shell || f.command != e.want.Hooks[want].Command):
			e.move(f, e.want.Hooks[want])
		}
		kept = append(kept, f)
	}
	for _, f := range kept {
		what := "hooks." + f.event
		if !slices.ContainsFunc(e.changes, func(c Change) bool { return c.What == what && c.Did == "moved" }) {
			notes := ""
			if !f.simple() && !slices.ContainsFunc(e.want.Hooks, func(h Hook) bool {
				return h.Shell && h.Command == f.command
			}) {
				notes = "a command of your own: " + f.command
			}
			e.note("kept", what, notes)
		}
	}
	return kept
}

// overlap reports whether two matchers can match the same tool. Only equality and match-all
// are recognised.
func overlap(a, b string) bool {
	all := func(m string) bool { return m == "" || m == "*" || m == ".*" }
	return a == b || all(a) || all(b)
}

// move makes an entry run the program and arguments of a wanted hook. The rest of the entry is unchanged.
func (e *editor) move(f ownEntry, h Hook) {
	i := f.entry.member("args")
	if i >= 0 && (f.shell || h.Shell) { // not a list, or not wanted
		e.style.remove(f.entry, i)
	}
	if f.shell && !h.Shell {
		e.style.insert(f.entry, f.entry.member("command"), "args", f.words[1:])
	}
	*f.entry.get("command") = *e.style.node(h.Command, "")
	e.note("moved", "hooks."+f.event, "from "+f.words[0])
}

// Place is the position of an entry of ours: for a hook its event, its group and its index there; for a
// member only Program is set.
type Place struct {
	Event, Program string
	Group, Entry   int
}

// Places lists the entries of ours that the client reads.
func Places(src []byte, w Wanted) (list []Place) {
	e, err := newEditor(src, w)
	if err != nil {
		return nil
	}
	index := func(in, value *node) int {
		return slices.IndexFunc(in.items, func(it item) bool { return it.value == value })
	}
	for _, f := range e.ownEntries() {
		if f.shown {
			list = append(list, Place{f.event, f.words[0], index(f.list, f.group), index(f.group.get("hooks"), f.entry)})
		}
	}
	for _, m := range w.Members {
		if n := e.root.get(m.In, m.Name); n.kind != 0 && e.isOurs(m, n) {
			list = append(list, Place{Program: n.program().text})
		}
	}
	return list
}
