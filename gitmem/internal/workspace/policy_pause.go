package workspace

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// PauseOptions specify for how long and where capture pauses. Without For and Until it pauses until somebody resumes.
type PauseOptions struct {
	For   string // 90m, 2h, 3d or 1w
	Until string // 15:04, 2006-01-02, 2006-01-02 15:04 or RFC 3339; without a zone in that of Options.Now
	Here  bool   // in the working folder's project only
}

// Pause stops capture by hooks on this machine for a while, and returns the resulting state in the working folder. It
// creates no repository. What is written meanwhile is not captured later either; explicit commands keep working.
func (w *Workspace) Pause(ctx context.Context, o PauseOptions) (Capture, error) {
	now := w.Options.Now()
	until, err := pauseEnd(o, now)
	if err != nil {
		return Capture{}, err
	}
	folder, err := w.pauseFolder(ctx, o.Here)
	if err != nil {
		return Capture{}, err
	}
	err = w.changePauses(ctx, func(p config.Pauses) config.Pauses {
		return p.Begin(config.Pause{Folder: folder, Since: now.UTC().Truncate(time.Second),
			Until: until.UTC().Truncate(time.Second)})
	})
	if err != nil {
		return Capture{}, err
	}
	return w.Capture(ctx)
}

// Resume ends the pauses of the working folder's project, and unless here is set also the global ones. It returns the
// resulting state in the working folder.
func (w *Workspace) Resume(ctx context.Context, here bool) (Capture, error) {
	folder, err := w.pauseFolder(ctx, true)
	if err != nil {
		return Capture{}, err
	}
	now := w.Options.Now().UTC()
	err = w.changePauses(ctx, func(p config.Pauses) config.Pauses {
		for _, x := range p.Running(now) { // also pauses set in a subfolder of the project
			if x.Folder != "" && (belowFold(RealPath(w.Options.Dir), x.Folder) || belowFold(folder, x.Folder)) {
				p = p.End(now, x.Folder)
			}
		}
		if here {
			return p
		}
		return p.End(now, "")
	})
	if err != nil {
		return Capture{}, err
	}
	return w.Capture(ctx)
}

func (w *Workspace) pauseFolder(ctx context.Context, here bool) (string, error) {
	if !here {
		return "", nil
	}
	p, err := w.Place(ctx)
	if err != nil {
		return "", err
	}
	return p.Folder, nil
}

// changePauses rewrites the list under the store's lock. An unreadable list is replaced: the user has just set what
// applies.
func (w *Workspace) changePauses(ctx context.Context, change func(config.Pauses) config.Pauses) error {
	s, err := w.Appendable()
	if err != nil {
		return err
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := w.ReadOwn(w.pausedFile())
	if err != nil {
		return err
	}
	var old config.Pauses
	if b != nil {
		if old, err = config.ParsePauses(b); err != nil {
			w.Options.Warn("the list of pauses was not readable and is written anew")
		}
	}
	next := change(old)
	w.rules = nil // read the new list
	if len(next) == 0 {
		return osfile.Remove(w.pausedFile())
	}
	out, err := next.Encode()
	if err != nil {
		return err
	}
	return osfile.Replace(w.pausedFile(), "", osfile.Bytes(out))
}

// pauseEnd returns the end of a pause, zero for one without an end.
func pauseEnd(o PauseOptions, now time.Time) (time.Time, error) {
	switch {
	case o.For != "" && o.Until != "":
		return time.Time{}, fmt.Errorf("%w: --for and --until say the same: give one", messages.ErrUsage)
	case o.For != "":
		d, err := duration(o.For)
		if err != nil || d <= 0 {
			return time.Time{}, fmt.Errorf("%w: --for %q: write 90m, 2h, 3d or 1w", messages.ErrUsage, o.For)
		}
		return now.Add(d), nil
	case o.Until == "":
		return time.Time{}, nil
	}
	t, ok := parseTime(o.Until, now)
	switch {
	case !ok:
		return t, fmt.Errorf("%w: --until %q: write 15:04, 2006-01-02 or 2006-01-02T15:04:05Z", messages.ErrUsage, o.Until)
	case !t.After(now):
		return t, fmt.Errorf("%w: --until %s is past", messages.ErrUsage, o.Until)
	}
	return t, nil
}

// duration parses days and weeks in addition to the units of time.ParseDuration.
func duration(s string) (time.Duration, error) {
	for unit, hours := range map[string]float64{"d": 24, "w": 7 * 24} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			x, err := strconv.ParseFloat(n, 64)
			if err == nil && !(x*hours < 1e6) { // a century, far below the maximum of a Duration; also false for NaN
				err = strconv.ErrRange
			}
			return time.Duration(x * hours * float64(time.Hour)), err
		}
	}
	return time.ParseDuration(s)
}

// parseTime parses a time of day, which is the next one, a day, or a day with a time.
func parseTime(s string, now time.Time) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, true
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, true
		}
	}
	t, err := time.ParseInLocation("15:04", s, now.Location())
	if err != nil {
		return t, false
	}
	next := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, now.Location())
	if !next.After(now) {
		next = next.AddDate(0, 0, 1)
	}
	return next, true
}
