package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// movesFile is in the git directory and records how much of HEAD's reflog was processed: its length, and the commit of
// its last entry.
const movesFile = "gitmem-moves"

// lostMoves is the content of movesFile after a purge that removed a reflog with unprocessed moves.
const lostMoves = "lost\n"

// seenMoves returns the content of movesFile.
func seenMoves(size int64, head hash) string { return fmt.Sprintf("%d %s\n", size, head) }

// Move is a move of HEAD from one commit to another. From is "" if there was no commit before.
type Move struct{ From, To string }

// ForeignMoves returns the moves of HEAD that are not commits made on this machine: pulls, merges and syncs, any of
// which can bring content from another machine. Moves from before the last call of seen are omitted. If nothing is
// recorded, as in a repository of an older version, the record starts with the present state. Only the part that was
// added to the reflog is read, and nothing if its length is unchanged.
func (s *Store) ForeignMoves() (moves []Move, seen func() error, err error) {
	seen = func() error { return nil }
	name := s.gitPath("logs/HEAD")
	if s.repository() != nil {
		return nil, seen, nil
	}
	note, noteErr := s.disk.readFile(s.gitPath(movesFile))
	if string(note) == lostMoves {
		seen = func() error { return s.writeSeenMoves(0, hash{}) }
		return nil, seen, errors.New("a purge removed what they could be compared with")
	}
	fi, err := s.disk.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, seen, nil
	}
	var size int64
	var head string
	if noteErr == nil {
		_, noteErr = fmt.Sscanf(string(note), "%d %s", &size, &head)
	}
	if err != nil || noteErr == nil && fi.Size() == size {
		return nil, seen, err
	}
	known, _ := parseHash(head)
	if s.Unfinished() != "" { // such as a rebase, which moves HEAD to others' commits and back
		return nil, seen, nil
	}
	all, size, err := s.reflogFrom(name, size, known)
	if err != nil || len(all) == 0 {
		return nil, seen, err
	}
	seen = func() error { return s.writeSeenMoves(size, all[len(all)-1].to) }
	if noteErr != nil {
		return nil, seen, nil
	}
	return foreignMoves(all, known), seen, nil
}

// reflogFrom reads the part of a reflog after an offset, if the last entry before the offset leads to the known commit,
// and otherwise all of it, since git drops old entries. size is the offset after the last entry read.
func (s *Store) reflogFrom(name string, at int64, known hash) (entries []reflogEntry, size int64, err error) {
	f, err := s.disk.openPlain(name, os.O_RDONLY)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	for _, at := range []int64{at, 0} {
		b, err := io.ReadAll(io.NewSectionReader(f, at, math.MaxInt64-at))
		if err != nil {
			return nil, 0, err
		}
		b = b[:bytes.LastIndexByte(b, '\n')+1] // git may still be writing the rest
		if entries = reflogOf(b); at == 0 || len(entries) > 0 && entries[0].from == known {
			return entries, at + int64(len(b)), nil
		}
	}
	return nil, 0, nil
}

func (s *Store) writeSeenMoves(size int64, head hash) error {
	return s.noteMoves(seenMoves(size, head))
}

func (s *Store) noteMoves(text string) error {
	return osfile.Replace(s.abs(s.gitPath(movesFile)), "", osfile.Bytes([]byte(text)))
}

// forgetMoves records, before the reflogs are removed, whether moves are lost with them.
func (s *Store) forgetMoves() error {
	moves, _, err := s.ForeignMoves()
	if err != nil || len(moves) > 0 {
		return s.noteMoves(lostMoves)
	}
	return nil
}

// reflogEntry is one line of a reflog.
type reflogEntry struct {
	from, to hash
	why      string
}

// reflogOf parses a reflog and skips malformed lines.
func reflogOf(log []byte) (out []reflogEntry) {
	for line := range strings.Lines(string(log)) {
		head, why, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		ids := append(strings.Fields(head), "", "")
		from, fromOK := parseHash(ids[0])
		to, toOK := parseHash(ids[1])
		if fromOK && toOK {
			out = append(out, reflogEntry{from, to, why})
		}
	}
	return out
}

// madeHere reports whether an entry is an ordinary commit made on this machine, not a merge commit.
func (e reflogEntry) madeHere() bool {
	verb, _, _ := strings.Cut(e.why, ": ")
	return slices.Contains([]string{"commit", "commit (initial)", "commit (amend)"}, verb)
}

// foreignMoves joins each run of entries that are not commits made here. It skips entries up to the last one that leads
// to known.
func foreignMoves(all []reflogEntry, known hash) (moves []Move) {
	for i, e := range slices.Backward(all) {
		if e.to == known {
			all = all[i+1:]
			break
		}
	}
	running := false
	for _, e := range all {
		here := e.madeHere()
		switch {
		case here:
		case running:
			moves[len(moves)-1].To = e.to.String()
		case e.from.IsZero():
			moves = append(moves, Move{To: e.to.String()})
		default:
			moves = append(moves, Move{e.from.String(), e.to.String()})
		}
		running = !here
	}
	return moves
}

// MayBeForeign reports whether another machine may have written a part of memory: there is or was a remote repository,
// or HEAD moved by something other than a commit.
func (s *Store) MayBeForeign(ctx context.Context) (bool, error) {
	if s.repository() != nil {
		return false, nil
	}
	if remotes, err := s.RemoteList(); err != nil || len(remotes) > 0 || s.exists(s.gitPath("FETCH_HEAD")) {
		return true, err
	}
	log, err := s.disk.readFile(s.gitPath("logs/HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	if slices.ContainsFunc(reflogOf(log), func(e reflogEntry) bool { return !e.madeHere() }) {
		return true, nil
	}
	for c, err := range s.Log(ctx, 0, "") {
		if err != nil || len(c.Parents) > 1 {
			return true, err
		}
	}
	return false, nil
}
