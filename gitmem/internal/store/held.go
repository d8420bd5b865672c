package store

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Held is a file that differs from HEAD and is not committed because it seems
// to hold a secret: the first one's line, counted from 1, and its kind as the
// redactor names it ("private" for a private block). Or because it has a name
// elsewhere, too (Line 0, Kind [HardLink]): then its content may be anything, a
// program's credentials among it, and what it will be is decided elsewhere. Line
// is also 0 when the secret is in the file's name, and Path then has its mark.
type Held struct {
	Path string
	Line int
	Kind string
}

// HardLink is the kind of a file that is held back since it has another name.
const HardLink = "hard link"

// String names the file, the line and the kind, never the secret.
func (h Held) String() string {
	switch {
	case h.Kind == HardLink:
		return h.Path + " is a hard link and has another name elsewhere"
	case h.Line == 0:
		return fmt.Sprintf("%s, in its name (%s)", h.Path, h.Kind)
	}
	return fmt.Sprintf("%s, line %d (%s)", h.Path, h.Line, h.Kind)
}

// Held returns the files that a commit of everything would hold back now,
// sorted by path; Pending lists them, too. It changes nothing. Unmerged and
// unreadable files are reported through Options.Warn. ErrNoStore: there is no
// repository.
func (s *Store) Held(ctx context.Context) ([]Held, error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}
	targets, err := s.targets(ctx, snap, nil)
	if err != nil {
		return nil, err
	}
	_, held := s.holdBack(targets)
	return held, nil
}

// holdBack takes the targets away whose new content seems to hold a secret.
// People and other programs write files of memory, too, and what is once in
// history is hard to get out again. The very bytes that would become the blob
// are scanned. What HEAD has already is let through: it is too late for that.
func (s *Store) holdBack(targets []target) (pass []target, held []Held) {
	for _, t := range targets {
		if h, found := s.secretIn(t); found {
			held = append(held, h)
		} else {
			pass = append(pass, t)
		}
	}
	if !slices.ContainsFunc(pass, target.needsCommit) {
		pass = nil
	}
	return pass, held
}

// secretIn looks for a secret in the new content of a target.
func (s *Store) secretIn(t target) (Held, bool) {
	if !t.fresh {
		return Held{}, false
	}
	if s.linkedElsewhere(t) {
		return Held{Path: t.path, Kind: HardLink}, true
	}
	if kind, found := s.o.Redactor.Name(t.path); found {
		return Held{Path: s.o.Redactor.Path(t.path), Kind: kind}, true
	}
	text := string(t.body)
	_, found := s.o.Redactor.Text(text)
	if len(found) == 0 {
		return Held{}, false
	}
	return Held{Path: t.path, Line: 1 + strings.Count(text[:found[0].Start], "\n"), Kind: found[0].Kind}, true
}

// linkedElsewhere says whether a file has a name beside the one in memory. The
// temporary name that a new file has for a moment, or for as long as the process
// that made it is dead, is ours.
func (s *Store) linkedElsewhere(t target) bool {
	if t.info == nil {
		return false
	}
	names := linkCount(t.info)
	if names < 2 {
		return false
	}
	entries, err := s.readDir(path.Dir(t.path))
	if err != nil {
		return true
	}
	for _, d := range entries {
		if !isTemp(d.Name()) {
			continue
		}
		if fi, err := d.Info(); err == nil && os.SameFile(fi, t.info) {
			names--
		}
	}
	return names > 1
}

// reportHeld reports what was held back. For named paths it is an error also where
// others were committed, or the caller would take them all for committed.
func (s *Store) reportHeld(held []Held, named bool) error {
	names := make([]string, len(held))
	for i, h := range held {
		names[i] = h.String()
		if h.Kind == HardLink {
			s.o.Warn("not committed: " + names[i] + "; copy it, delete it and put the copy in its place")
			continue
		}
		s.o.Warn("not committed because of a secret: " + names[i])
	}
	if !named || len(held) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrHeld, strings.Join(names, "; "))
}
