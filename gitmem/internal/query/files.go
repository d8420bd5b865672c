package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// Files contains the Markdown files of memory in the project's scope, and its rules, at a moment.
type Files struct {
	At      time.Time // the moment
	List    []File
	Caveats []string
}

// File is a Markdown file of memory or of rules.
type File struct {
	Project string // its id, "" for the user's own
	Path    string // as cited: relative to the root of memory or the top of the repository, the user's own with ~/
	Kind    string // memory, rules, decisions, tasks, orders, profile, archive, logs or plans
	Text    string // without secrets and forgotten text, "" if not requested
}

// Files lists the files in the project's scope, including its own and the user's rules, at a moment, see [Filter].AsOf.
// It reads the text of wanted files.
func (rd *Reader) Files(ctx context.Context, asOf string, wanted func(File) bool) (Files, error) {
	return rd.FilesOf(ctx, asOf, "", wanted)
}

// FilesOf is Files for a project that a person names, see [Filter].Project.
func (rd *Reader) FilesOf(ctx context.Context, asOf, project string, wanted func(File) bool) (Files, error) {
	out := Files{}
	rd, leave, err := rd.asOf(ctx, asOf)
	if err != nil {
		return out, err
	}
	defer leave()
	out.At = rd.ws.Now()
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return out, err
	}
	inScope, err := rd.ws.ScopeOf(ctx, project)
	if err != nil {
		return out, err
	}
	r, err := rd.src.Resolver(p, false)
	if err != nil {
		return out, err
	}
	for _, t := range r.Trees {
		files, err := t.Files()
		if err != nil {
			rd.ws.Caveat("Some files can't be listed: %v", err)
		}
		for _, f := range files {
			if inScope != nil && !inScope(f.Project) || rd.ws.ExcludedMemory(f.Path, f.Project) != "" {
				continue
			}
			file := File{Project: f.Project, Path: rd.ws.Redactor.Path(f.Path), Kind: kindOf(f)}
			if wanted(file) {
				b, err := t.Read(f)
				if err != nil {
					rd.ws.Caveat("%s can't be read: %v", file.Path, err)
					continue
				}
				file.Text = rd.ws.Redactor.Lines(string(b))
			}
			out.List = append(out.List, file)
		}
	}
	slices.SortStableFunc(out.List, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	out.Caveats = messages.Filled(rd.ws.Caveats)
	return out, nil
}

// kindOf returns the kind of a file.
func kindOf(f cite.File) string {
	switch {
	case f.Path == profile.File:
		return "profile"
	case f.Area == cite.AreaProfile:
		return "orders"
	}
	return map[cite.Area]string{
		cite.AreaRules: "rules", cite.AreaMemory: "memory", cite.AreaDecision: "decisions", cite.AreaTasks: "tasks",
		cite.AreaArchive: "archive", cite.AreaObservations: "logs", cite.AreaPlan: "plans",
	}[f.Area]
}
