// Package dialect defines the records into which the sessions of coding agents other than Claude
// Code are translated, and writes them in the form of Claude Code's session files. Everything above
// it therefore reads one format.
//
// Each package below it knows how one client stores its sessions, and has two functions:
//
//	Sessions(home string, getenv func(string) string) ([]dialect.Session, []error)
//	Records(s dialect.Session) ([]dialect.Record, error)
//
// Sessions lists what the client of this user has stored, without reading conversations. Records
// reads one session. None of them writes, leaves a file in the client's folder, or reads a token or
// another credential. They know nothing of the store, the index, or secrets in texts: what they
// return is raw and must be redacted before it is written, shown or indexed.
package dialect

import (
	"errors"
	"hash/crc32"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrUnknownFormat says that a file in the place of a session has a form that the package does not
// read: the client changed it, or the file is none of its sessions.
var ErrUnknownFormat = errors.New("format not known")

// Session is one session, or one subagent of a session, in the store of a client.
type Session struct {
	// Source is the absolute path of the file or database that holds the session. Of several files it is
	// the oldest; Records finds the others.
	Source string
	// Several says that other files hold parts of the session, so that Records has to look for them.
	Several bool
	// ID is what the client's own command takes to resume the session. For a subagent it is the
	// session that started it, "" where that is not known. It consists of A-Z a-z 0-9 _ and -.
	ID string
	// Agent is the id of a subagent, of the same characters, and "" for a session of the user.
	Agent string
	// Folder is the working directory, "" where only reading the session tells it.
	Folder string
	// Size (in bytes or records) and MtimeNs (Unix time in nanoseconds) are compared with those of
	// the last reading: one of them changes whenever the session does.
	Size, MtimeNs int64
}

// ValidID recognises what can be the id of a session or of a subagent.
func ValidID(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && len(id) <= 200 && strings.Trim(id, letters+"0123456789_-") == ""
}

// Changed is the [Session.MtimeNs] of a time in some unit and of a title, which may change without the time:
// a checksum of the title is what is below the unit.
func Changed(at int64, unit time.Duration, title string) int64 {
	return at*int64(unit) + int64(crc32.ChecksumIEEE([]byte(title))%uint32(unit))
}

// Speaker is who speaks in a record.
type Speaker string

const (
	Person  Speaker = "person"  // a human typed it
	Program Speaker = "program" // a headless run, a hook or another program sent it as a prompt
	Agent   Speaker = "agent"   // a subagent, or another agent, in the place of a prompt
	Client  Speaker = "client"  // the client itself, in the place of a prompt
	Model   Speaker = "model"   // the assistant
	Tool    Speaker = "tool"    // results of calls
	Summary Speaker = "summary" // the summary of a conversation that was compacted
	Title   Speaker = "title"   // a title that the client, the model or the user gave the session
	Command Speaker = "command" // a shell command that a human had the client run, which leads no turn
	Broken  Speaker = "broken"  // a record that could not be read, so that it is counted
)

// Record is one record of a conversation. Records are in the order in which the client wrote them;
// translating a session that has grown yields the former records, unchanged, and new ones behind
// them, as far as the client's format allows that.
type Record struct {
	// ID is unique in the session and the same at each reading. A copy of a record in another session
	// (a fork) that can't be left out has the same ID there. Titles need none.
	ID string
	// Parent is the ID of the record that this one goes on from. "" is the record before it. A prompt
	// that names an earlier record takes back what followed there, as a rewind does; Root is the
	// parent of a first record.
	Parent  string
	Speaker Speaker
	Time    time.Time // zero if unknown
	Cwd     string    // working directory; set it in every record
	Branch  string    // of git, "" if unknown
	Model   string

	// Text is what was said, without what the client or hooks put around it. For Model records it may
	// be "" when there are calls only.
	Text     string
	Thinking string
	Calls    []Call   // of Model records
	Results  []Result // of Tool records
}

// Empty reports whether the record says nothing.
func (r Record) Empty() bool {
	return r.Text == "" && r.Thinking == "" && len(r.Calls) == 0 && len(r.Results) == 0
}

// Root is the Parent of a record that goes on from nothing: the conversation was rewound to its
// beginning.
const Root = "null"

// Call is a call of a tool. [Shell], [ReadFile], [EditFile] and [WriteFile] make those that the
// model of transcripts knows; other tools keep the name and the input that the client gives them.
type Call struct {
	ID, Name string
	Input    any // encodes as a JSON object
}

// Result is the answer to the call with the same ID.
type Result struct {
	ID, Text string
	// Failed: the tool or the command failed, in whatever way the client says so. A command with an exit
	// code other than 0 failed.
	Failed bool
	// Report is the last answer of a subagent, for a call that started one and waited for it.
	Report string
}

// Shell is a call that runs a shell command.
func Shell(id, command string) Call {
	return Call{id, "Bash", map[string]string{"command": command}}
}

// ReadFile is a call that reads a file.
func ReadFile(id, path string) Call {
	return Call{id, "Read", map[string]string{"file_path": path}}
}

// EditFile is a call that replaces a text in a file; before and after may be "" where the client does
// not say.
func EditFile(id, path, before, after string) Call {
	return Call{id, "Edit", map[string]string{"file_path": path, "old_string": before, "new_string": after}}
}

// WriteFile is a call that writes a whole file.
func WriteFile(id, path, content string) Call {
	return Call{id, "Write", map[string]string{"file_path": path, "content": content}}
}

// Patch are the calls that a patch in the form of apply_patch is, one for each file: sections that begin
// with a line such as "*** Update File: name". The new name of a file is left out.
func Patch(id, cwd, text string) (out []Call) {
	text = strings.ReplaceAll("\n"+text, "\n*** Move to: ", "\n")
	for section := range strings.SplitSeq(text, "\n*** ") {
		head, body, _ := strings.Cut(section, "\n")
		action, file, ok := strings.Cut(strings.TrimSpace(head), " File: ")
		if !ok {
			continue // the beginning or the end of the patch
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

// Numbered gives calls that the client made as one an id each: that of the first, with -2, -3 and so on.
func Numbered(calls []Call) []Call {
	for i := 1; i < len(calls); i++ {
		calls[i].ID += "-" + strconv.Itoa(i+1)
	}
	return calls
}
