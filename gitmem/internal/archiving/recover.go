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

// Recovered is the result of [Archives.Recover].
type Recovered struct {
	Archived int    // sessions that got a section
	Running  int    // sessions whose clients are still running
	Commit   string // "" if nothing was new or there is no repository
	Note     string // sections without a requested summary, and why
}

const (
	// quietTime is how long a transcript must be unchanged before its session counts as ended, if its client's process is
	// unknown.
	quietTime = 30 * time.Minute
	// geminiQuietTime is shorter because Gemini CLI (0.61.0) deletes a resumed session at its next start.
	geminiQuietTime = 5 * time.Minute
	// maxOthers limits the sessions of other projects that one run archives.
	maxOthers = 20
)

// Recover archives sessions that ended without a hook because their client was killed: sessions that hooks saw, the
// project's first, then some of others. It skips sessions whose client is running and the caller's session, current.
// Earlier runs record the processes of their clients. If the client's process is unknown, it skips transcripts that
// changed within the last half hour. If another run is in progress, it does nothing. The error is ErrNotCaptured as for
// [session.Sessions.Observe]; model is as for [Archives.End].
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

// recovery is one run of [Archives.Recover].
type recovery struct {
	*archiver
	current string
	left    map[string]bool // sessions that the next run handles
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

// candidates returns the transcripts of sessions that hooks saw, that are not known to be archived and whose client is
// not running. The project's come first, then the newest.
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
		other := transcript.ClientOf(f.Session) != transcript.ClaudeCode // its hooks may not have seen it
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

// logged returns the names by which the project's logs identify their sessions.
func (r *recovery) logged() map[string]bool {
	out := map[string]bool{}
	for _, p := range r.fallback.Projects() {
		logs, err := filepath.Glob(filepath.Join(r.archives.ws.Path(p.Dir), "observations", "*", "*-*.md"))
		if err != nil {
			continue // the folder's name is not a valid pattern; its sessions are found by their clients
		}
		for _, l := range logs {
			out[ingest.LogSession(filepath.ToSlash(l))] = true
		}
	}
	return out
}

// running reports whether a session's client is or may be running.
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
	return s.ws.Options.Now().Sub(time.Unix(0, f.Stat.MtimeNs)).Abs() < quiet // the clock may be wrong
}

// forgetClients deletes the records of clients that stopped and whose sessions are archived.
func (r *recovery) forgetClients() {
	for _, c := range r.clients {
		if c.Machine == r.archives.ws.Options.Machine && !r.left[c.Session] && !c.Alive() {
			_ = os.Remove(c.File) // the next run tries again
		}
	}
}

func (s *Archives) archivedFile() string { return filepath.Join(s.ws.IndexDir(), "archived.json") }

// lookedAt is the result of the last processing of a transcript. It is a cache: the archive files determine what is
// archived.
type lookedAt struct {
	Stamp   index.Mark `json:"stamp"`   // of the transcript at that time
	List    string     `json:"list"`    // hash of the tombstone list at that time
	File    string     `json:"file"`    // archive file with a section of the session, or ""
	Through int        `json:"through"` // last transcript line that the section covers
	Deleted bool       `json:"deleted"` // a person deleted a section
}

// archivedFiles returns the processed transcripts from the cache. Transcripts that are missing there are processed
// again.
func (s *Archives) archivedFiles() map[string]lookedAt {
	out := map[string]lookedAt{}
	b, err := os.ReadFile(s.archivedFile())
	if err != nil || json.Unmarshal(b, &out) != nil {
		return map[string]lookedAt{}
	}
	return out
}

// markArchived saves the list without deleted transcripts.
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
