package gitlab

import (
	"context"
	"fmt"
	"path"
	"strings"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
)

// Access implements [providers.Proposer].
func (s *Source) Access(ctx context.Context) (providers.Access, error) {
	project, _, err := s.api.Projects.GetProject(s.project, nil, gl.WithContext(ctx))
	if err != nil {
		return providers.Access{}, s.failed(ctx, "read the project", err)
	}
	user, _, err := s.api.Users.CurrentUser(gl.WithContext(ctx))
	if err != nil {
		return providers.Access{}, s.failed(ctx, "read the account of the token", err)
	}
	out := providers.Access{Login: user.Username, DefaultBranch: project.DefaultBranch}
	if p := project.Permissions; p != nil {
		out.Push = p.ProjectAccess != nil && p.ProjectAccess.AccessLevel >= gl.DeveloperPermissions || p.GroupAccess != nil &&
			p.GroupAccess.AccessLevel >= gl.DeveloperPermissions
	}
	if out.Login == "" || out.DefaultBranch == "" {
		return providers.Access{}, fmt.Errorf("gitlab: the project or the account has no name: %w", providers.ErrMalformed)
	}
	return out, nil
}

// failed adds the action that failed to the error.
func (s *Source) failed(ctx context.Context, what string, err error) error {
	return fmt.Errorf("%s: %w", what, s.wire.CleanError(ctx, err))
}

// Proposals implements [providers.Proposer]. It ignores the owner, which this list of GitLab does not
// contain.
func (s *Source) Proposals(ctx context.Context, _, branch string) (out []providers.Proposal, err error) {
	list, _, err := s.api.MergeRequests.ListProjectMergeRequests(s.project, &gl.ListProjectMergeRequestsOptions{
		SourceBranch: &branch, State: gl.Ptr("all"), OrderBy: gl.Ptr("created_at"), Sort: gl.Ptr("desc"),
	}, gl.WithContext(ctx))
	if err != nil {
		return nil, s.failed(ctx, "look for merge requests", err)
	}
	for _, m := range list {
		if m.SourceBranch == branch { // a server that ignores the filter lists all
			out = append(out, proposal(m))
		}
	}
	return out, nil
}

func proposal(m *gl.BasicMergeRequest) providers.Proposal {
	out := providers.Proposal{
		Number: int(m.IID), URL: m.WebURL, State: providers.ProposalOpen, Head: m.SourceBranch, Base: m.TargetBranch,
		Title: m.Title, Body: m.Description, Draft: m.Draft,
	}
	switch m.State {
	case "merged":
		out.State = providers.ProposalMerged
	case "closed":
		out.State = providers.ProposalDeclined
	}
	return out
}

// Propose implements [providers.Proposer]. A merge request from a fork is opened in the fork.
func (s *Source) Propose(ctx context.Context, p providers.Proposal) (providers.Proposal, error) {
	owner, branch, _ := strings.Cut(p.Head, ":")
	o := &gl.CreateMergeRequestOptions{Title: &p.Title, Description: &p.Body, SourceBranch: &branch, TargetBranch: &p.Base,
		AllowCollaboration: gl.Ptr(true)}
	if p.Draft {
		o.Title = gl.Ptr("Draft: " + p.Title)
	}
	from := path.Join(owner, path.Base(s.project))
	if from != s.project {
		project, _, err := s.api.Projects.GetProject(s.project, nil, gl.WithContext(ctx))
		if err != nil {
			return p, s.failed(ctx, "read the project", err)
		}
		o.TargetProjectID = &project.ID
	}
	made, _, err := s.api.MergeRequests.CreateMergeRequest(from, o, gl.WithContext(ctx))
	if err != nil {
		return p, s.failed(ctx, "open a merge request", err)
	}
	if made.IID == 0 || made.WebURL == "" {
		return p, fmt.Errorf("gitlab: the new merge request has no number: %w", providers.ErrMalformed)
	}
	return proposal(&made.BasicMergeRequest), nil
}

// Describe implements [providers.Proposer].
func (s *Source) Describe(ctx context.Context, number int, body string) error {
	return s.update(ctx, number, "update the merge request", &gl.UpdateMergeRequestOptions{Description: &body})
}

// Label implements [providers.Proposer].
func (s *Source) Label(ctx context.Context, number int, labels []string) error {
	return s.update(ctx, number, "label the merge request",
		&gl.UpdateMergeRequestOptions{AddLabels: (*gl.LabelOptions)(&labels)})
}

// Invite implements [providers.Proposer]. GitLab identifies reviewers by number and has no group reviewers.
func (s *Source) Invite(ctx context.Context, number int, reviewers []string) error {
	var ids []int64
	for _, name := range reviewers {
		if strings.Contains(name, "/") {
			continue
		}
		found, _, err := s.api.Users.ListUsers(&gl.ListUsersOptions{Username: &name}, gl.WithContext(ctx))
		if err != nil {
			return s.failed(ctx, "look for "+name, err)
		}
		for _, u := range found {
			ids = append(ids, u.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.update(ctx, number, "ask for reviews", &gl.UpdateMergeRequestOptions{ReviewerIDs: &ids})
}

func (s *Source) update(ctx context.Context, number int, what string, o *gl.UpdateMergeRequestOptions) error {
	if _, _, err := s.api.MergeRequests.UpdateMergeRequest(s.project, int64(number), o, gl.WithContext(ctx)); err != nil {
		return s.failed(ctx, what, err)
	}
	return nil
}

// Fork implements [providers.Proposer].
func (s *Source) Fork(ctx context.Context) (owner, address string, err error) {
	user, _, err := s.api.Users.CurrentUser(gl.WithContext(ctx))
	if err != nil {
		return "", "", s.failed(ctx, "read the account of the token", err)
	}
	fork, _, err := s.api.Projects.GetProject(path.Join(user.Username, path.Base(s.project)), nil, gl.WithContext(ctx))
	if err != nil { // there is no fork yet
		if fork, _, err = s.api.Projects.ForkProject(s.project, nil, gl.WithContext(ctx)); err != nil {
			return "", "", s.failed(ctx, "fork the project", err)
		}
	}
	if !isPath(fork.PathWithNamespace) || fork.HTTPURLToRepo == "" {
		return "", "", fmt.Errorf("gitlab: the fork has no path or address: %w", providers.ErrMalformed)
	}
	return path.Dir(fork.PathWithNamespace), fork.HTTPURLToRepo, nil
}
