package session

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
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Recovered is what [Sessions.Recover] did.
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
	// maxOthers bounds the sessions of other projects that one run archives.
	maxOthers = 20
)

// Recover archives sessions that ended without a hook, because their client was killed:
// those that hooks saw, of the project first, then some of others. A session
// whose client is alive is left alone, as is the one that the caller belongs to,
// current; the processes of clients are known from earlier runs, which record
// their own. Where nothing is known of the client, a transcript that grew within the
// last half hour is left alone. Of two runs at once the second does nothing. The
// error is ErrNotCaptured as of [Sessions.Observe]; model is as of [Sessions.End].
func (s *Sessions) Recover(ctx context.Context, current string, model Model) (Recovered, error) {
	p, err := s.capturing(ctx)
	if err != nil {
		return Recovered{}, err
	}
	s.Attend(current)
	unlock, free, err := index.TryLock(filepath.Join(s.clientsDir(), ".lock"))
	if err != nil || !free {
		return Recovered{}, err
	}
	defer unlock()
	r := recovery{archiver: s.newArchiver(p, model), current: current, left: map[string]bool{}}
	r.clients, r.done = s.clients(), s.archivedFiles()
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
		if ctx.Err() != nil || r.sessions.ws.MayCapture(ctx) != nil || !c.ours && others >= maxOthers {
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
	files, problems := transcript.Files(r.sessions.ws.ClientDir)
	for _, err := range problems {
		r.sessions.ws.Caveat("A transcript folder could not be read: %v", err)
	}
	logged := r.logged()
	seen := map[string]bool{}
	for _, c := range r.clients {
		seen[c.Session] = true
	}
	var out []candidate
	for _, f := range files {
		if f.Subagent || f.Session == "" || f.Session == r.current {
			continue
		}
		ours := logged[r.sessions.ws.SessionName(f.Session)] || logged[transcript.ShortID(f.Session)]
		if !ours && !seen[f.Session] || r.done[f.Path] == ingest.TranscriptStamp(&f) {
			continue
		}
		if r.sessions.running(r.clients, f) {
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
		logs, err := filepath.Glob(filepath.Join(r.sessions.ws.Path(p.Dir), "observations", "*", "*-*.md"))
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
func (s *Sessions) running(clients []client, f transcript.File) bool {
	for _, c := range clients {
		if c.Session == f.Session && c.Machine == s.ws.Options.Machine {
			return c.alive()
		}
	}
	return s.ws.Options.Now().Sub(time.Unix(0, f.Stat.MtimeNs)).Abs() < quietTime // a time far ahead is of a wrong clock
}

// forgetClients drops what is recorded of clients that are gone, once their sessions
// are archived.
func (r *recovery) forgetClients() {
	for _, c := range r.clients {
		if c.Machine == r.sessions.ws.Options.Machine && !r.left[c.Session] && !c.alive() {
			_ = os.Remove(c.file) // the next run does
		}
	}
}

// client is a client's process and the session that it works on.
type client struct {
	Session string `json:"session"`
	Machine string `json:"machine"`
	PID     int    `json:"pid"`
	Began   string `json:"began"` // which another process with its number differs in, "" where the system doesn't report it
	file    string
}

func (s *Sessions) clientsDir() string { return filepath.Join(s.ws.IndexDir(), "clients") }

// Attend records that the client which runs this process works on a session. A
// client works on one at a time, so that the one before has ended.
func (s *Sessions) Attend(session string) {
	pid := 0
	if _, err := fmt.Sscan(s.ws.Options.Getenv("CLAUDE_PID"), &pid); err != nil || pid <= 1 || !transcript.ValidSessionID(session) {
		return
	}
	name := filepath.Join(s.clientsDir(), fmt.Sprint(pid)+".json")
	b, err := json.Marshal(client{Session: session, Machine: s.ws.Options.Machine, PID: pid, Began: processBegan(pid)})
	if err != nil {
		return
	}
	if old, err := os.ReadFile(name); err == nil && string(old) == string(b) {
		return
	}
	if os.MkdirAll(s.clientsDir(), 0o700) == nil {
		_ = os.WriteFile(name, b, 0o600) // without it the transcript's age decides
	}
}

// Running are the sessions that clients of this machine work on, as far as hooks recorded
// them.
func (s *Sessions) Running() []string {
	var out []string
	for _, c := range s.clients() {
		if c.Machine == s.ws.Options.Machine && c.alive() {
			out = append(out, c.Session)
		}
	}
	return out
}

func (s *Sessions) clients() []client {
	files, err := filepath.Glob(filepath.Join(s.clientsDir(), "*.json"))
	if err != nil {
		return nil
	}
	var out []client
	for _, f := range files {
		var c client
		if b, err := os.ReadFile(f); err == nil && json.Unmarshal(b, &c) == nil {
			c.file = f
			out = append(out, c)
		}
	}
	return out
}

// alive reports whether the process is still the one that was recorded.
func (c client) alive() bool {
	return processAlive(c.PID) && processBegan(c.PID) == c.Began
}

func (s *Sessions) archivedFile() string { return filepath.Join(s.ws.IndexDir(), "archived.json") }

// archivedFiles are the transcripts that were archived and how they were then. It is
// a cache: what it does not know is looked at again.
func (s *Sessions) archivedFiles() map[string]index.Mark {
	out := map[string]index.Mark{}
	b, err := os.ReadFile(s.archivedFile())
	if err != nil || json.Unmarshal(b, &out) != nil {
		return map[string]index.Mark{}
	}
	return out
}

// markArchived keeps the list, without what is gone.
func (s *Sessions) markArchived(done map[string]index.Mark) error {
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
	return workspace.ReplaceFile(s.archivedFile(), b)
}
