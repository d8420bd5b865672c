package gitmem

import "context"

// Profile gives access to profile.md: who the user is and how they want to work.
type Profile struct{ m *Memory }

// Profile gives access to the profile.
func (m *Memory) Profile() *Profile { return &Profile{m} }

// Get lists the values at a dot path and below it, "" means all. The error wraps [ErrNotFound] if there are none at a
// path.
func (p *Profile) Get(ctx context.Context, path string) (Preferences, error) {
	return with(p.m, func(v view) (Preferences, error) { return v.editor().Profile(ctx, path) })
}

// At lists the values in their state at a moment, see [Filter].AsOf.
func (p *Profile) At(ctx context.Context, asOf string) (Preferences, error) {
	return with(p.m, func(v view) (Preferences, error) { return v.editor().ProfileAt(ctx, asOf) })
}

// Set sets the value of a path, or adds it to a list, and commits.
func (p *Profile) Set(ctx context.Context, path, value string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().SetPreference(ctx, path, value) })
}

// Remove removes the values at a path and below it, "" means all, and commits.
func (p *Profile) Remove(ctx context.Context, path string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().RemovePreference(ctx, path) })
}

// Pin keeps the values at a path from decaying, or lets them decay again, and commits.
func (p *Profile) Pin(ctx context.Context, path string, pinned bool) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().PinPreference(ctx, path, pinned) })
}

// Confirm marks the values at a path, which a model wrote, as the user's own, and commits. It is refused inside the
// client, as in [Tasks.Confirm].
func (p *Profile) Confirm(ctx context.Context, path string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().ConfirmPreference(ctx, path) })
}

// Decay removes values that were not mentioned for too long, and commits.
func (p *Profile) Decay(ctx context.Context) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().DecayProfile(ctx) })
}

// Log lists the changes of the profile, newest first; limit 0 means all.
func (p *Profile) Log(ctx context.Context, limit int) ([]ProfileChange, error) {
	return with(p.m, func(v view) ([]ProfileChange, error) { return v.editor().ProfileLog(ctx, limit) })
}

// Import imports the data of an older memory in dir, "" is the folder user-memory below the client's own, and commits;
// with dry it only reports what it would do. The error wraps [ErrNotFound] if there is no such folder.
func (p *Profile) Import(ctx context.Context, dir string, dry bool) (Imported, error) {
	return with(p.m, func(v view) (Imported, error) { return v.editor().Import(ctx, dir, dry) })
}
