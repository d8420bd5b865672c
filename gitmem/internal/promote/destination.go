package promote

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/branch"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

// destination is the destination of a rule.
type destination struct {
	place     *workspace.Place
	repo      branch.Repo
	remote    string // remote that the rule is proposed to, "" for none
	name      string // its branch
	base      string // its commit, "" for the work tree
	forge     forge.Remote
	onForge   bool
	push      string // remote to push to
	headOwner string // owner of that repository on the forge
}

// repo returns the repository of a workspace location.
func (pr *Promoter) repo(p *workspace.Place) branch.Repo {
	return branch.Repo{GitDir: p.Loc.GitDir, WorkTree: p.Loc.WorkTree, Temp: pr.ws.Options.TempDir,
		Environ: pr.ws.Options.Environ}
}

// destination derives the destination from git's remotes alone: upstream, origin, or the first one.
func (pr *Promoter) destination(ctx context.Context, p *workspace.Place, local bool) (d destination, err error) {
	d = destination{place: p, repo: pr.repo(p)}
	if local {
		if p.Loc.WorkTree == "" {
			return d, &messages.Refusal{Reason: "a bare repository has no files to write a rule into",
				Advice: "propose it without --local", Err: messages.ErrUsage}
		}
		return d, nil
	}
	repo, err := pr.ws.Repository(p)
	if err != nil {
		return d, err
	}
	if repo != nil {
		d.remotes(ctx, pr, repo)
	}
	return d, pr.base(ctx, &d)
}

// remotes finds the remotes to push the rule to and to propose it to.
func (d *destination) remotes(ctx context.Context, pr *Promoter, repo *git.Repository) {
	list, _ := repo.RemoteURLs(pr.ws.Options.Getenv) // errors were already reported with the place
	list = slices.DeleteFunc(list, func(r git.Remote) bool { return len(r.URLs) == 0 || strings.HasPrefix(r.Name, "-") })
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b git.Remote) int {
		return cmp.Compare(forge.RemoteRank(a.Name), forge.RemoteRank(b.Name))
	})
	forges := pr.src.Forges(d.place)
	d.remote, d.push = list[0].Name, list[0].Name
	d.forge, d.onForge = forges.ForgeOf(list[0].URLs[0])
	d.onForge = d.onForge && slices.ContainsFunc(forges.Remotes, func(r forge.Remote) bool {
		return r.Key() == d.forge.Key()
	})
	d.headOwner = path.Dir(d.forge.Path)
	for _, r := range list[1:] {
		own, ok := forges.ForgeOf(r.URLs[0])
		if r.Name == "origin" && ok && own.Host == d.forge.Host { // a fork of the first one
			d.push = r.Name
			d.headOwner = path.Dir(own.Path)
		}
	}
	if own, ok := forges.ForgeOf(d.repo.PushURL(ctx, d.push)); ok && own.Host == d.forge.Host {
		d.headOwner = path.Dir(own.Path)
	}
}

// request returns the forge's name for a proposal.
func (d destination) request() string {
	if d.forge.Kind == providers.GitLab {
		return "merge request"
	}
	return "pull request"
}

// sign returns the sign before the number of a proposal.
func (d destination) sign() string {
	kind, _ := providers.ForgeOf(d.forge.Kind)
	return kind.Threads[0].Sign
}

// base finds the commit on which the rule is based, as recent as is known.
func (pr *Promoter) base(ctx context.Context, d *destination) (err error) {
	const advice = "or write the rule into the work tree with --local"
	if d.remote == "" {
		d.name = cmp.Or(d.repo.CurrentBranch(ctx), "HEAD")
		if d.base, err = d.repo.Commit(ctx, "HEAD"); err == nil && d.base == "" {
			err = &messages.Refusal{Reason: "the repository has no commit yet", Advice: "commit something first, " + advice,
				Err: messages.ErrNotFound}
		}
		return err
	}
	online := !pr.ws.IsOffline()
	names := []string{"main", "master"}
	if name := d.repo.DefaultBranch(ctx, d.remote, online); name != "" {
		names = []string{name}
	}
	for _, d.name = range names {
		if online {
			if err := d.repo.Fetch(ctx, d.remote, d.name); err != nil {
				pr.ws.Caveat("%s could not be asked for what is new, so that the rule is put on what is known of it: %s", d.remote,
					messages.OneLine(pr.ws.Clean(plain.Text(err)), 300))
			}
		}
		if d.base, err = d.repo.Commit(ctx, "refs/remotes/"+d.remote+"/"+d.name); err != nil || d.base != "" {
			return err
		}
	}
	// Local commits, such as those of HEAD, must not be pushed with a rule.
	return &messages.Refusal{Reason: "nothing is known of " + d.remote + ", which a rule would be proposed to",
		Advice: "run git fetch " + d.remote + ", or git push, " + advice, Err: messages.ErrNotFound}
}

// rules returns the existing files of rules.
func (d destination) rules(ctx context.Context) (list []ruleFile, err error) {
	files, err := d.repo.Files(ctx, cmp.Or(d.base, "HEAD"))
	if d.base == "" {
		places := ingest.RulePlaces() // before the first commit there are no others
		for _, f := range files {
			if docs.Rules(f.Path) && !slices.Contains(places, f.Path) {
				places = append(places, f.Path)
			}
		}
		if list, err = d.rulesOnDisk(places); err != nil {
			return nil, err
		}
		return withImports(list, func(name string) ([]byte, bool) {
			found, err := d.rulesOnDisk([]string{name})
			if err != nil || len(found) != 1 {
				return nil, false
			}
			return found[0].text, !found[0].link
		}), nil
	}
	for _, f := range files {
		switch {
		case path.Ext(f.Path) != ".md" || !isRules(f.Path):
		case !f.Regular():
			list = append(list, ruleFile{path: f.Path, link: true})
		default:
			text, err := d.repo.Read(ctx, f)
			if err != nil {
				return nil, err
			}
			list = append(list, ruleFile{path: f.Path, text: text})
		}
	}
	return withImports(list, func(name string) ([]byte, bool) { return d.read(ctx, name) }), err
}

// isRules reports whether a file of a commit is a file of rules.
func isRules(name string) bool {
	return docs.Rules(name) || slices.ContainsFunc(ingest.RulePlaces(), func(place string) bool {
		return workspace.Below(name, place)
	})
}

// withImports adds the files that files of rules import.
func withImports(list []ruleFile, read func(name string) ([]byte, bool)) []ruleFile {
	file := func(name string) (cite.File, bool) { return cite.File{Path: name}, true }
	texts := map[string][]byte{}
	all := slice.Map(list, func(f ruleFile) cite.File {
		texts[f.path] = f.text
		return cite.File{Path: f.path}
	})
	all = ingest.WithImports(all, file, func(f cite.File) ([]byte, bool) {
		text, known := texts[f.Path]
		if !known {
			if text, known = read(f.Path); known {
				texts[f.Path] = text
			}
		}
		return text, known
	})
	for _, f := range all[len(list):] {
		list = append(list, ruleFile{path: f.Path, text: texts[f.Path]})
	}
	return list
}

func (d destination) rulesOnDisk(places []string) (list []ruleFile, err error) {
	root, err := os.OpenRoot(d.repo.WorkTree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, at := range places {
		err := fs.WalkDir(root.FS(), at, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil || e.IsDir() || path.Ext(name) != ".md": // unreadable files have no text
				return nil
			case !e.Type().IsRegular():
				list = append(list, ruleFile{path: name, link: true})
				return nil
			}
			text, err := root.ReadFile(name)
			list = append(list, ruleFile{path: name, text: text})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read reads a file of the commit on which the rule is based.
func (d destination) read(ctx context.Context, name string) ([]byte, bool) {
	files, err := d.repo.Files(ctx, d.base, name)
	if err != nil || len(files) != 1 || !files[0].Regular() {
		return nil, false
	}
	text, err := d.repo.Read(ctx, files[0])
	return text, err == nil
}
