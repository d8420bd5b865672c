// Package codex reads the sessions of OpenAI's Codex CLI.
//
// A session, which the client calls a thread, is a rollout file of JSON Lines below $CODEX_HOME or ~/.codex:
// sessions/YYYY/MM/DD/rollout-TIME-THREAD.jsonl, or the same name in archived_sessions. The client may compress files
// that have not changed for long (.jsonl.zst). Going back in the conversation starts a second file of the thread, whose
// name has the id of the segment after that of the thread. A fork and a subagent each have a separate file. The
// client's databases only repeat the files and are not read.
//
// The format is that of versions 0.130.0 and 0.171.0 (npm @openai/codex), as observed in their files. The newer version
// reports events in event_msg records of type item_completed. The older one uses a separate event for each kind and,
// for the shell, only the model's calls. A resumed session has both in one file, so each record is parsed by its own
// type.
package codex

import (
	"bufio"
	"bytes"
	"cmp"
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

// Sessions lists the threads in the client's folder. It reads the start of each file, since the name does not show
// whether it belongs to a subagent.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	root, err := filepath.Abs(cmp.Or(getenv("CODEX_HOME"), filepath.Join(home, ".codex")))
	if err != nil {
		return nil, []error{err}
	}
	threads, errs := list(root, "", "")
	out := make([]dialect.Session, len(threads))
	var readers sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		readers.Go(func() {
			for i := w; i < len(threads); i += workers {
				out[i] = session(threads[i])
			}
		})
	}
	readers.Wait()
	return out, errs
}

// file is a rollout file with the parts of its name. The first file of a thread has no segment.
type file struct{ path, thread, segment string }

// parseName parses the name of a file, and reports whether it is a rollout file.
func parseName(path string) (file, bool) {
	name, isRollout := strings.CutPrefix(filepath.Base(path), "rollout-")
	name, isJSON := strings.CutSuffix(strings.TrimSuffix(name, ".zst"), ".jsonl")
	const start = len("2006-01-02T15-04-05-")
	if !isRollout || !isJSON || len(name) <= start {
		return file{path: path}, false
	}
	thread, segment, _ := strings.Cut(name[start:], "_")
	return file{path, thread, segment}, dialect.ValidID(thread)
}

// list returns the files of each thread in the order of their start, which is the order of the segment ids. A file that
// is being compressed or archived exists twice; the first one counts. list reads only names. With an id it lists only
// that thread and skips the folders of days before since.
func list(root, id, since string) (threads [][]file, errs []error) {
	index := map[string]int{}
	for _, folder := range [...]string{"sessions", "archived_sessions"} {
		dir := filepath.Join(root, folder)
		_ = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					errs = append(errs, fmt.Errorf("%s: %w", dir, err))
				}
				return nil
			}
			f, ok := parseName(filepath.Join(dir, p))
			if d.IsDir() && p != "." && f.path < since[:min(len(f.path), len(since))] {
				return fs.SkipDir
			}
			if !ok || !d.Type().IsRegular() || id != "" && f.thread != id {
				return nil
			}
			i, known := index[f.thread]
			if !known {
				i = len(threads)
				index[f.thread], threads = i, append(threads, nil)
			}
			bySegment := func(a, b file) int { return strings.Compare(a.segment, b.segment) }
			if at, found := slices.BinarySearchFunc(threads[i], f, bySegment); !found {
				threads[i] = slices.Insert(threads[i], at, f)
			}
			return nil
		})
	}
	return threads, errs
}

// session describes the session with the given files.
func session(files []file) dialect.Session {
	s := dialect.Session{Source: files[0].path, Several: len(files) > 1, ID: files[0].thread}
	for _, f := range files {
		if info, err := os.Lstat(f.path); err == nil { // otherwise it was removed in the meantime
			s.Size += info.Size()
			s.MtimeNs = max(s.MtimeNs, info.ModTime().UnixNano())
		}
	}
	m := readMeta(s.Source)
	s.Folder = m.Cwd
	if kind, parent := m.source(); kind == "subagent" {
		s.ID, s.Agent = "", s.ID
		if dialect.ValidID(parent) {
			s.ID = parent
		}
	}
	return s
}

// rootOf returns the client's folder that contains a rollout file.
func rootOf(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == "archived_sessions" {
		return filepath.Dir(dir)
	}
	return filepath.Join(dir, "../../../..") // from sessions/YYYY/MM/DD
}

// read passes the decompressed text of a rollout file to a function.
func read(path string, do func(io.Reader) error) error {
	f, err := dialect.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if filepath.Ext(path) != ".zst" {
		return do(f)
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	return do(z)
}

// readMeta reads the first record of a file up to the instructions for the model, which are its largest part. The
// result is empty on errors, which Records reports.
func readMeta(path string) (m payload) {
	_ = read(path, func(in io.Reader) error {
		b := bufio.NewReaderSize(in, 4<<10)
		head, _ := b.Peek(b.Size()) // a file may be shorter
		head, _, found := bytes.Cut(head, []byte(`,"base_instructions":`))
		head = append(slices.Clip(head), "}}"...)
		if !found || bytes.Contains(head, []byte("\n")) {
			for head = range dialect.Lines(b) {
				break
			}
		}
		if e, ok := parseLine(head); ok {
			m = *e.Payload
		}
		return nil
	})
	return m
}
