package ingest

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
)

// BlockOrders is the number of blocks of one record that have a separate order.
const BlockOrders = 64

// transcriptBlocks converts the thinking, tool calls, results and plans of one transcript to documents.
type transcriptBlocks struct {
	m    *Sources
	file transcript.File
	in   io.ReaderAt
	mode string
	// calls are the calls without a result so far.
	calls map[string]called
}

// called is a call whose result is not read yet.
type called struct {
	tool string
	own  bool // it called gitmem, or read its files
}

// NewTranscriptBlocks returns a converter of the blocks of a transcript that is read from in.
func NewTranscriptBlocks(m *Sources, file transcript.File, in io.ReaderAt) *transcriptBlocks {
	return &transcriptBlocks{m: m, file: file, in: in, mode: m.toolsMode(), calls: map[string]called{}}
}

// toolsMode returns what is indexed besides messages: "" for everything, or names or off.
func (src *Sources) toolsMode() string {
	if mode := src.ws.Policy().Config.IndexTools; mode != config.ToolsOn {
		return mode
	}
	return ""
}

// Note records the calls in a record, and looks up earlier calls that its results answer.
func (a *transcriptBlocks) Note(m transcript.Message) error {
	if a.mode != "" { // results are not indexed
		return nil
	}
	for _, t := range m.Tools {
		a.calls[t.ID] = called{t.Name, a.m.OwnCall(t)}
	}
	for _, r := range m.Results {
		if _, ok := a.calls[r.ID]; ok {
			continue
		}
		use, ok, err := transcript.Caller(a.in, m.Offset, r.ID)
		if err != nil {
			return err
		}
		if ok {
			a.calls[r.ID] = called{use.Name, a.m.OwnCall(use)}
		}
	}
	return nil
}

// docs returns the documents for the blocks of a record; d has their common fields.
func (a *transcriptBlocks) docs(d index.Doc, m transcript.Message) []index.Doc {
	own := map[string]bool{}
	for _, t := range m.Tools {
		if a.m.OwnCall(t) {
			own[t.ID] = true
		}
	}
	for _, r := range m.Results {
		defer delete(a.calls, r.ID)
	}
	var docs []index.Doc
	for i, p := range cite.Parts(cite.TranscriptName(a.file.Path), a.wanted(m), a.m.ws.Redactor) {
		call := a.calls[p.Call]
		if a.mode == config.ToolsOff && p.Type == string(transcript.KindTool) {
			continue
		}
		forgotten := a.m.Hides(p.ID.String()) || a.m.HidesRecord(p.ID.String(), m.UUID)
		if forgotten || own[p.Call] || call.own && p.Type == string(transcript.KindResult) {
			continue
		}
		docs = append(docs, a.doc(d, p, call, i))
	}
	return docs
}

// wanted returns a record without the parts that are not indexed, some of which are large.
func (a *transcriptBlocks) wanted(m transcript.Message) transcript.Message {
	if a.mode != "" {
		m.Thinking, m.Results = "", nil
	}
	return m
}

// doc returns the document of one part.
func (a *transcriptBlocks) doc(d index.Doc, p cite.Part, call called, i int) index.Doc {
	d.ID, d.Type, d.Tool, d.Paths = p.ID.String(), p.Type, p.Tool, p.Paths
	if d.Role != "sidechain" && d.Role != cite.StateTakenBack {
		d.Role = p.Role
	}
	if p.Type == string(transcript.KindResult) {
		d.Tool = a.m.ws.Clean(call.tool)
	}
	if d.Tool != "" {
		d.Author = d.Tool
	}
	first, last, _ := p.Bounded()
	d.Text = first
	if last != "" {
		d.Text += "\n" + last
	}
	d.Session, d.Order = cite.BlockSession(d.Session), d.Order*BlockOrders+int64(min(i, BlockOrders-1))
	return d
}

// OwnCall reports whether a call queries gitmem or reads files of gitmem or the client. Its result is already indexed
// from its source.
func (src *Sources) OwnCall(t transcript.ToolUse) bool {
	if transcript.OwnTool(t.Name) {
		return true
	}
	for _, p := range t.Paths {
		if workspace.Below(p, filepath.Join(src.ws.Root, "gitmem")) || workspace.Below(p, src.ws.ClientProjects()) {
			return true
		}
	}
	switch t.Name {
	case "Bash", "PowerShell":
		command := t.InputText()
		return runsGitmem(command) || src.readsMemory(command)
	case "exec", "codemode": // JavaScript programs by which Codex and pi call tools
		return strings.Contains(t.InputText(), "mcp__gitmem")
	case "Skill", "SlashCommand":
		word, _, _ := strings.Cut(strings.TrimPrefix(t.InputText(), "/"), ":")
		return word == "gitmem"
	}
	return false
}

// readsMemory reports whether a shell command names the folders of gitmem or the client.
func (src *Sources) readsMemory(command string) bool {
	command = strings.ReplaceAll(command, `\`, "/")
	for _, dir := range []string{filepath.Join(src.ws.Root, "gitmem"), src.ws.ClientProjects()} {
		dir = filepath.ToSlash(dir)
		home := path.Join(path.Base(path.Dir(dir)), path.Base(dir)) // as after ~ or $HOME
		if strings.Contains(command, dir+"/") || strings.HasPrefix(home, ".") && strings.Contains(command, "/"+home+"/") {
			return true
		}
	}
	return false
}

var gitmemCall = lazy.Pattern(`(?m)(?:^|[|&;(){}\x60]|\s-\w*c\s+["'])\s*\$?\s*` +
	`(?:(?:(?:\S*/)?(?:sudo|time|env|exec|command|nohup|nice|timeout|xargs|watch|npx|go|run|eval|if|then|else|elif|while` +
	`|until|do|!)(?:\.exe)?|\S+=\S*|[-\d]\S*)\s+)*` +
	`["']?(?:[^\s|&;(){}\x60]*[/\\])?gitmem(?:\.exe)?["']?(?:[\s|&;(){}\x60"']|$)`)

// runsGitmem reports whether a shell command runs gitmem: directly, among other commands, or through wrapper programs
// with their options and numbers.
func runsGitmem(command string) bool {
	if !strings.Contains(command, "gitmem") { // most commands; skips the regular expression
		return false
	}
	return gitmemCall().MatchString(command)
}
