package ingest

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// FolderName returns the client's name of a transcript's folder; for another client Claude Code's name of it.
func FolderName(file string) string {
	if folder, ok := transcript.FolderOf(file); ok {
		return folder
	}
	return filepath.Base(filepath.Dir(file))
}

// Redacted yields the messages after a line, each redacted as a whole, since a sentence cut from a private block would
// have no tag. It skips messages that may not be captured; folder is the client's name of the transcript's folder. It
// drops thoughts and tool output, which are not part of a digest.
func (src *Sources) Redacted(folder string, msgs iter.Seq2[transcript.Message, error],
	line int) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && (msg.Line <= line || src.ws.Withheld(msg.Cwd, folder, msg.Time)) {
				continue
			}
			if msg.Thinking = ""; msg.Sidechain || msg.Role == transcript.RoleTool {
				msg.Text = ""
			}
			msg.Text = src.ws.Clean(msg.Text)
			msg.Branch, msg.Cwd = src.ws.Redactor.Path(msg.Branch), src.ws.Redactor.Path(msg.Cwd)
			msg.Tools = slices.Clone(msg.Tools)
			for i, t := range msg.Tools {
				msg.Tools[i] = t.CleanTasks(src.ws.Clean)
				msg.Tools[i].Name, msg.Tools[i].Paths = src.ws.Clean(t.Name), src.ws.CleanPaths(t.Paths)
				msg.Tools[i].Command = src.ws.Clean(t.Command)
			}
			msg.Results = slices.Clone(msg.Results)
			for i, r := range msg.Results {
				if msg.Results[i].Report = src.ws.Clean(r.Report); r.Error {
					msg.Results[i].Text = src.ws.Clean(r.Text)
				}
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

// KeptFiles lists the kept transcripts that the client no longer has, and all older versions; the others are read from
// the client. client lists the client's transcripts.
func (src *Sources) KeptFiles(client []transcript.File) ([]transcript.File, []error) {
	files, problems := transcript.FilesIn(src.ws.KeptDir())
	if len(files) == 0 {
		return nil, problems
	}
	there := make(map[string]bool, len(client))
	for i := range client {
		there[client[i].Path] = true
	}
	var out []transcript.File
	for _, f := range files {
		name := filepath.Join(src.ws.ClientProjects(), strings.TrimPrefix(f.Path, src.ws.KeptDir()))
		if there[name] {
			continue
		}
		if _, err := os.Lstat(name); err != nil {
			out = append(out, f)
		}
	}
	return out, problems
}

// TranscriptFile returns the path of a session's transcript as the client reports it, or otherwise of the kept one. It
// ignores files that are not regular, such as pipes, and system files of size 0: reading them might never end. For
// another client's session it returns the path in that client's store, or "".
func (src *Sources) TranscriptFile(session, file string) string {
	if transcript.ClientOf(session) != transcript.ClaudeCode {
		return src.ws.Stores().Find(session)
	}
	if info, err := os.Stat(file); err == nil && (info.Size() == 0 || !info.Mode().IsRegular()) && !info.IsDir() {
		return ""
	}
	if _, err := os.Stat(file); err == nil || !transcript.ValidSessionID(session) {
		return file
	}
	if found, err := fs.Glob(os.DirFS(src.ws.KeptDir()), "*/"+session+".jsonl"); err == nil && len(found) > 0 {
		return filepath.Join(src.ws.KeptDir(), filepath.FromSlash(found[0]))
	}
	return file
}
