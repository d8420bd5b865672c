package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/markdown"
)

// synced returns the reference to the common state of this machine and a remote after their last synchronisation. A
// purge rewrites it, but not what git fetched, so it shows what each of two histories has added even after one of them
// was purged.
func synced(remote string) string { return "refs/gitmem/synced/" + remote }

// parted reports which of two histories contain a commit that forget --history has replaced.
type parted struct {
	ours, theirs bool
	set          *tombstone.Set // what either side has forgotten
}

// parted examines the commits that only one of two histories has.
func (y *Syncer) parted(ctx context.Context, ours, theirs string) (p parted, err error) {
	s := y.ws.Store
	list, err := s.ReadMaybe(theirs, tombstone.File)
	if err != nil {
		return p, err
	}
	mine, err := s.ReadMaybe("", tombstone.File)
	if err != nil {
		return p, err
	}
	p.set = tombstone.ParseSet(slices.Concat(list, []byte("\n"), mine))
	if !p.set.HasCommits() {
		return p, nil
	}
	for _, side := range []struct {
		from, not string
		holds     *bool
	}{{ours, theirs, &p.ours}, {theirs, ours, &p.theirs}} {
		commits, err := s.Between(ctx, side.not, side.from)
		if err != nil {
			return p, err
		}
		*side.holds = slices.ContainsFunc(commits, p.set.HasCommit)
	}
	return p, nil
}

// plan returns the plan of a merge with a commit of the remote. If one of the histories was purged, they have no usable
// common ancestor: the merge base is the state after the last synchronisation, and only the purged history is kept.
func (y *Syncer) plan(ctx context.Context, o Options, r *Report, ours, theirs string) (*store.MergePlan, error) {
	s := y.ws.Store
	p, err := y.parted(ctx, ours, theirs)
	switch {
	case err != nil:
		return nil, err
	case p.theirs && !o.Purge:
		return nil, fmt.Errorf("%w: %s still has what gitmem forget --history removed here: "+
			"gitmem sync --purge replaces its history", ErrPurged, r.Remote)
	case (p.ours || p.theirs) && !y.purged:
		return nil, y.purge(ctx, p.set)
	case p.ours && !o.Purge:
		return nil, fmt.Errorf("%w: another machine has replaced commits that are here, and its list of what was "+
			"forgotten does not say what is gone from them: gitmem sync --purge takes its history and deletes "+
			"the one of this machine", ErrPurged)
	case !y.purged:
		return s.PlanMerge(ctx, theirs, nil)
	}
	common, err := s.Ref(synced(r.Remote))
	if err != nil {
		return nil, err
	}
	plan, err := s.PlanMerge(ctx, theirs, strings.Fields(common))
	if err != nil {
		return nil, err
	}
	r.Replaced, y.drops = true, p.ours && !p.theirs
	if p.theirs {
		plan.Parents = []string{ours}
	}
	return plan, nil
}

// purger removes from commits what any machine has forgotten.
type purger struct {
	tombstone.Cutter
	src     *ingest.Sources
	folders map[string]string
}

// afterMerge removes forgotten and manually deleted text from a merged file. Text that another machine wrote meanwhile
// into a deleted part stays as conflicts at the end.
func (p purger) afterMerge(path string, base, tree []byte) []byte {
	f := p.src.FileOf(p.folders, path)
	tree, _ = p.Cut(f, tree)
	left, cut := p.AfterMerge(f, tree)
	var notes []byte
	for _, line := range cut {
		text, _ := markdown.CutBullet(strings.TrimSpace(line))
		if id := strings.LastIndex(text, " ^"); id > 0 && !strings.Contains(text[id+1:], " ") {
			text = text[:id]
		}
		derived := strings.HasPrefix(text, "#") || strings.HasPrefix(text, cite.HeadStart) ||
			strings.HasPrefix(text, "wrote: ")
		if text != "" && !derived && !bytes.Contains(base, []byte(text)) {
			notes = append(notes, "- "+messages.ConflictMark+text+"\n"...)
		}
	}
	if len(notes) == 0 {
		return left
	}
	if left == nil { // keep its title for them
		d := markdown.Parse(tree)
		left = tree
		if len(d.Sections) > 1 {
			left = tree[:d.Sections[1].Heading.Start]
		}
	}
	return slices.Concat(bytes.TrimRight(left, "\r\n"), []byte("\n\n"), notes)
}

func (y *Syncer) purger(set *tombstone.Set) purger {
	return purger{tombstone.Cutter{Set: set, Redactor: y.ws.Redactor}, y.src, y.ws.Folders()}
}

// File implements [store.Purge].
func (p purger) File(path string, content []byte) []byte {
	out, _ := p.Cut(p.src.FileOf(p.folders, path), content)
	return out
}

// purge removes from our history what the other machines have forgotten, too, before our history replaces that of the
// remote or is replaced by it. The remote must be fetched again afterwards.
func (y *Syncer) purge(ctx context.Context, set *tombstone.Set) error {
	y.purged = true
	p := y.purger(set)
	if err := y.cutFiles(ctx, p); err != nil {
		return err
	}
	if _, err := y.ws.Store.Purge(ctx, p); err != nil {
		return err
	}
	return store.ErrRejected
}

// cutFiles removes forgotten text from the files on disk, and commits that: otherwise they would bring it back into the
// history.
func (y *Syncer) cutFiles(ctx context.Context, p purger) error {
	s := y.ws.Store
	var edits []store.FileEdit
	var paths []string
	for f, err := range s.Files() {
		if err != nil {
			return err
		}
		b, err := s.Read("", f.Path)
		if err != nil {
			return err
		}
		at := p.src.FileOf(p.folders, f.Path)
		if _, cut := p.Cut(at, b); len(cut) > 0 {
			paths = append(paths, f.Path)
			edits = append(edits, p.src.CutEdit(p.Cutter, at))
		}
	}
	if len(paths) == 0 {
		return nil
	}
	if err := s.RewriteAll(ctx, edits); err != nil {
		return err
	}
	_, err := s.Commit(ctx, store.Change{
		Paths: paths, Subject: "sync: forget what another machine has forgotten",
		Trailers: []string{"Gitmem-Op: sync"}, Fsync: true,
	})
	return err
}

// dropHistory removes the history that was abandoned for one purged elsewhere, and reports where it is kept.
func (y *Syncer) dropHistory(ctx context.Context, r *Report, old, head string) error {
	s := y.ws.Store
	names, err := s.Refs("refs/")
	if err != nil {
		return err
	}
	var stays []string
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, backups), name == synced(r.Remote):
			err = errors.Join(err, s.SetRef(ctx, name, ""))
			continue
		case strings.HasPrefix(name, "refs/remotes/"):
			continue
		}
		at, refErr := s.Ref(name)
		bases, baseErr := s.MergeBases(ctx, at, old)
		err = errors.Join(err, refErr, baseErr)
		if at != head && len(bases) > 0 {
			stays = append(stays, name)
		}
	}
	if len(stays) > 0 {
		y.ws.Options.Warn("what was forgotten elsewhere stays in " + strings.Join(stays, ", ") +
			": delete them with git, and run git gc --prune=now")
	}
	return errors.Join(err, s.DropUnreachable(ctx))
}

// PurgePlan describes the effect of replacing a remote's history. The JSON form is a public contract.
type PurgePlan struct {
	Remote  string   `json:"remote"`
	Branch  string   `json:"branch"`
	Commits int      `json:"commits"` // commits of the remote that are removed
	Files   []string `json:"files"`   // files that other machines changed since, which are merged first
}

// PlanPurge returns what [Options.Purge] would do. It fetches, and changes nothing else.
func (y *Syncer) PlanPurge(ctx context.Context, o Options) (out PurgePlan, err error) {
	remote, branch, head, err := y.begin(o.Remote)
	if err != nil {
		return out, err
	}
	s := y.ws.Store
	out = PurgePlan{Remote: remote.Name, Branch: branch, Files: []string{}}
	theirs, err := s.Fetch(ctx, remote.Name, branch)
	if err != nil || theirs == "" || theirs == head {
		return out, err
	}
	p, err := y.parted(ctx, head, theirs)
	if err != nil || !p.theirs {
		return out, err
	}
	commits, err := s.Between(ctx, head, theirs)
	if err != nil {
		return out, err
	}
	out.Commits = len(commits)
	o.Purge, y.purged = true, true
	plan, err := y.plan(ctx, o, &Report{Remote: remote.Name}, head, theirs)
	if err != nil {
		return out, err
	}
	files, err := y.merged(plan)
	for _, f := range files {
		if !store.SameContent(f.Was, f.Disk) {
			out.Files = append(out.Files, f.Path)
		}
	}
	return out, err
}
