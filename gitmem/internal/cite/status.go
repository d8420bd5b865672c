package cite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/providers/git"
)

// CitationStatus is the current status of a citation in the repository.
type CitationStatus struct {
	// Status is holds, moved, changed or gone.
	Status answer.Status
	// Since is the number of commits that changed the cited lines since; only set if the status is changed.
	Since int
	// Path and Line are the current position of cited lines or of their replacement; "" and 0 for commits and deleted
	// lines.
	Path string
	Line int
	// RevertedBy is the citation id of the commit that reverted a cited commit.
	RevertedBy string
}

// Weight returns the weight of evidence with this status, 1 if it holds. Statements about changed code or reverted work
// count less for the present.
func (s CitationStatus) Weight() float64 {
	if s.RevertedBy != "" {
		return 0.5
	}
	switch s.Status {
	case answer.StatusGone:
		return 0.5
	case answer.StatusChanged:
		return max(0.6, 1-0.1*float64(s.Since))
	}
	return 1
}

// String returns a short description of the status, or "" if the citation holds.
func (s CitationStatus) String() string {
	switch {
	case s.RevertedBy != "":
		return "reverted by " + s.RevertedBy
	case s.Status == answer.StatusChanged && s.Since == 1:
		return "changed (1 commit since)"
	case s.Status == answer.StatusChanged:
		return fmt.Sprintf("changed (%d commits since)", s.Since)
	case s.Status == answer.StatusMoved && s.Path != "":
		return fmt.Sprintf("moved to %s:%d", s.Path, s.Line)
	case s.Status == answer.StatusHolds:
		return ""
	}
	return string(s.Status)
}

// maxAftermath is the maximum number of commits that are examined for later changes; older citations count as holding.
const maxAftermath = 20_000

// Statuses compares citations of commits and lines with the current history. The result is keyed by the given ids. It
// has no entry for ids of other kinds, for malformed ids, or without a repository. Commits need a lookup in the
// history's index or, if it is missing or incomplete, one walk over newer commits; lines each need a comparison and a
// walk over the commits that changed them.
func (r *Resolver) Statuses(ctx context.Context, ids ...string) (map[string]CitationStatus, error) {
	out := map[string]CitationStatus{}
	if r.Repository == nil {
		return out, nil
	}
	commits := map[string][]string{} // ids by the commit that they name
	for _, s := range ids {
		id, err := Parse(s)
		if err != nil {
			continue
		}
		switch id.Kind {
		case KindBlame:
			if _, done := out[s]; done {
				continue
			}
			if out[s], err = r.lineStatus(ctx, id); err != nil {
				return nil, err
			}
		case KindCommit:
			sha, err := r.Repository.Resolve(id.Name)
			if err != nil {
				out[s] = CitationStatus{Status: answer.StatusGone}
				continue
			}
			commits[sha] = append(commits[sha], s)
		}
	}
	return out, r.commitStatuses(ctx, commits, out)
}

func (r *Resolver) commitStatuses(ctx context.Context, commits map[string][]string,
	out map[string]CitationStatus) error {
	if len(commits) == 0 {
		return nil
	}
	after, err := r.aftermaths(ctx, slices.Collect(maps.Keys(commits)))
	if err != nil {
		return fmt.Errorf("what became of %d cited commits: %w", len(commits), err)
	}
	for sha, ids := range commits {
		s := CitationStatus{Status: answer.StatusGone}
		if a := after[sha]; a.Reached || a.Unknown {
			s.Status = answer.StatusHolds
			if a.RevertedBy != "" {
				s.RevertedBy = ID{Kind: KindCommit, Name: a.RevertedBy}.String()
			}
		}
		for _, id := range ids {
			out[id] = s
		}
	}
	return nil
}

func (r *Resolver) aftermaths(ctx context.Context, shas []string) (after map[string]git.CommitStatus, err error) {
	if r.History != nil {
		if after, err = r.Repository.CommitStatusesIndexed(ctx, *r.History, shas...); err != nil {
			return nil, err
		}
	}
	shas = slices.DeleteFunc(shas, func(sha string) bool { return after[sha].Reached })
	if len(shas) == 0 {
		return after, nil
	}
	walked, err := r.Repository.CommitStatuses(ctx, maxAftermath, shas...)
	if errors.Is(err, git.ErrEmpty) {
		return after, nil
	}
	if err != nil {
		return nil, err
	}
	maps.Copy(walked, after)
	return walked, nil
}

func (r *Resolver) lineStatus(ctx context.Context, id ID) (CitationStatus, error) {
	head, err := r.Repository.Head()
	if errors.Is(err, git.ErrEmpty) {
		return CitationStatus{Status: answer.StatusGone}, nil
	}
	if err != nil {
		return CitationStatus{}, err
	}
	f, err := r.Repository.TraceLines(ctx, id.Fragment, id.Name, id.Number, id.lastLine(), head.Hash)
	switch {
	case errors.Is(err, git.ErrNotFound):
		return CitationStatus{Status: answer.StatusGone}, nil
	case err != nil:
		return CitationStatus{}, fmt.Errorf("%s: %w", id, err)
	}
	s := CitationStatus{Path: r.Redactor.Path(f.Path), Line: f.From, Since: f.Since}
	switch {
	case f.From == 0:
		s = CitationStatus{Status: answer.StatusGone}
	case !f.Same:
		s.Status = answer.StatusChanged
	case f.Path != id.Name || f.From != id.Number:
		s.Status = answer.StatusMoved
	default:
		s.Status = answer.StatusHolds
	}
	return s, nil
}
