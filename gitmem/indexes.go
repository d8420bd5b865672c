package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
)

// Indexes are the indexes of the working folder's workspace.
type Indexes struct{ m *Memory }

// Indexes gives access to the indexes.
func (m *Memory) Indexes() *Indexes { return &Indexes{m} }

// Status reports the state of every index of this workspace.
func (x *Indexes) Status(ctx context.Context) ([]ShardStatus, error) {
	return with(x.m, func(v view) ([]ShardStatus, error) { return v.src.Status(ctx) })
}

// Update updates every index of this workspace, as a question would, and reports their content. Of two concurrent
// processes for one repository the second gets ErrLocked at once: the first one serves both. Of processes for different
// repositories, one updates the indexes of memory and transcripts.
func (x *Indexes) Update(ctx context.Context) ([]ShardStatus, error) {
	return with(x.m, func(v view) ([]ShardStatus, error) { return v.src.Update(ctx) })
}

// Rebuild deletes every index of this workspace and builds it again.
func (x *Indexes) Rebuild(ctx context.Context) ([]ShardStatus, error) {
	return with(x.m, func(v view) ([]ShardStatus, error) { return v.src.Rebuild(ctx) })
}

// Embed updates the indexes of this workspace and embeds every text that is not embedded yet, however long that takes.
// Without a model it does nothing.
func (x *Indexes) Embed(ctx context.Context) ([]Embedded, error) {
	return with(x.m, func(v view) ([]Embedded, error) { return v.src.Embed(ctx, 0) })
}

// Read lets an encoder read texts for about a minute, for a background process; the next call continues. Without an
// encoder it does nothing. Of two concurrent processes the second gets ErrLocked.
func (x *Indexes) Read(ctx context.Context) ([]Embedded, error) {
	return with(x.m, func(v view) ([]Embedded, error) {
		if !v.src.ReadsLater() {
			return nil, nil
		}
		return v.src.Embed(ctx, ingest.ReadingTime)
	})
}

// Detach starts a process that calls [Indexes.Update], as [Memory.Detach] does. started is false if one is running.
// After an error, which a hook may ignore, the next question does the work.
func (x *Indexes) Detach(c Command) (started bool, err error) {
	return with(x.m, func(v view) (bool, error) { return v.src.StartIndexer(c) })
}

// Detach starts a process that outlives the caller, and inherits no files except a log beside the indexes. Its standard
// input, of at most 4 KiB, is written before it starts.
func (m *Memory) Detach(c Command, stdin []byte) error {
	return within(m, func(v view) error { return v.src.Detach(c, stdin) })
}

// Models gives access to the installed embedding models.
type Models struct{ m *Memory }

// Models gives access to the embedding models.
func (m *Memory) Models() *Models { return &Models{m} }

// List lists the installed models.
func (ms *Models) List() (InstalledModels, error) {
	return with(ms.m, func(v view) (InstalledModels, error) { return v.src.Models() })
}

// Import installs a model from a folder with its files.
func (ms *Models) Import(ctx context.Context, dir, name string) (Model, error) {
	return with(ms.m, func(v view) (Model, error) { return v.src.ImportModel(ctx, dir, name) })
}

// Remove deletes an installed model.
func (ms *Models) Remove(ctx context.Context, name string) (Model, error) {
	return with(ms.m, func(v view) (Model, error) { return v.src.RemoveModel(name) })
}

// Use selects the model of this root in local.yaml: an installed one, or the built-in one ("builtin"); "off" means
// none.
func (ms *Models) Use(ctx context.Context, name string) error {
	return within(ms.m, func(v view) error { return v.src.UseModel(ctx, name) })
}
