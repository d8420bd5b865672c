package sync

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/settle"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// Options are the options of a synchronisation.
type Options struct {
	// Remote is the name of a remote, "" for origin, or the only one.
	Remote string
	// Purge replaces the remote's history if it still contains what forget --history has removed here.
	Purge bool
}

// Report is the result of a synchronisation. The JSON form is a public contract.
type Report struct {
	Remote    string   `json:"remote"`
	URL       string   `json:"url"`       // redacted
	Commit    string   `json:"commit"`    // the common commit, 40 hex digits, "" if there is none
	Received  []string `json:"received"`  // files that changed here
	Conflicts []string `json:"conflicts"` // those of them in which both versions were kept
	Pushed    bool     `json:"pushed"`
	Replaced  bool     `json:"replaced"` // the history of the remote, or ours, after a purge
}

// Syncer synchronises memory during one call.
type Syncer struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	purged bool // our history no longer contains anything that the remote's list has as forgotten
	drops  bool // ours is deleted: what another machine replaced in it is unknown
}

// New returns a Syncer for one call.
func New(ws *workspace.Workspace, src *ingest.Sources) *Syncer { return &Syncer{ws: ws, src: src} }

var (
	// ErrNoRemote means that no remote is configured, or none of that name.
	ErrNoRemote = errors.New("no remote")
	// ErrSecret means that the commits to push seem to contain a secret.
	ErrSecret = errors.New("not pushed because of a secret")
	// ErrPurged means that a history still contains what was forgotten with its history.
	ErrPurged = errors.New("history that was forgotten")
)

// rounds limits how often another machine, or another process here, may be faster.
const rounds = 20

// Sync commits pending changes, fetches the branch of the remote, merges it, and pushes. It replaces nothing on the
// remote, unless o.Purge is set and the remote contains forgotten text. Completed steps are kept when an error occurs,
// and the next call continues from there.
//
// ErrNoStore: there is no store. ErrNoRemote, ErrSecret, ErrPurged: see there. ErrLocked: another process is
// synchronising. store.ErrForeign: the remote contains something that is not memory; nothing of it is merged.
func (y *Syncer) Sync(ctx context.Context, o Options) (Report, error) {
	r := Report{Received: []string{}, Conflicts: []string{}}
	if !y.ws.HasStore() {
		return r, fmt.Errorf("%s: %w", y.ws.Root, store.ErrNoStore)
	}
	unlock, ok, err := osfile.Lock(filepath.Join(y.ws.Store.IndexDir(), "sync.lock"))
	if err == nil && !ok {
		err = fmt.Errorf("%w: another process is synchronising", store.ErrLocked)
	}
	if err != nil {
		return r, err
	}
	defer unlock()
	if err = y.ws.Store.DropStaleLocks(); err == nil {
		err = y.sync(ctx, o, &r)
	}
	return r, errors.Join(err, y.record(r, err))
}

func (y *Syncer) sync(ctx context.Context, o Options, r *Report) error {
	s := y.ws.Store
	remote, branch, head, err := y.begin(o.Remote)
	if err != nil {
		return err
	}
	if err := y.settle(ctx, remote.Name, head); err != nil {
		return err
	}
	r.Remote, r.URL = remote.Name, y.ws.Clean(remote.URL)
	theirs, same, fetchErr := y.look(ctx, remote.Name, branch)
	var last error
	for range rounds {
		if fetchErr != nil {
			return errors.Join(fetchErr, y.commit(ctx)) // commits do not wait for the network
		}
		if same {
			r.Commit = theirs
			return y.agree(ctx, o, r)
		}
		head, err := y.merge(ctx, o, r, theirs)
		if err == nil {
			err = y.push(ctx, o, r, branch, head, theirs)
		}
		if err == nil {
			r.Commit = head
			err = y.agree(ctx, o, r)
		}
		if !errors.Is(err, store.ErrRejected) {
			return err
		}
		last = err
		theirs, fetchErr = s.Fetch(ctx, remote.Name, branch)
	}
	return fmt.Errorf("%w: other machines keep pushing to %s: try again later (%w)",
		store.ErrConflict, remote.Name, last)
}

// look fetches a branch, and reports whether it and the files here are the same as HEAD. It checks both concurrently,
// since most often there is nothing to do.
func (y *Syncer) look(ctx context.Context, remote, branch string) (theirs string, same bool, err error) {
	s := y.ws.Store
	clean := make(chan bool, 1)
	go func() {
		pending, err := s.Pending(ctx)
		clean <- err == nil && len(pending) == 0
	}()
	theirs, err = s.Fetch(ctx, remote, branch)
	same = <-clean
	if err != nil || !same {
		return theirs, false, err
	}
	_, head, err := s.Branch()
	return theirs, head == theirs && head != "", err
}

// begin returns the remote for a name, and the branch with its commit.
func (y *Syncer) begin(name string) (remote store.Remote, branch, head string, err error) {
	if !y.ws.HasStore() {
		return remote, "", "", fmt.Errorf("%s: %w", y.ws.Root, store.ErrNoStore)
	}
	if remote, err = y.remote(name); err == nil {
		branch, head, err = y.ws.Store.Branch()
	}
	return remote, branch, head, err
}

// remote returns the remote of a name, or the default one for "".
func (y *Syncer) remote(name string) (store.Remote, error) {
	all, err := y.ws.Store.RemoteList()
	if err != nil {
		return store.Remote{}, err
	}
	at := slices.IndexFunc(all, func(r store.Remote) bool { return r.Name == cmp.Or(name, "origin") })
	if at < 0 && name == "" && len(all) == 1 {
		at = 0
	}
	switch {
	case at < 0 && name != "":
		return store.Remote{}, fmt.Errorf("%w %q: gitmem sync --to URL sets one", ErrNoRemote, name)
	case at < 0:
		return store.Remote{}, fmt.Errorf("%w: gitmem sync --to URL sets one", ErrNoRemote)
	}
	return all[at], y.checkAddress(all[at].URL)
}

func (y *Syncer) checkAddress(address string) error {
	u, err := url.Parse(address)
	token := err == nil && u.User != nil && y.ws.Clean(u.User.Username()) != u.User.Username()
	if token || store.HasPassword(address) {
		return errors.New("the address has a password in it, which lists of processes show: " +
			"leave it to git's credential helper, and write the address without it")
	}
	return nil
}

// settle resolves the conflicts in git's index, and those committed since the last synchronisation.
func (y *Syncer) settle(ctx context.Context, remote, head string) error {
	s := y.ws.Store
	unmerged, err := s.Unmerged()
	if err != nil {
		return err
	}
	left := len(unmerged) > 0 || s.InMerge()
	if old, err := s.Ref(synced(remote)); err == nil && old != "" && old != head {
		changed, _ := s.Difference(ctx, old, head, "") // doctor reports what can't be compared
		left = left || slices.ContainsFunc(changed, func(d store.FileDiff) bool {
			return len(markdown.MarkedConflicts(d.After)) > 0
		})
	}
	if left {
		_, err = settle.All(ctx, s)
	}
	return errors.Join(err, s.Busy())
}

func (y *Syncer) isMarked(path string) bool {
	b, _ := y.ws.Store.ReadMaybe("", path) // the commit reports unreadable files
	return len(markdown.MarkedConflicts(b)) > 0
}

// commit commits all pending changes of memory, after resolving git conflicts.
func (y *Syncer) commit(ctx context.Context) error {
	s := y.ws.Store
	pending, err := s.Pending(ctx)
	if err == nil && slices.ContainsFunc(pending, y.isMarked) {
		if _, err = settle.All(ctx, s); err == nil {
			pending, err = s.Pending(ctx)
		}
	}
	if err != nil || len(pending) == 0 {
		return err
	}
	if err := y.src.KeepRewritten(ctx, pending...); err != nil {
		return err
	}
	_, err = s.Commit(ctx, store.Change{
		Subject: "sync: what sessions wrote", Trailers: []string{"Gitmem-Op: sync"}, Fsync: true,
	})
	return err
}

// merge commits pending changes, merges a commit of the remote, "" for none, and returns the new commit of HEAD.
func (y *Syncer) merge(ctx context.Context, o Options, r *Report, theirs string) (head string, err error) {
	for range rounds {
		head, err = y.mergeOnce(ctx, o, r, theirs)
		if !errors.Is(err, store.ErrMoved) {
			return head, err
		}
	}
	return head, err
}

func (y *Syncer) mergeOnce(ctx context.Context, o Options, r *Report, theirs string) (string, error) {
	s := y.ws.Store
	ctx, release, err := s.Hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := y.commit(ctx); err != nil {
		return "", err
	}
	_, head, err := s.Branch()
	if err != nil || theirs == "" || head == theirs {
		return head, err
	}
	plan, err := y.plan(ctx, o, r, head, theirs)
	if err != nil || plan.Parents == nil { // theirs is in our history
		return head, err
	}
	id, err := y.take(ctx, r, plan)
	if err == nil && y.drops {
		err = y.dropHistory(ctx, r, plan.Ours, id)
	}
	return id, err
}

// take merges and commits. The caller holds the lock.
func (y *Syncer) take(ctx context.Context, r *Report, plan *store.MergePlan) (string, error) {
	s := y.ws.Store
	files, err := y.merged(plan)
	if err != nil {
		return "", err
	}
	if len(plan.Parents) > 1 || r.Replaced && !y.drops {
		if err := y.backUp(ctx, plan.Ours); err != nil {
			return "", err
		}
	}
	id, err := s.CommitMerge(ctx, plan, files, store.Change{
		Subject: "sync: merge " + r.Remote, Trailers: []string{"Gitmem-Op: sync"}, Fsync: true,
	})
	if err != nil {
		return id, err
	}
	y.src.ForgetSet()
	for _, f := range files {
		if !store.SameContent(f.Was, f.Disk) {
			r.Received = append(r.Received, f.Path)
			if conflicts(f.Disk) > conflicts(f.Was) {
				r.Conflicts = append(r.Conflicts, f.Path)
			}
		}
	}
	return id, nil
}

func conflicts(text []byte) int { return bytes.Count(text, []byte("- "+messages.ConflictMark)) }

// merged returns the merged files of a plan, without what either side has forgotten.
func (y *Syncer) merged(plan *store.MergePlan) ([]store.Merged, error) {
	s := y.ws.Store
	n, forgotten := len(plan.Files), y.src.Forgotten()
	bases, trees := make([][]byte, n), make([][]byte, n)
	for i, m := range plan.Files {
		bases[i] = base(m)
		trees[i] = merge.File(m.Path, bases[i], m.Ours, m.Theirs)
		if markdown.ConflictMark(trees[i]) > 0 { // from a machine where git merged without the driver
			trees[i] = merge.Settle(m.Path, trees[i])
		}
		if m.Path == tombstone.File {
			forgotten = tombstone.ParseSet(trees[i])
		}
	}
	cutter := y.purger(forgotten)
	files := make([]store.Merged, 0, n)
	for i, m := range plan.Files {
		tree := trees[i]
		if tree != nil {
			tree = cutter.afterMerge(m.Path, bases[i], tree)
		}
		f := store.Merged{Path: m.Path, Tree: tree}
		var err error
		// .gitignore of somebody else's repository
		if f.Was, err = s.ReadMaybe("", m.Path); errors.Is(err, store.ErrNotAllowed) {
			files = append(files, f)
			continue
		} else if err != nil {
			return nil, err
		}
		if f.Disk = tree; !store.SameContent(f.Was, m.Ours) {
			f.Disk = merge.File(m.Path, m.Ours, f.Was, tree) // keep what can't be committed
		}
		files = append(files, f)
	}
	return files, nil
}

// base returns the content of a file in the merge base. With several common ancestors it combines them.
func base(m store.MergePath) []byte {
	var out []byte
	for i, b := range m.Bases {
		if i == 0 {
			out = b
		} else {
			out = merge.File(m.Path, nil, out, b)
		}
	}
	return out
}

const backups = "refs/gitmem/backup/"

// keptBackups is the number of kept states before merges.
const keptBackups = 10

// backUp stores the state before a merge.
func (y *Syncer) backUp(ctx context.Context, commit string) error {
	s := y.ws.Store
	name := backups + y.ws.Options.Now().UTC().Format("20060102T150405Z") + "-" + commit[:8]
	if err := s.SetRef(ctx, name, commit); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	names, err := s.Refs(backups)
	for i := range max(0, len(names)-keptBackups) {
		err = errors.Join(err, s.SetRef(ctx, names[i], ""))
	}
	return err
}

// agree records the common state of this machine and the remote, and drops fetched objects of a history that was
// replaced.
func (y *Syncer) agree(ctx context.Context, o Options, r *Report) error {
	s := y.ws.Store
	if o.Purge && r.Replaced {
		if err := s.DropUnreachable(ctx); err != nil {
			return err
		}
	}
	if old, err := s.Ref(synced(r.Remote)); err != nil || old == r.Commit {
		_ = s.RefreshIndex(ctx) // it only saves time
		return err
	}
	return s.SetRef(ctx, synced(r.Remote), r.Commit)
}

// push searches new commits for secrets, and pushes them.
func (y *Syncer) push(ctx context.Context, o Options, r *Report, branch, head, theirs string) error {
	s := y.ws.Store
	if head == "" || head == theirs {
		return nil
	}
	found, err := s.Unpushed(ctx, head, theirs)
	if err != nil {
		return fmt.Errorf("search for secrets before the push: %w", err)
	}
	if len(found) > 0 {
		return secretError(found)
	}
	lease := ""
	if o.Purge && r.Replaced {
		lease = theirs
	}
	if err := s.Push(ctx, r.Remote, branch, head, lease); err != nil {
		return err
	}
	r.Pushed = true
	return nil
}

func secretError(found []store.Secret) error {
	var places []string
	for _, f := range found[:min(3, len(found))] {
		at := f.Path
		if f.Line > 0 {
			at = fmt.Sprintf("%s line %d", at, f.Line)
		}
		if f.Commit != "" {
			at += " in commit " + f.Commit[:10]
		}
		places = append(places, fmt.Sprintf("%s (%s)", at, f.Kind))
	}
	more := ""
	if n := len(found) - len(places); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%w: %s%s: gitmem forget --history removes it from every commit", ErrSecret,
		strings.Join(places, "; "), more)
}
