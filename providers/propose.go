package providers

import "context"

// Access is what the account of a token may do in a repository.
type Access struct {
	Login         string // of the account
	DefaultBranch string
	Push          bool
}

// ProposalState is what became of a proposal.
type ProposalState string

// The states of a proposal. A declined one was closed and not merged.
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
	Head        string // branch, with its owner before a colon where that is a fork
	Base        string // branch that it is meant for
	Title, Body string
	Draft       bool
}

// Proposer is implemented by sources in which changes can be proposed. Its errors wrap those
// of this package.
type Proposer interface {
	Access(ctx context.Context) (Access, error)
	// Proposals are those from a branch of an owner, in any state, newest first.
	Proposals(ctx context.Context, owner, branch string) ([]Proposal, error)
	// Propose opens a proposal and returns it with its number, URL and state.
	Propose(ctx context.Context, p Proposal) (Proposal, error)
	// Describe replaces the body of a proposal.
	Describe(ctx context.Context, number int, body string) error
	// Label adds labels to a proposal.
	Label(ctx context.Context, number int, labels []string) error
	// Invite asks for reviews: of people by login, of teams by owner/name.
	Invite(ctx context.Context, number int, reviewers []string) error
	// Fork makes a copy of the repository for the account, or finds the one that there is.
	// It returns its owner and the address to push to; it may take a while to be ready.
	Fork(ctx context.Context) (owner, address string, err error)
}
