package archiving

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
)

// Recovered is what [Archives.Recover] did.
type Recovered struct {
	Archived int    // sessions that got a section
	Running  int    // sessions that were left to their clients
	Commit   string // "" when nothing was new or there is no repository
	Note     string // which sections have no summary, though they shall have one, and why
}

const (
	// quietTime is how long a transcript must not have grown until its session counts as
	// ended, where nothing is known of its client.
	quietTime = 30 * time.Minute
	// geminiQuietTime is shorter, since Gemini CLI (0.61.0) deletes a session that was resumed at its next
	// start.
	geminiQuietTime = 5 * time.Minute
	// maxOthers bounds the sessions of other projects that one run archives.
	maxOthers = 20
)

// Recover archives sessions that ended without a hook, because their client was killed:
// those that hooks saw, of the project first, then some of others. A session
// whose client is alive is left alone, as is the one that the caller belongs to,
// current; the processes of clients are known from earlier runs, which record
// their own. Where nothing is known of the client, a transcript that grew within the
// last half hour is left alone. Of two runs at once the second does nothing. The
// error is ErrNotCaptured as of [session.Sessions.Observe]; model is as of [Archives.End].
func (s *Archives) Recover(ctx context.Context, current string, model Model) (Recovered, error) {
	p, err := s.sessions.Capturing(ctx)
	if err != nil {
		return Recovered{}, err
	}
	s.sessions.Attend(current)
	unlock, free, err := osfile.Lock(filepath.Join(s.sessions.ClientsDir(), ".lock"))
	if err != nil || !free {
		return Recovered{}, err
	}
	defer unlock()
	r := recovery{archiver: s.newArchiver(p, model), current: current, left: map[string]bool{}}
	r.clients, r.sections = s.sessions.Clients(), s.newSectionList()
	return r.run(ctx)
}

// recovery is one run.
type recovery struct {
	*archiver
	current string
	left    map[string]bool // sessions that are left to the next run
	out     Recovered
}

func (r *recovery) run(ctx context.Context) (Recovered, error) {
	var errs []error
	others := 0
	for _, c := range r.candidates() {
		if ctx.Err() != nil || r.archives.ws.MayCapture(ctx) != nil || !c.ours && others >= maxOthers {
			r.left[c.file.Session] = true
			continue
		}
		if !c.ours {
			others++
		}
		rel, err := r.archiveFile(ctx, c.file)
		if err != nil {
			errs = append(errs, fmt.Errorf("session %s: %w", transcript.ShortID(c.file.Session), err))
			r.left[c.file.Session] = true
		} else if rel != "" {
			r.out.Archived++
		}
	}
	var err error
	r.out.Commit, err = r.commit(ctx, "archive: %s that did not end")
	r.out.Note = r.note
	r.forgetClients()
	return r.out, errors.Join(append(errs, err)...)
}

// candidate is a transcript whose session may have ended.
type candidate struct {
	file transcript.File
	ours bool // of the project
}

// candidates are the transcripts of sessions that hooks saw, that are not known to
// be archived and whose client is gone: the project's first, then the newest.
func (r *recovery) candidates() []candidate {
	files, problems := r.archives.archivable()
	for _, err := range problems {
		r.archives.ws.Caveat("A transcript folder could not be read: %v", err)
	}
	logged := r.logged()
	seen := slice.Set(slice.Map(r.clients, func(c session.Client) string { return c.Session }))
	var out []candidate
	for _, f := range files {
		if f.Subagent || f.Session == "" || f.Session == r.current {
			continue
		}
		ours := logged[r.archives.ws.SessionName(f.Session)] || logged[transcript.ShortID(f.Session)]
		other := transcript.ClientOf(f.Session) != transcript.ClaudeCode // no hook has to have seen it
		if !ours && !seen[f.Session] && !other || r.sections.holds(&f) {
			continue
		}
		if r.archives.running(r.clients, f) {
			r.out.Running++
			continue
		}
		out = append(out, candidate{f, ours})
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		if a.ours != b.ours {
			return map[bool]int{true: -1, false: 1}[a.ours]
		}
		return cmp.Compare(b.file.Stat.MtimeNs, a.file.Stat.MtimeNs)
	})
	return out
}

// logged are the names that logs of the project have of their sessions.
func (r *recovery) logged() map[string]bool {
	out := map[string]bool{}
	for _, p := range r.fallback.Projects() {
		logs, err := filepath.Glob(filepath.Join(r.archives.ws.Path(p.Dir), "observations", "*", "*-*.md"))
		if err != nil {
			continue // a folder's name is no pattern: its sessions are found by their clients
		}
		for _, l := range logs {
			out[ingest.LogSession(filepath.ToSlash(l))] = true
		}
	}
	return out
}

// running reports whether a session's client is, or may be, at work.
func (s *Archives) running(clients []session.Client, f transcript.File) bool {
	for _, c := range clients {
		if c.Session == f.Session && c.Machine == s.ws.Options.Machine {
			return c.Alive()
		}
	}
	quiet := quietTime
	if transcript.ClientOf(f.Session) == "gemini" {
		quiet = geminiQuietTime
	}
	return s.ws.Options.Now().Sub(time.Unix(0, f.Stat.MtimeNs)).Abs() < quiet // a time far ahead is of a wrong clock
}

// forgetClients drops what is recorded of clients that are gone, once their sessions
// are archived.
func (r *recovery) forgetClients() {
	for _, c := range r.clients {
		if c.Machine == r.archives.ws.Options.Machine && !r.left[c.Session] && !c.Alive() {
			_ = os.Remove(c.File) // the next run does
		}
	}
}

func (s *Archives) archivedFile() string { return filepath.Join(s.ws.IndexDir(), "archived.json") }

// lookedAt is what became of a transcript when it was looked at last. It is a cache: the files of
// the archive say what is archived.
type lookedAt struct {
	Stamp   index.Mark `json:"stamp"`   // of the transcript then
	List    string     `json:"list"`    // hash of the list of tombstones then
	File    string     `json:"file"`    // that has a section of the session, "" for none
	Through int        `json:"through"` // line of the transcript that the section reaches
	Deleted bool       `json:"deleted"` // a section was deleted by hand
}

// archivedFiles are the transcripts that were looked at. What the cache does not know is looked at
// again.
func (s *Archives) archivedFiles() map[string]lookedAt {
	out := map[string]lookedAt{}
	b, err := os.ReadFile(s.archivedFile())
	if err != nil || json.Unmarshal(b, &out) != nil {
		return map[string]lookedAt{}
	}
	return out
}

// markArchived keeps the list, without what is gone.
func (s *Archives) markArchived(done map[string]lookedAt) error {
	for name := range done {
		if !strings.HasPrefix(name, s.ws.ClientDir) {
			continue
		}
		if _, err := os.Lstat(name); err != nil {
			delete(done, name)
		}
	}
	b, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return osfile.Replace(s.archivedFile(), "", osfile.Bytes(b))
}
