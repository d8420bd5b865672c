package gitmem

import "context"

// Profile is who the user is and how they want to work, as profile.md holds it.
type Profile struct{ m *Memory }

// Profile gives access to the profile.
func (m *Memory) Profile() *Profile { return &Profile{m} }

// Get lists the values at a dot path and below it, "" is all. The error wraps
// [ErrNotFound] where a path names none.
func (p *Profile) Get(ctx context.Context, path string) (Preferences, error) {
	return with(p.m, func(v view) (Preferences, error) { return v.editor().Profile(ctx, path) })
}

// At lists the values as they stood at a moment, see [Filter].AsOf.
func (p *Profile) At(ctx context.Context, asOf string) (Preferences, error) {
	return with(p.m, func(v view) (Preferences, error) { return v.editor().ProfileAt(ctx, asOf) })
}

// Set gives a path a value, or adds it to a list, and commits.
func (p *Profile) Set(ctx context.Context, path, value string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().SetPreference(ctx, path, value) })
}

// Remove takes out the values at a path and below it, "" is all, and commits.
func (p *Profile) Remove(ctx context.Context, path string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().RemovePreference(ctx, path) })
}

// Pin keeps the values at a path from decaying, or lets them decay again, and commits.
func (p *Profile) Pin(ctx context.Context, path string, pinned bool) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().PinPreference(ctx, path, pinned) })
}

// Confirm makes the values at a path, which a model wrote, the user's own, and commits. Inside the
// client it is refused as [Tasks.Confirm] is.
func (p *Profile) Confirm(ctx context.Context, path string) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().ConfirmPreference(ctx, path) })
}

// Decay takes out what was not mentioned for too long, and commits.
func (p *Profile) Decay(ctx context.Context) (ProfileChanged, error) {
	return with(p.m, func(v view) (ProfileChanged, error) { return v.editor().DecayProfile(ctx) })
}

// Log lists what was done to the profile, newest first; limit 0 is all.
func (p *Profile) Log(ctx context.Context, limit int) ([]ProfileChange, error) {
	return with(p.m, func(v view) ([]ProfileChange, error) { return v.editor().ProfileLog(ctx, limit) })
}

// Import takes over what an older memory kept in dir, "" is the folder user-memory below
// the client's own, and commits; with dry it only says what it would do. The error wraps
// [ErrNotFound] where there is no such folder.
func (p *Profile) Import(ctx context.Context, dir string, dry bool) (Imported, error) {
	return with(p.m, func(v view) (Imported, error) { return v.editor().Import(ctx, dir, dry) })
}
