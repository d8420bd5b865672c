package hook

import (
	"context"
	"slices"
)

// Hook is one hook: when the client calls it, and what it does. The settings of a user and the plugin are
// both generated from these, so that they never differ.
type Hook struct {
	Name          string
	Event         string // of the client; "" for one that only this program starts, in the background
	Matcher       string // tools or sources that the event is limited to, "" for all
	Timeout       int    // seconds after which the client gives up
	StatusMessage string // shown while the hook runs, "" for the client's default

	run func(context.Context, *call) (reply, error)
}

// hooks are in the order of their events in a session. None is asynchronous: the client kills an asynchronous
// hook at the end of a headless run, so slow work runs in a detached process instead. At the end of a session
// all hooks together have 1.5 s unless a hook in the settings has its own timeout, which is why that timeout
// matters.
var hooks = [...]Hook{
	{Name: "session-start", Event: "SessionStart", Timeout: 10, run: onSessionStart},
	{Name: "user-prompt-submit", Event: "UserPromptSubmit", Timeout: 10, StatusMessage: "Searching memory…",
		run: onPrompt},
	{Name: "post-tool-use", Event: "PostToolUse", Timeout: 10, run: onToolUse},
	{Name: "post-tool-use-failure", Event: "PostToolUseFailure", Timeout: 10, run: onToolUse},
	{Name: "stop", Event: "Stop", Timeout: 15, run: onStop},
	{Name: "subagent-stop", Event: "SubagentStop", Timeout: 15, run: onSubagentStop},
	{Name: "pre-compact", Event: "PreCompact", Timeout: 15, run: onStop},
	{Name: "post-compact", Event: "PostCompact", Timeout: 15, run: onCompact},
	{Name: "session-end", Event: "SessionEnd", Timeout: 10, run: onSessionEnd},
	{Name: "archive", run: onArchive},
	{Name: "sweep", run: onSweep},
}

// find returns the hook with a name; the bool is false if there is none.
func find(name string) (Hook, bool) {
	i := slices.IndexFunc(hooks[:], func(h Hook) bool { return h.Name == name })
	if i < 0 {
		return Hook{}, false
	}
	return hooks[i], true
}

// Registered returns the hooks that an agent calls, in the order of a session: the event names and the unit
// of the timeouts are the agent's own. It is empty for an agent that calls no hooks.
func Registered(agent string) (list []Hook) {
	for _, h := range hooks {
		if agent == claudeCode && h.Event != "" {
			list = append(list, h)
		}
		for _, e := range events {
			if e.agent == agent && e.hook == h.Name {
				list = append(list, e.of(h))
			}
		}
	}
	return list
}

// Background reports whether only this program starts a hook: it continues the work of another hook in a
// separate process.
func Background(name string) bool {
	h, ok := find(name)
	return ok && h.Event == ""
}

// Names returns the names of the hooks of [Run], in alphabetical order.
func Names() []string {
	var names []string
	for _, h := range hooks {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	return names
}
