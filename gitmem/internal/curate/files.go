package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/git"
)

// KnownDecision is a decision at a reference time.
type KnownDecision struct {
	ID, Title, Status string
	Day               string   // "" if unknown
	Path              string   // of its file, below the root
	Why               string   // the reasons, in Markdown
	By                string   // author mark, "" for the user
	Supersedes        []string // ids of decisions that it supersedes
	SupersededBy      []string // ids of decisions that supersede it
}

// Decisions lists the decisions of the project at a time, newest first.
func (ed *Editor) Decisions(ctx context.Context, asOf string) ([]KnownDecision, error) {
	files, err := ed.reader.Files(ctx, asOf, func(f query.File) bool { return f.Kind == "decisions" })
	out, later := []KnownDecision{}, map[string][]string{}
	for _, f := range files.List {
		if f.Kind != "decisions" {
			continue
		}
		d := ed.readDecision(f.Path, []byte(f.Text))
		k := KnownDecision{
			ID: d.ID, Title: cite.DecidedTitle(d.Title), Status: cmp.Or(d.State, accepted), Path: f.Path,
			By: strings.TrimSpace(d.Trust().Mark()), Supersedes: slice.Map(d.supersedes, decisionCitation),
		}
		if !d.Time.IsZero() {
			k.Day = d.Time.Format(time.DateOnly)
		}
		doc := markdown.Parse([]byte(f.Text))
		if i, ok := doc.Section("Why"); ok {
			k.Why = strings.TrimSpace(string(doc.Sections[i].Body.Of(doc.Source)))
		}
		for _, id := range k.Supersedes {
			later[id] = append(later[id], k.ID)
		}
		out = append(out, k)
	}
	for i := range out {
		out[i].SupersededBy = later[out[i].ID]
	}
	slices.SortStableFunc(out, func(a, b KnownDecision) int { return cmp.Compare(b.Day, a.Day) })
	return out, err
}

// TasksAt lists the tasks of the project at a time, in the order of [Editor.Tasks].
func (ed *Editor) TasksAt(ctx context.Context, asOf string) ([]Task, error) {
	files, err := ed.reader.Files(ctx, asOf, func(f query.File) bool { return f.Kind == "tasks" })
	out := []Task{}
	for _, f := range files.List {
		for _, t := range tasks.Read(markdown.Parse([]byte(f.Text))) {
			out = append(out, ed.task(f.Path, t, t.Line()))
		}
	}
	byState(out)
	return out, err
}

// ProfileAt lists the values of the profile at a time, those of the project first.
func (ed *Editor) ProfileAt(ctx context.Context, asOf string) (Preferences, error) {
	out, own := Preferences{Entries: []Preference{}}, []Preference{}
	isProfile := func(f query.File) bool { return f.Kind == "profile" || f.Kind == "orders" }
	files, err := ed.reader.Files(ctx, asOf, isProfile)
	for _, f := range files.List {
		if !isProfile(f) {
			continue
		}
		p, bad := profile.Read([]byte(f.Text))
		if bad != nil {
			return out, fmt.Errorf("%s can't be read as it was: %w", f.Path, bad)
		}
		in, list := profileFile{kind: cite.KindProfile}, &own
		if f.Kind == "orders" {
			in.prefix, in.kind, list = ofProject, cite.KindOrder, &out.Entries
		} else {
			out.Words = p.Words
		}
		for _, e := range p.Entries {
			*list = append(*list, preferenceAt(in, e, files.At))
		}
	}
	out.Entries = append(out.Entries, own...)
	return out, err
}

// BlameRules returns, for each line of a committed file of the repository's rules, its author, time and commit.
func (ed *Editor) BlameRules(ctx context.Context, path string) (Blamed, error) {
	out := Blamed{Path: ed.ws.Clean(path), Lines: []BlameLine{}}
	p, err := ed.ws.Place(ctx)
	if err != nil {
		return out, err
	}
	repo, err := ed.ws.Repository(p)
	if err != nil {
		return out, err
	}
	if repo == nil {
		return out, p.NoRepository(ed.ws.Options.Dir)
	}
	lines, err := repo.Blame(ctx, "HEAD", path, 0, 0)
	if err != nil {
		reason := out.Path + " is in no commit of the repository"
		return out, &messages.Refusal{Reason: reason, Advice: "commit it first", Err: messages.ErrNotFound}
	}
	texts := slice.Map(lines, func(l git.BlameLine) string { return strings.ToValidUTF8(l.Text, "\uFFFD") })
	shown := strings.Split(ed.ws.Redactor.Lines(strings.Join(texts, "\n")), "\n")
	commits := map[string]git.Commit{}
	for i, l := range lines {
		c, known := commits[l.Commit]
		if !known {
			if c, err = repo.Commit(l.Commit); err != nil {
				return out, err
			}
			commits[l.Commit] = c
		}
		b := BlameLine{Line: l.Line, Text: shown[i], Commit: l.Commit, Time: messages.Instant(c.Author.When)}
		b.Why = ed.ws.Clean(c.Author.Name + ": " + c.Subject)
		out.Lines = append(out.Lines, b)
	}
	return out, nil
}
