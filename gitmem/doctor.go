package gitmem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Finding is one result of a check-up.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Advice string `json:"advice"` // what to do, "" when OK
}

// Doctor checks the store and the indexes and says what to do about each trouble.
// It changes nothing but what belongs to a dead process of gitmem's own.
func (m *Memory) Doctor(ctx context.Context) ([]Finding, error) {
	var out []Finding
	add := func(check string, err error, detail, advice string) {
		f := Finding{Check: check, OK: err == nil, Detail: detail}
		if err != nil {
			f.Detail, f.Advice = err.Error(), advice
		}
		out = append(out, f)
	}
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	add("root", rootReadable(m.root), m.root, "Set GITMEM_HOME or CLAUDE_CONFIG_DIR to a folder you may read and write.")
	if m.store == nil {
		add("store", nil, "none yet: questions are answered from history, rules and transcripts", "")
	} else {
		m.checkStore(ctx, add)
	}
	shards, err := m.shards(ctx, p)
	if err != nil {
		add("repository", err, "", "Check the repository with git fsck.")
		return out, nil
	}
	if p.inRepo {
		add("repository", nil, p.loc.GitDir, "")
	}
	for _, s := range shards {
		detail, err := s.check()
		add(s.name+" index", err, detail, "Run: gitmem index rebuild")
	}
	for _, n := range m.notices {
		add("notice", errors.New(n), "", "See the file or folder that is named.")
	}
	return out, nil
}

func (m *Memory) checkStore(ctx context.Context, add func(check string, err error, detail, advice string)) {
	if !m.store.HasRepository() {
		add("store", errors.New("memory files lie in "+m.root+" but no repository keeps their history"), "", "Run: gitmem init")
		return
	}
	add("store", nil, m.store.GitDir(), "")
	add("permissions", private(m.store.GitDir()), "folders are closed to others", "Run: chmod 700 "+m.store.GitDir())
	repaired, err := m.store.Repair(ctx)
	add("locks", err, fmt.Sprintf("%s left by dead processes removed", plural(len(repaired), "lock")), "Wait for the process that holds it, or remove the lock file that is named when no git runs.")
	pending, err := m.store.Pending(ctx)
	detail := "every memory file is in HEAD"
	if len(pending) > 0 { // the normal state between a hook and the next commit
		detail = plural(len(pending), "file") + " waiting for the next commit"
	}
	add("committed", err, detail, "The next note or the end of a session of their project commits them.")
	held, err := m.store.Held(ctx)
	if err == nil && len(held) > 0 {
		err = fmt.Errorf("%s held back from history, the first: %s", plural(len(held), "file"), held[0].Reason())
	}
	add("secrets", err, "no file waits because of a secret in it", "Take the secret or the private block out of the file, or put a copy in the place of a hard link; the next commit takes the file then.")
	for _, told := range m.store.Exposed(ctx) {
		add("other repository", errors.New(told), "", "Ignore gitmem/ and projects/*/memory/ there, or take them out of it, before it is pushed.")
	}
}

func rootReadable(root string) error {
	_, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever kept here, which is no trouble
	}
	return err
}

// private tells whether a folder is closed to others, where the system says so.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if filepath.Separator == '/' && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is open to others (%v)", dir, info.Mode().Perm())
	}
	return nil
}

func (s shard) check() (string, error) {
	state, err := s.index.State()
	if err != nil {
		return "", err
	}
	switch state {
	case index.Missing:
		return "not built yet: the next question builds it", nil
	case index.Current:
		if err := s.index.Verify(); err != nil {
			return "", err
		}
		return "verified", nil
	}
	return "", fmt.Errorf("state is %s; the next question rebuilds it", state)
}
