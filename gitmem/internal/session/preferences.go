package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
)

// learn updates the profile and the project's standing orders from prompts, and records the actions. Without a
// repository, in which a change can be inspected and reverted, it does nothing.
func (s *Sessions) learn(ctx context.Context, p *workspace.Place, session string, prompts []transcript.Message,
	out *Logged) error {
	if !s.ws.Store.HasRepository() {
		return nil
	}
	mentions := s.Mentions(session, prompts, path.Join(p.Project.Dir, profile.OrdersFile))
	return s.ChangeProfiles(ctx, mentions, out, s.Learn)
}

// Learn is the change that applies mentions, see [Sessions.ChangeProfiles].
func (s *Sessions) Learn(_ string, old []byte, said []profile.Mention) ([]byte, []string, error) {
	return profile.Update(old, s.ws.Options.Now(), said)
}

// ChangeProfiles applies a change to each of the files of mentions, and records the actions.
func (s *Sessions) ChangeProfiles(ctx context.Context, mentions map[string][]profile.Mention, out *Logged,
	change func(rel string, old []byte, said []profile.Mention) ([]byte, []string, error),
) error {
	var errs []error
	for _, rel := range slices.Sorted(maps.Keys(mentions)) {
		done, err := s.ws.ChangeProfile(ctx, rel, func(old []byte) ([]byte, []string, error) {
			return change(rel, old, mentions[rel])
		})
		if len(done) > 0 {
			out.Learnt, out.files = append(out.Learnt, done...), append(out.files, rel)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Mentions returns the statements of a person about themselves and their orders in prompts, by file: the profile, and
// the standing orders of the project.
func (s *Sessions) Mentions(session string, prompts []transcript.Message, orders string) map[string][]profile.Mention {
	mentions := map[string][]profile.Mention{}
	for _, msg := range prompts {
		if msg.Speaker != transcript.Person || msg.Sidechain {
			continue
		}
		m := profile.Mention{Time: msg.Time, Source: cite.ID{Kind: cite.KindTranscript, Name: session,
			Number: msg.Line}.String()}
		if now := s.ws.Options.Now(); m.Time.IsZero() || m.Time.After(now) {
			m.Time = now
		}
		text := cleanedPrefix(transcript.Typed(msg.Text), s.ws.Clean)
		here, everywhere := profile.OrderChanges(text)
		for rel, changes := range map[string][]profile.Change{profile.File: append(profile.Extract(text), everywhere...),
			orders: here} {
			if m.Changes = changes; len(changes) > 0 {
				mentions[rel] = append(mentions[rel], m)
			}
		}
	}
	return mentions
}

// LearnRest learns from the part of a session's transcript that was written after the hook of its last turn read it,
// and commits that.
func (s *Sessions) LearnRest(ctx context.Context, p *workspace.Place, session, file string) error {
	unlock, free := s.lockTurns(session)
	if !free || !s.ws.Store.HasRepository() {
		return nil
	}
	defer unlock()
	w := &turnWriter{s: s, p: p, session: session, folder: ingest.FolderName(file), logs: map[string]*turnLog{}}
	if _, err := w.scan(file); err != nil {
		return nil // archiving reports errors
	}
	var out Logged
	w.logs, w.order = map[string]*turnLog{}, nil // the section contains the rest
	gone := w.rewound(file)
	logs, logErr := w.append()
	out.files = logs
	err := errors.Join(logErr, s.unlearn(ctx, p, session, gone, &out), s.learn(ctx, p, session, w.prompts, &out))
	_, commitErr := s.CommitLearnt(ctx, out, "Gitmem-Session: "+session)
	return errors.Join(err, commitErr)
}

// CommitLearnt commits what was learnt, if anything was.
func (s *Sessions) CommitLearnt(ctx context.Context, out Logged, trailers ...string) (id string, err error) {
	if len(out.Learnt) == 0 {
		return "", nil
	}
	return s.ws.Store.Commit(ctx, store.Change{
		Paths: out.files, Subject: profile.Subject(out.Learnt), Time: s.ws.Options.Now(), Fsync: true,
		Trailers: append(profile.Trailers(out.Learnt), trailers...),
	})
}

// decayEvery is the interval between checks of the profile for values that were not mentioned for too long.
const decayEvery = 24 * time.Hour

// decay removes values that were not mentioned for too long from the profile and the project's orders, once a day, and
// returns a message. A clock that was put back counts as a day.
func (s *Sessions) decay(ctx context.Context, p *workspace.Place) (string, error) {
	now, mark := s.ws.Options.Now(), filepath.Join(s.ws.IndexDir(), "decayed")
	b, _ := os.ReadFile(mark) // without it a day has passed
	last, _ := time.Parse(time.RFC3339, string(b))
	if since := now.Sub(last); since >= 0 && since < decayEvery || s.ws.Homeless || !s.ws.HasStore() {
		return "", nil
	}
	var done, files []string
	var errs []error
	for _, rel := range []string{profile.File, path.Join(p.Project.Dir, profile.OrdersFile)} {
		known, err := s.ws.Profile(rel)
		if err != nil || !known.Stale(now) { // avoids waiting for a lock
			errs = append(errs, err)
			continue
		}
		did, err := s.ws.ChangeProfile(ctx, rel, func(old []byte) ([]byte, []string, error) {
			return profile.Decay(old, now)
		})
		if len(did) > 0 {
			done, files = append(done, did...), append(files, rel)
		}
		errs = append(errs, err)
	}
	if len(done) > 0 {
		change := store.Change{Paths: files, Subject: profile.Subject(done), Time: now, Fsync: true,
			Trailers: profile.Trailers(done)}
		_, err := s.ws.Store.Commit(ctx, change)
		errs = append(errs, err)
	}
	if err := os.MkdirAll(filepath.Dir(mark), 0o700); err == nil {
		_ = os.WriteFile(mark, []byte(now.UTC().Format(time.RFC3339)), 0o600) // without it the next session checks again
	}
	gone := profile.Decayed(done)
	if len(gone) == 0 {
		return "", errors.Join(errs...)
	}
	return fmt.Sprintf("not mentioned for long and taken out of the profile: %s; gitmem profile log tells more, gitmem "+
		"profile set keeps one", strings.Join(gone, ", ")), errors.Join(errs...)
}

// profile returns the profile lines for a session, and its environment variables. The user's orders come first, for the
// project and in general, so that other lines can't take their space.
func (c *contextBuilder) profile() (lines []sessioncontext.Line, variables []ContextVariable) {
	variables = []ContextVariable{}
	files := slice.Map(c.p.Dirs(), func(dir string) string { return path.Join(dir, profile.OrdersFile) })
	var orders, rest []string
	for _, rel := range append(files, profile.File) {
		p, err := c.s.ws.Profile(rel)
		if err != nil {
			c.skip("profile", err)
			c.unread = append(c.unread, messages.OneLine(c.s.ws.Clean(plain.Text(err)), 200))
			continue
		}
		for _, g := range p.Groups(c.s.ws.Options.Now()) {
			if g.Ordered() {
				orders = append(orders, g.Lines()...)
			} else {
				rest = append(rest, g.Lines()...)
			}
			name, value := g.Variable()
			// the project's come first
			if known := slices.ContainsFunc(variables, func(v ContextVariable) bool {
				return v.Name == name
			}); name != "" && !known {
				variables = append(variables, ContextVariable{name, value})
			}
		}
		for line := range strings.Lines(p.Words) {
			if _, text := sessioncontext.MemoryKey(line); text != "" {
				rest = append(rest, text)
			}
		}
	}
	lines = slice.Map(c.unread, sessioncontext.UnreadLine)
	for _, rel := range append(files, profile.File) {
		if slices.Contains(c.s.ws.Conflicted, rel) { // the person is warned of these by name
			lines = append(lines,
				sessioncontext.UnreadLine(c.s.ws.Clean(rel)+" can't be read where git left a conflict"))
		}
	}
	seen := map[string]bool{}
	for _, text := range append(orders, rest...) {
		if !seen[text] {
			seen[text] = true
			lines = append(lines, sessioncontext.ProfileLine(text))
		}
	}
	return lines, variables
}
