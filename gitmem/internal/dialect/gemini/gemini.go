// Package gemini reads the sessions of Gemini CLI (npm @google/gemini-cli).
//
// The form of its files is that of version 0.61.0, seen in the files of that client and in its
// chatRecordingService, and of the .json files of the versions 0.20.2 and 0.28.2. A session is a log
// of operations in a .jsonl file, or one document in a .json file of a client before 0.39.
package gemini

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	tmp := filepath.Join(cmp.Or(getenv("GEMINI_CLI_HOME"), home), ".gemini", "tmp")
	projects := l.entries(tmp)
	for _, p := range projects {
		if root := projectRoot(filepath.Join(tmp, p.Name())); root != "" {
			l.roots[hash(root)], l.roots[p.Name()] = root, root
		}
	}
	for _, p := range projects {
		l.project(filepath.Join(tmp, p.Name(), "chats"), l.roots[p.Name()])
	}
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
				id, isLog := strings.CutSuffix(agent.Name(), ".jsonl")
				if isLog && validID(id) {
					l.add(agent, dialect.Session{Source: filepath.Join(file, agent.Name()), ID: e.Name(), Agent: id, Folder: root})
				}
			}
		case isSessionFile(e.Name()):
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
	if err != nil || !info.Mode().IsRegular() || s.ID == "" && s.Agent == "" {
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
	ext := filepath.Ext(name)
	return strings.HasPrefix(name, "session-") && (ext == ".json" || ext == ".jsonl")
}

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

// hash is the projectHash of a working directory. Clients before 0.30 named the project's folder so.
func hash(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:])
}

// maxHead is how much of a file is read to tell whose session it is: it stands at the beginning.
const maxHead = 4096

// identify says which session a file belongs to. Clients before 0.39 kept subagents beside the
// sessions and did not say who started them. A file without content is no session.
func identify(file string) (dialect.Session, error) {
	f, err := os.Open(file)
	if err != nil {
		return dialect.Session{}, err
	}
	defer f.Close()
	head := map[string]string{}
	dec := json.NewDecoder(io.LimitReader(f, maxHead))
	_, err = dec.Token()
	if errors.Is(err, io.EOF) {
		return dialect.Session{}, nil
	}
	for err == nil && head["kind"] == "" && dec.More() {
		var key json.Token
		var value any
		if key, err = dec.Token(); err == nil {
			err = dec.Decode(&value)
		}
		name, _ := key.(string)
		head[name], _ = value.(string)
	}
	id := head["sessionId"]
	if !validID(id) {
		return dialect.Session{}, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	if head["kind"] == "subagent" {
		return dialect.Session{Source: file, Agent: id}, nil
	}
	return dialect.Session{Source: file, ID: id}, nil
}

// idCharacters are those that the client allows in an id.
const idCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

func validID(id string) bool {
	return id != "" && len(id) <= 255 && strings.Trim(id, idCharacters) == ""
}

// files are all files of a session, in their order. A client from 0.30 on copies the folder of a
// project of an older client, and leaves it.
func files(s dialect.Session) []string {
	chats := filepath.Dir(s.Source)
	nested := s.ID != "" && s.Agent != ""
	name := filepath.Join(s.ID, s.Agent+".jsonl")
	if nested {
		chats = filepath.Dir(chats)
	}
	found := map[string]bool{s.Source: true}
	tmp := filepath.Dir(filepath.Dir(chats))
	projects, _ := os.ReadDir(tmp) // without it the session has one file
	for _, p := range projects {
		chats := filepath.Join(tmp, p.Name(), "chats")
		if nested {
			if _, err := os.Stat(filepath.Join(chats, name)); err == nil {
				found[filepath.Join(chats, name)] = true
			}
			continue
		}
		for _, file := range filesNamed(chats, cmp.Or(s.ID, s.Agent)) {
			if other, err := identify(file); err == nil && other.ID == s.ID && other.Agent == s.Agent {
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
		name, _, _ := strings.Cut(e.Name(), ".")
		if isSessionFile(e.Name()) && strings.HasSuffix(name, "-"+id[:min(8, len(id))]) {
			out = append(out, filepath.Join(chats, e.Name()))
		}
	}
	return out
}
