package hook

import (
	"context"
	"slices"
)

// Hook is one hook: when the client calls it, and what it does. The settings of a user
// and the plugin are both made from these, so that they never differ.
type Hook struct {
	Name          string
	Event         string // of the client; "" for one that only this program starts, in the background
	Matcher       string // tools or sources that the event is narrowed to, "" for all
	Timeout       int    // seconds after which the client gives up
	StatusMessage string // shown while the hook runs, "" for the client's own

	run func(context.Context, *call) (reply, error)
}

// hooks are in the order in which a session comes across them. None is asynchronous:
// the client kills such a hook when it ends without a person, so what takes long
// detaches itself instead. A session's end has 1.5 s in all unless a hook in the
// settings names a time of its own, which is why that one matters.
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

// find is the hook of a name; false where there is none.
func find(name string) (Hook, bool) {
	i := slices.IndexFunc(hooks[:], func(h Hook) bool { return h.Name == name })
	if i < 0 {
		return Hook{}, false
	}
	return hooks[i], true
}

// Registered lists the hooks that an agent is to call, in the order of a session: the names of events
// and the unit of the timeouts are the agent's own. It is empty for an agent that calls no hooks.
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

// Background reports whether a hook is started by this program only: it goes on with what
// another one left to it, as a process of its own.
func Background(name string) bool {
	h, ok := find(name)
	return ok && h.Event == ""
}

// Names lists the hooks that [Run] knows, in alphabetical order.
func Names() []string {
	var names []string
	for _, h := range hooks {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	return names
}
