package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/agent"
	"github.com/gitmem/gitmem/gitmem/internal/diagnose"
)

// Cost contains the sizes of injected texts, the durations of hooks, and the tokens of models. The JSON form is a
// public contract.
type Cost struct {
	diagnose.Cost
	Models      []agent.Day `json:"models"`       // for days whose runs are still recorded
	DailyTokens int         `json:"daily_tokens"` // maximum tokens of models in a day, 0 if not configured
}

// Doctor checks everything that can go wrong and, if requested, repairs it.
func (m *Memory) Doctor(ctx context.Context, o Checkup) ([]Finding, error) {
	return with(m, func(v view) ([]Finding, error) { return v.inspector().Doctor(ctx, o) })
}

// Status reports what is recorded here and where.
func (m *Memory) Status(ctx context.Context) (Status, error) {
	return with(m, func(v view) (Status, error) { return v.inspector().Status(ctx) })
}

// Stats counts the sources of a question: it only uses the filter's Project.
func (m *Memory) Stats(ctx context.Context, f Filter) (Stats, error) {
	return with(m, func(v view) (Stats, error) { return v.inspector().Stats(ctx, f) })
}

// Cost reports what was injected into sessions, how long hooks took, and the tokens of models.
func (m *Memory) Cost(ctx context.Context, o CostOptions) (Cost, error) {
	return with(m, func(v view) (Cost, error) {
		hooks, err := v.inspector().Cost(ctx, o)
		c := Cost{Cost: hooks, Models: []agent.Day{}, DailyTokens: v.ws.Policy().Config.Agent.DailyTokens}
		for _, d := range v.agent().Days() {
			if d.Day >= c.Since {
				c.Models = append(c.Models, d)
			}
		}
		return c, err
	})
}

// PruneTraces deletes old traces of hooks.
func (m *Memory) PruneTraces() error {
	return within(m, func(v view) error { return v.inspector().PruneTraces() })
}

// Capture reports whether hooks capture in the working folder.
func (m *Memory) Capture(ctx context.Context) (Capture, error) {
	return with(m, func(v view) (Capture, error) { return v.ws.Capture(ctx) })
}

// Pause stops capturing; messages written meanwhile are excluded.
func (m *Memory) Pause(ctx context.Context, o PauseOptions) (Capture, error) {
	return with(m, func(v view) (Capture, error) { return v.ws.Pause(ctx, o) })
}

// Resume ends a pause: that of the working folder with here, else the global one.
func (m *Memory) Resume(ctx context.Context, here bool) (Capture, error) {
	return with(m, func(v view) (Capture, error) { return v.ws.Resume(ctx, here) })
}

// Client returns the folder of the client's own files for this user: settings, skills, transcripts. Memory is in it
// unless GITMEM_HOME is set. It returns an error if no home is known.
func (m *Memory) Client() (string, error) {
	return with(m, func(v view) (string, error) { return v.inspector().Client() })
}

// Checkout returns the top folder of the checkout around the working folder, or the working folder if there is none.
func (m *Memory) Checkout() (string, error) {
	return with(m, func(v view) (string, error) { return v.inspector().Checkout() })
}

// InstallDir returns the folder with the data for uninstalling.
func (m *Memory) InstallDir() (string, error) {
	return with(m, func(v view) (string, error) { return v.inspector().InstallDir(), nil })
}

// Installing calls do while no other process installs or uninstalls. The error is [ErrLocked] if another process does
// so for too long.
func (m *Memory) Installing(ctx context.Context, do func() error) error {
	return within(m, func(v view) error { return v.inspector().Installing(ctx, do) })
}
