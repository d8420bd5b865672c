package gitmem

import "context"

// Rules gives access to the rules of the repository of the working folder, which its team reviews.
type Rules struct{ m *Memory }

// Rules gives access to the rules of the repository of the working folder.
func (m *Memory) Rules() *Rules { return &Rules{m} }

// Candidates lists rules that the team, or one person repeatedly, seems to follow and that are not written down, with
// evidence and the reason why each is ready to be proposed or not.
func (r *Rules) Candidates(ctx context.Context) (RuleCandidates, error) {
	return with(r.m, func(v view) (RuleCandidates, error) { return v.promoter().Candidates(ctx) })
}

// List lists the rules with their provenance, the files that each matches today, and their problems.
func (r *Rules) List(ctx context.Context) (RuleList, error) {
	return with(r.m, func(v view) (RuleList, error) { return v.promoter().Rules(ctx) })
}

// Blame returns for each line of a committed file of rules its author, time and commit of the repository.
func (r *Rules) Blame(ctx context.Context, path string) (Blamed, error) {
	return with(r.m, func(v view) (Blamed, error) { return v.editor().BlameRules(ctx, path) })
}

// Plan returns what proposing a rule would do, and changes nothing. The error wraps [ErrDuplicate] if an existing rule
// is equivalent or if the same was declined on the same evidence, and [ErrNoRepository] outside a repository.
func (r *Rules) Plan(ctx context.Context, request RuleRequest) (*RulePlan, error) {
	return with(r.m, func(v view) (*RulePlan, error) { return v.promoter().Plan(ctx, request) })
}

// Open executes a plan as far as it can: a branch with one commit, a push, and a pull request. With an error the result
// contains the completed steps, and repeating it continues.
func (r *Rules) Open(ctx context.Context, plan *RulePlan) (RuleProposed, error) {
	return with(r.m, func(v view) (RuleProposed, error) { return v.promoter().Open(ctx, plan) })
}
