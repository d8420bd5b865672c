package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
)

// Access implements [providers.Proposer].
func (s *Source) Access(ctx context.Context) (providers.Access, error) {
	repo, _, err := s.api.Repositories.Get(ctx, s.owner, s.repo)
	if err != nil {
		return providers.Access{}, s.failed(ctx, "read the repository", err)
	}
	user, _, err := s.api.Users.Get(ctx, "")
	if err != nil {
		return providers.Access{}, s.failed(ctx, "read the account of the token", err)
	}
	out := providers.Access{Login: user.GetLogin(), DefaultBranch: repo.GetDefaultBranch(),
		Push: repo.GetPermissions()["push"]}
	if out.Login == "" || out.DefaultBranch == "" {
		return providers.Access{}, fmt.Errorf("github: the repository or the account has no name: %w", providers.ErrMalformed)
	}
	return out, nil
}

// failed adds the action that failed to the error.
func (s *Source) failed(ctx context.Context, what string, err error) error {
	return fmt.Errorf("%s: %w", what, s.convertError(ctx, err))
}

// Proposals implements [providers.Proposer].
func (s *Source) Proposals(ctx context.Context, owner, branch string) (out []providers.Proposal, err error) {
	list, _, err := s.api.PullRequests.List(ctx, s.owner, s.repo, &gh.PullRequestListOptions{
		State: "all", Head: owner + ":" + branch, Sort: "created", Direction: "desc",
		ListOptions: gh.ListOptions{PerPage: pageSize},
	})
	if err != nil {
		return nil, s.failed(ctx, "look for pull requests", err)
	}
	for _, p := range list {
		if p.GetHead().GetRef() == branch { // a server that ignores the filter lists all
			out = append(out, proposal(p))
		}
	}
	return out, nil
}

func proposal(p *gh.PullRequest) providers.Proposal {
	out := providers.Proposal{
		Number: p.GetNumber(), URL: p.GetHTMLURL(), State: providers.ProposalOpen, Head: p.GetHead().GetRef(),
		Base:  p.GetBase().GetRef(),
		Title: p.GetTitle(), Body: p.GetBody(), Draft: p.GetDraft(),
	}
	switch {
	case p.MergedAt != nil || p.GetMerged():
		out.State = providers.ProposalMerged
	case p.GetState() == "closed":
		out.State = providers.ProposalDeclined
	}
	return out
}

// Propose implements [providers.Proposer].
func (s *Source) Propose(ctx context.Context, p providers.Proposal) (providers.Proposal, error) {
	made, _, err := s.api.PullRequests.Create(ctx, s.owner, s.repo, &gh.NewPullRequest{
		Title: &p.Title, Head: &p.Head, Base: &p.Base, Body: &p.Body, Draft: &p.Draft, MaintainerCanModify: gh.Bool(true),
	})
	if err != nil {
		return p, s.failed(ctx, "open a pull request", err)
	}
	if made.GetNumber() == 0 || made.GetHTMLURL() == "" {
		return p, fmt.Errorf("github: the new pull request has no number: %w", providers.ErrMalformed)
	}
	return proposal(made), nil
}

// Describe implements [providers.Proposer].
func (s *Source) Describe(ctx context.Context, number int, body string) error {
	if _, _, err := s.api.PullRequests.Edit(ctx, s.owner, s.repo, number, &gh.PullRequest{Body: &body}); err != nil {
		return s.failed(ctx, "update the pull request", err)
	}
	return nil
}

// Label implements [providers.Proposer].
func (s *Source) Label(ctx context.Context, number int, labels []string) error {
	if _, _, err := s.api.Issues.AddLabelsToIssue(ctx, s.owner, s.repo, number, labels); err != nil {
		return s.failed(ctx, "label the pull request", err)
	}
	return nil
}

// Invite implements [providers.Proposer]. It sends one request per reviewer: for a list, GitHub accepts
// either all or none.
func (s *Source) Invite(ctx context.Context, number int, reviewers []string) error {
	var errs []error
	for _, name := range reviewers {
		ask := gh.ReviewersRequest{Reviewers: []string{name}}
		if _, team, ok := strings.Cut(name, "/"); ok {
			ask = gh.ReviewersRequest{TeamReviewers: []string{team}}
		}
		if _, _, err := s.api.PullRequests.RequestReviewers(ctx, s.owner, s.repo, number, ask); err != nil {
			errs = append(errs, s.failed(ctx, "ask "+name+" for a review", err))
		}
	}
	return errors.Join(errs...)
}

// Fork implements [providers.Proposer].
func (s *Source) Fork(ctx context.Context) (owner, address string, err error) {
	fork, _, err := s.api.Repositories.CreateFork(ctx, s.owner, s.repo,
		&gh.RepositoryCreateForkOptions{DefaultBranchOnly: true})
	if err != nil && !errors.As(err, new(*gh.AcceptedError)) {
		return "", "", s.failed(ctx, "fork the repository", err)
	}
	owner, address = fork.GetOwner().GetLogin(), fork.GetCloneURL()
	if !isName(owner) || !isName(fork.GetName()) || address == "" {
		return "", "", fmt.Errorf("github: the fork has no name or address: %w", providers.ErrMalformed)
	}
	return owner, address, nil
}
