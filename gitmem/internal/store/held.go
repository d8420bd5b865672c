package store

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Held is a file that differs from HEAD and is not committed because it seems to contain a secret. Line is the 1-based
// line of the first secret and Kind its kind as the redactor names it ("private" for a private block). A file that is a
// hard link is also held (Line 0, Kind [HardLink]): its content may be anything, such as a program's credentials, and
// can change elsewhere. Line is also 0 if the secret is in the file's name; Path then contains its mask.
type Held struct {
	Path string
	Line int
	Kind string
}

// HardLink is the kind of a file that is held back because it has another name.
const HardLink = "hard link"

// String returns the file, the line and the kind, never the secret.
func (h Held) String() string {
	switch {
	case h.Kind == HardLink:
		return h.Path + " is a hard link and has another name elsewhere"
	case h.Line == 0:
		return fmt.Sprintf("%s, in its name (%s)", h.Path, h.Kind)
	}
	return fmt.Sprintf("%s, line %d (%s)", h.Path, h.Line, h.Kind)
}

// Held returns the files that a commit of everything would hold back now, sorted by path; Pending lists them, too. It
// changes nothing. Unmerged and unreadable files are reported through Options.Warn. ErrNoStore: there is no repository.
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

// holdBack removes targets whose new content seems to contain a secret. People and other programs write files of
// memory, too, and a secret in the history is hard to remove. It scans exactly the bytes that would become the blob.
// Content that HEAD already has passes, since it is in the history.
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

// linkedElsewhere reports whether a file has a name besides the one in memory. The temporary name that a new file has
// for a moment, or until the leftovers of a dead process are removed, does not count.
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

// reportHeld reports the files that were held back. For named paths it returns an error even if others were committed,
// so that the caller does not assume that all are.
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
