package tombstone

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// File is the path of the list, relative to the root.
const File = "gitmem/forgotten.md"

// Header is the beginning of a new list.
const Header = `---
format: 1
kind: tombstones
---

# Forgotten

Each line stands for something that gitmem forgot: the day, what it was, and a
salted hash of it, never its words. None of it is indexed, shown, archived or noted
again. A line with "deleted" stands for what a person took out of the archive by hand:
it is not archived again, and no merge brings it back. Delete a line to let it in again.

`

// The classes of hashed values.
const (
	classLine  = "line"
	classLocal = "local"
	classQuote = "quote"
	classUnit  = "unit"
)

// kindCommit is the kind of a commit of memory's own history that --history has replaced.
const kindCommit = "commit"

// Tombstone is one line of the list.
type Tombstone struct {
	Day  string // YYYY-MM-DD
	Kind string
	Salt string // 16 hex digits
	Hash string // 32 hex digits
}

// String returns the line of the list, without its line end.
func (s Tombstone) String() string {
	return "- " + s.Day + " " + s.Kind + " " + s.Salt + " " + s.Hash
}

// parseTombstone parses a line of the list.
func parseTombstone(line string) (Tombstone, bool) {
	f := strings.Fields(line)
	if len(f) != 5 || f[0] != "-" || len(f[3]) != 16 || len(f[4]) != 32 ||
		strings.Trim(f[3]+f[4], "0123456789abcdef") != "" {
		return Tombstone{}, false
	}
	_, err := time.Parse(time.DateOnly, f[1])
	return Tombstone{f[1], f[2], f[3], f[4]}, err == nil
}

// Set contains what was forgotten, and what was deleted by hand. The zero value is empty. It is safe for concurrent
// reads.
type Set struct {
	Skipped int // list items that could not be parsed

	salts   []string
	byHash  map[string]Tombstone // what was forgotten, by salt and hash
	deleted map[string]Tombstone // what was deleted by hand, by salt and hash
	units   bool                 // contains classes other than line and quote
	commits bool                 // contains a commit of memory's own history
}

// ParseSet parses the list. It skips lines that are not items, and counts items that it can't parse.
func ParseSet(src []byte) *Set {
	s := &Set{}
	for line := range bytes.Lines(src) {
		text := strings.TrimSpace(string(line))
		if t, ok := parseTombstone(text); ok {
			s.put(t)
		} else if strings.HasPrefix(text, "- ") {
			s.Skipped++
		}
	}
	return s
}

func (s *Set) put(t Tombstone) {
	if s.byHash == nil {
		s.byHash, s.deleted = map[string]Tombstone{}, map[string]Tombstone{}
	}
	if !slices.Contains(s.salts, t.Salt) {
		s.salts = append(s.salts, t.Salt)
	}
	if t.Kind == kindDeleted {
		s.deleted[t.Salt+t.Hash] = t
		return
	}
	s.byHash[t.Salt+t.Hash] = t
	if t.Kind != classLine && t.Kind != classQuote {
		s.units = true
	}
	s.commits = s.commits || t.Kind == kindCommit
}

// Len returns the number of forgotten entries.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.byHash)
}

// With returns a set that also contains further tombstones.
func (s *Set) With(more ...Tombstone) *Set {
	out := &Set{}
	if s != nil {
		out.Skipped = s.Skipped
		for _, t := range s.byHash {
			out.put(t)
		}
		for _, t := range s.deleted {
			out.put(t)
		}
	}
	for _, t := range more {
		out.put(t)
	}
	return out
}

// Holds reports whether a tombstone is in the set.
func (s *Set) Holds(t Tombstone) bool {
	if s == nil {
		return false
	}
	_, forgotten := s.byHash[t.Salt+t.Hash]
	_, deleted := s.deleted[t.Salt+t.Hash]
	return forgotten || deleted
}

// Salt returns a salt that the set already uses, or "".
func (s *Set) Salt() string {
	if s == nil || len(s.salts) == 0 {
		return ""
	}
	return slices.Min(s.salts)
}

func digest(salt, class, value string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + class + "\x00" + value))
	return hex.EncodeToString(sum[:16])
}

func (s *Set) has(class, value string) bool {
	_, yes := s.find(class, value)
	return yes
}

func (s *Set) find(class, value string) (Tombstone, bool) {
	if s.Len() == 0 || value == "" {
		return Tombstone{}, false
	}
	for _, salt := range s.salts {
		if t, ok := s.byHash[salt+digest(salt, class, value)]; ok {
			return t, true
		}
	}
	return Tombstone{}, false
}

// HasLine reports whether a line was forgotten in every file.
func (s *Set) HasLine(line string) bool { return s.Len() > 0 && s.has(classLine, Normal(line)) }

// HasQuote reports whether text is a forgotten line, or a shortened form of one.
func (s *Set) HasQuote(text string) bool {
	return s.HasLine(text) || s.Len() > 0 && s.has(classQuote, Normal(text))
}

// HasLocal reports whether a line was forgotten in a section.
func (s *Set) HasLocal(section, line string) bool {
	if s == nil || !s.units {
		return false
	}
	n := Normal(line)
	return n != "" && s.has(classLocal, section+"\x00"+n)
}

// HasUnit reports whether a citation id was forgotten; project is that of its file.
func (s *Set) HasUnit(id, project string) bool {
	return s != nil && s.units && s.has(classUnit, UnitKey(id, project))
}

// HasCommits reports whether commits of memory's own history were replaced.
func (s *Set) HasCommits() bool { return s != nil && s.commits }

// HasCommit reports whether a commit of memory's own history, 40 hex digits, was replaced.
func (s *Set) HasCommit(id string) bool { return s.HasCommits() && s.has(classUnit, commitKey(id)) }

func commitKey(id string) string { return kindCommit + ":" + id }

// Line returns the tombstone of a line, whose removal allows the line again.
func (s *Set) Line(line string) (Tombstone, bool) { return s.find(classLine, Normal(line)) }

// UnitKey returns a key that distinguishes equal citation ids of different projects: tasks, decisions and sessions are
// named within their project.
func UnitKey(id, project string) string {
	c, err := cite.Parse(id)
	if err != nil {
		return id
	}
	switch c.Kind {
	case cite.KindTask, cite.KindDecision, cite.KindSession, cite.KindOrder:
		return c.String() + "\x00" + project
	}
	return c.String()
}

// Builder creates tombstones of one day with one salt.
type Builder struct{ Day, Salt string }

// Line returns the tombstones of a line and of its shortened forms.
func (b Builder) Line(line string) []Tombstone {
	n := Normal(line)
	if n == "" {
		return nil
	}
	out := []Tombstone{b.newTombstone(classLine, classLine, n)}
	for _, q := range Quotes(line) {
		out = append(out, b.newTombstone(classQuote, classQuote, q))
	}
	return out
}

// Local returns the tombstones of a line within a section.
func (b Builder) Local(section, line string) []Tombstone {
	n := Normal(line)
	if n == "" {
		return nil
	}
	return []Tombstone{b.newTombstone(classLocal, classLocal, section+"\x00"+n)}
}

// Unit returns the tombstone of a citation id.
func (b Builder) Unit(id, project string) Tombstone {
	kind, _, _ := strings.Cut(id, ":")
	if !isWord(kind) {
		kind = classUnit
	}
	return b.newTombstone(kind, classUnit, UnitKey(id, project))
}

// Commit returns the tombstone of a commit of memory's own history.
func (b Builder) Commit(id string) Tombstone {
	return b.newTombstone(kindCommit, classUnit, commitKey(id))
}

func isWord(s string) bool { return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" }

func (b Builder) newTombstone(kind, class, value string) Tombstone {
	return Tombstone{b.Day, kind, b.Salt, digest(b.Salt, class, value)}
}
