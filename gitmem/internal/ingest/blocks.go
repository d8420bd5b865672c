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

// BlockOrders is how many blocks of one record have an order of their own.
const BlockOrders = 64

// transcriptBlocks makes documents of the thinking, tool calls, results and plans of one transcript.
type transcriptBlocks struct {
	m    *Sources
	file transcript.File
	in   io.ReaderAt
	mode string
	// calls are those without an answer so far.
	calls map[string]called
}

// called is what is remembered of a call until its result comes.
type called struct {
	tool string
	own  bool // gitmem was called, or read
}

// NewTranscriptBlocks makes documents of the blocks of a transcript, which in reads.
func NewTranscriptBlocks(m *Sources, file transcript.File, in io.ReaderAt) *transcriptBlocks {
	return &transcriptBlocks{m: m, file: file, in: in, mode: m.toolsMode(), calls: map[string]called{}}
}

// toolsMode is how much is indexed beside messages: "" for all, or names, off.
func (src *Sources) toolsMode() string {
	if mode := src.ws.Policy().Config.IndexTools; mode != config.ToolsOn {
		return mode
	}
	return ""
}

// Note remembers the calls of a record, and looks for those that its results
// answer and that were read before.
func (a *transcriptBlocks) Note(m transcript.Message) error {
	if a.mode != "" { // no results are indexed
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

// docs are the documents beside what a record says; d has what they share.
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

// wanted is a record without the parts that are not indexed, of which some are large.
func (a *transcriptBlocks) wanted(m transcript.Message) transcript.Message {
	if a.mode != "" {
		m.Thinking, m.Results = "", nil
	}
	return m
}

// doc makes a document of one part.
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

// OwnCall reports whether a call asks gitmem or reads what gitmem or the client
// keep: its answer says nothing that is not indexed from its source.
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
	case "exec", "codemode": // programs in JavaScript, by which Codex and pi call tools
		return strings.Contains(t.InputText(), "mcp__gitmem")
	case "Skill", "SlashCommand":
		word, _, _ := strings.Cut(strings.TrimPrefix(t.InputText(), "/"), ":")
		return word == "gitmem"
	}
	return false
}

// readsMemory reports whether a shell command names the folders that OwnCall knows.
func (src *Sources) readsMemory(command string) bool {
	command = strings.ReplaceAll(command, `\`, "/")
	for _, dir := range []string{filepath.Join(src.ws.Root, "gitmem"), src.ws.ClientProjects()} {
		dir = filepath.ToSlash(dir)
		home := path.Join(path.Base(path.Dir(dir)), path.Base(dir)) // as behind ~ or $HOME
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

// runsGitmem reports whether a shell command runs gitmem, alone, among others, or by way
// of programs that run the command behind them, with their options and numbers.
func runsGitmem(command string) bool {
	if !strings.Contains(command, "gitmem") { // most commands, which are not worth an expression
		return false
	}
	return gitmemCall().MatchString(command)
}
