package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// File is one session file in a configuration folder.
type File struct {
	Path    string
	Session string // from the path; empty for an agent's file beside the sessions, as in older clients
	Agent   string // of a subagent's file
	Folder  string // name of the project folder, see ProjectFolder
	// Subagent: the file contains the conversation of a subagent of Session.
	Subagent bool
	Stat     Stat
}

// Stat is the metadata of a file from the file system.
type Stat struct {
	Size             int64
	MtimeNs, CtimeNs int64  // CtimeNs is 0 if the system has no change time
	Inode            uint64 // 0 if the system has none
}

// Files lists the session files of a configuration folder, sorted by path: projects/<folder>/<session>.jsonl and, for
// subagents, projects/<folder>/<session>/subagents/agent-<id>.jsonl. A root or a projects folder that does not exist
// yields none. Errors are collected for files that can't be read or whose names no client uses; the other files are
// still listed.
func Files(configRoot string) ([]File, []error) {
	return FilesIn(filepath.Join(configRoot, "projects"))
}

// FilesIn is Files for the parent of the project folders, whatever its name.
func FilesIn(projects string) ([]File, []error) {
	return FilesOf(projects, func(string) bool { return true })
}

// FilesOf is FilesIn for the project folders that wanted accepts. Several folders are listed concurrently, since a
// question waits for the result.
func FilesOf(projects string, wanted func(folder string) bool) ([]File, []error) {
	l := lister{root: projects}
	folders := slices.DeleteFunc(l.read(projects), func(e fs.DirEntry) bool { return !wanted(e.Name()) })
	// links to folders are included
	asFolder := func(e fs.DirEntry) string { return e.Name() + string(filepath.Separator) }
	sortBy(folders, asFolder)
	parts := make([]lister, len(folders))
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(listers, len(folders)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(folders); i = int(next.Add(1)) - 1 {
				parts[i].root = projects
				runtime.Gosched() // waiting goroutines may belong to the same question
				parts[i].project(folders[i].Name())
			}
		})
	}
	group.Wait()
	found := 0
	for _, p := range parts {
		found += len(p.files)
	}
	l.files = slices.Grow(l.files, found)
	for _, p := range parts {
		l.files, l.errs = append(l.files, p.files...), append(l.errs, p.errs...)
	}
	slices.SortFunc(l.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return l.files, l.errs
}

// listers is the number of folders listed concurrently: listing waits for the system, not the processor, so more than
// two help on any machine.
const listers = 4

type lister struct {
	root  string
	files []File
	errs  []error
}

// read lists a folder. Folders may appear and vanish meanwhile, so a missing folder, or a file in place of a folder,
// counts as empty.
func (l *lister) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		if info, stat := os.Stat(dir); stat != nil || info.IsDir() {
			l.errs = append(l.errs, fmt.Errorf("list transcripts: %w", err))
		}
	}
	sortBy(entries, func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + string(filepath.Separator)
		}
		return e.Name()
	})
	return entries
}

// sortBy sorts the names in a folder by the paths of their contents.
func sortBy(entries []fs.DirEntry, path func(fs.DirEntry) string) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(path(a), path(b)) })
}

func (l *lister) project(name string) {
	dir := filepath.Join(l.root, name)
	entries := l.read(dir)
	l.files = slices.Grow(l.files, len(entries)) // most entries are sessions
	for _, e := range entries {
		stem, isFile := strings.CutSuffix(e.Name(), ".jsonl")
		switch {
		case isFile && strings.HasPrefix(stem, agentPrefix):
			l.add(dir, e, File{Agent: stem[len(agentPrefix):], Folder: name, Subagent: true})
		case isFile:
			l.add(dir, e, File{Session: stem, Folder: name})
		case e.IsDir() && ValidSessionID(e.Name()):
			l.subagents(name, e.Name())
		}
	}
}

const agentPrefix = "agent-"

func (l *lister) subagents(name, session string) {
	dir := filepath.Join(l.root, name, session, "subagents")
	for _, e := range l.read(dir) {
		stem, isFile := strings.CutSuffix(e.Name(), ".jsonl")
		if agent, ok := strings.CutPrefix(stem, agentPrefix); ok && isFile {
			l.add(dir, e, File{Session: session, Agent: agent, Folder: name, Subagent: true})
		}
	}
}

func (l *lister) add(dir string, e fs.DirEntry, f File) {
	f.Path = dir + string(filepath.Separator) + e.Name()
	session := ValidSessionID(f.Session) || f.Subagent && f.Session == ""
	if !session || f.Subagent != ValidSessionID(f.Agent) {
		l.errs = append(l.errs, fmt.Errorf("transcript %s: the name is no session or agent id", f.Path))
		return
	}
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
		return
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("transcript %s: not a regular file", f.Path)
	}
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	f.Stat = Stat{Size: info.Size(), MtimeNs: info.ModTime().UnixNano()}
	f.Stat.CtimeNs, f.Stat.Inode = osfile.ChangeTime(info)
	l.files = append(l.files, f)
}

// Find returns the path of a session's or a subagent's file below the parent of the project folders, "" if there is
// none. name is the file name without its extension and must be a valid id.
func Find(projects, name string) string {
	folders, _ := os.ReadDir(projects) // a folder that can't be listed has no files
	for _, folder := range folders {
		if file := filepath.Join(projects, folder.Name(), name+".jsonl"); exists(file) {
			return file
		}
	}
	var found []string
	switch {
	case strings.HasPrefix(name, agentPrefix):
		found, _ = fs.Glob(os.DirFS(projects), "*/*/subagents/"+name+".jsonl") // the pattern is valid
	case len(name) >= shortID && len(name) < fullID:
		if found, _ = fs.Glob(os.DirFS(projects), "*/"+name+"*.jsonl"); len(found) > 1 { // files whose id has this prefix
			return ""
		}
	}
	if len(found) == 0 {
		return ""
	}
	return filepath.Join(projects, filepath.FromSlash(found[0]))
}

// Lengths of a session's id, which is a UUID: the form shown to people, and the full one.
const shortID, fullID = 8, 36

// shortOtherID is the length of the first part of another client's id, as in 01a22370-4e86.
const shortOtherID = 13

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// maxFolderName is the length beyond which a folder's name is truncated and hashed.
const maxFolderName = 200

// ProjectFolder returns the name of the project folder that the client uses for a working directory, whose symbolic
// links must have been resolved: every UTF-16 unit outside A-Z, a-z and 0-9 becomes a hyphen; beyond 200 units the rest
// is replaced by a hyphen and a hash of the whole path in base 36. Two paths can have the same name.
func ProjectFolder(path string) string {
	units := utf16.Encode([]rune(path))
	name := make([]byte, len(units))
	var hash int32
	for i, u := range units {
		hash = hash*31 + int32(u)
		name[i] = '-'
		if u < 0x80 && (isAlpha(byte(u)) || '0' <= u && u <= '9') {
			name[i] = byte(u)
		}
	}
	if len(name) <= maxFolderName {
		return string(name)
	}
	abs := int64(hash)
	if abs < 0 {
		abs = -abs
	}
	return string(name[:maxFolderName]) + "-" + strconv.FormatInt(abs, 36)
}

const maxID = 128

// ValidSessionID reports whether s has the form of a session's or an agent's id: 1 to 128 of A-Z a-z 0-9 _ -. An
// external id must be checked before it becomes part of a path.
func ValidSessionID(s string) bool {
	return len(s) <= maxID && dialect.ValidID(s)
}

// ShortID returns the first part of a session id, as used in file names. The ids of most clients other than Claude Code
// begin with a time, so that a longer part is needed.
func ShortID(id string) string {
	short := shortID
	if c := ClientOf(id); c != ClaudeCode {
		short = len(c) + 1 + shortOtherID
	}
	return id[:min(len(id), short)]
}

func isAlpha(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
