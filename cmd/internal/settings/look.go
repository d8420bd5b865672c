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
	for _, f := range e.found() {
		if f.shown {
			s.Own = append(s.Own, OwnHook{f.event, f.matcher, f.words[0], f.hook()})
		}
	}
	s.Disabled, s.ManagedOnly = e.root.get("disableAllHooks").raw == "true", e.root.get("allowManagedHooksOnly").raw == "true"
	plugins := e.root.get("enabledPlugins")
	for i, it := range plugins.items {
		if plugins.member(it.name) == i && it.value.raw == "true" {
			s.Plugins = append(s.Plugins, it.name)
		}
	}
	return s, nil
}

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
	return err == nil && len(e.found()) > 0
}
