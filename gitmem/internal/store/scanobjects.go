package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ObjectStats count what the object database holds on disk. Sizes are in bytes.
type ObjectStats struct {
	Loose, Packs, Temps       int
	LooseBytes, PackBytes     int64
	WantsPacking              bool // git gc --auto would pack
	temps, packs, packIndexes []string
}

// keptDamaged is how long a damaged object that was made anew is kept.
const keptDamaged = 24 * time.Hour

// damagedPrefix begins the names of such.
const damagedPrefix = "tmp_obj_damaged_"

// isObjectTemp says whether git, or we, write objects under a name until they are
// whole. For what is pushed to us that is a folder.
func isObjectTemp(name string) bool {
	return strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".tmp-")
}

// Objects counts loose objects and packs, and finds packs without their index,
// indexes without their pack and what processes that died left behind. The last
// can be put right by [Store.SweepObjects].
func (s *Store) Objects() (ObjectStats, []Trouble, error) {
	st := ObjectStats{}
	if err := s.repository(); err != nil {
		return st, nil, err
	}
	err := s.eachObjectFile(func(rel string, fi fs.FileInfo) { st.count(rel, fi, s.o.Now()) })
	if err != nil {
		return st, nil, err
	}
	st.WantsPacking, err = s.wantsPacking()
	var found []Trouble
	for _, rel := range st.temps {
		found = append(found, Trouble{Level: Warn, Path: rel, Fixable: true, Detail: "was left by a process that died"})
	}
	stem := func(list []string, suffix string) []string {
		out := make([]string, len(list))
		for i, p := range list {
			out[i] = strings.TrimSuffix(p, suffix)
		}
		return out
	}
	packs, indexes := stem(st.packs, ".pack"), stem(st.packIndexes, ".idx")
	for _, p := range packs {
		if !slices.Contains(indexes, p) {
			found = append(found, Trouble{Level: Fail, Path: p + ".pack", Detail: "has no index, so nothing in it can be read"})
		}
	}
	for _, p := range indexes {
		if !slices.Contains(packs, p) {
			found = append(found, Trouble{Level: Fail, Path: p + ".idx", Detail: "is the index of a pack that is gone"})
		}
	}
	return st, found, err
}

func (st *ObjectStats) count(rel string, fi fs.FileInfo, now time.Time) {
	dir, name := path.Dir(rel), path.Base(rel)
	switch {
	case isObjectTemp(name):
		stale := workTime // who is at work writes to it
		if strings.HasPrefix(name, damagedPrefix) {
			stale = keptDamaged
		}
		if st.Temps++; now.Sub(fi.ModTime()) > stale {
			st.temps = append(st.temps, rel)
		}
	case strings.HasSuffix(name, ".pack"):
		st.Packs, st.PackBytes, st.packs = st.Packs+1, st.PackBytes+fi.Size(), append(st.packs, rel)
	case strings.HasSuffix(name, ".idx"):
		st.packIndexes = append(st.packIndexes, rel)
	case len(path.Base(dir)) == 2:
		st.Loose, st.LooseBytes = st.Loose+1, st.LooseBytes+fi.Size()
	}
}

// eachObjectFile calls f for each file below objects, two levels deep.
func (s *Store) eachObjectFile(f func(rel string, fi fs.FileInfo)) error {
	top := s.gitPath("objects")
	dirs, err := s.readDir(top)
	if err != nil {
		return err
	}
	var errs []error
	see := func(rel string, d fs.DirEntry) {
		if fi, err := d.Info(); err == nil && (fi.Mode().IsRegular() || isObjectTemp(d.Name())) {
			f(rel, fi)
		}
	}
	for _, d := range dirs {
		rel := top + "/" + d.Name()
		if !d.IsDir() || isObjectTemp(d.Name()) {
			see(rel, d)
			continue
		}
		entries, err := s.readDir(rel)
		errs = append(errs, err)
		for _, e := range entries {
			see(rel+"/"+e.Name(), e)
		}
	}
	return errors.Join(errs...)
}

// SweepObjects removes the temporary files of troubles that [Store.Objects] found.
func (s *Store) SweepObjects(found []Trouble) error {
	var errs []error
	for _, t := range found {
		if t.Fixable && strings.HasPrefix(t.Path, s.gitPath("objects")+"/") {
			errs = append(errs, s.disk.root.RemoveAll(t.Path))
		}
	}
	return errors.Join(errs...)
}

// objectSizes returns the disk space of every object, reachable or not.
func (s *Store) objectSizes(ctx context.Context) (map[hash]int64, error) {
	out, err := s.ourGit(ctx, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize:disk)", "--unordered")
	all := map[hash]int64{}
	for line := range strings.Lines(string(out)) {
		name, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id, ok := parseHash(name); ok {
			all[id], _ = strconv.ParseInt(size, 10, 64) // a number, as git writes it
		}
	}
	return all, err
}

// rootIDs returns the objects from which everything that counts is reached: those
// that references, reflogs, HEAD and its kin name.
func (s *Store) rootIDs() (ids []hash, err error) {
	seen := map[hash]bool{}
	add := func(text string) {
		id, ok := parseHash(text)
		if ok && !id.isZero() && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	h, err := s.head()
	if err != nil {
		return nil, err
	}
	add(h.id.String())
	err = s.eachGitFile(func(rel string, _ fs.DirEntry) error {
		below := strings.TrimPrefix(rel, s.gitDir+"/")
		isRef := strings.HasPrefix(below, "refs/") || below == "packed-refs" || strings.HasSuffix(below, "_HEAD")
		if !isRef && !strings.HasPrefix(below, "logs/") {
			return nil
		}
		b, err := s.disk.readFile(rel)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for line := range strings.Lines(string(b)) {
			first, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			add(strings.TrimPrefix(first, "^"))
			if !isRef {
				second, _, _ := strings.Cut(rest, " ")
				add(second)
			}
		}
		return err
	})
	return ids, err
}

// Integrity lets git read every object, and tells those that a reference, or with
// deep a reflog, reaches and that are missing or damaged. Those that a file or git's
// index has can be put right by [Store.Restore]. It returns how many objects there
// are. Without git nothing is read, which is told.
func (s *Store) Integrity(ctx context.Context, deep bool) ([]Trouble, int, error) {
	if err := s.repository(); err != nil {
		return nil, 0, err
	}
	args := []string{"fsck", "--full", "--no-dangling", "--no-progress", "--name-objects"}
	if !deep {
		args = append(args, "--no-reflogs")
	}
	out, err := s.gitOn(ctx, s.GitDir(), args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return []Trouble{{Detail: "objects were not checked: git is not installed"}}, 0, nil
	case err != nil && !errors.As(err, &exit):
		return nil, 0, fmt.Errorf("git fsck: %w", err)
	}
	found := s.fsckTroubles(string(out))
	if err != nil && len(found) == 0 {
		return nil, 0, fmt.Errorf("git fsck: %w: %s", err, out)
	}
	all, err := s.objectSizes(ctx)
	if len(found) > 0 {
		err = nil
	}
	return found, len(all), err
}

// fsckTroubles reads what git fsck tells. It takes what it can't read for missing,
// after an error that names it. Where nothing is missing, the errors count.
func (s *Store) fsckTroubles(out string) (found []Trouble) {
	damaged := map[string]bool{}
	var errs []Trouble
	hex := regexp.MustCompile("[0-9a-f]{40}")
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		f := strings.Fields(line)
		switch {
		case len(f) > 2 && f[0] == "missing": // blob <id> (HEAD:path)
			_, at, _ := strings.Cut(strings.TrimSuffix(line, ")"), ":")
			n := need{kind: f[1], path: strings.TrimSuffix(at, "/")}
			n.id, _ = parseHash(f[2])
			how := "is missing"
			if damaged[f[2]] {
				how = "is damaged"
			}
			found = append(found, Trouble{Level: Fail, Path: n.path, Object: f[2], Fixable: s.restorable(n),
				Detail: fmt.Sprintf("its %s %.12s %s", f[1], f[2], how)})
		case strings.HasPrefix(line, "error") || strings.HasPrefix(line, "fatal: "):
			for _, id := range hex.FindAllString(line, -1) {
				damaged[id] = damaged[id] || !strings.Contains(line, "invalid ") // which is what names it
			}
			errs = append(errs, Trouble{Level: Fail, Path: s.gitPath("objects"), Detail: "is damaged: git fsck says " + line})
		}
	}
	if len(found) == 0 {
		return errs
	}
	return found
}

// need is an object that something refers to.
type need struct {
	id         hash
	kind, path string
}

// modeLink is a commit of another repository in a tree.
const modeLink = 0o160000

// parentsOf returns the parents that the body of a commit names.
func parentsOf(body []byte) []hash {
	var out []hash
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "parent "); ok {
			if id, ok := parseHash(name); ok {
				out = append(out, id)
			}
		} else if !strings.HasPrefix(line, "tree ") {
			break
		}
	}
	return out
}

// restorable says whether an object can be made again: a blob from the file at its
// path, a tree from git's index.
func (s *Store) restorable(n need) bool {
	switch n.kind {
	case "blob":
		body, _, err := s.disk.readPlain(n.path)
		return err == nil && hashObject("blob", body) == n.id
	case "tree":
		trees := s.indexTrees()
		return trees != nil && trees.items[n.id].kind == "tree"
	}
	return false
}

// indexTrees returns the trees that git's index makes, nil where it makes none.
func (s *Store) indexTrees() *batch {
	b, err := s.disk.readFile(s.gitPath("index"))
	if err != nil {
		return nil
	}
	ix, err := parseIndex(b)
	if err != nil {
		return nil
	}
	var changes []change
	for _, e := range ix.entries {
		if e.stage() != 0 {
			return nil
		}
		changes = append(changes, change{string(e.name), e.mode(), e.id()})
	}
	w := &treeWriter{batch: s.objects.batch()}
	if _, err := w.apply(hash{}, "", changes); err != nil {
		return nil
	}
	return w.batch
}

// Restore makes the objects of troubles that [Store.Integrity] found anew from the
// files and git's index. A damaged file of an object is kept beside, under a name
// that git takes for a temporary one.
func (s *Store) Restore(ctx context.Context, found []Trouble) error {
	return s.locked(ctx, func(context.Context, *gitLock) error {
		out := s.objects.batch()
		trees := s.indexTrees()
		for _, t := range found {
			id, ok := parseHash(t.Object)
			if !t.Fixable || !ok {
				continue
			}
			if trees != nil && trees.items[id].kind == "tree" {
				out.add("tree", trees.items[id].body)
			} else if body, _, err := s.disk.readPlain(t.Path); err == nil && hashObject("blob", body) == id {
				out.add("blob", body)
			} else {
				continue
			}
			aside := s.gitPath("objects/" + damagedPrefix + t.Object)
			if err := s.disk.rename(s.objects.loosePath(id), aside); err != nil && !isMissing(err) {
				return err
			}
		}
		dirs, err := out.flush(true)
		return errors.Join(err, s.disk.syncDirs(dirs))
	})
}

// readWhole reads a file of ours that may be large or no plain file: at most limit
// bytes of it.
func (s *Store) readWhole(rel string, limit int64) ([]byte, error) {
	f, err := os.Open(s.abs(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
