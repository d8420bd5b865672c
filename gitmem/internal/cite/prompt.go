package cite

import (
	"cmp"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// PromptSession returns the session part of the citation id of a prompt in the client's history. Older clients recorded
// no session.
func PromptSession(m transcript.Message) string { return cmp.Or(m.Session, "history") }

// HistoryFile returns the path of the client's prompt history.
func HistoryFile(configRoot string) string { return filepath.Join(configRoot, "history.jsonl") }

// message converts a record to a source. Its author is the user if a person wrote the message.
func (r *Resolver) message(name, file string, m transcript.Message) Source {
	kind := "discussion"
	if m.Role == transcript.RoleSummary || m.Role == transcript.RoleTitle {
		kind = string(transcript.RoleSummary)
	}
	var by answer.Trust
	if m.Speaker == transcript.Person && !transcript.IsSubagent(name) { // a model prompts a subagent
		by = answer.Mine
	}
	return Source{
		ID:    ID{Kind: KindTranscript, Name: name, Number: m.Line}.String(),
		Layer: LayerTranscripts, Source: "transcript", Type: kind, Title: string(m.Role),
		Text: MessageText(m, r.Redactor), Author: string(m.Role), Time: m.Time, Project: r.Redactor.Path(m.Cwd),
		Session: r.clean(m.Session),
		Path:    r.Redactor.Path(transcript.StoreOf(file)), Line: m.Line, UUID: r.clean(m.UUID), By: by,
	}
}
