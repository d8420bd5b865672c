package providers

import "context"

// Access lists what the account of a token may do in a repository.
type Access struct {
	Login         string // of the account
	DefaultBranch string
	Push          bool
}

// ProposalState is the state of a proposal.
type ProposalState string

// The states of a proposal. A declined one was closed without a merge.
const (
	ProposalOpen     ProposalState = "open"
	ProposalMerged   ProposalState = "merged"
	ProposalDeclined ProposalState = "declined"
)

// Proposal is a pull or merge request.
type Proposal struct {
	Number      int
	URL         string
	State       ProposalState
	Head        string // source branch, prefixed with its owner and a colon if it is in a fork
	Base        string // target branch
	Title, Body string
	Draft       bool
}

// Proposer is implemented by sources that can open proposals. Its errors wrap those of this package.
type Proposer interface {
	Access(ctx context.Context) (Access, error)
	// Proposals returns those from a branch of an owner, in any state, newest first.
	Proposals(ctx context.Context, owner, branch string) ([]Proposal, error)
	// Propose opens a proposal and returns it with its number, URL and state.
	Propose(ctx context.Context, p Proposal) (Proposal, error)
	// Describe replaces the body of a proposal.
	Describe(ctx context.Context, number int, body string) error
	// Label adds labels to a proposal.
	Label(ctx context.Context, number int, labels []string) error
	// Invite requests reviews: from people by login, from teams by owner/name.
	Invite(ctx context.Context, number int, reviewers []string) error
	// Fork creates a fork of the repository for the account, or finds an existing one. It returns its owner and
	// the address to push to; the fork may not be ready at once.
	Fork(ctx context.Context) (owner, address string, err error)
}
