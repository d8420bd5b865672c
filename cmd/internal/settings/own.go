package settings

import (
	"iter"
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

	hooks, list, group, handler int // where: items of the root, of its object, of the list, of the group's hooks
}

func (f found) hook() string { return f.words[2] }

// simple tells a command of which a shell only splits the words.
func (f found) simple() bool {
	return !f.shell || !strings.ContainsAny(f.command, "|&;<>()`\n#*?[]{}!\\")
}

// found lists the entries of ours in the order of the file, the ones that the client
// does not read too.
func (e *editor) found() iter.Seq[found] {
	return func(yield func(found) bool) {
		for at, k := range e.root.keys {
			if k.name == "hooks" && !e.foundIn(at, yield) {
				return
			}
		}
	}
}

func (e *editor) foundIn(at int, yield func(found) bool) bool {
	hooks := e.root.items[at]
	last, _ := e.root.member("hooks")
	for j, k := range hooks.keys {
		read, _ := hooks.member(k.name)
		for g, gr := range hooks.items[j].items {
			for h, entry := range gr.get("hooks").items {
				f := found{event: k.name, matcher: gr.get("matcher").text, shown: at == last && j == read, hooks: at, list: j, group: g, handler: h}
				if e.isOwn(entry, &f) && !yield(f) {
					return false
				}
			}
		}
	}
	return true
}

func (e *editor) isOwn(entry node, f *found) (ok bool) {
	if entry.get("type").text != "command" {
		return false
	}
	f.command = entry.get("command").text
	list := entry.get("args")
	f.shell = list.kind != '['
	var args []string
	if !f.shell {
		args = []string{}
	}
	for _, a := range list.items {
		args = append(args, a.text)
	}
	f.words, ok = e.want.Own(f.command, args)
	return ok && len(f.words) >= 3
}

// tidy brings the entries of ours that the client reads in line: each names this
// program, none is there twice, and none is there that is no longer wanted.
func (e *editor) tidy() {
	for e.err == nil && e.step() {
		continue
	}
	for f := range e.found() {
		what := "hooks." + f.event
		if f.shown && !slices.ContainsFunc(e.changes, func(c Change) bool { return c.What == what && c.Did == "moved" }) {
			notes := ""
			if !f.simple() {
				notes = "a command of your own: " + f.command
			}
			e.note("kept", what, notes)
		}
	}
}

// step changes the first entry that has to change, if there is one.
func (e *editor) step() bool {
	var before []found
	for f := range e.found() {
		if !f.shown {
			continue
		}
		want := slices.IndexFunc(e.want.Hooks, func(h Hook) bool { return h.Event == f.event && h.Args[1] == f.hook() })
		twice := slices.ContainsFunc(before, func(o found) bool {
			return o.event == f.event && o.hook() == f.hook() && overlap(o.matcher, f.matcher)
		})
		switch {
		case want < 0:
			e.drop(f, "no longer used", &editor{})
			return true
		case twice:
			e.drop(f, "was there twice", &editor{})
			return true
		case f.simple() && (f.shell || f.command != e.want.Hooks[want].Command):
			e.move(f, e.want.Hooks[want].Command)
			return true
		}
		before = append(before, f)
	}
	return false
}

// overlap says whether two matchers can match one tool. Only equal ones and those
// that match everything are looked through.
func overlap(a, b string) bool {
	all := func(m string) bool { return m == "" || m == "*" || m == ".*" }
	return a == b || all(a) || all(b)
}

// node is the entry itself.
func (e *editor) node(f found) node {
	return e.root.items[f.hooks].items[f.list].items[f.group].get("hooks").items[f.handler]
}

// move makes an entry run a program without a shell. Whatever else stands in it stays.
func (e *editor) move(f found, program string) {
	if f.shell {
		if i, ok := e.node(f).member("args"); ok { // something that is no list
			e.remove(e.node(f), i)
		}
		at, _ := e.node(f).member("command")
		e.set(e.style.insert(e.src, e.node(f), at, "args", f.words[1:]))
	}
	old := e.node(f).get("command")
	e.note("moved", "hooks."+f.event, "from "+f.words[0])
	e.set(replace(e.src, old.start, old.end, e.style.encode(program, "")))
}
