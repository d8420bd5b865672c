package transcript

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// Speaker is the author of a message.
type Speaker string

const (
	// Person is a human who typed the message or queued it while the assistant worked.
	Person Speaker = "person"
	// Program is a headless run, an application, a scheduled run or a hook, or an unknown sender in a record whose version
	// names the sources of prompts.
	Program Speaker = "program"
	// Agent is a subagent, a teammate or another session.
	Agent Speaker = "agent"
	// Client is the client itself: its notifications, its summaries, the output of its own commands.
	Client Speaker = "client"
	// Model is the assistant, also if the user sent its text: an accepted plan or suggestion.
	Model Speaker = "model"
)

// speaker returns the author of a record in the user's place, whether it starts a turn of the session, and whether tags
// or prose of the client around the text identify the author. raw is the text with these.
//
// Newer clients name the source of a prompt. In records of older ones, a prompt counts as typed unless something else
// identifies its sender.
func (rec record) speaker(raw string) (s Speaker, prompt, tagged bool) {
	if rec.IsSidechain {
		return Agent, false, false
	}
	typed := rec.PromptSource == "typed" || rec.PromptSource == "queued"
	switch kind := rec.Origin.Kind; {
	case kind == "peer" || kind == "task-notification" || kind == "coordinator":
		return Agent, rec.AgentName != "", true
	case rec.PlanContent != "":
		return Model, true, false
	case kind == "auto-continuation":
		return Client, false, false
	case kind != "" && kind != "human" && kind != "unclassified":
		return Program, true, false
	case typed && !rec.TextNotTyped:
		return Person, true, false
	}
	if s, prompt, known := rec.tagged(strings.TrimSpace(raw)); known {
		return s, prompt, true
	}
	switch {
	case rec.Origin.Kind == "human" && !rec.TextNotTyped:
		return Person, true, false
	case rec.PromptSource == "suggestion_accepted":
		return Model, true, false
	case rec.PromptSource == "sdk" && rec.typedInApp() && !rec.TextNotTyped:
		return Person, true, false
	case rec.PromptSource == "system":
		return Client, false, false
	case rec.PromptSource != "" || rec.namesSource() || rec.headless():
		return Program, true, false
	}
	return Person, true, false
}

// IsNotice reports whether a text that the client passes on as a prompt comes from the client or from another agent,
// such as the result of a background agent.
func IsNotice(prompt string) bool {
	s, leads, known := record{}.tagged(strings.TrimSpace(prompt))
	return known && !leads && s != Person
}

// tagged recognises a speaker by the tags and the prose that the client writes around text in the user's place.
func (rec record) tagged(text string) (s Speaker, prompt, known bool) {
	switch {
	case hasPrefix(text, "<task-notification>", "<agent-message", "<teammate-message", "<cross-session-message",
		"Another Claude session sent a message", "A peer session sent a message"):
		return Agent, rec.AgentName != "", true
	case hasPrefix(text, "<ci-monitor-event", "<user-prompt-submit-hook>", "Stop hook feedback:",
		"Operation stopped by hook:"):
		return Program, false, true
	case hasPrefix(text, "<local-command-", "<bash-stdout>", "<bash-stderr>", "[Request interrupted by user",
		"Caveat: The messages below were generated"),
		agentsStopped().MatchString(text):
		return Client, false, true
	case hasPrefix(text, "<bash-input>", "<user-memory-input>", "<command-name>", "<command-message>", "<command-args>"):
		// A command that is sent to the model begins with the message, any other with its name. The name of a skill called by
		// the model has no slash.
		command := strings.HasPrefix(text, "<command-message>")
		typed := strings.Contains(text, "<command-name>/")
		if command && !typed || rec.headless() {
			return Program, command && typed, true
		}
		return Person, command, true
	}
	return "", false, false
}

// agentsStopped matches the client's notification of agents that end with the turn.
var agentsStopped = lazy.Pattern(`^\d+ background (?:agents?|tasks?) (?:was|were) stopped`)

// headless reports whether a program started the client to run without a person.
func (rec record) headless() bool {
	return strings.HasPrefix(rec.Entrypoint, "sdk-") || rec.Entrypoint == "claude-code-github-action"
}

// typedInApp reports whether the client ran inside an application in which a person types, and which passes the text on
// as any program would.
func (rec record) typedInApp() bool {
	return slices.Contains([]string{"claude-vscode", "claude-desktop", "claude-desktop-3p", "local-agent"}, rec.Entrypoint)
}

// firstWithSource is the first version seen to record the source of prompts; 2.1.146 is the last one seen without.
var firstWithSource = [...]int{2, 1, 161}

// namesSource reports whether the version of the client that wrote the record names the source of each prompt.
func (rec record) namesSource() bool {
	for i, part := range strings.SplitN(rec.Version, ".", len(firstWithSource)) {
		if n, err := strconv.Atoi(part); err != nil || n != firstWithSource[i] {
			return err == nil && n > firstWithSource[i]
		}
	}
	return rec.Version != ""
}

// roleOf returns the role of a record in the user's place.
func roleOf(s Speaker) Role {
	if s == Person {
		return RoleUser
	}
	return Role(s)
}

// fromOther matches the text of another agent, in the tags of several versions of the client.
var fromOther = lazy.Pattern(`(?s)<(?:teammate|agent|cross-session)-message(?:\s+[\w-]+="[^"]*")*\s*>(.*?)</(?:teamma` +
	`te|agent|cross-session)-message>`)

// unwrap returns the text within the tags that the client writes around text of others than the user, and around
// commands and shell lines.
func unwrap(text string) string {
	trimmed := strings.TrimSpace(text)
	if said := fromOther().FindAllStringSubmatch(trimmed, -1); said != nil {
		parts := slice.Map(said, func(of []string) string { return notice(strings.TrimSpace(of[1])) })
		return strings.TrimSpace(strings.Join(parts, "\n\n"))
	}
	if !strings.HasPrefix(trimmed, "<") {
		return text
	}
	if name, ok := between(trimmed, "<command-name>", "</command-name>"); ok {
		args, _ := between(trimmed, "<command-args>", "</command-args>")
		return strings.TrimSpace(name + " " + args)
	}
	if strings.HasPrefix(trimmed, "<task-notification>") {
		for _, tag := range []string{"result", "summary"} {
			if said, ok := between(trimmed, "<"+tag+">", "</"+tag+">"); ok {
				return said
			}
		}
	}
	tag, rest, _ := strings.Cut(trimmed[1:], ">")
	inner, _, _ := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(inner)
}

// notice returns the text of a teammate's message, which may be a client notification in JSON.
func notice(text string) string {
	if !strings.HasPrefix(text, "{") {
		return text
	}
	var n struct{ Type, Result, Description string }
	if unmarshal([]byte(text), &n) != nil || n.Type == "" {
		return text
	}
	return cmp.Or(n.Result, n.Description)
}

func between(s, from, to string) (string, bool) {
	_, s, ok := strings.Cut(s, from)
	if !ok {
		return "", false
	}
	s, _, _ = strings.Cut(s, to)
	return strings.TrimSpace(s), true
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
