package session

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// What a session context reads of transcripts that are not archived yet, at most.
const (
	contextFolders     = 64   // of the client that are listed, those that changed last
	contextFiles       = 4000 // transcripts that are looked at, without opening them
	contextTranscripts = 8    // that are opened
)

// transcriptAt is a transcript before it is opened.
type transcriptAt struct {
	path, folder string
	session      string
	size         int64
	changed      time.Time
}

// unarchived reads the last sessions that no section tells of: those that run, that
// were killed, that ended a moment ago, and all of before there was an archive. It
// opens none that is older than what is told anyway.
func (g *contextBuilder) unarchived(ctx context.Context, archive []sessioncontext.Session) (out []sessioncontext.Session, unread int) {
	known := map[string]bool{g.o.Session: true}
	for _, s := range archive {
		known[s.ID] = true
	}
	var oldest time.Time
	if len(archive) >= sessioncontext.MostSessions {
		ends := make([]time.Time, len(archive))
		for i, s := range archive {
			ends[i] = s.End
		}
		slices.SortFunc(ends, func(a, b time.Time) int { return b.Compare(a) })
		oldest = ends[sessioncontext.MostSessions-1]
	}
	opened := 0
	for _, t := range g.transcripts() {
		switch {
		case known[t.session]:
		case t.changed.Before(oldest):
			return out, unread
		case opened == contextTranscripts || len(out) == sessioncontext.MostSessions || ctx.Err() != nil:
			unread++
		default:
			opened++
			if s, ok := g.transcript(t); ok {
				out = append(out, s)
			}
		}
	}
	return out, unread
}

// transcripts lists the project's transcripts, those that changed last first.
func (g *contextBuilder) transcripts() []transcriptAt {
	var list []transcriptAt
	for _, folder := range g.clientFolders() {
		dir := filepath.Join(g.m.ws.ClientDir, "projects", folder)
		entries, err := os.ReadDir(dir)
		if err != nil {
			g.skip(dir, err)
			continue
		}
		for _, e := range entries {
			session, ok := strings.CutSuffix(e.Name(), ".jsonl")
			if !ok || !transcript.ValidSessionID(session) || strings.HasPrefix(session, "agent-") {
				continue
			}
			if len(list) == contextFiles {
				g.skip(dir, errors.New("more transcripts than are looked at"))
				break
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				list = append(list, transcriptAt{filepath.Join(dir, e.Name()), folder, session, info.Size(), info.ModTime()})
			}
		}
	}
	slices.SortFunc(list, func(a, b transcriptAt) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.path, b.path))
	})
	return list
}

// clientFolders are the client's folders for the places of the project, and inside a
// repository those for folders in it.
func (g *contextBuilder) clientFolders() []string {
	names := map[string]bool{}
	var prefixes []string
	for _, f := range g.places() {
		name := transcript.Munge(f)
		names[name] = true
		if g.p.InRepo {
			prefixes = append(prefixes, name+"-")
		}
	}
	dir := filepath.Join(g.m.ws.ClientDir, "projects")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.skip(dir, err)
	}
	type folder struct {
		name    string
		exact   bool
		changed time.Time
	}
	var found []folder
	for _, e := range entries {
		below := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(e.Name(), p) })
		if !e.IsDir() || !names[e.Name()] && !below {
			continue
		}
		f := folder{name: e.Name(), exact: names[e.Name()]}
		if info, err := e.Info(); err == nil {
			f.changed = info.ModTime()
		}
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b folder) int {
		if a.exact != b.exact {
			return map[bool]int{true: -1, false: 1}[a.exact]
		}
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, f := range found[:min(len(found), contextFolders)] {
		out = append(out, f.name)
	}
	return out
}

// places are the folders that the project's sessions worked in, on any machine.
func (g *contextBuilder) places() []string {
	if g.known != nil {
		return g.known
	}
	list := []string{g.p.Folder, workspace.RealPath(g.m.ws.Options.Dir)}
	if g.p.InRepo {
		if g.p.Loc.WorkTree != "" {
			list = append(list, workspace.RealPath(g.p.Loc.WorkTree))
		}
		list = append(list, workspace.LinkedFolders(g.p.Loc)...)
		for _, of := range append(slices.Clone(g.p.Linked), g.p.Project) {
			list = append(list, of.Folders()...)
		}
	}
	slices.Sort(list)
	g.known = slices.Compact(list)
	return g.known
}

// ours tells whether a session that began in a folder is one of the project's: the
// client's names of folders are alike for different ones, and another repository
// may lie in this one.
func (g *contextBuilder) ours(cwd string) bool {
	if cwd == "" {
		return true
	}
	places := g.places()
	real := workspace.RealPath(cwd)
	in := func(f string) bool {
		return real == f || cwd == f || g.p.InRepo && (workspace.Below(real, f) || workspace.Below(cwd, f))
	}
	if !slices.ContainsFunc(places, in) {
		return false
	}
	if !g.p.InRepo {
		return true
	}
	main, _ := g.m.ws.Checkout(real)
	return main == "" || slices.Contains(places, main) // a folder that is gone belongs where it lay
}

// transcript reads the beginning and the end of a session that is not archived.
func (g *contextBuilder) transcript(t transcriptAt) (sessioncontext.Session, bool) {
	f, err := os.Open(t.path)
	if err != nil {
		g.skip(t.path, err)
		return sessioncontext.Session{}, false
	}
	defer f.Close()
	w := sessioncontext.NewEnds(f, t.size, g.m.src.Forgotten().Len() > 0)
	msgs := g.m.src.Redacted(t.folder, g.m.src.Remembered(t.path, w.Messages()), -1)
	todos := sessioncontext.NewTodos(t.session, g.m.ws.Clean)
	d, err := transcript.Summarise(todos.Watch(msgs))
	if err != nil {
		g.skip(t.path, err)
	}
	if d.Trivial() || !g.ours(d.Cwd) || g.inArchive(t.session, d.Start) {
		return sessioncontext.Session{}, false
	}
	g.m.src.DropForgotten(&d)
	if len(d.Quotes[markdown.IntentWork]) == 0 {
		return sessioncontext.Session{}, false
	}
	if d.Outcome.Line <= w.Gap {
		d.Outcome = transcript.Quote{}
	}
	return sessioncontext.NewSession(t.session, d, todos.After(w.Gap), ask.Trust), true
}

// inArchive tells whether a session stands in the archive's file of the day it began,
// which may be one that was not read.
func (g *contextBuilder) inArchive(session string, start time.Time) bool {
	if g.files == nil || start.IsZero() {
		return false
	}
	for _, dir := range g.projectDirs() {
		f := cite.File{Path: archive.File(dir, start), Area: cite.AreaArchive, Project: g.p.Project.ID}
		b, err := g.read(f, 8*contextFileBytes, true)
		if err == nil && archive.Find(b, session).Sections > 0 {
			return true
		}
	}
	return false
}
