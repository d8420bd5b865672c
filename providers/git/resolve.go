package git

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/lazy"
)

const (
	// minShort is the minimum length of a short id.
	minShort = 4
	// maxTagDepth limits tags of tags.
	maxTagDepth = 16
)

// Resolve returns the commit of rev, as 40 hex digits: a full or short id (four digits or more), a branch, a
// tag, a remote branch, HEAD or @, each followed by any number of ~n, ^n and ^{commit}. A name takes
// precedence over a short id, as in git.
//
// It returns [ErrNotFound] if the name does not exist or is not a commit, and [ErrAmbiguous] if a short id
// matches several commits.
func (r *Repository) Resolve(rev string) (string, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return "", err
	}
	return id.String(), nil
}

func (r *Repository) resolveAll(revs []string) ([]plumbing.Hash, error) {
	var out []plumbing.Hash
	for _, rev := range revs {
		id, err := r.resolveFull(rev)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

// resolveFull returns a full id without reading it, so that a tip that can't be read is counted and skipped
// like any other commit.
func (r *Repository) resolveFull(rev string) (plumbing.Hash, error) {
	if id, err := parseID(rev); err == nil {
		return id, nil
	}
	return r.resolve(rev)
}

// ^n is the n-th parent, ~n is n first parents back; without groups it is ^{commit} or ^{}, which peels a
// tag.
const stepPattern = `\^\{(?:commit)?\}|([~^])([0-9]*)`

var (
	revisionStep  = lazy.Pattern(stepPattern)
	revisionSteps = lazy.Pattern(`^(?:` + stepPattern + `)*$`)
)

func (r *Repository) resolve(rev string) (plumbing.Hash, error) {
	base, rest := rev, ""
	if i := strings.IndexAny(rev, "^~"); i >= 0 {
		base, rest = rev[:i], rev[i:]
	}
	if rest == "" { // avoids the regular expression for most revisions
		return r.resolveBase(base)
	}
	if !revisionSteps().MatchString(rest) {
		return plumbing.ZeroHash, fmt.Errorf("revision %q: %w (this way of naming a commit is not read)", rev, ErrNotFound)
	}
	id, err := r.resolveBase(base)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	for _, step := range revisionStep().FindAllStringSubmatch(rest, -1) {
		times, parent := len(step[1]), 0
		if step[2] != "" {
			if times, err = strconv.Atoi(step[2]); err != nil {
				return plumbing.ZeroHash, fmt.Errorf("revision %q: %w", rev, ErrNotFound)
			}
		}
		if step[1] == "^" && times > 1 {
			times, parent = 1, times-1
		}
		if id, err = r.ancestor(id, times, parent); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("revision %q: %w", rev, err)
		}
	}
	return id, nil
}

// ancestor follows the parent with this index, from 0, the given number of times.
func (r *Repository) ancestor(id plumbing.Hash, times, parent int) (plumbing.Hash, error) {
	for range times {
		c, err := r.readCommit(id)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if parent >= len(c.parents) {
			return plumbing.ZeroHash, fmt.Errorf("commit %s has %d parents: %w", id, len(c.parents), ErrNotFound)
		}
		id = c.parents[parent]
	}
	return id, nil
}

// resolveBase resolves a revision without steps.
func (r *Repository) resolveBase(name string) (plumbing.Hash, error) {
	if id, err := parseID(name); err == nil {
		return r.peel(id)
	}
	if name == "@" {
		name = "HEAD"
	}
	if name == "HEAD" && r.frozen != nil {
		head, err := r.Head()
		return plumbing.NewHash(head.Hash), err
	}
	for _, rule := range []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s",
		"refs/remotes/%s/HEAD"} {
		full := fmt.Sprintf(rule, name)
		ref, err := r.ref(full)
		if err == nil {
			return r.peel(plumbing.NewHash(ref.Hash))
		}
	}
	if len(name) > 2*idSHA1 && len(name) < 2*r.objects.stores.idSize && isHex(name) {
		name = name[:2*idSHA1]
		return r.peel(plumbing.NewHash(name))
	}
	if len(name) >= minShort && len(name) < 40 && isHex(name) {
		return r.resolveShort(strings.ToLower(name))
	}
	return plumbing.ZeroHash, fmt.Errorf("revision %q: %w", name, ErrNotFound)
}

// resolveShort returns the only commit, or tag of a commit, whose id begins with the digits. It ignores trees
// and blobs.
func (r *Repository) resolveShort(prefix string) (plumbing.Hash, error) {
	ids, err := r.objects.withPrefix(prefix)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if len(ids) == 0 && r.objects.refresh() {
		if ids, err = r.objects.withPrefix(prefix); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	var found []plumbing.Hash
	for _, id := range ids {
		commit, err := r.peel(id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
		found = append(found, commit)
	}
	switch len(found) {
	case 0:
		return plumbing.ZeroHash, fmt.Errorf("commit %s: %w", prefix, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return plumbing.ZeroHash, fmt.Errorf("commit %s: %w (%d commits begin with it)", prefix, ErrAmbiguous, len(found))
}

// peel follows tags to a commit.
func (r *Repository) peel(id plumbing.Hash) (plumbing.Hash, error) {
	for range maxTagDepth {
		typ, b, err := r.objects.get(id, maxBase)
		switch {
		case errors.Is(err, ErrTooLarge):
			return plumbing.ZeroHash, fmt.Errorf("object %s is %w: %w", id, errNoCommit, ErrNotFound)
		case err != nil:
			return plumbing.ZeroHash, err
		case typ == plumbing.CommitObject:
			return id, nil
		case typ != plumbing.TagObject:
			return plumbing.ZeroHash, fmt.Errorf("object %s is a %s and %w: %w", id, typ, errNoCommit, ErrNotFound)
		}
		target, err := targetOf(b)
		if err != nil {
			return plumbing.ZeroHash, fmt.Errorf("tag %s: %w", id, err)
		}
		id = target
	}
	return plumbing.ZeroHash, fmt.Errorf("object %s: %w (tags of tags without end)", id, ErrNotFound)
}

// targetOf parses the target of a tag. go-git's parser would link the packages for checking signatures, which
// every process would have to initialise.
func targetOf(tag []byte) (plumbing.Hash, error) {
	head, _, _ := bytes.Cut(tag, []byte("\n\n"))
	for line := range strings.Lines(string(head)) {
		if value, ok := strings.CutPrefix(line, "object "); ok {
			return parseID(strings.TrimSpace(value))
		}
	}
	return plumbing.ZeroHash, fmt.Errorf("a tag without an object: %w", errCorrupt)
}
