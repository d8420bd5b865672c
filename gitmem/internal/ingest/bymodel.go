package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// opModel is the operation of commits with files that the client's model wrote.
const opModel = "model"

// modelWrote returns the changed files that the client's model wrote, each with its session, or "" if that is unknown.
// An uncommitted tool call names such a file, or the client recorded it in the file.
func (src *Sources) modelWrote(ctx context.Context, paths []string) (sessions map[string]string, err error) {
	sessions = map[string]string{}
	for _, rel := range paths {
		if session, ok := src.clientNoted(rel); ok {
			sessions[rel] = session
		}
	}
	pending, err := src.ws.Store.Pending(ctx)
	for _, log := range pending {
		if cite.AreaOf(log) != cite.AreaObservations {
			continue
		}
		known, headErr := src.ws.Store.ReadMaybe("HEAD", log)
		b, readErr := src.ws.Store.ReadMaybe("", log)
		err = errors.Join(err, headErr, readErr)
		units, _ := cite.Units(cite.File{Path: log, Area: cite.AreaObservations}, b)
		for _, u := range units {
			for _, rel := range paths {
				if u.Span.Start >= len(known) && u.Wrote(rel) && transcript.ValidSessionID(u.Session) {
					sessions[rel] = u.Session
				}
			}
		}
	}
	return sessions, err
}

// clientNoted reports whether the frontmatter of a client memory file shows that the client's model wrote it since the
// last commit. It returns the session in which the model created the file.
func (src *Sources) clientNoted(rel string) (session string, ok bool) {
	if cite.AreaOf(rel) != cite.AreaMemory {
		return "", false
	}
	now, err := src.ws.Store.ReadMaybe("", rel)
	was, headErr := src.ws.Store.ReadMaybe("HEAD", rel)
	d := markdown.Parse(now)
	if session = cite.OriginSession(d); !transcript.ValidSessionID(session) || err != nil || headErr != nil {
		return "", false
	}
	return session, was == nil || cite.ModifiedAt(d) != cite.ModifiedAt(markdown.Parse(was))
}

// ByModel returns the 1-based numbers of the lines in a client memory file that a model wrote, according to marks in
// the file or memory's history. It caches the result from the history beside the index until the file changes. The
// error is [store.ErrNoStore] if there is no history.
func (src *Sources) ByModel(ctx context.Context, rel string) (lines []int, err error) {
	if !src.ws.HasStore() || !src.ws.Present() {
		return nil, store.ErrNoStore
	}
	b, err := src.ws.Store.Read("", rel)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(src.ws.IndexDir(), "bymodel", store.ShortHash(rel)+".json")
	var kept keptByModel
	if saved, err := os.ReadFile(name); err == nil && json.Unmarshal(saved, &kept) == nil && kept.Hash == HashOf(b) {
		return kept.Lines, nil
	}
	found, err := src.writtenByModel(ctx, "", rel)
	if err != nil || !found.committed || src.ws.ReadOnly {
		return found.lines, err
	}
	saved, err := json.Marshal(keptByModel{HashOf(found.body), found.lines})
	if err == nil && os.MkdirAll(filepath.Dir(name), 0o700) == nil {
		_ = os.WriteFile(name, saved, 0o600) // a cache
	}
	return found.lines, nil
}

// keptByModel is the cached result of [Sources.ByModel] for a file.
type keptByModel struct {
	Hash  string // of the file's content
	Lines []int
}

// byModel is a file with the lines of it that a model wrote.
type byModel struct {
	body      []byte
	lines     []int // 1-based line numbers
	committed bool  // the whole file is committed
}

// writtenByModel finds the lines of a file at a revision that a model wrote; "" means the file on disk.
func (src *Sources) writtenByModel(ctx context.Context, rev, rel string) (found byModel, err error) {
	origins, err := src.ws.Store.Blame(ctx, rev, rel)
	if err != nil {
		return byModel{}, err
	}
	for _, o := range origins { // use the text that blame read: the file may have changed since
		found.body = append(found.body, o.Text...)
	}
	var ids []string
	for _, o := range origins {
		if o.Commit != "" {
			ids = append(ids, o.Commit)
		}
	}
	commits, err := src.ws.Store.LookAll(ctx, ids)
	if err != nil {
		return byModel{}, err
	}
	pending := false
	if found.committed = len(ids) == len(origins); !found.committed {
		sessions, err := src.modelWrote(ctx, []string{rel})
		if err != nil {
			return byModel{}, err
		}
		_, pending = sessions[rel]
	}
	clients := path.Base(rel) != indexFile && cite.OriginSession(markdown.Parse(found.body)) != ""
	marked := cite.ModelLines(string(found.body), false)
	restored := map[string]map[string]bool{} // by reverted commit: the lines that a model wrote before it
	for i, o := range origins {
		did := func(op string) bool { return slices.Contains(commits[o.Commit].Trailers, "Gitmem-Op: "+op) }
		model := o.Commit == "" && pending || did(opModel) || did(workspace.OpInit) && clients || slices.Contains(marked, i+1)
		if undone := undoneBy(commits[o.Commit]); undone != "" && !model {
			if restored[undone] == nil {
				restored[undone] = src.textsByModel(ctx, undone+"^", rel)
			}
			model = restored[undone][o.Text]
		}
		if model {
			found.lines = append(found.lines, i+1)
		}
	}
	return found, nil
}

// undoneBy returns the commit that an undo commit reverted, or "".
func undoneBy(c store.CommitInfo) string {
	for _, t := range c.Trailers {
		if undone, ok := strings.CutPrefix(t, "Gitmem-Op: undo "); ok {
			return undone
		}
	}
	return ""
}

// textsByModel returns the lines of a file at a revision that a model wrote, or none if that is unknown.
func (src *Sources) textsByModel(ctx context.Context, rev, rel string) map[string]bool {
	texts := map[string]bool{}
	found, err := src.writtenByModel(ctx, rev, rel)
	if err != nil {
		return texts
	}
	n := 0
	for line := range strings.Lines(string(found.body)) {
		if n++; slices.Contains(found.lines, n) {
			texts[line] = true
		}
	}
	return texts
}

// Attributed adds to a source of the client's memory the lines that a model wrote, according to memory's history. It
// returns other sources unchanged.
func (src *Sources) Attributed(found cite.Source, err error) (cite.Source, error) {
	if err != nil || found.Source != string(cite.KindMemory) {
		return found, err
	}
	// Without a context: the file's history is read once per call, and a resolver has no context.
	if lines, err := src.ByModel(context.Background(), found.Path); err == nil { // otherwise only marks count
		found.ByModel = within(lines, found.Line, found.Text)
	}
	return found, nil
}

// AttributedUnits is like [Sources.Attributed] for the units of a client memory file.
func (src *Sources) AttributedUnits(rel string, units []cite.Unit) []cite.Unit {
	lines, err := src.ByModel(context.Background(), rel) // as in Attributed
	for i, u := range units {
		if err == nil {
			units[i].ByModel = within(lines, u.Line, u.Text)
		}
	}
	return units
}

// within returns the line numbers of a file that belong to a text in it, relative to the text's first line.
func within(lines []int, first int, text string) (out []int) {
	for _, n := range lines {
		if n >= first && n < first+strings.Count(strings.TrimRight(text, "\n"), "\n")+1 {
			out = append(out, n-first+1)
		}
	}
	return out
}

// lostNotes returns the lines of the last committed versions of client memory files that the user wrote and that no
// file of the folder contains any more.
func (src *Sources) lostNotes(ctx context.Context, paths []string) (lost []string) {
	kept := map[string]bool{}
	_ = src.WalkMarkdown(src.ws.Root, []string{path.Dir(paths[0])}, func(rel string) {
		b, _ := src.ws.Store.ReadMaybe("", rel) // an unreadable file keeps nothing
		for line := range strings.Lines(string(b)) {
			kept[tombstone.Normal(line)] = true
		}
	})
	compare := lint.NewComparer(nil)
	said := func(line string) bool {
		for other := range kept {
			if compare.Same(line, other) {
				return true
			}
		}
		return false
	}
	for _, rel := range paths {
		if cite.AreaOf(rel) != cite.AreaMemory {
			continue
		}
		was, err := src.writtenByModel(ctx, "HEAD", rel)
		if err != nil {
			continue // there was no such file, or its authors are unknown
		}
		n, at, body := 0, 0, markdown.Parse(was.body).Body.Start
		for line := range strings.Lines(string(was.body)) {
			n, at = n+1, at+len(line)
			normal := tombstone.Normal(line)
			if at > body && normal != "" && line[0] != '#' && !kept[normal] && !slices.Contains(was.lines, n) && !said(normal) {
				lost = append(lost, tombstone.Text(line))
			}
		}
	}
	return lost
}

// tellLost warns about lost notes, and stores the warning for the start of the next session.
func (src *Sources) tellLost(dir, how string, lost []string, commit string) {
	what, them := "a note of yours", "it"
	if len(lost) > 1 {
		what, them = fmt.Sprintf("%d notes of yours", len(lost)), "them"
	}
	text := fmt.Sprintf(how+": %s; gitmem undo %s brings %s back", what, messages.Quote(src.ws.Clean(lost[0]), 120),
		commit[:12], them)
	src.ws.Options.Warn(text)
	name := src.untoldFile(dir)
	if os.MkdirAll(filepath.Dir(name), 0o700) == nil {
		waiting, _ := os.ReadFile(name)                                       // usually there is none
		_ = os.WriteFile(name, append(append(waiting, text...), '\n'), 0o600) // already printed as a warning
	}
}

// untoldFile returns the path of a folder's pending warnings. It is next to the records of model runs, which are
// deleted when something is forgotten.
func (src *Sources) untoldFile(dir string) string {
	return filepath.Join(src.ws.IndexDir(), workspace.RunsFolder, store.ShortHash(dir)+".lost")
}

// Untold returns and removes the pending warnings about a folder of the client's memory, or "".
func (src *Sources) Untold(dir string) string {
	b, err := os.ReadFile(src.untoldFile(dir))
	if err != nil || os.Remove(src.untoldFile(dir)) != nil {
		return ""
	}
	return strings.Join(strings.Split(strings.TrimSpace(string(b)), "\n"), "; ")
}
