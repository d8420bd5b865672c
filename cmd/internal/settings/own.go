package settings

import (
	"slices"
	"strings"
)

// found is an entry of ours.
type found struct {
	event, matcher string
	words          []string // program and arguments
	shell          bool     // a shell reads it
	shown          bool     // the client reads it: no later member has the same name
	command        string

	hooks, list, group, entry *node // the entry, and what it lies in
}

func (f found) hook() string { return f.words[2] }

// simple tells a command of which a shell only splits the words.
func (f found) simple() bool {
	return !f.shell || !strings.ContainsAny(f.command, "|&;<>()`\n#*?[]{}!\\")
}

// found lists the entries of ours in the order of the file, the ones that the client
// does not read too.
func (e *editor) found() (all []found) {
	for i, it := range e.root.items {
		if it.name != "hooks" {
			continue
		}
		for j, event := range it.value.items {
			shown := i == e.root.member("hooks") && j == it.value.member(event.name)
			for _, g := range event.value.items {
				for _, entry := range g.value.get("hooks").items {
					f := found{
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

func (e *editor) isOwn(f *found) (ok bool) {
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
	return ok && f.entry.get("type").text == "command" && len(f.words) >= 3
}

// tidy brings the entries of ours that the client reads in line: each names this
// program, none is there twice, and none is there that is no longer wanted. It returns
// those that stay.
func (e *editor) tidy() (kept []found) {
	for _, f := range e.found() {
		if !f.shown {
			continue
		}
		want := slices.IndexFunc(e.want.Hooks, func(h Hook) bool { return h.Event == f.event && h.Args[1] == f.hook() })
		twice := slices.ContainsFunc(kept, func(o found) bool {
			return o.event == f.event && o.hook() == f.hook() && overlap(o.matcher, f.matcher)
		})
		switch {
		case want < 0:
			e.drop(f, "no longer used", &node{})
			continue
		case twice:
			e.drop(f, "was there twice", &node{})
			continue
		case f.simple() && (f.shell || f.command != e.want.Hooks[want].Command):
			e.move(f, e.want.Hooks[want].Command)
		}
		kept = append(kept, f)
	}
	for _, f := range kept {
		what := "hooks." + f.event
		if !slices.ContainsFunc(e.changes, func(c Change) bool { return c.What == what && c.Did == "moved" }) {
			notes := ""
			if !f.simple() {
				notes = "a command of your own: " + f.command
			}
			e.note("kept", what, notes)
		}
	}
	return kept
}

// overlap says whether two matchers can match one tool. Only equal ones and those
// that match everything are looked through.
func overlap(a, b string) bool {
	all := func(m string) bool { return m == "" || m == "*" || m == ".*" }
	return a == b || all(a) || all(b)
}

// move makes an entry run a program without a shell. Whatever else stands in it stays.
func (e *editor) move(f found, program string) {
	if f.shell {
		if i := f.entry.member("args"); i >= 0 { // something that is no list
			e.style.remove(f.entry, i)
		}
		e.style.insert(f.entry, f.entry.member("command"), "args", f.words[1:])
	}
	*f.entry.get("command") = *e.style.node(program, "")
	e.note("moved", "hooks."+f.event, "from "+f.words[0])
}
