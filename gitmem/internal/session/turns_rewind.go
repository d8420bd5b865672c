package session

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// rewound logs, once, the lines of the transcript that were taken back after they were logged, and returns the prompts
// among them.
func (w *turnWriter) rewound(file string) (prompts []transcript.Message) {
	var ranges []string
	var gone transcript.Lines
	for _, r := range w.tree.TakenBackRanges() {
		if r[0] > w.logged {
			continue
		}
		if gone = append(gone, r); !w.gone.Has(r[0]) || !w.gone.Has(r[1]) {
			ranges = append(ranges, fmt.Sprintf("%d–%d", r[0], r[1]))
		}
	}
	if len(ranges) == 0 || w.unknown {
		return nil
	}
	text := "taken back: lines " + strings.Join(ranges, ", ")
	w.line(w.s.ws.Options.Now(), cite.EntryRewind, text, 0, transcript.TextHash(text))
	for msg, err := range w.s.src.Remembered(file, transcript.All(file)) {
		taken := err == nil && msg.Line <= w.logged && w.tree.TakenBack(msg.Line) && !w.gone.Has(msg.Line)
		if taken && msg.Prompt {
			prompts = append(prompts, msg)
		}
	}
	w.gone = gone
	return prompts
}

// unlearn removes from the profile and the project's standing orders what was learnt from prompts that were taken back,
// and restores what these replaced or removed.
func (s *Sessions) unlearn(ctx context.Context, p *workspace.Place, session string, prompts []transcript.Message,
	out *Logged) error {
	if len(prompts) == 0 || !s.ws.Store.HasRepository() {
		return nil
	}
	mentions := s.Mentions(session, prompts, path.Join(p.Project.Dir, profile.OrdersFile))
	return s.ChangeProfiles(ctx, mentions, out, func(rel string, old []byte, gone []profile.Mention) ([]byte,
		[]string, error) {
		before, err := s.versionAt(ctx, rel, gone[0].Time)
		if err != nil {
			return nil, nil, err
		}
		return profile.TakeBack(old, before, s.ws.Options.Now(), gone)
	})
}

// versionAt returns a file of memory as committed before a time, in whole seconds as in git, or nothing if it did not
// exist.
func (s *Sessions) versionAt(ctx context.Context, rel string, at time.Time) ([]byte, error) {
	at = at.Truncate(time.Second)
	for c, err := range s.ws.Store.Log(ctx, 0, rel) {
		if err != nil {
			return nil, err
		}
		if c.Time.Before(at) {
			b, err := s.ws.Store.Read(c.Hash, rel)
			if errors.Is(err, store.ErrNotFound) {
				err = nil
			}
			return b, err
		}
	}
	return nil, nil
}
