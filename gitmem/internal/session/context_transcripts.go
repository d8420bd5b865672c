package session

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// contextTranscripts is the maximum number of unarchived transcripts that a session context reads.
const contextTranscripts = 8

// unarchived reads the last sessions without a section: running, killed and just ended ones, and all from before there
// was an archive. It reads none older than the last archived ones.
func (c *contextBuilder) unarchived(ctx context.Context,
	archive []sessioncontext.Session) (out []sessioncontext.Session, unread int) {
	known := map[string]bool{c.o.Session: true}
	for _, s := range archive {
		known[s.ID] = true
	}
	var oldest time.Time
	if people := ofPeople(archive); len(people) >= sessioncontext.MostSessions {
		ends := slice.Map(people, c.end)
		slices.SortFunc(ends, func(a, b time.Time) int { return b.Compare(a) })
		oldest = ends[sessioncontext.MostSessions-1]
	}
	opened := 0
	for _, t := range c.transcripts() {
		switch {
		case known[t.Session]:
		case time.Unix(0, t.Stat.MtimeNs).Before(oldest):
			return out, unread
		case opened == contextTranscripts || ctx.Err() != nil:
			unread++
		default:
			opened++
			if s, ok := c.transcript(t); ok {
				out = append(out, s)
			}
		}
	}
	return out, unread
}

// transcripts lists the project's transcripts, last changed first.
func (c *contextBuilder) transcripts() []transcript.File {
	files, problems := transcript.FilesOf(c.s.ws.ClientProjects(), c.hasSessions())
	for _, err := range problems {
		if errors.As(err, new(*fs.PathError)) { // the index reports files that are not transcripts
			c.skip("transcripts", err)
		}
	}
	others, _ := c.s.ws.Stores().Files("") // the index reports listing errors
	wanted := c.hasSessions()
	others = slices.DeleteFunc(others, func(f transcript.File) bool { return f.Folder != "" && !wanted(f.Folder) })
	files = append(files, others...)
	files = slices.DeleteFunc(files, func(f transcript.File) bool { return f.Subagent || f.Stat.Size == 0 })
	slices.SortFunc(files, func(a, b transcript.File) int {
		return cmp.Or(cmp.Compare(b.Stat.MtimeNs, a.Stat.MtimeNs), cmp.Compare(a.Path, b.Path))
	})
	return files
}

// hasSessions returns a filter for the client's folders: those of the project's places, and inside a repository those
// of its subfolders.
func (c *contextBuilder) hasSessions() func(folder string) bool {
	names := slice.Map(c.places(), transcript.ProjectFolder)
	return func(folder string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return folder == name || c.p.InRepo && strings.HasPrefix(folder, name+"-")
		})
	}
}

// places returns the folders in which the project's sessions worked, on any machine.
func (c *contextBuilder) places() []string {
	if c.known != nil {
		return c.known
	}
	list := []string{c.p.Folder, workspace.RealPath(c.s.ws.Options.Dir)}
	if c.p.InRepo {
		if c.p.Loc.WorkTree != "" {
			list = append(list, workspace.RealPath(c.p.Loc.WorkTree))
		}
		list = append(list, workspace.LinkedFolders(c.p.Loc)...)
		for _, of := range append(slices.Clone(c.p.Linked), c.p.Project) {
			list = append(list, of.Folders()...)
		}
	}
	slices.Sort(list)
	c.known = slices.Compact(list)
	return c.known
}

// ours reports whether a session that began in a folder belongs to the project: different folders can have the same
// client name, and another repository may be inside this one. name is the client's name of the folder, "" if unknown.
func (c *contextBuilder) ours(name, cwd string) bool {
	if !filepath.IsAbs(cwd) {
		return name != ""
	}
	places := c.places()
	real := workspace.RealPath(cwd)
	in := func(f string) bool {
		return real == f || cwd == f || c.p.InRepo && (workspace.Below(real, f) || workspace.Below(cwd, f))
	}
	if !slices.ContainsFunc(places, in) {
		return false
	}
	if !c.p.InRepo {
		return true
	}
	main, _ := c.s.ws.Checkout(real)
	return main == "" || slices.Contains(places, main) // a deleted folder belongs to its parent's project
}

// transcript reads the beginning and the end of an unarchived session.
func (c *contextBuilder) transcript(t transcript.File) (sessioncontext.Session, bool) {
	f, err := transcript.OpenSession(t.Path)
	if err != nil {
		c.skip(t.Path, err)
		return sessioncontext.Session{}, false
	}
	defer f.Close()
	ends := sessioncontext.Ends{File: f, Size: f.Size(), Exact: c.s.src.Forgotten().Len() > 0}
	msgs := c.s.src.Redacted(t.Folder, c.s.src.Remembered(t.Path, ends.Messages()), -1)
	d, err := transcript.Summarise(msgs)
	if err != nil {
		c.skip(t.Path, err)
	}
	if !d.Remains() || !c.ours(t.Folder, d.Cwd) || c.inArchive(t.Session, d.Start) {
		return sessioncontext.Session{}, false
	}
	c.s.src.DropForgotten(&d)
	// there is no title for it
	if len(d.Quotes[markdown.IntentWork]) == 0 && (d.Outcome.Text == "" || d.Outcome.Line <= ends.Gap) {
		return sessioncontext.Session{}, false
	}
	return sessioncontext.NewSession(t.Session, d, ends.Gap, c.s.ws.Clean), true
}

// inArchive reports whether a session is in the archive file of the day on which it began, which may not have been
// read.
func (c *contextBuilder) inArchive(session string, start time.Time) bool {
	if start.IsZero() {
		return false
	}
	for _, dir := range c.p.Dirs() {
		f := cite.File{Path: archive.File(dir, start), Area: cite.AreaArchive, Project: c.p.Project.ID}
		if _, listed := c.days[f.Path]; !listed {
			continue
		}
		b, err := c.day(f, 8*contextFileBytes)
		if err == nil && archive.Find(b, session).Sections > 0 {
			return true
		}
	}
	return false
}
