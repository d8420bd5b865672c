package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

const (
	projectsDir = "gitmem/projects"
	projectFile = "project.md"
	profileFile = "gitmem/profile.md"
)

// Identity is the information by which the project of a checkout is found.
type Identity struct {
	Remotes []string // as returned by NormaliseRemote, origin first
	Root    string   // id of the root commit; may be empty
	Folder  string   // absolute path of the checkout
}

// distinct returns the identity with redacted but still distinct names, which may become paths and are looked up in
// project.md.
func (id Identity) distinct(r *redact.Redactor) Identity {
	remotes := slices.Clone(id.Remotes)
	for i, remote := range remotes {
		remotes[i] = r.Distinct(remote)
	}
	return Identity{remotes, id.Root, r.Distinct(id.Folder)}
}

// Checkout is a folder of a project on one machine.
type Checkout struct{ Machine, Path string }

// Project is one project's memory. Without a project.md it is only computed.
type Project struct {
	ID        string     // host/owner/repo, local/<root commit> or path/<hash of the folder>
	Dir       string     // slash path below the store's root
	Exists    bool       // project.md exists
	Remotes   []string   // every known remote
	Roots     []string   // every known root commit
	Checkouts []Checkout // every known checkout
	Linked    []string   // ids of other projects whose memory is shared with this one
}

// Aliases returns the other ids by which the project may be named.
func (p Project) Aliases() []string {
	names := slices.Clone(p.Remotes)
	for _, r := range p.Roots {
		names = append(names, "local/"+r)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == p.ID })
}

// Folders returns the paths of the project's checkouts on all machines.
func (p Project) Folders() []string {
	var paths []string
	for _, at := range p.Checkouts {
		paths = append(paths, at.Path)
	}
	return paths
}

// Files returns the paths of the files that describe the project, for a commit: project.md if it exists.
func (p Project) Files() []string {
	if !p.Exists {
		return nil
	}
	return []string{path.Join(p.Dir, projectFile)}
}

// Identify returns the project that follows from an identity alone, without access to a store.
func Identify(id Identity) Project { return identify(id.distinct(redact.New())) }

func identify(id Identity) Project {
	name := ""
	switch {
	case len(id.Remotes) > 0:
		name = shortID(id.Remotes[0])
	case id.Root != "":
		name = "local/" + id.Root
	case id.Folder != "":
		name = "path/" + ShortHash(filepath.ToSlash(id.Folder))
	default:
		return Project{}
	}
	p := Project{ID: name, Dir: path.Join(projectsDir, escapeID(name)), Remotes: slices.Clone(id.Remotes)}
	if id.Root != "" {
		p.Roots = []string{id.Root}
	}
	if id.Folder != "" {
		p.Checkouts = []Checkout{{Path: id.Folder}}
	}
	return p
}

// ProjectOf returns the id of the project that a path in gitmem/projects belongs to. The id ends before the first
// segment with a meaning inside a project.
func ProjectOf(rel string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(rel, projectsDir+"/")
	if !ok {
		return "", false
	}
	segs := strings.Split(rest, "/")
	end := slices.IndexFunc(segs, insideProject)
	if end < 0 {
		end = len(segs) - 1
	}
	if end < 1 {
		return "", false
	}
	return unescapeID(strings.Join(segs[:end], "/"))
}

// Project returns the project of a checkout: one that shares a remote with it, or the root commit if one of the two has
// no remote, else the result of Identify. A fork is a separate project. A folder decides only if neither a remote nor a
// root commit is known, or if the remote of a checkout has changed. With create, Project creates a missing project.md
// and adds the parts of the identity that it does not list, so that the project is found again after a rename or on
// another machine; the change is not committed. Without create nothing is written.
func (s *Store) Project(ctx context.Context, id Identity, create bool) (Project, error) {
	id = id.distinct(s.o.Redactor)
	computed := identify(id)
	if computed.ID == "" {
		return Project{}, errors.New("project: neither a remote nor a root commit nor a folder is given")
	}
	p, err := s.findProject(id, computed)
	if err != nil || !create || p.Exists && len(s.missingLists(p, id)) == 0 {
		return p, err
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return p, err
	}
	defer unlock()
	if p, err = s.findProject(id, computed); err != nil {
		return p, err
	}
	err = s.saveProject(ctx, p, s.missingLists(p, id))
	s.resetCheckouts()
	if err != nil {
		return p, fmt.Errorf("project %s: %w", p.ID, err)
	}
	return s.findProject(id, computed)
}

// findProject tries the folder of the first remote, which needs no search, then all projects.
func (s *Store) findProject(id Identity, computed Project) (Project, error) {
	direct, err := s.readProject(computed.Dir)
	if err == nil && direct.Exists {
		return direct, nil
	}
	if err != nil {
		return computed, err
	}
	all, err := s.Projects()
	if err != nil {
		return computed, err
	}
	return choose(all, id, computed, s.o.Machine), nil
}

// choose returns the project of an identity among all, or the computed one.
func choose(all []Project, id Identity, computed Project, machine string) Project {
	for _, remote := range id.Remotes {
		if i := slices.IndexFunc(all, func(p Project) bool { return p.hasRemote(remote) }); i >= 0 {
			return all[i]
		}
	}
	here := Checkout{machine, listed(id.Folder)}
	kin := slices.DeleteFunc(slices.Clone(all), func(p Project) bool {
		known := slices.Contains(p.Checkouts, here)
		return !p.HasRoot(id.Root) || len(id.Remotes) > 0 && p.hasRemotes() && !known
	})
	if i := slices.IndexFunc(kin, func(p Project) bool { return slices.Contains(p.Checkouts, here) }); i >= 0 {
		return kin[i]
	}
	if len(kin) == 1 { // several forks are ambiguous
		return kin[0]
	}
	for _, p := range all {
		if p.unnamed() && slices.Contains(p.Checkouts, here) {
			return p
		}
	}
	return computed
}

// hasRemote also compares the id itself, because people may have edited the list.
func (p Project) hasRemote(remote string) bool {
	key := remoteKey(remote)
	return remoteKey(p.ID) == key ||
		slices.ContainsFunc(p.Remotes, func(r string) bool { return remoteKey(r) == key })
}

// hasRemotes reports whether a remote identifies the project.
func (p Project) hasRemotes() bool {
	return len(p.Remotes) > 0 || !strings.HasPrefix(p.ID, "path/") && !strings.HasPrefix(p.ID, "local/")
}

// Claimed reports whether a project identified by a folder or a root commit has become another checkout's meanwhile: it
// has a remote, or none of these root commits.
func (p Project) Claimed(roots []string) bool {
	return p.hasRemotes() || len(p.Roots) > 0 && !slices.ContainsFunc(roots, p.HasRoot)
}

// HasRoot reports whether the history begins with a commit. It also compares the id itself, as hasRemote does.
func (p Project) HasRoot(root string) bool {
	return root != "" && (p.ID == "local/"+root || slices.Contains(p.Roots, root))
}

// unnamed reports whether a project is identified by its folders only.
func (p Project) unnamed() bool {
	return len(p.Remotes) == 0 && len(p.Roots) == 0 && strings.HasPrefix(p.ID, "path/")
}

// missingLists returns the parts of an identity that a project does not list.
func (s *Store) missingLists(p Project, id Identity) projectLists {
	l := projectLists{}
	add := func(key, item string, known bool) {
		if !(p.Exists && known) && !slices.Contains(l[key], item) {
			l[key] = append(l[key], item)
		}
	}
	for _, r := range id.Remotes {
		add("remotes", r, slices.Contains(p.Remotes, r))
	}
	if id.Root != "" {
		add("roots", id.Root, slices.Contains(p.Roots, id.Root))
	}
	if here := (Checkout{s.o.Machine, listed(id.Folder)}); id.Folder != "" {
		add("folders", here.item(), slices.Contains(p.Checkouts, here))
	}
	return l
}

// Named returns the project of an id, as its project.md describes it.
func (s *Store) Named(id string) (Project, error) {
	return s.readProject(path.Join(projectsDir, escapeID(id)))
}

// Link joins two projects, or separates them with undo: each project.md lists the other project. Both must have a
// project.md. Nothing is committed.
func (s *Store) Link(ctx context.Context, a, b Project, undo bool) error {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	defer s.resetCheckouts()
	for _, pair := range [][2]Project{{a, b}, {b, a}} {
		of, other := pair[0], pair[1].ID
		err := s.rewriteLocked(ctx, path.Join(of.Dir, projectFile), func(old []byte) ([]Insertion, error) {
			if undo {
				return projectRemovals(old, "linked", other)
			}
			return projectAdditions(old, of.ID, projectLists{"linked": {other}}, s.o.Redactor.Clean), parseProject(old).err
		})
		if err != nil {
			return fmt.Errorf("project %s: %w", of.ID, err)
		}
	}
	return nil
}

// readProject reads the project.md of a folder. A missing file is not an error.
func (s *Store) readProject(dir string) (Project, error) {
	id, ok := unescapeID(strings.TrimPrefix(dir, projectsDir+"/"))
	if !ok {
		return Project{}, fmt.Errorf("%s: the folder's name can't be read", dir)
	}
	p := Project{ID: id, Dir: dir}
	b, _, err := s.disk.readPlain(path.Join(dir, projectFile))
	if isMissing(err) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("%s/%s: %w", dir, projectFile, err)
	}
	p, err = p.described(b)
	if err != nil {
		s.o.Warn(fmt.Sprintf("%s/%s can't be understood: %v", dir, projectFile, err))
	}
	return p, nil
}

// described returns a project with the lists of its project.md.
func (p Project) described(b []byte) (Project, error) {
	meta := parseProject(b)
	p.Exists, p.Remotes, p.Roots, p.Linked = true, meta.items("remotes"), meta.items("roots"), meta.items("linked")
	for _, item := range meta.items("folders") {
		p.Checkouts = append(p.Checkouts, parseCheckout(item))
	}
	return p, meta.err
}

// saveProject creates project.md or adds to it. The caller holds the lock.
func (s *Store) saveProject(ctx context.Context, p Project, add projectLists) error {
	rel := path.Join(p.Dir, projectFile)
	if !Allowed(rel) {
		return fmt.Errorf("%q: %w", rel, ErrNotAllowed)
	}
	if !p.Exists {
		text := []byte(s.o.Redactor.Clean(renderProject(p.ID, add)).String())
		err := s.createWhole(rel, text, false)
		if err == nil {
			return s.setAside(undoneEdit{path: rel, wrote: text})
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return s.rewriteLocked(ctx, rel, func(old []byte) ([]Insertion, error) {
		return projectAdditions(old, p.ID, add, s.o.Redactor.Clean), nil
	})
}

// Projects returns all projects that have a project.md, sorted by id. Unreadable ones are reported through Options.Warn
// and omitted.
func (s *Store) Projects() ([]Project, error) {
	var all []Project
	// No segment of a project's name is a name that has a meaning inside a project, so the many files there need not be
	// visited.
	enter := func(name string) bool { return safeSegment(name) && !insideProject(name) }
	err := s.eachBelow(projectsDir, enter, func(rel string, d fs.DirEntry) {
		if d.Name() != projectFile || !d.Type().IsRegular() || !Allowed(rel) {
			return
		}
		p, err := s.readProject(path.Dir(rel))
		if err != nil {
			s.o.Warn("project left out: " + err.Error())
			return
		}
		all = append(all, p)
	})
	slices.SortFunc(all, func(a, b Project) int { return strings.Compare(a.ID, b.ID) })
	if err != nil {
		return all, fmt.Errorf("list projects: %w", err)
	}
	return all, nil
}
