package opencode

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// inFolder are the paths in a folder whose names have an ending, in the order of their names; none where
// there is no such folder.
func inFolder(folder, ending string) []string {
	entries, _ := os.ReadDir(folder)
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	return out
}

// listFiles lists the sessions of the older store, but those that are known already. Their files are
// session/PROJECT/SESSION.json, message/SESSION/MESSAGE.json and part/MESSAGE/PART.json. Of a session
// only its own file is read, because only that names its parent.
func listFiles(storage string, known map[string]bool) ([]dialect.Session, []error) {
	var out []dialect.Session
	var errs []error
	parents := map[string]string{}
	for _, project := range inFolder(filepath.Join(storage, "session"), "") {
		for _, file := range inFolder(project, ".json") {
			id := idOf(file)
			if known[id] || !valid(id) {
				continue
			}
			s, err := sessionFile(file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			parents[id] = s.ParentID
			changed, size := newest(storage, file)
			out = append(out, dialect.Session{Source: file, ID: id, Folder: s.Directory, MtimeNs: changed, Size: size})
		}
	}
	return attach(out, parents), errs
}

// newest is when the session, its last message or a part of that changed last, and the number of
// messages.
func newest(storage, file string) (changed, size int64) {
	look := []string{file}
	messages := inFolder(filepath.Join(storage, "message", idOf(file)), ".json")
	if len(messages) > 0 {
		last := messages[len(messages)-1] // the ids ascend
		parts := filepath.Join(storage, "part", idOf(last))
		look = append(look, filepath.Dir(last), last, parts)
		look = append(look, inFolder(parts, ".json")...)
	}
	for _, name := range look {
		if info, err := os.Stat(name); err == nil {
			changed = max(changed, info.ModTime().UnixNano())
		}
	}
	return changed, int64(len(messages))
}

func idOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".json") }

func sessionFile(file string) (session, error) {
	s := session{id: idOf(file)}
	data, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if !decode(data, &s) {
		return s, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	return s, nil
}

// readFiles reads a session of the older store with its messages, without those that a fork copied.
func readFiles(file, _ string) (session, error) {
	s, err := withMessages(file)
	if err != nil || !s.mayBeFork() {
		return s, err
	}
	var older []string
	for _, other := range inFolder(filepath.Dir(file), ".json") {
		o, err := sessionFile(other)
		if err != nil || o.id == s.id || o.Time.Created >= s.Time.Created {
			continue
		}
		first := inFolder(messageFolder(other), ".json")
		if len(first) > 0 && readMessage(first[0]).created == s.messages[0].created {
			older = append(older, other)
		}
	}
	return s, s.leaveOutCopies(older, withMessages)
}

func messageFolder(file string) string {
	storage := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	return filepath.Join(storage, "message", idOf(file))
}

// withMessages reads a session with all its messages and their parts.
func withMessages(file string) (session, error) {
	s, err := sessionFile(file)
	if err != nil {
		return s, err
	}
	folder := messageFolder(file)
	for _, name := range inFolder(folder, ".json") {
		m := readMessage(name)
		for _, part := range inFolder(filepath.Join(folder, "..", "..", "part", m.id), ".json") {
			data, err := os.ReadFile(part)
			if err != nil {
				return s, err
			}
			m.add(idOf(part), data)
		}
		s.messages = append(s.messages, m)
	}
	slices.SortStableFunc(s.messages, func(a, b message) int { return cmp.Compare(a.created, b.created) })
	return s, nil
}

// readMessage reads a message without its parts.
func readMessage(file string) message {
	m := message{id: idOf(file)}
	data, err := os.ReadFile(file)
	m.broken = err != nil || !decode(data, &m)
	m.created = m.Time.Created
	return m
}
