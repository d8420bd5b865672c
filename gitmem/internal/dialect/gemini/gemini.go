// Package gemini reads the sessions of Gemini CLI (npm @google/gemini-cli).
//
// The form of its files is that of version 0.61.0, as that client writes them and as its
// chatRecordingService reads them: a session is a log of operations in a .jsonl file. Before 0.39 it was
// one document in a .json file, as 0.20.2, 0.28.2, 0.36.0 and 0.38.2 write it.
package gemini

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Sessions lists the sessions of Gemini CLI. The variable GEMINI_CLI_HOME moves its folder.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	l := listing{sessions: map[[2]string]*dialect.Session{}, roots: map[string]string{}}
	home = cmp.Or(getenv("GEMINI_CLI_HOME"), home)
	l.store(filepath.Join(home, ".gemini", "tmp"))
	l.store(filepath.Join(home, ".cache", ".gemini", "tmp")) // of a client in the sandbox of macOS
	sessions := make([]dialect.Session, 0, len(l.sessions))
	for _, s := range l.sessions {
		sessions = append(sessions, *s)
	}
	slices.SortFunc(sessions, func(a, b dialect.Session) int {
		return cmp.Or(compareFiles(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
	})
	return sessions, l.errs
}

// listing is what was found in the client's folder so far.
type listing struct {
	sessions map[[2]string]*dialect.Session // by ID and Agent
	roots    map[string]string              // working directories by the names of their folders, and by hashes
	errs     []error
}

// store lists the sessions in the folder of all projects.
func (l *listing) store(tmp string) {
	projects := l.entries(tmp)
	for _, p := range projects {
		if root := projectRoot(filepath.Join(tmp, p.Name())); root != "" {
			l.roots[hash(root)], l.roots[p.Name()] = root, root
		}
	}
	for _, p := range projects {
		l.project(filepath.Join(tmp, p.Name(), "chats"), l.roots[p.Name()])
	}
}

// entries are the entries of a folder; one that does not exist has none.
func (l *listing) entries(folder string) []os.DirEntry {
	entries, err := os.ReadDir(folder)
	l.note(err)
	return entries
}

// note keeps an error, unless a file is gone: the client removes sessions.
func (l *listing) note(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
}

// project lists the sessions in a folder of chats. Each folder in it holds the subagents of the session
// whose id it has as its name.
func (l *listing) project(chats, root string) {
	for _, e := range l.entries(chats) {
		file := filepath.Join(chats, e.Name())
		switch {
		case e.IsDir() && validID(e.Name()):
			for _, agent := range l.entries(file) {
				if id := withoutExt(agent.Name()); isLog(agent.Name()) && validID(id) {
					source := filepath.Join(file, agent.Name())
					l.add(agent, dialect.Session{Source: source, ID: e.Name(), Agent: id, Folder: root})
				}
			}
		case e.Type().IsRegular() && isSessionFile(e.Name()):
			s, err := identify(file)
			if err != nil {
				l.note(err)
				continue
			}
			s.Folder = root
			l.add(e, s)
		}
	}
}

// add adds a file to those of its session.
func (l *listing) add(file os.DirEntry, s dialect.Session) {
	info, err := file.Info()
	if err != nil || !info.Mode().IsRegular() || s.ID == "" {
		l.note(err)
		return
	}
	s.Size, s.MtimeNs = info.Size(), info.ModTime().UnixNano()
	key := [2]string{s.ID, s.Agent}
	known := l.sessions[key]
	if known == nil {
		l.sessions[key] = &s
		return
	}
	if compareFiles(s.Source, known.Source) < 0 {
		known.Source = s.Source
	}
	known.Folder = cmp.Or(known.Folder, s.Folder)
	known.Size += s.Size
	known.MtimeNs = max(known.MtimeNs, s.MtimeNs)
}

// isSessionFile recognises session-<time>-<first eight characters of the id>.jsonl.
func isSessionFile(name string) bool {
	return strings.HasPrefix(name, "session-") && isLog(name)
}

// isLog recognises the two forms of files.
func isLog(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".json" || ext == ".jsonl"
}

func withoutExt(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// compareFiles puts the files of a session in their order: by the time in their names; a .jsonl file
// goes on from the .json file of the same time.
func compareFiles(a, b string) int {
	return cmp.Or(strings.Compare(filepath.Base(a), filepath.Base(b)), strings.Compare(a, b))
}

// projectRoot is the working directory that a project's folder belongs to, "" where it does not say.
func projectRoot(folder string) string {
	b, err := os.ReadFile(filepath.Join(folder, ".project_root"))
	root := strings.TrimSpace(string(b))
	if err != nil || !filepath.IsAbs(root) {
		return ""
	}
	return filepath.Clean(root)
}

// hash is the projectHash of a working directory. Clients before 0.29 named the project's folder so.
func hash(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:])
}

// maxHead is how much is read of the beginning and of the end of a file to tell whose session it is.
const maxHead = 4096

// identify says which session a file belongs to. A file without content belongs to none. The versions
// 0.34 to 0.36 kept a subagent beside the session that started it, under its id, and said so at the end
// of the document: the name of the file is all that tells two of them apart.
func identify(file string) (dialect.Session, error) {
	f, err := os.Open(file)
	if err != nil {
		return dialect.Session{}, err
	}
	defer f.Close()
	head := make([]byte, maxHead)
	n, err := io.ReadFull(f, head)
	if n == 0 || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return dialect.Session{}, ignoreEOF(err)
	}
	s := dialect.Session{Source: file, ID: sessionID(head[:n])}
	if s.ID == "" {
		return s, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	if filepath.Ext(file) == ".json" && isSubagent(f) {
		s.Agent = withoutExt(filepath.Base(file))
	}
	return s, nil
}

// sessionID is the first sessionId in the beginning of a file, "" if there is none.
func sessionID(head []byte) string {
	_, rest, _ := bytes.Cut(head, []byte(`"sessionId"`))
	rest, _ = bytes.CutPrefix(bytes.TrimLeft(rest, ": "), []byte(`"`))
	id, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok || !validID(string(id)) {
		return ""
	}
	return string(id)
}

// isSubagent reports whether a document says at its end that it is a subagent's.
func isSubagent(f *os.File) bool {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return false
	}
	tail := make([]byte, min(size, maxHead))
	if _, err = f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false
	}
	return bytes.Contains(tail, []byte("\n  \"kind\": \"subagent\""))
}

// ignoreEOF is an error but for the end of a file.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// idCharacters are those that the client allows in an id.
const idCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

func validID(id string) bool {
	return id != "" && len(id) <= 255 && strings.Trim(id, idCharacters) == ""
}

// files are all files of a session, in their order. A client from 0.29 on copies the folder of a
// project of an older client, and leaves it.
func files(s dialect.Session) []string {
	if s.Agent != "" {
		return []string{s.Source}
	}
	found := map[string]bool{s.Source: true}
	tmp := filepath.Dir(filepath.Dir(filepath.Dir(s.Source)))
	projects, _ := os.ReadDir(tmp) // without it the session has one file
	for _, p := range projects {
		for _, file := range filesNamed(filepath.Join(tmp, p.Name(), "chats"), s.ID) {
			if other, err := identify(file); err == nil && other.ID == s.ID && other.Agent == "" {
				found[file] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), compareFiles)
}

// filesNamed are the files in a folder of chats whose name has the first characters of an id.
func filesNamed(chats, id string) []string {
	entries, _ := os.ReadDir(chats) // many projects have none
	var out []string
	for _, e := range entries {
		named := strings.HasSuffix(withoutExt(e.Name()), "-"+id[:min(8, len(id))])
		if named && e.Type().IsRegular() && isSessionFile(e.Name()) {
			out = append(out, filepath.Join(chats, e.Name()))
		}
	}
	return out
}
