package diagnose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/settle"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// checkStore checks the store except its indexes.
func (c *checkup) checkStore(ctx context.Context) {
	s := c.s
	repair := func([]store.Trouble) error { return s.Repair(ctx) }
	c.run(&check{name: "location", fine: "an ordinary folder", look: s.Location})
	c.run(&check{name: "config", fine: "the repository is gitmem's own and its work tree is the root", look: s.Config,
		fix:    func([]store.Trouble) error { return s.FixConfig(ctx) },
		advice: "See the repository's config file."})
	c.run(&check{name: "names", fine: "every file is a plain file with a name for any system", look: s.Names,
		advice: "Rename or move the files that are named."})
	c.checkFiles(ctx)
	if !s.HasRepository() {
		advice := "Run: gitmem init"
		if _, err := os.Lstat(filepath.Join(c.ws.Root, ".git")); err == nil {
			advice = "The .git there is not gitmem's own, or its config is damaged: git status tells. If it was memory's, put " +
				"its config right; if it never was, run gitmem init, which begins a history in gitmem/.git."
		}
		if dir := s.Unadopted(); dir != "" {
			advice = "The repository in " + dir + " is a clone of memory. Run: gitmem init --adopt"
		}
		c.addResult("store", errors.New("memory files lie in "+c.ws.Root+" but no repository keeps their history"), "",
			advice)
		c.run(permissions(s))
		return
	}
	c.addOK("store", s.GitDir())
	c.run(permissions(s))
	c.run(&check{name: "locks", fine: "0 locks left by dead processes removed", fix: repair,
		look: func() ([]store.Trouble, error) { return s.Locks(ctx) },
		advice: "Wait for the process that holds a lock. Where none does and no git runs, remove the lock file that is " +
			"named."})
	c.checkTracking(ctx)
	c.checkSync()
	c.run(&check{name: "git index", fine: "git's index agrees with HEAD and the files", fix: repair,
		look: func() ([]store.Trouble, error) { return s.IndexState(ctx) },
		advice: "A branch that is gone comes back by git branch with its name and its last commit; git fsck --full tells " +
			"what else is damaged."})
	c.run(&check{name: "conflicts", fine: "no file holds a conflict that git left",
		look: func() ([]store.Trouble, error) { return settle.Find(s) },
		fix: func([]store.Trouble) error {
			_, err := settle.All(ctx, s)
			if errors.Is(err, store.ErrConflict) { // reported with the uncommitted files
				err = nil
			}
			return err
		},
		advice: "Where git is in the middle of a rebase or the like, end that with git."})
	c.checkCommits(ctx)
}

// checkSync checks the result of the last synchronisation if there is a remote.
func (c *checkup) checkSync() {
	remotes, err := c.s.RemoteList()
	if err == nil && len(remotes) == 0 {
		return
	}
	st, stateErr := c.s.SyncState()
	if err = errors.Join(err, stateErr); err == nil && st.Error != "" {
		err = fmt.Errorf("the synchronisation at %s failed: %s", st.Tried.Format(time.RFC3339), st.Error)
	}
	if err != nil { // being offline damages nothing
		c.add(Finding{Check: "sync", State: FindingWarn, Detail: plain.Text(err), Advice: "Run: gitmem sync"})
		return
	}
	c.addOK("sync", "the last synchronisation succeeded")
}

func permissions(s *store.Store) *check {
	return &check{name: "permissions", fine: "folders are closed to others", look: s.Permissions, fix: s.ClosePermissions,
		advice: "Let the owner give back what belongs to somebody else: chown -R, then chmod -R go= on the path that is " +
			"named."}
}

// checkTracking checks which files are tracked and ignored, in the store and in surrounding repositories.
func (c *checkup) checkTracking(ctx context.Context) {
	s := c.s
	c.run(&check{name: "allow-list", fine: "nothing but memory is tracked", look: s.Refused,
		fix: func(found []store.Trouble) error { return s.Untrack(ctx, found) },
		advice: "What is no longer tracked stays on disk and in earlier commits: gitmem forget --history takes it out of " +
			"those."})
	c.run(&check{name: "ignore lists", fine: "the allow-list is whole", look: s.IgnoreLists,
		fix:    s.WriteIgnoreLists,
		advice: "Where it can't be written, ignore gitmem/ and projects/*/memory/ by hand."})
	c.run(&check{name: "merging", fine: "git merges memory by its meaning, and writes nothing else", look: s.MergeSetup,
		fix:    func([]store.Trouble) error { return s.FixMergeSetup(ctx) },
		advice: "Plain git pull may not be safe until then."})
	c.run(&check{name: "other repositories", fine: "no other repository takes files of memory in",
		look: func() ([]store.Trouble, error) { return s.Tracked(ctx) },
		advice: "In that repository run git rm --cached on the files, ignore gitmem/ and projects/*/memory/, commit, and " +
			"think of what was pushed already."})
}

// checkCommits checks for uncommitted files.
func (c *checkup) checkCommits(ctx context.Context) {
	pending, err := c.s.Pending(ctx)
	detail := "every memory file is in HEAD"
	if len(pending) > 0 { // the normal state between a hook and the next commit
		detail = messages.Plural(len(pending), "file") + " waiting for the next commit"
	}
	if why := c.s.Unfinished(); err == nil && why != "" {
		c.add(Finding{Check: "committed", State: FindingWarn, Detail: detail + "; nothing is committed, since " + why,
			Advice: "Finish it or abort it with git. What was written meanwhile is kept in gitmem/pending, and the next " +
				"command that writes or the next session commits it."})
	} else {
		c.addResult("committed", err, detail, unchecked)
	}
	held, err := c.s.Held(ctx)
	f := Finding{Check: "secrets", State: FindingOK, Detail: "no file waits because of a secret in it"}
	f.Advice = unchecked
	if err == nil && len(held) > 0 {
		f.Advice = "Take the secret or the private block out of the file, or put a copy in the place of a hard link; the " +
			"next commit takes the file then."
		err = fmt.Errorf("%s held back from history, the first: %s", messages.Plural(len(held), "file"), held[0])
	}
	if err != nil {
		f.State, f.Detail = FindingFail, plain.Text(err)
	}
	for _, h := range held {
		f.Places = append(f.Places, FindingPlace{Path: h.Path, Line: h.Line, Kind: h.Kind,
			Detail: "is held back from history"})
	}
	c.add(f)
}
