package report

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers/git"
)

// whyTarget is the subject of a question: a path at a commit, and lines on disk with their line numbers in the commit.
type whyTarget struct {
	path, rev        string
	from, to         int         // 0 for the whole path
	headFrom, headTo int         // 0 if none of the lines is committed
	disk             map[int]int // line numbers on disk by line number in the commit
	text             string      // of the file on disk, redacted; "" if it is as committed
	head             string      // of the file in the commit, redacted
}

func lineNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && n < 1<<30
}

// targetOf parses the target of a question.
func (t *Team) targetOf(ctx context.Context, p *workspace.Place, repo *git.Repository,
	q WhyQuestion) (whyTarget, error) {
	what, rev := strings.TrimSpace(q.What), q.Rev
	if what == "" {
		return whyTarget{}, fmt.Errorf("%w: name a path, such as README.md or cmd/main.go:12", messages.ErrUsage)
	}
	s, err := t.findTarget(ctx, p, repo, what, rev)
	if before, after, ok := strings.Cut(what, ":"); err != nil && ok && rev == "" && len(before) > 1 &&
		errors.Is(err, messages.ErrNotFound) {
		if _, bad := repo.Resolve(before); bad == nil { // "v1.2:cmd/main.go", as in git
			return t.findTarget(ctx, p, repo, after, before)
		}
	}
	return s, err
}

func (t *Team) findTarget(ctx context.Context, p *workspace.Place, repo *git.Repository, what,
	rev string) (whyTarget, error) {
	commit, err := repo.Resolve(cmp.Or(rev, "HEAD"))
	switch {
	case errors.Is(err, git.ErrNotFound) && rev == "", errors.Is(err, git.ErrEmpty):
		return whyTarget{}, &messages.Refusal{Reason: "the repository has no commits yet",
			Advice: "commit first; nothing is recorded before that", Err: messages.ErrNotFound}
	case errors.Is(err, git.ErrNotFound), errors.Is(err, git.ErrAmbiguous):
		return whyTarget{}, fmt.Errorf("%w: revision %s: %w", messages.ErrUsage, rev, err)
	case err != nil:
		return whyTarget{}, err
	}
	name, from, to, ranged := cutLineRange(what)
	tries := []whyTarget{{path: what}}
	if ranged {
		tries = append(tries, whyTarget{path: name, from: from, to: to})
	}
	for _, try := range tries {
		for _, rel := range t.paths(p, try.path, rev) {
			entry, err := repo.Follow(commit, rel)
			if rel == "" {
				entry, err = git.Entry{Mode: modeFolder}, nil
			}
			if errors.Is(err, git.ErrNotFound) {
				continue
			}
			if err != nil {
				return whyTarget{}, err
			}
			s := whyTarget{path: entry.Path, rev: commit, from: try.from, to: try.to}
			s.path = cmp.Or(s.path, rel)
			return s, t.placeLines(p, repo, &s, entry, rev == "")
		}
	}
	if ranged {
		what = name
	}
	return whyTarget{}, t.missingPathError(ctx, p, repo, what, rev, commit)
}

const modeFolder = 0o40000

// paths returns the slash paths relative to the top of the repository that a word can mean, most likely first: relative
// to the working folder, then to the top. It accepts backslashes as separators.
func (t *Team) paths(p *workspace.Place, what, rev string) []string {
	var out []string
	add := func(rel string) {
		rel = strings.Trim(filepath.ToSlash(filepath.Clean(rel)), "/")
		if rel == "." {
			rel = ""
		}
		if rel != ".." && !strings.HasPrefix(rel, "../") && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	for _, name := range []string{what, strings.ReplaceAll(what, `\`, "/")} {
		seen := filepath.FromSlash(name)
		if p.Loc.WorkTree != "" {
			top := workspace.RealPath(p.Loc.WorkTree)
			at := seen
			if !filepath.IsAbs(at) {
				at = filepath.Join(workspace.RealPath(t.ws.Options.Dir), at)
			}
			for _, full := range []string{at, workspace.RealMissing(at)} {
				if rel, err := filepath.Rel(top, full); err == nil {
					add(rel)
				}
			}
		}
		if !filepath.IsAbs(seen) && (p.Loc.WorkTree == "" || rev != "" || filepath.IsLocal(seen)) {
			add(seen)
		}
	}
	return out
}

// missingPathError returns the error for a path without history at a commit, with the reason.
func (t *Team) missingPathError(ctx context.Context, p *workspace.Place, repo *git.Repository, what, rev,
	commit string) error {
	refuse := func(reason, advice string) error {
		return &messages.Refusal{Reason: reason, Advice: advice, Err: messages.ErrNotFound}
	}
	rels := t.paths(p, what, rev)
	if len(rels) == 0 {
		return refuse(what+" is outside the repository "+p.Folder,
			"name a path below it, or run gitmem in the repository that has the file")
	}
	if p.Loc.WorkTree != "" && rev == "" {
		for _, rel := range rels {
			if _, err := os.Lstat(filepath.Join(p.Loc.WorkTree, filepath.FromSlash(rel))); err == nil {
				return refuse(what+" is not committed yet, so nothing is recorded of why",
					"commit it, or ask for a file that is in the history")
			}
		}
	}
	for _, rel := range rels {
		sha, err := repo.Removed(ctx, commit, rel)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		return refuse(fmt.Sprintf("%s is no longer there: git:commit:%s took it away", what, sha),
			fmt.Sprintf("see it as it was before with gitmem why --rev %s~1 %s", sha[:12], rel))
	}
	return refuse(what+" is not in the repository", "name a path as seen from here or from its top, such as README.md")
}

// placeLines validates the lines of a question, and maps those on disk to the commit.
func (t *Team) placeLines(p *workspace.Place, repo *git.Repository, s *whyTarget, entry git.Entry, onDisk bool) error {
	if s.from == 0 {
		return nil
	}
	if entry.Mode&0o170000 == modeFolder {
		return fmt.Errorf("%w: %s is a folder and has no line %d", messages.ErrUsage, s.path, s.from)
	}
	body, err := repo.Content(entry)
	if err != nil {
		return err
	}
	now := body
	if disk, ok := t.reader.OnDisk(p, s.path); ok && onDisk {
		now = disk
	}
	if n := linediff.CountLines(now); s.to > n {
		return &messages.Refusal{Reason: fmt.Sprintf("%s has %s and no line %d", s.path, messages.Plural(n, "line"), s.to),
			Advice: "see them with gitmem why " + s.path, Err: messages.ErrNotFound}
	}
	s.head = t.ws.Redactor.Lines(string(body)) // as a whole, since a secret may span lines
	hunks := linediff.Diff(withoutReturns(body), withoutReturns(now))
	if len(hunks) > 0 {
		s.text = t.ws.Redactor.Lines(string(now))
	}
	s.disk = map[int]int{}
	for n := s.from; n <= s.to; n++ {
		if before, changed := linediff.Before(linediff.Range{Start: n - 1, End: n}, hunks); !changed {
			s.disk[before.End] = n
			s.headFrom, s.headTo = cmp.Or(s.headFrom, before.End), before.End
		}
	}
	return nil
}

// withoutReturns converts the line ends of a checkout to the committed form.
func withoutReturns(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
