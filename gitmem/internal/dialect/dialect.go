// Package dialect defines the records into which the sessions of coding agents other than Claude Code are translated,
// and encodes them in the format of Claude Code's session files. All other packages therefore read only one format.
//
// Each package below it knows how one client stores its sessions and has two functions:
//
//	Sessions(home string, getenv func(string) string) ([]dialect.Session, []error)
//	Records(s dialect.Session) ([]dialect.Record, error)
//
// Sessions lists the stored sessions of this user's client without reading conversations. Records reads one session.
// They must not write, leave files in the client's folder, or read tokens or other credentials. They know nothing about
// the store, the index, or secrets in texts: their results are raw and must be redacted before they are written, shown
// or indexed.
package dialect

import (
	"errors"
	"hash/crc32"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrUnknownFormat means that a file has a format that the package does not support: the client changed the format, or
// the file is not a session.
var ErrUnknownFormat = errors.New("format not known")

// Session is a session, or a subagent of a session, in the store of a client.
type Session struct {
	// Source is the absolute path of the file or database with the session. If there are several files, it is the oldest
	// one; Records finds the others.
	Source string
	// Several is set if parts of the session are in other files that Records has to find.
	Several bool
	// ID is the id that the client's resume command takes. For a subagent it is the id of the parent session, "" if
	// unknown. It consists of A-Z a-z 0-9 _ and -.
	ID string
	// Agent is the id of a subagent, of the same characters, and "" for a session of the user.
	Agent string
	// Folder is the working directory, "" if it is known only after reading the session.
	Folder string
	// Size (in bytes or records) and MtimeNs (Unix time in nanoseconds) are compared with those of the last reading. At
	// least one of them changes whenever the session changes.
	Size, MtimeNs int64
}

// ValidID reports whether id is valid for a session or a subagent.
func ValidID(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && len(id) <= 200 && strings.Trim(id, letters+"0123456789_-") == ""
}

// Changed returns the [Session.MtimeNs] for a time in some unit and a title, which may change without the time: the
// part below the unit is a checksum of the title.
func Changed(at int64, unit time.Duration, title string) int64 {
	return at*int64(unit) + int64(crc32.ChecksumIEEE([]byte(title))%uint32(unit))
}

// Speaker is the author of a record.
type Speaker string

const (
	Person  Speaker = "person"  // a human typed it
	Program Speaker = "program" // a headless run, a hook or another program sent it as a prompt
	Agent   Speaker = "agent"   // a subagent, or another agent, sent it as a prompt
	Client  Speaker = "client"  // the client itself sent it as a prompt
	Model   Speaker = "model"   // the assistant
	Tool    Speaker = "tool"    // results of calls
	Summary Speaker = "summary" // the summary of a compacted conversation
	Title   Speaker = "title"   // a title that the client, the model or the user gave the session
	Command Speaker = "command" // a shell command that a human ran in the client; it starts no turn
	Broken  Speaker = "broken"  // a record that could not be read; it is only counted
)

// Record is one record of a conversation. Records are in the order in which the client wrote them. Translating a
// session that has grown yields the earlier records unchanged, followed by new ones, as far as the client's format
// permits.
type Record struct {
	// ID is unique in the session and stable across readings. A copy of a record in another session (a fork) that cannot
	// be skipped has the same ID. Titles need no ID.
	ID string
	// Parent is the ID of the record that this one continues; "" means the preceding record. A prompt that names an
	// earlier record takes back everything after that record, like a rewind. Root is the parent of a first record.
	Parent  string
	Speaker Speaker
	Time    time.Time // zero if unknown
	Cwd     string    // working directory; set in every record
	Branch  string    // git branch, "" if unknown
	Model   string

	// Text is the message, without additions of the client or hooks. It may be "" in Model records that contain only
	// calls.
	Text     string
	Thinking string
	Calls    []Call   // in Model records
	Results  []Result // in Tool records
}

// Empty reports whether the record has no content.
func (r Record) Empty() bool {
	return r.Text == "" && r.Thinking == "" && len(r.Calls) == 0 && len(r.Results) == 0
}

// Root is the Parent of a record without predecessor: the conversation was rewound to its start.
const Root = "null"

// Call is a tool call. [Shell], [ReadFile], [EditFile] and [WriteFile] create the calls that the transcript model
// knows; other tools keep the client's name and input.
type Call struct {
	ID, Name string
	Input    any // encodes as a JSON object
}

// Result is the result of the call with the same ID.
type Result struct {
	ID, Text string
	// Failed is set if the tool or the command failed, including a command with a nonzero exit code.
	Failed bool
	// Report is the last answer of a subagent, for a call that started one and waited for it.
	Report string
}

// Shell returns a call that runs a shell command.
func Shell(id, command string) Call {
	return Call{id, "Bash", map[string]string{"command": command}}
}

// ReadFile returns a call that reads a file.
func ReadFile(id, path string) Call {
	return Call{id, "Read", map[string]string{"file_path": path}}
}

// EditFile returns a call that replaces a text in a file; before and after may be "" if unknown.
func EditFile(id, path, before, after string) Call {
	return Call{id, "Edit", map[string]string{"file_path": path, "old_string": before, "new_string": after}}
}

// WriteFile returns a call that writes a whole file.
func WriteFile(id, path, content string) Call {
	return Call{id, "Write", map[string]string{"file_path": path, "content": content}}
}

// Patch returns the calls of a patch in the format of apply_patch, one for each file. Its sections begin with a line
// such as "*** Update File: name". The new name of a moved file is ignored.
func Patch(id, cwd, text string) (out []Call) {
	text = strings.ReplaceAll("\n"+text, "\n*** Move to: ", "\n")
	for section := range strings.SplitSeq(text, "\n*** ") {
		head, body, _ := strings.Cut(section, "\n")
		action, file, ok := strings.Cut(strings.TrimSpace(head), " File: ")
		if !ok {
			continue // the start or the end of the patch
		}
		var before, after strings.Builder
		for line := range strings.Lines(body + "\n") {
			switch line[0] {
			case '-':
				before.WriteString(line[1:])
			case '+':
				after.WriteString(line[1:])
			}
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(cwd, file)
		}
		call := EditFile(id, file, before.String(), after.String())
		if action == "Add" {
			call = WriteFile(id, file, after.String())
		}
		out = append(out, call)
	}
	return Numbered(out)
}

// Numbered gives separate ids to calls that the client made as one: the id of the first, with -2, -3 and so on
// appended.
func Numbered(calls []Call) []Call {
	for i := 1; i < len(calls); i++ {
		calls[i].ID += "-" + strconv.Itoa(i+1)
	}
	return calls
}
