// Package codex reads the sessions of OpenAI's Codex CLI, as dialect wants them.
//
// A session, which the client calls a thread, is a rollout file of JSON Lines below $CODEX_HOME or
// ~/.codex: sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl, or the same name in archived_sessions. The
// client may compress files that have not changed for long (.jsonl.zst). Going back in the
// conversation begins a second file of the thread, whose name has the id of the segment behind that of
// the thread. A fork and a subagent have a file of their own. The client's databases repeat what the
// files hold and are not read.
//
// The format is that of versions 0.130.0 and 0.171.0 (npm @openai/codex), seen in files that they
// wrote. The newer one reports what happens in event_msg records of type item_completed, the older
// one in an event for each kind and, for the shell, in the model's calls alone. A resumed session has
// both in one file, so each record is read by its own type.
package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// folders hold the rollout files, below the client's folder.
var folders = [...]string{"sessions", "archived_sessions"}

// Sessions lists the threads in the client's folder. The name of a file does not tell a subagent's
// from others, so the beginning of each file is read.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	root, err := filepath.Abs(cmp.Or(getenv("CODEX_HOME"), filepath.Join(home, ".codex")))
	if err != nil {
		return nil, []error{err}
	}
	threads, errs := list(root)
	out := make([]dialect.Session, len(threads))
	var readers sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		readers.Go(func() {
			for i := w; i < len(threads); i += workers {
				out[i] = threads[i].session()
			}
		})
	}
	readers.Wait()
	return out, errs
}

// file is a rollout file.
type file struct {
	path, thread, segment string // segment is "" in the first file of a thread
	size, mtime           int64
}

// thread is the files of a session in the order in which they were begun.
type thread []file

// rolloutName returns the thread and the segment that the name of a rollout file tells.
func rolloutName(base string) (thread, segment string, ok bool) {
	name, ok := strings.CutPrefix(base, "rollout-")
	name, isJSON := strings.CutSuffix(strings.TrimSuffix(name, ".zst"), ".jsonl")
	const start = len("2006-01-02T15-04-05-")
	if !ok || !isJSON || len(name) <= start {
		return "", "", false
	}
	thread, segment, _ = strings.Cut(name[start:], "_")
	return thread, segment, validID(thread) && (segment == "" || validID(segment))
}

// list returns the threads in a folder of the client.
func list(root string) (out []thread, errs []error) {
	index := map[string]int{}
	for _, folder := range folders {
		dir := filepath.Join(root, folder)
		err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if err != nil && (p != "." || !errors.Is(err, fs.ErrNotExist)) {
					errs = append(errs, err)
				}
				return nil
			}
			f, ok := stat(filepath.Join(dir, filepath.FromSlash(p)), d)
			if !ok {
				return nil
			}
			i, known := index[f.thread]
			if !known {
				i = len(out)
				index[f.thread], out = i, append(out, nil)
			}
			out[i] = out[i].with(f)
			return nil
		})
		if err != nil {
			errs = append(errs, err)
		}
	}
	return out, errs
}

// stat returns the rollout file at a path, or false if it is something else.
func stat(path string, d fs.DirEntry) (file, bool) {
	thread, segment, ok := rolloutName(d.Name())
	if !ok || !d.Type().IsRegular() {
		return file{}, false
	}
	info, err := d.Info()
	if err != nil {
		return file{}, false // removed in the meantime
	}
	return file{path, thread, segment, info.Size(), info.ModTime().UnixNano()}, true
}

// with adds a file to a thread, unless it has the segment: while a file is being compressed or archived
// there are two of it. The ids of segments are in the order of time.
func (t thread) with(f file) thread {
	i, found := slices.BinarySearchFunc(t, f, func(a, b file) int { return strings.Compare(a.segment, b.segment) })
	if found {
		return t
	}
	return slices.Insert(t, i, f)
}

func (t thread) session() dialect.Session {
	s := dialect.Session{Source: t[0].path, Several: len(t) > 1, ID: t[0].thread}
	for _, f := range t {
		s.Size += f.size
		s.MtimeNs = max(s.MtimeNs, f.mtime)
	}
	if m, err := readHead(s.Source); err == nil { // else reading the session tells the error
		s.ID, s.Agent, s.Folder = m.names(s.ID)
	}
	return s
}

// filesOf returns the files of a session.
func filesOf(s dialect.Session) []string {
	var t thread
	base := filepath.Base(s.Source)
	if id, _, ok := rolloutName(base); ok && s.Several {
		t = find(rootOf(s.Source), id, strings.ReplaceAll(base[len("rollout-"):len("rollout-2006-01-02")], "-", "/"))
	}
	if len(t) == 0 {
		return []string{s.Source}
	}
	var out []string
	for _, f := range t {
		out = append(out, f.path)
	}
	return out
}

// find returns the files of a thread in a folder of the client that lie in folders of a day (YYYY/MM/DD)
// or later ones. It reads names only, since sessions are read one after the other.
func find(root, id, day string) (t thread) {
	if root == "" || !validID(id) {
		return nil
	}
	dir := os.DirFS(root)
	days, _ := fs.Glob(dir, "sessions/*/*/*") // the pattern is one
	days = slices.DeleteFunc(days, func(d string) bool { return d < "sessions/"+day })
	for _, d := range append(days, "archived_sessions") {
		entries, _ := fs.ReadDir(dir, d) // what can't be read was reported by the listing
		for _, e := range entries {
			if name, segment, ok := rolloutName(e.Name()); ok && name == id {
				t = t.with(file{path: filepath.Join(root, d, e.Name()), thread: id, segment: segment})
			}
		}
	}
	return t
}

// rootOf is the client's folder that holds a rollout file, "" if it lies elsewhere.
func rootOf(path string) string {
	dir := filepath.Dir(path)
	for range 4 { // sessions/YYYY/MM/DD
		if slices.Contains(folders[:], filepath.Base(dir)) {
			return filepath.Dir(dir)
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// open opens a rollout file, decompressed.
func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || filepath.Ext(path) != ".zst" {
		return f, err
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return compressed{z.IOReadCloser(), f}, nil
}

// compressed closes the decoder and the file.
type compressed struct {
	io.ReadCloser
	f *os.File
}

func (c compressed) Close() error { return errors.Join(c.ReadCloser.Close(), c.f.Close()) }

// headSize is enough of a file for what its first record has before the client's instructions.
const headSize = 4 << 10

// readHead reads what the first record of a file says before the instructions for the model, which
// make most of it.
func readHead(path string) (meta, error) {
	in, err := open(path)
	if err != nil {
		return meta{}, err
	}
	defer in.Close()
	b := make([]byte, headSize)
	n, err := io.ReadFull(in, b)
	if b = b[:n]; err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return meta{}, err
	}
	if i := bytes.Index(b, []byte(`,"base_instructions":`)); i >= 0 && bytes.IndexByte(b[:i], '\n') < 0 {
		return parseMeta(append(b[:i], "}}"...))
	}
	for line, err := range dialect.Lines(io.MultiReader(bytes.NewReader(b), in)) {
		if err != nil {
			return meta{}, err
		}
		return parseMeta(line)
	}
	return meta{}, io.ErrUnexpectedEOF
}

// meta is what the first record of a file says of its thread.
type meta struct {
	ID          string          `json:"id"`
	Session     string          `json:"session_id"` // of the user, whose subagents share it
	Parent      string          `json:"parent_thread_id"`
	Origin      string          `json:"forked_from_id"`
	Cwd         string          `json:"cwd"`
	Source      json.RawMessage `json:"source"`
	HistoryBase *struct {
		End int `json:"end_ordinal_exclusive"`
	} `json:"history_base"`
	Git struct {
		Branch string `json:"branch"`
	} `json:"git"`
}

// parseMeta reads the first line of a file.
func parseMeta(b []byte) (m meta, err error) {
	e, err := parseLine(b)
	if err == nil && e.Type != "session_meta" {
		err = dialect.ErrUnknownFormat
	}
	if err == nil {
		err = decode(e.Payload, &m)
	}
	return m, err
}

// names returns what identifies the thread: the session, the subagent and the folder. name is the
// thread that the name of the file tells.
func (m meta) names(name string) (id, agent, folder string) {
	id = name
	if validID(m.ID) {
		id = m.ID
	}
	if kind, parent := m.source(); kind == "subagent" {
		agent, id = id, ""
		for _, p := range []string{m.Session, m.Parent, parent} {
			if id == "" && p != agent && validID(p) {
				id = p
			}
		}
	}
	return id, agent, m.Cwd
}

func validID(id string) bool {
	return id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", r)
	})
}

// source returns what started the session: exec, cli, vscode and others, subagent with the session that
// started it, or internal.
func (m meta) source() (kind, parent string) {
	if json.Unmarshal(m.Source, &kind) == nil {
		return kind, ""
	}
	var of struct {
		Internal, Subagent json.RawMessage
	}
	_ = decode(m.Source, &of) // what does not decode is no known source
	if len(of.Subagent) == 0 {
		if len(of.Internal) > 0 {
			return "internal", ""
		}
		return "", ""
	}
	var sub struct {
		Spawn struct {
			Parent string `json:"parent_thread_id"`
		} `json:"thread_spawn"`
	}
	_ = decode(of.Subagent, &sub) // a name, such as review, has no parent
	return "subagent", sub.Spawn.Parent
}

// unknown says that a file has another format.
func unknown(path string) error { return fmt.Errorf("%s: %w", path, dialect.ErrUnknownFormat) }
