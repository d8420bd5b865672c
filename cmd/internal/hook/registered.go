package hook

import "slices"

// Registration says at which event of the client a hook runs. The settings of a
// user and the plugin are both made from these, so that they never differ.
type Registration struct {
	Event         string // of the client
	Hook          string // one of [Names]
	Matcher       string // tools or sources that the event is narrowed to, "" for all
	Timeout       int    // seconds after which the client gives up
	StatusMessage string // shown while the hook runs, "" for the client's own
}

// registrations are in the order in which a session comes across them. None is
// asynchronous: the client kills such a hook when it ends without a person, so what
// takes long detaches itself instead. A session's end has 1.5 s in all unless a hook
// in the settings names a time of its own, which is why that one matters.
var registrations = [...]Registration{
	{Event: "SessionStart", Hook: "session-start", Timeout: 10},
	{Event: "UserPromptSubmit", Hook: "user-prompt-submit", Timeout: 10, StatusMessage: "Searching memory…"},
	{Event: "PostToolUse", Hook: "post-tool-use", Timeout: 10},
	{Event: "PostToolUseFailure", Hook: "post-tool-use-failure", Timeout: 10},
	{Event: "Stop", Hook: "stop", Timeout: 15},
	{Event: "SubagentStop", Hook: "subagent-stop", Timeout: 15},
	{Event: "PreCompact", Hook: "pre-compact", Timeout: 15},
	{Event: "PostCompact", Hook: "post-compact", Timeout: 15},
	{Event: "SessionEnd", Hook: "session-end", Timeout: 10},
}

// Registered lists the hooks that the client is to call, in the order of a session.
// Hooks that only this program calls are not among them.
func Registered() []Registration { return slices.Clone(registrations[:]) }

// eventOf is the event at which the client runs a hook. A payload that names another
// one is not believed: the client takes a reply to its own event only.
func eventOf(name, told string) string {
	for _, r := range registrations {
		if r.Hook == name {
			return r.Event
		}
	}
	return told
}
