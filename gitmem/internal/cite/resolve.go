package cite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// States of a source.
const (
	StateRemoved = "removed" // only the history of memory contains it
	// StateTakenBack is the state of messages on an abandoned branch of a conversation.
	StateTakenBack = "taken back"
)

// ErrNotFound means that the id is well formed but its source does not exist (any more).
var ErrNotFound = messages.ErrNotFound

// Source is a resolved citation id: its text and location. All text is redacted.
type Source struct {
	ID, Layer, Source, Type string
	Title, Text             string
	Author                  string
	Time                    time.Time
	Project, Session        string
	Path                    string // file, or the first path that a commit changed
	Line                    int    // 1-based line of Path at which Text begins, 0 if there is none
	UUID                    string // record id of a transcript line
	Paths                   []string
	Confidence              float64 // of an idea, see [Unit]
	Turn                    int     // of an idea
	By                      answer.Trust
	ByModel                 []int // see [Unit]

	// State and URL are set for team sources.
	State, URL string
	Also       []string // names of other contributors
	Links      []providers.Link
}

// Tree is a folder of Markdown files with units: the store, a repository's rules or the user's own rules.
type Tree interface {
	// Files lists the citable files of the tree.
	Files() ([]File, error)
	// Read returns a file's content. The error wraps fs.ErrNotExist if the file was deleted.
	Read(f File) ([]byte, error)
}

// Elsewhere resolves sources outside of trees, transcripts and the repository's history.
type Elsewhere interface {
	// RemovedLogs returns a tree of a session's logs that were removed.
	RemovedLogs(session string) Tree
	// TeamItem returns an item of a team source other than history, with redacted text. line is the line in its file at
	// which the text begins, 0 if there is none. The error wraps ErrNotFound if the item does not exist.
	TeamItem(id ID) (it providers.Item, line int, err error)
	// Page returns the URL of the web page of a commit or of lines at a commit, or "".
	Page(id ID) string
}

// Resolver resolves citation ids. Fields that are nil represent missing sources. It is not safe for concurrent use
// because git.Repository is not, except for [Resolver.Record], which reads only transcripts.
type Resolver struct {
	Trees      []Tree
	ConfigRoot string            // folder whose projects/ contains the transcripts, or ""
	Stores     transcript.Stores // sessions of other clients
	// folder with the layout of projects/ for transcripts that the client deleted, or ""
	KeptDir    string
	Repository *git.Repository
	History    *git.Indexed // index of the commits reachable from the repository's tips, or nil
	Project    string       // id of the current project, for commits
	Redactor   *redact.Redactor
	Elsewhere  Elsewhere
	// Unread receives the error of an unreadable file that is skipped.
	Unread func(err error)
}

func (r *Resolver) page(id ID) string {
	if r.Elsewhere == nil {
		return ""
	}
	return r.Elsewhere.Page(id)
}

// Resolve resolves an id without the index.
func (r *Resolver) Resolve(s string) (Source, error) {
	id, err := Parse(s)
	if err != nil {
		return Source{}, err
	}
	switch id.Kind {
	case KindCommit:
		return r.commit(id.Name)
	case KindBlame:
		return r.blame(id)
	case KindTranscript, KindPrompt:
		return r.record(id)
	case KindDocument, KindJira:
		return r.team(id)
	}
	if _, ok := providers.ForgeOf(id.Kind.source()); ok {
		return r.team(id)
	}
	if id.Kind == KindRules && !strings.HasSuffix(id.Name, ".md") {
		if id, err = r.bareRules(id); err != nil {
			return Source{}, err
		}
	}
	return r.unit(id, "")
}

// ResolveIn resolves the id of a Markdown unit in one file.
func (r *Resolver) ResolveIn(s, file string) (Source, error) {
	id, err := Parse(s)
	if err != nil {
		return Source{}, err
	}
	return r.unit(id, file)
}

func (r *Resolver) commit(sha string) (Source, error) {
	if r.Repository == nil {
		return Source{}, fmt.Errorf("git:commit:%s: not inside a git repository: %w", sha, ErrNotFound)
	}
	c, err := r.Repository.Commit(sha)
	if errors.Is(err, git.ErrNotFound) {
		return Source{}, fmt.Errorf("git:commit:%s: %w in %s", sha, ErrNotFound, r.Repository.Location().GitDir)
	}
	if err != nil {
		return Source{}, fmt.Errorf("git:commit:%s: %w", sha, err)
	}
	paths := slice.Map(c.Changes, func(ch git.Change) string { return r.Redactor.Path(ch.Path) })
	text := c.Subject + "\n" // as commits are quoted
	if c.Body != "" {
		text += "\n" + c.Body + "\n"
	}
	src := Source{
		ID: ID{Kind: KindCommit, Name: c.Hash}.String(), Layer: LayerTeam, Source: providers.Git,
		Type:  providers.InferType(c.Subject, c.Body, paths),
		Title: messages.Clip(r.clean(c.Subject), mostTitle), Text: r.clean(text), Author: r.clean(c.Author.Name),
		Time: c.Author.When, Paths: paths,
		Project: r.clean(r.Project), URL: r.page(ID{Kind: KindCommit, Name: c.Hash}),
	}
	if len(paths) > 0 {
		src.Path = paths[0]
	}
	return src, nil
}

// unitsIn yields the Markdown units of the wanted files that contain the words. It yields an error for a tree or a file
// that cannot be read, unless it was deleted.
func (r *Resolver) unitsIn(wanted func(f *File) bool, words ...string) iter.Seq2[fileUnit, error] {
	return func(yield func(fileUnit, error) bool) {
		for s, err := range r.sourcesIn(wanted, words...) {
			if err != nil {
				if !yield(fileUnit{}, err) {
					return
				}
				continue
			}
			for _, u := range r.unitsOf(s) {
				if !yield(fileUnit{s.File, u}, nil) {
					return
				}
			}
		}
	}
}

func (r *Resolver) unitsOf(s fileSource) []Unit {
	units, _ := Units(s.File, []byte(r.Redactor.Lines(string(s.src))))
	return units
}

// sourcesIn is like unitsIn but yields whole files.
func (r *Resolver) sourcesIn(wanted func(f *File) bool, words ...string) iter.Seq2[fileSource, error] {
	return func(yield func(fileSource, error) bool) {
		for _, t := range r.Trees {
			files, err := t.Files()
			if err != nil && !yield(fileSource{}, err) {
				return
			}
			for _, f := range files {
				if !wanted(&f) {
					continue
				}
				src, err := t.Read(f)
				if errors.Is(err, fs.ErrNotExist) || err == nil && slices.ContainsFunc(words, func(w string) bool {
					return !bytes.Contains(src, []byte(w))
				}) {
					continue
				}
				if !yield(fileSource{f, src}, err) {
					return
				}
			}
		}
	}
}

// fileSource is a file with its content.
type fileSource struct {
	File
	src []byte
}

// fileUnit is a unit with its file.
type fileUnit struct {
	File
	Unit
}

// unit searches the trees for the Markdown unit with this id. If no file contains it, the error names files that could
// not be read. If several projects have the id, the current project's unit wins.
func (r *Resolver) unit(id ID, file string) (Source, error) {
	want := id.String()
	var words []string
	if id.Kind == KindIdea { // it may be in any day's file
		words = []string{id.Name}
	}
	var other Source
	var unread error
	for u, err := range r.unitsIn(func(f *File) bool {
		return mayHold(f, id) && (file == "" || f.Path == file)
	}, words...) {
		switch {
		case err != nil:
			unread = err
		case u.ID != want:
		case file != "" || u.Project == "" || u.Project == r.Project:
			return r.FromUnit(u.File, u.Unit), nil
		case other.ID == "":
			other = r.FromUnit(u.File, u.Unit)
		}
	}
	if other.ID != "" {
		return other, nil
	}
	if id.Kind == KindIdea { // of a running session
		logs := func(f *File) bool { return f.Area == AreaObservations && (file == "" || f.Path == file) }
		for u, err := range r.unitsIn(logs, " ^"+id.Name+" ") {
			if err != nil {
				unread = err
			} else if u.ID == want {
				return r.FromUnit(u.File, u.Unit), nil
			}
		}
	}
	if id.Kind == KindObservation && r.Elsewhere != nil {
		past := Resolver{Trees: []Tree{r.Elsewhere.RemovedLogs(id.Name)}, Project: r.Project, Redactor: r.Redactor}
		src, err := past.unit(id, file)
		switch {
		case err == nil:
			src.State = StateRemoved
			return src, nil
		case unread == nil:
			return src, err
		}
	}
	if unread != nil {
		return Source{}, fmt.Errorf("%s: not found, and a file that may hold it could not be read (%v): %w", want,
			unread, ErrNotFound)
	}
	return Source{}, fmt.Errorf("%s: %w", want, ErrNotFound)
}

// mayHold reports whether a file may contain the id, so that a lookup reads few files. A memory file matches its
// project's id and the client's name of its folder, which older citations use.
func mayHold(f *File, id ID) bool {
	areas := map[Kind]Area{
		KindRules: AreaRules, KindPlan: AreaPlan, KindMemory: AreaMemory, KindSession: AreaArchive, KindIdea: AreaArchive,
		KindDecision: AreaDecision, KindTask: AreaTasks, KindProfile: AreaProfile, KindOrder: AreaProfile,
		KindObservation: AreaObservations,
	}
	if area, ok := areas[id.Kind]; !ok || f.Area != area {
		return false
	}
	switch id.Kind {
	case KindRules:
		return f.Path == id.Name
	case KindProfile, KindOrder:
		return (f.Path == profile.File) == (id.Kind == KindProfile)
	case KindPlan:
		return f.Path == "~/plans/"+id.Name
	case KindMemory:
		folder, _, _ := strings.Cut(strings.TrimPrefix(f.Path, "projects/"), "/") // of projects/<folder>/memory/…
		if id.Name == folder || strings.HasPrefix(id.Name, folder+"/") {
			f.Project = folder
		}
		return id.Name == f.Project || strings.HasPrefix(id.Name, f.Project+"/")
	case KindSession:
		return strings.TrimSuffix(path.Base(f.Path), ".md") == id.Name
	}
	return true
}

// OfSession yields the archive and log files about a session, with their units of that session.
func (r *Resolver) OfSession(session string) iter.Seq2[File, []Unit] {
	return func(yield func(File, []Unit) bool) {
		for f, units := range r.UnitsIn(func(f *File) bool {
			return f.Area == AreaArchive || f.Area == AreaObservations
		}, session) {
			units = slices.DeleteFunc(units, func(u Unit) bool { return u.Session != session })
			if len(units) > 0 && !yield(f, units) {
				return
			}
		}
	}
}

// UnitsIn yields the wanted files that have units and contain the words, with their units. Unreadable files are
// skipped, see [Resolver.Unread]. Files are parsed in parallel, since parsing is slower than reading.
func (r *Resolver) UnitsIn(wanted func(f *File) bool, words ...string) iter.Seq2[File, []Unit] {
	return func(yield func(File, []Unit) bool) {
		var files []fileSource
		for s, err := range r.sourcesIn(wanted, words...) {
			if err != nil {
				r.Unread(err)
				continue
			}
			files = append(files, s)
		}
		units := make([][]Unit, len(files))
		var next atomic.Int64
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for n := next.Add(1) - 1; n < int64(len(files)); n = next.Add(1) - 1 {
					units[n] = r.unitsOf(files[n])
				}
			})
		}
		wg.Wait()
		for n, f := range files {
			if len(units[n]) > 0 && !yield(f.File, units[n]) {
				return
			}
		}
	}
}

// FromUnit converts a Markdown unit to a source.
func (r *Resolver) FromUnit(f File, u Unit) Source {
	src := u.source()
	src.Title, src.Text, src.Session = r.clean(u.Title), r.clean(u.Text), r.clean(u.Session)
	src.Project, src.Path = r.clean(f.Project), r.Redactor.Path(f.Path)
	switch {
	case u.State == StateTakenBack:
		src.State = u.State
	case u.Source == string(KindIdea) && u.Done != nil && *u.Done:
		src.State = "done"
	}
	return src
}

// source converts the unit to a source without redaction and without its file.
func (u Unit) source() Source {
	return Source{
		ID: u.ID, Layer: u.Layer, Source: u.Source, Type: u.Type, Title: u.Title, Text: u.Text, Time: u.Time,
		Session: u.Session,
		Line:    u.Line, Confidence: u.Confidence, Turn: u.Turn, By: u.By, ByModel: u.ByModel,
	}
}

func (r *Resolver) clean(s string) string {
	out, _ := r.Redactor.Text(s)
	return out
}

// mostTitle is the maximum length of a title in characters: a message without a line break consists only of a title.
// The text contains the rest.
const mostTitle = 300
