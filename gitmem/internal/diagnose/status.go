package diagnose

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Status describes what is captured and indexed in a workspace. The JSON form is a public contract.
type Status struct {
	Root       string               `json:"root"`
	Store      bool                 `json:"store"`
	Repository string               `json:"repository"` // git directory of the store, or ""
	Project    string               `json:"project"`    // "" outside any repository
	Folder     string               `json:"folder"`
	Files      int                  `json:"files"`
	Bytes      int64                `json:"bytes"`
	LastCommit string               `json:"last_commit"` // RFC 3339
	Pending    []string             `json:"pending"`     // files for the next commit
	IndexDir   string               `json:"index_dir"`
	Shards     []ingest.ShardStatus `json:"shards"`
	Meaning    string               `json:"meaning"` // embedding model of searches, or "off"
	Caveats    []string             `json:"caveats"`
	Forges     []forge.ForgeStatus  `json:"forges"` // forges and trackers of this workspace

	Capture  workspace.Capture `json:"capture"`   // whether hooks capture here
	Excluded []Excluded        `json:"excluded"`  // sessions that rules exclude
	LastHook HookEvent         `json:"last_hook"` // the last hook event, in any project
	// first day with hook traces, or ""; traces are kept for 30 days
	Traced string   `json:"traced"`
	Growth []Growth `json:"growth"` // in the last 7 and 30 days
	// files that are held back from commits, each with line and kind of the secret in it
	Held []string `json:"held"`

	TraceBytes      int64 `json:"trace_bytes"` // of hook traces
	RepositoryBytes int64 `json:"repository_bytes"`
	LooseObjects    int   `json:"loose_objects"` // git packs them occasionally
	IndexBytes      int64 `json:"index_bytes"`   // of all indexes of this root
	KeptTranscripts int   `json:"kept_transcripts"`
	// Agents are the other coding agents whose sessions are searched in place.
	Agents []AgentStatus `json:"agents"`
	// shared with the client's files until it deletes them, if links are possible
	KeptBytes int64 `json:"kept_bytes"`
}

// Excluded counts the sessions that a rule excludes completely or partly.
type Excluded struct {
	Rule     string `json:"rule"`
	Sessions int    `json:"sessions"`
}

// HookEvent is a line of the hook traces.
type HookEvent struct {
	Time   string `json:"time"` // RFC 3339, "" if there is no trace
	Hook   string `json:"hook"`
	Result string `json:"result"` // written, nothing or error
	Detail string `json:"detail"`
}

// Growth is the growth of memory over the last days.
type Growth struct {
	Days    int   `json:"days"`
	Commits int   `json:"commits"`
	Bytes   int64 `json:"bytes"` // growth of its files; negative if they shrank
}

// Status collects the status without changing anything.
func (in *Inspector) Status(ctx context.Context) (Status, error) {
	p, err := in.ws.Place(ctx)
	if err != nil {
		return Status{}, err
	}
	st := Status{Root: in.ws.Root, Folder: p.Folder, IndexDir: in.ws.IndexDir(), Store: in.ws.Store != nil,
		Pending: []string{}, Excluded: []Excluded{}, Growth: []Growth{}, Held: []string{},
		Forges: in.src.Forges(p).Status(ctx)}
	if st.Capture, err = in.ws.Capture(ctx); err != nil {
		return st, err
	}
	st.LastHook = in.lastHook()
	st.Traced, st.TraceBytes = traces.Held(in.ws.DirsOfTraces())
	if p.InRepo {
		st.Project = p.Project.ID
	}
	if in.ws.Store != nil {
		if err := in.storeStatus(ctx, &st); err != nil {
			return st, err
		}
	}
	st.IndexBytes = sizeBelow(filepath.Join(in.ws.IndexDir(), "shards")) + sizeBelow(in.src.FrozenDir()) +
		sizeBelow(in.src.VectorsDir())
	st.Meaning = config.EmbedOff
	if s := in.src.Semantic(); s != nil {
		st.Meaning = s.Name() + ", " + s.Where()
	}
	in.keptStatus(&st)
	in.agentStatus(&st)
	st.Shards, err = in.src.Status(ctx)
	if err == nil {
		err = in.excludedStatus(ctx, p, &st)
	}
	p.ReportUntrusted(in.ws.Caveat)
	st.Caveats = append([]string{}, in.ws.Caveats...)
	return st, err
}

func (in *Inspector) storeStatus(ctx context.Context, st *Status) error {
	st.Repository = in.ws.Store.GitDir()
	for f, err := range in.ws.Store.Files() {
		if err != nil {
			return err
		}
		st.Files++
		st.Bytes += f.Size
	}
	if !in.ws.Store.HasRepository() {
		return nil
	}
	for c, err := range in.ws.Store.Log(ctx, 1, "") {
		if err != nil {
			return err
		}
		st.LastCommit = c.Time.UTC().Format(time.RFC3339)
	}
	pending, err := in.ws.Store.Pending(ctx)
	if err != nil {
		return err
	}
	st.Pending = append(st.Pending, in.ws.CleanPaths(pending)...)
	if len(pending) > 0 { // includes files that are held back
		held, err := in.ws.Store.Held(ctx)
		if err != nil {
			return err
		}
		for _, h := range held {
			st.Held = append(st.Held, h.String())
		}
	}
	return in.growthStatus(ctx, st)
}

// growthStatus reports how fast memory grows, and the disk usage of its history.
func (in *Inspector) growthStatus(ctx context.Context, st *Status) error {
	var err error
	if st.RepositoryBytes, st.LooseObjects, err = in.ws.Store.Space(); err != nil {
		return err
	}
	for _, days := range []int{7, 30} {
		commits, bytes, err := in.ws.Store.Growth(ctx, in.ws.Options.Now().AddDate(0, 0, -days))
		if err != nil {
			in.ws.Caveat("The store's history could not be read whole, so its growth is not known: %v", err)
			return nil
		}
		st.Growth = append(st.Growth, Growth{days, commits, bytes})
	}
	return nil
}

// keptStatus counts the kept transcripts.
func (in *Inspector) keptStatus(st *Status) {
	files, problems := transcript.FilesIn(in.ws.KeptDir())
	for _, err := range problems {
		in.ws.Caveat("A kept transcript could not be looked at: %v", err)
	}
	for _, f := range files {
		st.KeptTranscripts++
		st.KeptBytes += f.Stat.Size
	}
}

// AgentStatus counts the searched sessions of an agent.
type AgentStatus struct {
	Agent    string `json:"agent"` // name in queries
	Title    string `json:"title"` // display name
	Sessions int    `json:"sessions"`
	Archived bool   `json:"archived"` // sessions are archived, too
}

// agentStatus counts the sessions of other agents.
func (in *Inspector) agentStatus(st *Status) {
	st.Agents = []AgentStatus{}
	for _, agent := range transcript.Clients() {
		files, problems := in.ws.Stores().Files(agent)
		for _, err := range problems {
			in.ws.Caveat("Sessions of %s: %v", transcript.ClientTitle(agent), err)
		}
		files = slices.DeleteFunc(files, func(f transcript.File) bool { return f.Subagent })
		if len(files) > 0 {
			st.Agents = append(st.Agents, AgentStatus{agent, transcript.ClientTitle(agent), len(files),
				slices.Contains(in.ws.Policy().Config.ArchiveAgents, agent)})
		}
	}
}

// excludedStatus counts sessions by the rules that exclude them, using the folders of each transcript in the index. A
// transcript that is not indexed yet is judged by the folder in which it begins.
func (in *Inspector) excludedStatus(ctx context.Context, p *workspace.Place, st *Status) error {
	if in.ws.Policy().Rules.Empty() {
		return nil
	}
	marks, err := in.transcriptMarks(ctx, p)
	if err != nil {
		return err
	}
	files, _ := in.src.Transcripts() // the indexer reports read errors
	sessions := map[string]map[string]bool{}
	for _, f := range files {
		folders := ingest.ParseTally(marks[f.Path].Data).Folders
		if len(folders) == 0 {
			folders = map[string]bool{workspace.FirstFolder(f.Path): true}
		}
		for folder := range folders {
			if rule := in.ws.ExcludedRecord(folder, f.Folder); rule != "" {
				if sessions[rule] == nil {
					sessions[rule] = map[string]bool{}
				}
				sessions[rule][f.Session] = true
			}
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(sessions)) {
		st.Excluded = append(st.Excluded, Excluded{Rule: rule, Sessions: len(sessions[rule])})
	}
	return nil
}

// transcriptMarks returns the marks of the transcripts' index, or none if it cannot be used.
func (in *Inspector) transcriptMarks(ctx context.Context, p *workspace.Place) (map[string]index.Mark, error) {
	shards, err := in.src.Shards(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		if s.Name != "transcripts" {
			continue
		}
		snap, err := s.Index.Snapshot()
		if err != nil {
			return nil, nil // its state reports that it is missing or damaged
		}
		defer snap.Close()
		return snap.Marks(), nil
	}
	return nil, nil
}

// lastHook returns the newest record of the traces.
func (in *Inspector) lastHook() HookEvent {
	var last traces.Record
	for _, name := range slices.Backward(traces.Files(in.ws.DirsOfTraces(), "", "")) {
		if day, _ := traces.DayOf(name); !last.Time.IsZero() && day < last.Time.UTC().Format(time.DateOnly) {
			break
		}
		_, _ = traces.Each(name, nil, func(r traces.Record) { // an unreadable trace is skipped
			if r.Hook != "" && r.Time.After(last.Time) {
				last = r
			}
		})
	}
	if last.Time.IsZero() {
		return HookEvent{}
	}
	return HookEvent{last.Time.Format(time.RFC3339Nano), last.Hook, last.Result, in.ws.Clean(last.Detail)}
}

// sizeBelow sums the sizes of the readable files below a folder.
func sizeBelow(dir string) int64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if errors.Is(err, fs.ErrPermission) {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
