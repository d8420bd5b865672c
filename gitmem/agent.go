package gitmem

import "context"

// Research is the language model that researches questions, if local.yaml names one.
type Research struct{ m *Memory }

// Research gives access to the model that researches questions.
func (m *Memory) Research() *Research { return &Research{m} }

// Configured reports whether a model may research questions here.
func (r *Research) Configured() bool {
	on, err := with(r.m, func(v view) (bool, error) { return v.agent().Configured(), nil })
	return on && err == nil
}

// Decided reports whether local.yaml enables or disables the agent.
func (r *Research) Decided() bool {
	decided, err := with(r.m, func(v view) (bool, error) { return v.agent().Decided(), nil })
	return decided || err != nil
}

// Ask has a model research a question. Its claims are checked; if it fails, the answer is that of [Memory.Ask], with
// the reason. The error wraps [ErrUsage] if no model is configured.
func (r *Research) Ask(ctx context.Context, q ResearchQuestion) (ResearchResult, error) {
	return with(r.m, func(v view) (ResearchResult, error) { return v.agent().Ask(ctx, q) })
}

// Passage returns the model's hypothetical answer to a question, for [Filter].Passage.
func (r *Research) Passage(ctx context.Context, question string) (string, error) {
	return with(r.m, func(v view) (string, error) { return v.agent().Passage(ctx, question) })
}

// Attach passes the steps of a running run, or of one of the last two days, to follow until the run has ended. The
// error wraps [ErrNotFound] if there is no such run, or if it was killed.
func (r *Research) Attach(ctx context.Context, id string, follow func(ResearchEvent)) error {
	return within(r.m, func(v view) error { return v.agent().Attach(ctx, id, follow) })
}

// Use sets the back end that researches questions in local.yaml: claude, or "" for none.
func (r *Research) Use(ctx context.Context, backend string) error {
	return within(r.m, func(v view) error { return v.ws.UseAgent(ctx, backend) })
}

// Providers returns the providers that a model may ask besides memory, if the user allows them.
func (r *Research) Providers() ([]ResearchProvider, error) {
	return with(r.m, func(v view) ([]ResearchProvider, error) {
		v.ws.WarnMisplaced()
		return v.agent().Providers(), v.ws.Policy().Err
	})
}

// Allow permits asking a provider as long as its definition is unchanged, and returns it. The error wraps [ErrNotFound]
// if there is none of that name, and [ErrUsage] if it is invalid.
func (r *Research) Allow(ctx context.Context, name string) (ResearchProvider, error) {
	return with(r.m, func(v view) (ResearchProvider, error) { return v.agent().Allow(ctx, name) })
}

// Forbid revokes the permission to ask a provider. The error wraps [ErrNotFound] if none of that name is allowed.
func (r *Research) Forbid(ctx context.Context, name string) error {
	return within(r.m, func(v view) error { return v.agent().Forbid(ctx, name) })
}
