package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pendingDir contains entries that wait until git is done, one numbered file each. Git ignores it, as it ignores all
// files that are not Markdown.
const pendingDir = ourDir + "/pending"

// pendingEntry is a write to a file while git was busy, or a commit that was not made. The entry of a commit follows
// those of its writes.
type pendingEntry struct {
	Path  string  `json:"path,omitempty"`
	Was   *string `json:"was,omitempty"` // nil if there was no file
	Wrote *string `json:"wrote,omitempty"`

	Paths    []string  `json:"paths,omitempty"`
	Subject  string    `json:"subject,omitempty"`
	Trailers []string  `json:"trailers,omitempty"`
	Time     time.Time `json:"time,omitzero"`

	file string
}

// Busy returns ErrConflict while git has an unfinished operation, see [Store.Unfinished].
func (s *Store) Busy() error {
	if why := s.Unfinished(); why != "" {
		return fmt.Errorf("%w: %s; finish it or abort it with git", ErrConflict, why)
	}
	return nil
}

// Unfinished describes the unfinished operation of git, or returns "" if there is none. Until git is done it may reset
// files and abandon commits, so nothing is committed. A merge does neither.
func (s *Store) Unfinished() string {
	if s.repository() != nil {
		return ""
	}
	const goOn = " (git %[1]s --continue goes on with it, git %[1]s --abort takes it back)"
	for _, state := range [...]struct{ file, name, verb string }{
		{"rebase-apply/applying", "git am", "am"},
		{"rebase-apply", "a rebase", "rebase"}, {"rebase-merge", "a rebase", "rebase"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "cherry-pick"}, {"REVERT_HEAD", "a revert", "revert"},
		{"sequencer", "a cherry-pick or revert", "cherry-pick"},
		{"BISECT_LOG", "a bisection (git bisect reset ends it)", ""},
	} {
		if s.exists(s.gitPath(state.file)) {
			text := state.name + " is not finished in " + s.GitDir()
			if state.verb != "" {
				text += fmt.Sprintf(goOn, state.verb)
			}
			return text
		}
	}
	if id, branch, err := s.readRef("HEAD"); err == nil && branch == "" && !id.IsZero() {
		return "HEAD is detached in " + s.GitDir() + " (git switch takes it back to a branch)"
	}
	return ""
}

// InMerge reports whether git is in the middle of a merge, during which files also differ from HEAD by changes of the
// other branch.
func (s *Store) InMerge() bool { return s.repository() == nil && s.exists(s.gitPath("MERGE_HEAD")) }

// setAside records a write while git is busy, since git may reset the file.
func (s *Store) setAside(u undoneEdit) error {
	if SameContent(u.was, u.wrote) || s.Unfinished() == "" {
		return nil
	}
	return s.addPending(pendingEntry{Path: u.path, Was: s.masked(u.was), Wrote: s.masked(u.wrote)})
}

// masked returns a content with the secrets that people may have written into it masked.
func (s *Store) masked(content []byte) *string {
	if content == nil {
		return nil
	}
	text := s.o.Redactor.Lines(string(content))
	return &text
}

func (s *Store) addPending(e pendingEntry) error {
	names, err := s.pendingNames()
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	n := 0
	if len(names) > 0 {
		n, _ = strconv.Atoi(strings.TrimSuffix(names[len(names)-1], ".json"))
	}
	for {
		n++
		err := s.createWhole(fmt.Sprintf("%s/%06d.json", pendingDir, n), append(b, '\n'), true)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// pendingNames lists the names of the entries in their order.
func (s *Store) pendingNames() (names []string, err error) {
	entries, err := s.readDir(pendingDir)
	for _, e := range entries {
		if ok, _ := path.Match("[0-9][0-9][0-9][0-9][0-9][0-9].json", e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// pending reads the entries in their order. Unreadable ones are kept and reported.
func (s *Store) pending() (entries []pendingEntry, err error) {
	names, err := s.pendingNames()
	for _, name := range names {
		e := pendingEntry{file: pendingDir + "/" + name}
		b, err := s.disk.readFile(e.file)
		if err == nil {
			err = json.Unmarshal(b, &e)
		}
		if foreign := slices.DeleteFunc(append(slices.Clone(e.Paths), cmp.Or(e.Path, MarkFile)), s.allowed); err == nil &&
			len(foreign) > 0 {
			err = fmt.Errorf("%q: %w", foreign[0], ErrNotAllowed)
		}
		if err != nil {
			s.o.Warn(fmt.Sprintf("%s can't be read, and what it holds is not committed: %v", e.file, err))
			continue
		}
		entries = append(entries, e)
	}
	return entries, err
}

// postpone records a commit of files that were written while git was busy, and reports it.
func (s *Store) postpone(c Change, why string) error {
	entries, err := s.pending()
	if err != nil {
		return err
	}
	var wrote []string
	for _, e := range entries {
		if slices.Contains(c.Paths, e.Path) {
			wrote = append(wrote, e.Path)
		}
		wrote = slices.DeleteFunc(wrote, func(p string) bool { return slices.Contains(e.Paths, p) })
	}
	if len(wrote) == 0 {
		return nil
	}
	slices.Sort(wrote)
	c.Paths = slices.Compact(wrote)
	if err := s.keepCommit(c); err != nil {
		return err
	}
	s.o.Warn(fmt.Sprintf("pending: %s. It is in its file and in %s, and not committed yet, since %s. Once that is done, "+
		"the next command that writes or the next session commits it.",
		s.o.Redactor.Clean(cmp.Or(c.Subject, defaultSubject)), s.abs(pendingDir), why))
	return nil
}

// keepLate records a commit that failed, to be made later, if gitmem wrote the files itself. It ignores its own
// failure: err is already reported, and the next commit includes the files.
func (s *Store) keepLate(c Change, err error) {
	if !c.Fsync || c.Paths == nil || errors.Is(err, ErrHeld) || errors.Is(err, ErrConflict) ||
		errors.Is(err, ErrNotAllowed) {
		return
	}
	entries, _ := s.pending()
	subject := s.o.Redactor.Clean(c.Subject).String()
	// a hook may retry often
	if !slices.ContainsFunc(entries, func(e pendingEntry) bool {
		return e.Subject == subject && slices.Equal(e.Paths, c.Paths)
	}) {
		_ = s.keepCommit(c)
	}
}

// keepCommit records a commit of files that are already written.
func (s *Store) keepCommit(c Change) error {
	if c.Time.IsZero() {
		c.Time = s.o.Now()
	}
	trailers := make([]string, len(c.Trailers))
	for i, t := range c.Trailers {
		trailers[i] = s.o.Redactor.Clean(t).String()
	}
	return s.addPending(pendingEntry{Paths: c.Paths, Subject: s.o.Redactor.Clean(c.Subject).String(), Trailers: trailers,
		Time: c.Time})
}

// Waiting returns the files of commits that are still to be made.
func (s *Store) Waiting() (paths []string, err error) {
	entries, err := s.pending()
	for _, e := range entries {
		paths = append(paths, e.Paths...)
	}
	return paths, err
}

// Restore repeats the writes that were made while git was busy and have since been lost from their files, and makes the
// postponed commits, if git is done. Each call that takes the lock does the same.
func (s *Store) Restore(ctx context.Context) error {
	if names, err := s.pendingNames(); err != nil || len(names) == 0 || s.Unfinished() != "" {
		return err
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	unlock()
	return nil
}

// restoreLocked is Restore for a caller that holds the flock. It returns the commits by file. Failed ones are retried
// the next time.
func (s *Store) restoreLocked(ctx context.Context) (made map[string]string, err error) {
	entries, err := s.pending()
	if err != nil || len(entries) == 0 || s.repository() != nil || s.Unfinished() != "" {
		return nil, err
	}
	if err := s.repairLocked(ctx); err != nil {
		return nil, err
	}
	late := lateCommit{made: map[string]string{}}
	for _, e := range entries {
		if e.Path == "" {
			late.add(e)
		} else if err := s.restoreWrite(ctx, e, &late); err != nil {
			return late.made, err
		}
	}
	return late.made, s.restoreCommit(ctx, &late)
}

// restoreWrite restores what a file has lost. It first commits the earlier writes, and changes that a person made
// since.
func (s *Store) restoreWrite(ctx context.Context, e pendingEntry, late *lateCommit) error {
	content := func(text *string) []byte {
		if text == nil {
			return nil
		}
		return []byte(*text)
	}
	_, err := s.rewriteFile(ctx, e.Path, func(old []byte) ([]byte, error) {
		now := reapply(old, content(e.Was), content(e.Wrote))
		if SameContent(old, now) {
			return now, nil
		}
		if err := s.restoreCommit(ctx, late); err != nil {
			return nil, err
		}
		return now, s.restoreCommit(ctx, &lateCommit{Change: HandEdits([]string{e.Path}, s.o.Now()), made: late.made})
	})
	if err == nil {
		err = s.disk.remove(e.file)
	}
	return err
}

// lateCommit is one commit for several postponed changes.
type lateCommit struct {
	Change
	more  int // number of further subjects
	files []string
	made  map[string]string // the commits made, by file
}

func (l *lateCommit) add(e pendingEntry) {
	if l.Subject == "" {
		l.Subject = e.Subject
	} else if l.Subject != e.Subject {
		l.more++
	}
	l.Paths, l.Trailers, l.Time = append(l.Paths, e.Paths...), append(l.Trailers, e.Trailers...), e.Time
	l.files = append(l.files, e.file)
}

// restoreCommit makes a late commit. It does not wait for the lock of the index, which a running git may hold.
func (s *Store) restoreCommit(ctx context.Context, l *lateCommit) error {
	if len(l.Paths) == 0 {
		return nil
	}
	once, cancel := context.WithCancel(ctx)
	cancel()
	lock, err := s.lockGit(once, "index")
	if err != nil {
		return err
	}
	defer lock.rollback()
	if l.Fsync = true; l.more > 0 {
		l.Subject = fmt.Sprintf("%s, and %d more", l.Subject, l.more)
	}
	// Held files are already reported, and the next commit of the file reports them again.
	id, err := s.commitLocked(ctx, l.Change, lock)
	if err != nil && !errors.Is(err, ErrHeld) {
		return err
	}
	for _, p := range l.Paths {
		l.made[p] = cmp.Or(id, l.made[p])
	}
	for _, file := range l.files {
		if err := s.disk.remove(file); err != nil {
			return err
		}
	}
	*l = lateCommit{made: l.made}
	return nil
}
