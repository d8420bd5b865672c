package gitmem

import (
	"context"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

// Ask answers a question from memory. If nothing is found, the Answer has the Confidence None, without an error.
func (m *Memory) Ask(ctx context.Context, question string, f Filter) (Answer, error) {
	return with(m, func(v view) (Answer, error) { return ask.Ask(ctx, v.reader, question, f) })
}

// Search returns ranked hits without composing an answer.
func (m *Memory) Search(ctx context.Context, text string, f Filter) (Results, error) {
	return with(m, func(v view) (Results, error) { return v.reader.Search(ctx, text, f) })
}

// SearchAll searches for several texts in parallel and fuses the results.
func (m *Memory) SearchAll(ctx context.Context, texts []string, f Filter) (Results, error) {
	return with(m, func(v view) (Results, error) { return v.reader.SearchAll(ctx, texts, f) })
}

// Shown looks up a citation id. Excluded sources, and sources written while capture was paused, are not shown: the
// error is a [Refusal] that wraps ErrNotFound. It also finds results of providers, as long as the record of the
// question is kept.
func (m *Memory) Shown(ctx context.Context, id string, o ShowOptions) (Shown, error) {
	return with(m, func(v view) (Shown, error) {
		if strings.HasPrefix(id, "mcp:") {
			return v.agent().Obtained(ctx, id)
		}
		return v.reader.Shown(ctx, id, o)
	})
}

// Team answers who, what state and why questions from the history of the current repository.
type Team struct{ m *Memory }

// Team answers questions about the people of the current repository from its history.
func (m *Memory) Team() *Team { return &Team{m} }

// Who ranks the people of a path, or of a topic; "" and "." are the whole tree. An empty result is not an error. The
// error wraps [ErrNoRepository] outside a repository.
func (t *Team) Who(ctx context.Context, query string, f Filter) (Experts, error) {
	return with(t.m, func(v view) (Experts, error) { return v.team().Who(ctx, query, f) })
}

// State reports who works on the folders of the repository. The error wraps [ErrNoRepository] outside a repository and
// [ErrNotFound] if the folder has no history.
func (t *Team) State(ctx context.Context, f Filter) (TeamState, error) {
	return with(t.m, func(v view) (TeamState, error) { return v.team().State(ctx, f) })
}

// Why explains why lines of a file, or a file, are as they are.
func (t *Team) Why(ctx context.Context, q WhyQuestion) (Why, error) {
	return with(t.m, func(v view) (Why, error) { return v.team().Why(ctx, q) })
}
