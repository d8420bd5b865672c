package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// token is a word that one operation wrote to memory. The test recognises each write by its tokens.
type token struct {
	by     string // the operation
	at     string // the line that it wrote, with its file
	places int    // how often it may occur in memory
	edits  int    // number of operations that changed a line and left it there
	gone   int    // number of operations that removed an occurrence
	// removed is the operation that had seen it and removed it, or "".
	removed string
	forgot  bool // removed permanently: it must not come back
	// path is that of a single value of the profile, which a later value replaces.
	path     string
	reported bool      // its loss is reported
	time     time.Time // by the clock of the machine that wrote it
}

// ledger contains all tokens.
type ledger map[string]*token

// tokensOf yields the tokens of a text, each occurrence.
func tokensOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		const digits = 5
		for {
			_, rest, found := strings.Cut(text, "tok")
			if !found {
				return
			}
			text = rest
			if len(rest) < digits || strings.Trim(rest[:digits], "0123456789") != "" {
				continue
			}
			if !yield("tok" + rest[:digits]) {
				return
			}
			text = rest[digits:]
		}
	}
}

// token returns a new token.
func (f *fleet) token() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	tok := fmt.Sprintf("tok%05d", len(f.ledger))
	f.ledger[tok] = &token{}
	return tok
}

// about changes the data of a token.
func (f *fleet) about(tok string, change func(k *token)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f.ledger[tok])
}

// note compares the memory of a machine with its state before an operation there: new tokens were written,
// and missing ones were removed by somebody who had seen them. Two machines with an operation whose once is
// set write the same.
func (m *machine) note(operation string, once bool) {
	files, before := m.files, m.tokens
	m.look()
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	for tok, n := range m.tokens {
		k := m.ledger[tok]
		if k == nil {
			m.t.Fatalf("%s: %s was never made", operation, tok)
		}
		if k.by == "" {
			k.by, k.time = m.name+" "+operation, now
			k.at = strings.TrimSpace(m.whereIs(tok))
		}
		if once {
			k.places = max(k.places, n)
		} else {
			k.places += max(0, n-before[tok])
		}
	}
	for tok, n := range before {
		if n <= m.tokens[tok] {
			continue
		}
		k := m.ledger[tok]
		k.gone += n - m.tokens[tok]
		// If it occurs several times, machines may each remove one occurrence.
		if m.tokens[tok] == 0 || k.gone >= k.places {
			k.removed = m.name + " " + operation
		}
	}
	m.countEdits(files)
}

// countEdits counts the tokens whose lines were changed and that are still in them.
func (m *machine) countEdits(before map[string]string) {
	for rel, text := range m.files {
		old, was := before[rel]
		if !was || old == text {
			continue
		}
		lines := map[string]bool{}
		for line := range strings.Lines(old) {
			lines[strings.TrimSpace(line)] = true
		}
		had := map[string]bool{}
		for tok := range tokensOf(old) {
			had[tok] = true
		}
		for line := range strings.Lines(text) {
			if lines[strings.TrimSpace(line)] {
				continue
			}
			for tok := range tokensOf(line) {
				if had[tok] {
					m.ledger[tok].edits++
				}
			}
		}
	}
}

// Kinds of results of a write.
const (
	lost     = "lost"
	doubled  = "doubled"
	returned = "returned" // removed by somebody who had seen it, and present again
	replaced = "replaced" // in the profile, by a later value
)

// judge returns the result of each token in the memory of a machine, by kind.
func (m *machine) judge() map[string][]string {
	found := map[string][]string{}
	settled := m.outsideConflicts()
	for _, tok := range slices.Sorted(maps.Keys(m.ledger)) {
		k, n := m.ledger[tok], m.tokens[tok]
		switch {
		case k.by == "": // nothing was written
		case n == 0 && k.removed == "" && m.isReplaced(k):
			found[replaced] = append(found[replaced], tok)
		case n == 0 && k.removed == "":
			found[lost] = append(found[lost], tok)
		case n > 0 && k.removed != "":
			found[returned] = append(found[returned], tok)
		case settled[tok] > k.places+max(0, k.edits-1) || n > k.places && m.twice(tok):
			found[doubled] = append(found[doubled], tok)
		}
	}
	return found
}

// outsideConflicts counts each token, except in the versions that were kept as conflicts.
func (m *machine) outsideConflicts() map[string]int {
	counts := map[string]int{}
	for _, text := range m.files {
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "[conflict]") {
				for tok := range tokensOf(line) {
					counts[tok]++
				}
			}
		}
	}
	return counts
}

// isReplaced reports whether there is a later value of the same path, or the path was removed.
func (m *machine) isReplaced(k *token) bool {
	if k.path == "" {
		return false
	}
	for tok, other := range m.ledger {
		if other.path == k.path && !other.time.Before(k.time) && other != k && (m.tokens[tok] > 0 || other.removed != "") {
			return true
		}
	}
	return false
}

// twice reports whether one file contains a line with the token twice.
func (m *machine) twice(tok string) bool {
	for _, text := range m.files {
		seen := map[string]bool{}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.Contains(line, tok) {
				if seen[line] {
					return true
				}
				seen[line] = true
			}
		}
	}
	return false
}

// report describes a token, and where it is.
func (f *fleet) report(tok string) string {
	k := f.ledger[tok]
	var b strings.Builder
	fmt.Fprintf(&b, "%s, written by %s as %s; %d places, %d edits", tok, k.by, k.at, k.places, k.edits)
	if k.removed != "" {
		fmt.Fprintf(&b, ", removed by %s", k.removed)
	}
	b.WriteString("\n")
	for _, m := range f.machines {
		b.WriteString(m.whereIs(tok))
	}
	return b.String()
}
