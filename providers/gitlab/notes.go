package gitlab

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// complete reads the notes of a thread, and the thread itself if held is nil, and adds who approved it or
// requested changes.
func (s *Source) complete(ctx context.Context, id string, held *providers.Item) ([]providers.Item, error) {
	kind, number := remote.SplitID(id)
	var it providers.Item
	var err error
	switch {
	case held != nil:
		it = *held
	case kind == mrID:
		it, err = s.getMergeRequest(ctx, number)
	default:
		it, err = s.getIssue(ctx, number)
	}
	if err != nil {
		return nil, err
	}
	query := func(token string) any {
		return &gl.ListMergeRequestNotesOptions{ListOptions: pageOptions(token), OrderBy: gl.Ptr("created_at"),
			Sort: gl.Ptr("asc")}
	}
	read := func(raw json.RawMessage) (providers.Item, []providers.Person, bool) { return s.readNote(id, raw) }
	return remote.Parts(ctx, s.get, it, notesPath(id), query, &s.tally, "threads with more notes than are read", read)
}

// notesPath returns the path of the notes of a thread.
func notesPath(thread string) string {
	kind, number := remote.SplitID(thread)
	if kind == mrID {
		return fmt.Sprintf("merge_requests/%d/notes", number)
	}
	return fmt.Sprintf("issues/%d/notes", number)
}

// readNote converts one note; ok is false for one that is left out and counted.
func (s *Source) readNote(thread string,
	raw json.RawMessage) (it providers.Item, reviewer []providers.Person, ok bool) {
	var n gl.Note
	if json.Unmarshal(raw, &n) == nil {
		it, ok = s.note(thread, &n)
	}
	switch {
	case !ok:
		s.tally.Add("notes that make no sense")
	case providers.IsBot(n.Author.Username, ""):
		s.tally.Add("notes of bots")
	case n.System:
		s.tally.Add("notes of GitLab itself")
		if isReview(n.Body) {
			reviewer = []providers.Person{it.Author}
		}
	case n.Internal:
		s.tally.Add("internal notes")
	case it.Text == "":
		s.tally.Add("notes without words")
	default:
		// The author of a note on lines of a merge request counts as its reviewer.
		if len(it.Paths) > 0 {
			reviewer = []providers.Person{it.Author}
		}
		return it, reviewer, true
	}
	return it, reviewer, false
}

// isReview reports whether a system note records an approval or requested changes.
func isReview(body string) bool {
	body = strings.ToLower(body)
	return strings.HasPrefix(body, "approved this merge request") || strings.HasPrefix(body, "requested changes")
}
