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
	StateRemoved = "removed" // only the history of memory holds it
	// StateTakenBack is of what was said on a branch of a conversation that was left for another one.
	StateTakenBack = "taken back"
)

// ErrNotFound means that the id is well formed but its source does not exist here
// (any more).
var ErrNotFound = messages.ErrNotFound

// Source is a citation id looked up: the text it names and where that is. All
// text has passed the redactor.
type Source struct {
	ID, Layer, Source, Type string
	Title, Text             string
	Author                  string
	Time                    time.Time
	Project, Session        string
	Path                    string // file, or the first path a commit touched
	Line                    int    // 1-based line of Path at which Text begins, 0 when there is none
	UUID                    string // record id of a transcript line
	Paths                   []string
	Confidence              float64 // of an idea, see [Unit]
	Turn                    int     // of an idea
	By                      answer.Trust
	ByModel                 []int // see [Unit]

	// These are of team sources.
	State, URL string
	Also       []string // the names of others who share the work
	Links      []providers.Link
}

// Tree is a folder of Markdown files that units are cut from: the store, a
// repository's rules or the user's own rules.
type Tree interface {
	// Files lists the citable files below the tree.
	Files() ([]File, error)
	// Read returns a file's bytes; an error that wraps fs.ErrNotExist when it is gone.
	Read(f File) ([]byte, error)
}

// Elsewhere looks up what is in no tree, transcript or history.
type Elsewhere interface {
	// RemovedLogs are a session's logs that are in no tree any more.
	RemovedLogs(session string) Tree
	// TeamItem looks up an item of a team source other than history, whose text holds no
	// secret; line is where the text begins in its file, 0 for none. The error wraps
	// ErrNotFound where there is none.
	TeamItem(id ID) (it providers.Item, line int, err error)
	// Page is the address of the page for people of a commit or of lines at one, ""
	// where there is none.
	Page(id ID) string
}

// Resolver looks citation ids up in their sources. Fields that are nil stand for
// sources that do not exist here. It is not safe for concurrent use, as a
// git.Repository is not; but [Resolver.Record] is, which asks transcripts alone.
type Resolver struct {
	Trees      []Tree
	ConfigRoot string            // folder whose projects/ holds the transcripts, "" for none
	Stores     transcript.Stores // of the sessions of other clients
	// folder with the same folders as projects/, for transcripts that the client deleted; "" for none
	KeptDir    string
	Repository *git.Repository
	History    *git.Indexed // an index of what lies behind the repository's tips, nil for none
	Project    string       // id of the current project, for commits
	Redactor   *redact.Redactor
	Elsewhere  Elsewhere
	// Unread takes why a file can't be read, where what it says is left out.
	Unread func(err error)
}

func (r *Resolver) page(id ID) string {
	if r.Elsewhere == nil {
		return ""
	}
	return r.Elsewhere.Page(id)
}

// Resolve looks an id up from scratch, without the index.
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

// ResolveIn looks the id of a Markdown unit up in one file.
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
	text := c.Subject + "\n" // as a commit is quoted
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

// unitsIn yields the Markdown units of the files that are wanted and hold some words. A tree or a file that
// can't be read is an error instead, unless it is gone.
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

// sourcesIn is unitsIn for whole files.
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

// fileSource is a file with what it holds.
type fileSource struct {
	File
	src []byte
}

// fileUnit is a unit with its file.
type fileUnit struct {
	File
	Unit
}

// unit scans the trees for the Markdown unit with this id. A file that can't be
// read may hold it, which the error says when no other does.
// Where several projects have the id, the current one's is meant.
func (r *Resolver) unit(id ID, file string) (Source, error) {
	want := id.String()
	var words []string
	if id.Kind == KindIdea { // any day may hold it
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
	if id.Kind == KindIdea { // of a session that goes on
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

// mayHold rules out files that can't hold the id, so that a look-up reads few. A
// memory file answers to its project's id and to the client's name of its folder,
// by which it was cited before the project was known.
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

// OfSession yields the files of the archive and of logs that tell of a session, with their units of it.
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

// UnitsIn yields the files that are wanted and hold any units and some words, with their units. What can't be read is
// left out, see [Resolver.Unread]. Cutting takes longer than reading, so that it is done side by side.
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

// FromUnit makes a source of a Markdown unit.
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

// source is the unit as a source, not yet redacted and without its file.
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

// mostTitle is how many characters of a title are given: a message without a line
// break is all title, however long. The text holds the rest.
const mostTitle = 300
