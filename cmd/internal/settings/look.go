package settings

import "strings"

// State is what settings say about hooks.
type State struct {
	Own         []OwnHook
	Disabled    bool     // disableAllHooks: no hook runs
	ManagedOnly bool     // allowManagedHooksOnly: only an administrator's hooks run
	Plugins     []string // enabled ones, as name@marketplace
}

// OwnHook is an entry of ours that the client reads.
type OwnHook struct {
	Event, Matcher, Program, Hook string
}

// Look reads settings without judging them; what is not as expected says nothing.
// Settings that are not there say nothing either. own is that of [Wanted].
func Look(src []byte, own func(command string, args []string) ([]string, bool)) (State, error) {
	e, err := newEditor(src, Wanted{Own: own})
	if err != nil {
		return State{}, err
	}
	var s State
	for f := range e.found() {
		if f.shown {
			s.Own = append(s.Own, OwnHook{f.event, f.matcher, f.words[0], f.hook()})
		}
	}
	s.Disabled, s.ManagedOnly = e.isTrue(e.at("disableAllHooks")), e.isTrue(e.at("allowManagedHooksOnly"))
	plugins := e.at("enabledPlugins")
	for i, k := range plugins.keys {
		if last, _ := plugins.member(k.name); last == i && e.isTrue(plugins.items[i]) {
			s.Plugins = append(s.Plugins, k.name)
		}
	}
	return s, nil
}

func (e *editor) isTrue(n node) bool { return n.kind == 't' && string(e.src[n.start:n.end]) == "true" }

// Plugin is the enabled plugin of a name, "" when none is.
func (s State) Plugin(name string) string {
	for _, p := range s.Plugins {
		if strings.HasPrefix(p, name+"@") {
			return p
		}
	}
	return ""
}

// HasOwn tells whether an entry of ours is in settings, also where the client does not
// read it.
func HasOwn(src []byte, w Wanted) bool {
	e, err := newEditor(src, w)
	if err != nil {
		return false
	}
	_, ok := first(e)
	return ok
}
