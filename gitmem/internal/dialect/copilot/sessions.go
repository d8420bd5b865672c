// Package copilot reads the sessions of GitHub Copilot CLI. Names and meanings are those of version 1.0.102 (npm
// @github/copilot), as observed in its files and in schemas/session-events.schema.json, which it unpacks into its
// cache.
//
// Each session is a folder session-state/<uuid> below ~/.copilot or COPILOT_HOME. Its events.jsonl has one event per
// line in time order; workspace.yaml has its folder and name. The client resumes and compacts in the same file and
// removes rewound events from it. It copies all events with their ids to the file of a fork; this package skips the
// copies. The events of subagents are among those of the session, with the id of the subagent.
//
// The client does not record whether a prompt was typed or given with -p.
package copilot

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

const (
	eventsFile    = "events.jsonl"
	workspaceFile = "workspace.yaml"
)

// Sessions lists the sessions and, for ended ones, their subagents, which the client lists at the end of the file.
// Other subagents are found only by reading the whole file.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	root := cmp.Or(getenv("COPILOT_HOME"), filepath.Join(home, ".copilot"))
	dir, _ := filepath.Abs(filepath.Join(root, "session-state")) // can fail only for a relative root
	var errs []error
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	var out []dialect.Session
	for _, e := range entries {
		if !e.IsDir() || !dialect.ValidID(e.Name()) {
			continue
		}
		found, err := inFolder(filepath.Join(dir, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		out = append(out, found...)
	}
	return out, errs
}

// inFolder returns the session in a folder, and its subagents.
func inFolder(dir string) ([]dialect.Session, error) {
	file := filepath.Join(dir, eventsFile)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := dialect.Session{Source: file, ID: filepath.Base(dir), Size: info.Size()}
	s.MtimeNs = info.ModTime().UnixNano()
	workspace := filepath.Join(dir, workspaceFile)
	if w, err := os.Stat(workspace); err == nil { // it contains the name
		s.MtimeNs = max(s.MtimeNs, w.ModTime().UnixNano())
	}
	text, _ := dialect.Contents(workspace) // otherwise the folder is found by reading the session
	s.Folder = plain(text, "cwd")
	out := []dialect.Session{s}
	for _, agent := range subagents(f, s.Size) {
		s.Agent = agent
		out = append(out, s)
	}
	return out, nil
}

// plain returns the value of a YAML key, or "" if it is quoted or spans several lines.
func plain(yaml []byte, key string) string {
	for line := range bytes.Lines(yaml) {
		if value, ok := bytes.CutPrefix(line, []byte(key+": ")); ok {
			if value = bytes.TrimSpace(value); len(value) > 0 && !bytes.ContainsAny(value[:1], "\"'|>&*!{[%@`#") {
				return string(value)
			}
			return ""
		}
	}
	return ""
}

// maxShutdown is the distance from the end of a file within which the last event of a run is searched.
const maxShutdown = 16 << 10

// subagents returns the ids of the subagents that the last run of a session lists at its end. The list includes those
// of earlier runs.
func subagents(f io.ReaderAt, size int64) []string {
	tail := make([]byte, min(size, maxShutdown))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil
	}
	start := bytes.LastIndex(tail, []byte(`{"type":"session.shutdown"`))
	if start < 0 {
		return nil
	}
	line, _, _ := bytes.Cut(tail[start:], []byte("\n"))
	var shutdown struct {
		Data struct {
			AccountingSnapshot struct{ AgentMetrics map[string]struct{} }
		}
	}
	dialect.Decode(line, &shutdown)
	agents := shutdown.Data.AccountingSnapshot.AgentMetrics
	maps.DeleteFunc(agents, func(id string, _ struct{}) bool { return id == "main" || !dialect.ValidID(id) })
	return slices.Sorted(maps.Keys(agents))
}
