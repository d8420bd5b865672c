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

// File is where the list lies below the root.
const File = "gitmem/forgotten.md"

// Header begins a new list.
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

// The classes of what is hashed.
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

// String is the line of the list, without its end.
func (s Tombstone) String() string {
	return "- " + s.Day + " " + s.Kind + " " + s.Salt + " " + s.Hash
}

// parseTombstone reads a line of the list.
func parseTombstone(line string) (Tombstone, bool) {
	f := strings.Fields(line)
	if len(f) != 5 || f[0] != "-" || len(f[3]) != 16 || len(f[4]) != 32 ||
		strings.Trim(f[3]+f[4], "0123456789abcdef") != "" {
		return Tombstone{}, false
	}
	_, err := time.Parse(time.DateOnly, f[1])
	return Tombstone{f[1], f[2], f[3], f[4]}, err == nil
}

// Set is what was forgotten, and what was deleted by hand. The zero value is nothing. Many
// goroutines may ask it at once.
type Set struct {
	Skipped int // list items that were not understood

	salts   []string
	byHash  map[string]Tombstone // what was forgotten, by salt and hash
	deleted map[string]Tombstone // what was deleted by hand, by salt and hash
	units   bool                 // something of another class than line and quote was forgotten
	commits bool                 // there is one of a commit of memory's own history
}

// ParseSet reads the list. What is no item of the list is passed over; items that
// are not understood are counted.
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

// Len is the number of things that were forgotten.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.byHash)
}

// With returns a set that has further tombstones, too.
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

// Holds says whether a tombstone is in the set.
func (s *Set) Holds(t Tombstone) bool {
	if s == nil {
		return false
	}
	_, forgotten := s.byHash[t.Salt+t.Hash]
	_, deleted := s.deleted[t.Salt+t.Hash]
	return forgotten || deleted
}

// Salt is a salt that the set uses already, or "".
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

// HasLine says whether a line was forgotten in every file.
func (s *Set) HasLine(line string) bool { return s.Len() > 0 && s.has(classLine, Normal(line)) }

// HasQuote says whether text is a line that was forgotten, or a shortened form.
func (s *Set) HasQuote(text string) bool {
	return s.HasLine(text) || s.Len() > 0 && s.has(classQuote, Normal(text))
}

// HasLocal says whether a line was forgotten in a section.
func (s *Set) HasLocal(section, line string) bool {
	if s == nil || !s.units {
		return false
	}
	n := Normal(line)
	return n != "" && s.has(classLocal, section+"\x00"+n)
}

// HasUnit says whether a citation id was forgotten; project is that of its file.
func (s *Set) HasUnit(id, project string) bool {
	return s != nil && s.units && s.has(classUnit, UnitKey(id, project))
}

// HasCommits says whether commits of memory's own history were replaced.
func (s *Set) HasCommits() bool { return s != nil && s.commits }

// HasCommit says whether a commit of memory's own history, 40 hex digits, was replaced.
func (s *Set) HasCommit(id string) bool { return s.HasCommits() && s.has(classUnit, commitKey(id)) }

func commitKey(id string) string { return kindCommit + ":" + id }

// Line is the tombstone of a line, which lets it in again when it goes.
func (s *Set) Line(line string) (Tombstone, bool) { return s.find(classLine, Normal(line)) }

// UnitKey distinguishes citation ids of different projects where the id does not:
// tasks, decisions and sessions are named within their project.
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

// Builder makes tombstones of one day with one salt.
type Builder struct{ Day, Salt string }

// Line is the tombstone of a line; several with its shortened forms.
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

// Local is the tombstone of a line within a section.
func (b Builder) Local(section, line string) []Tombstone {
	n := Normal(line)
	if n == "" {
		return nil
	}
	return []Tombstone{b.newTombstone(classLocal, classLocal, section+"\x00"+n)}
}

// Unit is the tombstone of a citation id.
func (b Builder) Unit(id, project string) Tombstone {
	kind, _, _ := strings.Cut(id, ":")
	if !isWord(kind) {
		kind = classUnit
	}
	return b.newTombstone(kind, classUnit, UnitKey(id, project))
}

// Commit is the tombstone of a commit of memory's own history.
func (b Builder) Commit(id string) Tombstone {
	return b.newTombstone(kindCommit, classUnit, commitKey(id))
}

func isWord(s string) bool { return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" }

func (b Builder) newTombstone(kind, class, value string) Tombstone {
	return Tombstone{b.Day, kind, b.Salt, digest(b.Salt, class, value)}
}
