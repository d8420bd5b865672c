package transcript

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/internal/slice"
)

// ClaudeCode is the name of the client whose session files this package reads without translation.
const ClaudeCode = "claude"

// client is a client whose sessions can be read. resume is its command to resume a session, without the session id.
type client struct{ name, title, resume string }

// clients are sorted by name.
var clients = [...]client{
	{ClaudeCode, "Claude Code", "claude --resume"},
	{"codex", "Codex CLI", "codex resume"},
	{"copilot", "GitHub Copilot CLI", "copilot --resume"},
	{"crush", "Crush", "crush --session"},
	{"gemini", "Gemini CLI", "gemini --resume"},
	{"opencode", "OpenCode", "opencode --session"},
	{"pi", "pi", "pi --session"},
	{"qwen", "Qwen Code", "qwen --resume"},
}

// Clients returns the names of all clients whose sessions can be read, sorted.
func Clients() []string {
	return slice.Map(clients[:], func(c client) string { return c.name })
}

// clientNamed finds a client by name; ok is false if there is none.
func clientNamed(name string) (c client, ok bool) {
	i := slices.IndexFunc(clients[:], func(c client) bool { return c.name == name })
	if i < 0 {
		return client{}, false
	}
	return clients[i], true
}

// ClientOf returns the name of the client of a session. The id of a session of another client than Claude Code begins
// with the client's name: codex-01a22372-523e-7492-a8ed-258ad7ba4cdd.
func ClientOf(session string) string {
	name, _, ok := strings.Cut(session, "-")
	if _, known := clientNamed(name); ok && known {
		return name
	}
	return ClaudeCode
}

// ClientTitle returns the display name of a client.
func ClientTitle(name string) string {
	c, _ := clientNamed(name)
	return c.title
}

// IsSubagent reports whether the name of a transcript is that of a subagent's.
func IsSubagent(name string) bool { return strings.HasPrefix(OwnID(name), agentPrefix) }

// OwnID returns the id that the client itself uses for a session.
func OwnID(session string) string {
	if c := ClientOf(session); c != ClaudeCode {
		return session[len(c)+1:]
	}
	return session
}

// ResumeCommand returns the command, as a list of arguments, with which the client resumes a session.
func ResumeCommand(session string) []string {
	c, _ := clientNamed(ClientOf(session))
	return append(strings.Fields(c.resume), OwnID(session))
}

// Stores locates the session files of a user's clients: in the home folder, or where environment variables point. The
// zero Stores has none.
type Stores struct {
	Home      string
	Variables map[string]string
	recent    *translations
}

// variables are the environment variables that change the location of client stores.
var variables = [...]string{
	"CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "OPENCODE_DB", "XDG_DATA_HOME",
	"LOCALAPPDATA", "CRUSH_GLOBAL_DATA", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR",
}

// StoresOf returns the stores for a home folder and an environment.
func StoresOf(home string, getenv func(string) string) Stores {
	s := Stores{Home: home, Variables: map[string]string{}, recent: &translations{of: map[string][]byte{}}}
	for _, name := range variables {
		if value := getenv(name); value != "" {
			s.Variables[name] = value
		}
	}
	return s
}

func (s Stores) getenv(name string) string { return s.Variables[name] }

// Files lists the sessions of one client, or of all for "", as [Files] does for Claude Code. errs contains the listing
// errors.
func (s Stores) Files(client string) (files []File, errs []error) {
	if s.Home == "" {
		return nil, nil
	}
	for _, c := range clients {
		if client != "" && client != c.name {
			continue
		}
		sessions, problems := s.sessions(c.name)
		for _, session := range sessions {
			if f, err := fileOf(c.name, session); err != nil {
				errs = append(errs, err)
			} else {
				files = append(files, f)
			}
		}
		errs = append(errs, problems...)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, errs
}

// Find returns the path of a session's or a subagent's file by the name in its citation ids, or by a prefix of that
// name; "" if none or several match.
func (s Stores) Find(name string) string {
	client := ClientOf(name)
	if client == ClaudeCode || len(name) < len(client)+1+shortID {
		return ""
	}
	files, _ := s.Files(client) // a folder that can't be listed has no files
	var begin []string
	for _, f := range files {
		base := strings.TrimSuffix(filepath.Base(f.Path), fileSuffix)
		if base == name {
			return f.Path
		}
		if strings.HasPrefix(base, name) {
			begin = append(begin, f.Path)
		}
	}
	if len(begin) != 1 {
		return ""
	}
	return begin[0]
}

const fileSuffix = ".jsonl"

// clientMark begins the part of a path that denotes a translated session.
const clientMark = "@"

// noFolder ends the folder in such a path, so that the part is not empty for a session without a folder.
const noFolder = "-"

// severalMark ends the client's name in the path of a session that is stored in several files.
const severalMark = "+"

// fileOf returns the file of a session of another client. Its path does not exist on disk: after the path of the store
// it contains the client and the session, and [OpenSession] translates that session.
func fileOf(client string, s dialect.Session) (File, error) {
	f := File{Agent: s.Agent, Subagent: s.Agent != "", Stat: Stat{Size: s.Size, MtimeNs: s.MtimeNs, CtimeNs: s.MtimeNs}}
	if s.Folder != "" {
		f.Folder = ProjectFolder(s.Folder)
	}
	name := client + "-" + s.ID
	if f.Session = name; s.ID == "" {
		f.Session = ""
	}
	if f.Subagent {
		name = client + "-" + agentPrefix + s.Agent
	}
	if !ValidSessionID(name) || s.Agent != "" && !ValidSessionID(s.Agent) || s.ID == "" && !f.Subagent ||
		strings.HasPrefix(s.ID, "-") { // the client would parse it as an option
		return File{}, fmt.Errorf("session %q in %s: the name is no session id", cut(name, maxID), s.Source)
	}
	dir := filepath.Join(s.Source, clientMark+client)
	if s.Several {
		dir += severalMark
	}
	f.Path = filepath.Join(dir, url.PathEscape(s.Folder)+noFolder, s.ID, name+fileSuffix)
	return f, nil
}

// translated parses a path made by [fileOf]; ok is false for other paths.
func translated(path string) (client string, s dialect.Session, ok bool) {
	sep := string(filepath.Separator)
	at := strings.LastIndex(path, sep+clientMark)
	if at < 0 {
		return "", s, false
	}
	s.Source = path[:at]
	parts := strings.Split(strings.TrimSuffix(path[at+len(sep+clientMark):], fileSuffix), sep)
	client, s.Several = strings.CutSuffix(parts[0], severalMark)
	if _, known := clientNamed(client); !known || client == ClaudeCode || len(parts) < 3 {
		return "", s, false
	}
	s.Folder, _ = url.PathUnescape(strings.TrimSuffix(parts[1], noFolder)) // fileOf has escaped it
	id := strings.TrimPrefix(parts[len(parts)-1], client+"-")
	if agent, isAgent := strings.CutPrefix(id, agentPrefix); isAgent {
		if s.Agent = agent; len(parts) > 3 {
			s.ID = parts[2]
		}
	} else {
		s.ID = id
	}
	return client, s, true
}

// StoreOf returns the file or database that contains the session with a path: the path itself if it is a file.
func StoreOf(path string) string {
	if _, s, ok := translated(path); ok {
		return s.Source
	}
	return path
}

// FolderOf returns Claude Code's name of the working folder of a session with a path of [Stores.Files], "" if unknown;
// ok is false for other paths.
func FolderOf(path string) (folder string, ok bool) {
	_, s, ok := translated(path)
	if ok && s.Folder != "" {
		folder = ProjectFolder(s.Folder)
	}
	return folder, ok
}
