package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// Inputs of the tools for the profile and for data that lasts between sessions.
type (
	noInput   struct{}
	pathInput struct {
		Path string `json:"path,omitempty" jsonschema:"dot path, such as tools.editor; all without it"`
	}
	updateInput struct {
		Path  string `json:"path" jsonschema:"dot path: tools.editor, codePreferences.preferredStacks, project.orders"`
		Value string `json:"value"`
	}
	removeInput struct {
		Path string `json:"path"`
	}
	clearInput struct {
		Confirm bool `json:"confirm,omitempty" jsonschema:"true once the user has agreed"`
	}
	changelogInput struct {
		Limit int `json:"limit,omitempty" jsonschema:"default 20"`
	}
	taskInput struct {
		ID     string `json:"id,omitempty" jsonschema:"of a task that is there"`
		Title  string `json:"title,omitempty"`
		State  string `json:"state,omitempty" jsonschema:"pending, in_progress, blocked or completed"`
		Reason string `json:"reason,omitempty"`
	}
	decisionInput struct {
		Decision     string   `json:"decision" jsonschema:"a sentence"`
		Why          string   `json:"why,omitempty"`
		Context      string   `json:"context,omitempty"`
		Alternatives string   `json:"alternatives,omitempty"`
		Supersedes   []string `json:"supersedes,omitempty" jsonschema:"decision ids"`
	}
	textInput struct {
		Text string `json:"text"`
	}
)

// mostChanges limits the changelog for a model.
const mostChanges = 200

// addProfileTools adds the tools for the profile and for data that lasts between sessions.
func (s *server) addProfileTools() {
	addTool(s, definition{name: "get_user_profile", title: "Profile",
		description: "Who the user is and how they want to work."}, s.preferences(gitmem.Preference.String))
	addTool(s, definition{name: "get_preference_metadata", title: "Preferences",
		description: "How sure each preference is, last mention, days until removal."},
		s.preferences(gitmem.Preference.Metadata))
	addTool(s, definition{name: "update_user_profile", title: "Set a preference", writes: true,
		description: "Set what the user said of themselves, or a standing order."}, s.updateProfile)
	addTool(s, definition{name: "remove_preference", title: "Remove a preference", writes: true, removes: true,
		description: "Remove the values at a path and below it."}, s.removePreference)
	addTool(s, definition{name: "clear_user_profile", title: "Clear the profile", writes: true, removes: true,
		description: "Only if the user asks: remove the whole profile; without confirm tells what would go."}, s.clearProfile)
	addTool(s, definition{name: "get_changelog", title: "Changelog",
		description: "What changed in the profile, newest first."}, s.changelog)
	addTool(s, definition{name: "run_decay", title: "Decay", writes: true, removes: true,
		description: "Remove preferences not mentioned for long; done daily."}, s.decay)
	addTool(s, definition{name: "get_session_context", title: "Where sessions left off",
		description: "Last sessions, notes left for later, open tasks, decisions."}, s.sessionContext)
	addTool(s, definition{name: "update_task", title: "Set a task", writes: true,
		description: "When work begins, is blocked or done: add a task by title or change one by id."}, s.updateTask)
	addTool(s, definition{name: "log_decision", title: "Log a decision", writes: true,
		description: "When something is decided for good: keep it with its reasons."}, s.logDecision)
	addTool(s, definition{name: "add_session_context", title: "Leave context", writes: true,
		description: "Leave a later session what it must know and no file says, up to 500 characters."},
		s.leave(gitmem.ContextEntry))
	addTool(s, definition{name: "set_session_summary", title: "Summarise the session", writes: true,
		description: "What was done in it, up to 500 characters; shown at the next start."}, s.leave(gitmem.SummaryEntry))
	addTool(s, definition{name: "get_full_context", title: "Whole context",
		description: "Profile and session context, as a new session gets it."}, s.fullContext)
}

// preferences lists the values at a path, each formatted by line.
func (s *server) preferences(line func(gitmem.Preference) string) func(context.Context, *gitmem.Memory,
	pathInput) (string, error) {
	return func(ctx context.Context, m *gitmem.Memory, in pathInput) (string, error) {
		p, err := m.Profile().Get(ctx, in.Path)
		if err != nil {
			return "", err
		}
		var b strings.Builder
		for _, e := range p.Entries {
			fmt.Fprintf(&b, "%s [%s]\n", line(e), e.ID)
		}
		if p.Words != "" {
			b.WriteString(p.Words + "\n")
		}
		return cmp.Or(b.String(), "Nothing is known yet.\n"), nil
	}
}

func (s *server) updateProfile(ctx context.Context, m *gitmem.Memory, in updateInput) (string, error) {
	return changedText(m.Profile().Set(ctx, in.Path, in.Value))
}

func (s *server) removePreference(ctx context.Context, m *gitmem.Memory, in removeInput) (string, error) {
	if in.Path == "" {
		return "", fmt.Errorf("%w: path: expected one, such as tools.editor", gitmem.ErrUsage)
	}
	return changedText(m.Profile().Remove(ctx, in.Path))
}

func (s *server) clearProfile(ctx context.Context, m *gitmem.Memory, in clearInput) (string, error) {
	if in.Confirm {
		return changedText(m.Profile().Remove(ctx, ""))
	}
	text, err := s.preferences(gitmem.Preference.String)(ctx, m, pathInput{})
	if err != nil {
		return "", err
	}
	return text + "Nothing was removed: ask the user whether all of this shall go, then call again with confirm.\n", nil
}

// changedText describes the changes to the profile.
func changedText(c gitmem.ProfileChanged, err error) (string, error) {
	if len(c.Done) == 0 && err == nil {
		c.Done = []string{"Nothing changed."}
	}
	return strings.Join(c.Done, "\n") + "\n", err
}

func (s *server) changelog(ctx context.Context, m *gitmem.Memory, in changelogInput) (string, error) {
	limit, err := bounded(in.Limit, 20, mostChanges)
	if err != nil {
		return "", err
	}
	log, err := m.Profile().Log(ctx, limit)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, c := range log {
		fmt.Fprintf(&b, "%s %s\n", c.Time, c.Done)
	}
	return cmp.Or(b.String(), "Nothing changed yet.\n"), nil
}

func (s *server) decay(ctx context.Context, m *gitmem.Memory, _ noInput) (string, error) {
	return changedText(m.Profile().Decay(ctx))
}

func (s *server) sessionContext(ctx context.Context, m *gitmem.Memory, _ noInput) (string, error) {
	return contextText(m.Sessions().Continue(ctx))
}

func (s *server) fullContext(ctx context.Context, m *gitmem.Memory, _ noInput) (string, error) {
	return contextText(m.Sessions().Context(ctx, gitmem.ContextOptions{}))
}

// contextText returns the session context, with warnings about what could not be read.
func contextText(c gitmem.SessionContext, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return remarks(c.Skipped) + cmp.Or(c.Text, "Nothing is recorded yet.\n"), nil
}

func (s *server) updateTask(ctx context.Context, m *gitmem.Memory, in taskInput) (string, error) {
	t, err := m.Tasks().Set(ctx, gitmem.TaskChange{ID: in.ID, Title: in.Title, State: in.State, Reason: in.Reason})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s [%s]\n", t.Title, strings.TrimSuffix(t.State+": "+t.Reason, ": ")+t.Trust.Mark(), t.ID), nil
}

func (s *server) logDecision(ctx context.Context, m *gitmem.Memory, in decisionInput) (string, error) {
	d, err := m.Decide(ctx, gitmem.Decision{Title: in.Decision, Why: in.Why, Context: in.Context,
		Alternatives: in.Alternatives, Supersedes: in.Supersedes})
	if duplicate := (*gitmem.Duplicate)(nil); errors.As(err, &duplicate) {
		return fmt.Sprintf("Already decided: %s\n", duplicate.Text), nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Proposed: %s [%s]\nThe user accepts it with: gitmem decision confirm %s\n", d.Title+d.Trust.Mark(),
		d.ID, strings.TrimPrefix(d.ID, "decision:")), nil
}

// leave writes an entry of a kind to the session's log.
func (s *server) leave(kind string) func(context.Context, *gitmem.Memory, textInput) (string, error) {
	return func(ctx context.Context, m *gitmem.Memory, in textInput) (string, error) {
		session, _, _ := strings.Cut(cmp.Or(s.session(ctx, m), s.own), ",")
		if err := m.Sessions().Leave(ctx, session, kind, in.Text); err != nil {
			return "", err
		}
		return "Kept for later sessions.\n", nil
	}
}
