package gitmem

import "context"

// Data lists the available data for programs that search themselves, in addition to [Memory.Search] with chosen
// strategies. It writes nothing but the index.
type Data struct{ m *Memory }

// Data gives access to the available data.
func (m *Memory) Data() *Data { return &Data{m} }

// Layers lists all layers, with caveats about those that can't be searched. It only uses the filter's project.
func (d *Data) Layers(ctx context.Context, f Filter) (layers []Layer, caveats []string, err error) {
	err = within(d.m, func(v view) (err error) { layers, caveats, err = v.reader.Layers(ctx, f); return err })
	return layers, caveats, err
}

// Sessions lists the last sessions, newest first.
func (d *Data) Sessions(ctx context.Context, f Filter) ([]RecentSession, error) {
	return with(d.m, func(v view) ([]RecentSession, error) { return v.reader.Sessions(ctx, f) })
}

// SessionList lists sessions, a part at a time.
func (d *Data) SessionList(ctx context.Context, f SessionFilter) (SessionList, error) {
	return with(d.m, func(v view) (SessionList, error) { return v.reader.ListSessions(ctx, f) })
}

// Transcript reads a part of a session, or the archive's entries of a session without a transcript.
func (d *Data) Transcript(ctx context.Context, session string, o TranscriptOptions) (Transcript, error) {
	return with(d.m, func(v view) (Transcript, error) { return v.reader.Transcript(ctx, session, o) })
}

// Grep searches the transcript files for a text, case-insensitively, newest first. It reads no index.
func (d *Data) Grep(ctx context.Context, text string, f Filter) (Results, error) {
	return with(d.m, func(v view) (Results, error) { return v.reader.Grep(ctx, text, f) })
}

// Fix returns how failures with the same error as text ended. It reads the files of transcripts and no index. The error
// wraps ErrUsage if the text does not contain what went wrong.
func (d *Data) Fix(ctx context.Context, text string, f Filter) (Fixes, error) {
	return with(d.m, func(v view) (Fixes, error) { return v.reader.Fix(ctx, text, f) })
}

// Ideas lists the ideas of sessions: decisions, findings, questions and todos, oldest first.
func (d *Data) Ideas(ctx context.Context, f IdeaFilter) ([]Idea, error) {
	return with(d.m, func(v view) ([]Idea, error) {
		defer v.ws.WarnOfCaveats(0)
		return v.editor().Ideas(ctx, f)
	})
}

// Entities lists the entities that the ideas of a project name, of a type or, for "", of all types.
func (d *Data) Entities(ctx context.Context, project, typ string) (Entities, error) {
	return with(d.m, func(v view) (Entities, error) { return v.reader.Entities(ctx, project, typ) })
}

// Topics lists the topics of a project's sessions, oldest first; session is an id prefix, "" for all.
func (d *Data) Topics(ctx context.Context, project, session string) ([]SessionTopics, error) {
	return with(d.m, func(v view) ([]SessionTopics, error) {
		defer v.ws.WarnOfCaveats(0)
		return v.reader.Topics(ctx, project, session)
	})
}
