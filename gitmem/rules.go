package gitmem

import "context"

// Rules are those of the repository of the working folder, which its team reviews.
type Rules struct{ m *Memory }

// Rules gives access to the rules of the repository of the working folder.
func (m *Memory) Rules() *Rules { return &Rules{m} }

// Candidates lists what the team, or one person again and again, seems to go by and no rule
// says, with its evidence and why each is ready to be proposed or not.
func (r *Rules) Candidates(ctx context.Context) (RuleCandidates, error) {
	return with(r.m, func(v view) (RuleCandidates, error) { return v.promoter().Candidates(ctx) })
}

// List lists the rules with their provenance, the files that each is for today, and what is
// wrong about them.
func (r *Rules) List(ctx context.Context) (RuleList, error) {
	return with(r.m, func(v view) (RuleList, error) { return v.promoter().Rules(ctx) })
}

// Blame tells of each line of a file of rules, as it is committed, who wrote it, when, and in which
// commit of the repository.
func (r *Rules) Blame(ctx context.Context, path string) (Blamed, error) {
	return with(r.m, func(v view) (Blamed, error) { return v.editor().BlameRules(ctx, path) })
}

// Plan finds out what proposing a rule means, and changes nothing. The error wraps
// [ErrDuplicate] where a rule says the same or where the same was declined on the same
// evidence, and [ErrNoRepository] outside a repository.
func (r *Rules) Plan(ctx context.Context, request RuleRequest) (*RulePlan, error) {
	return with(r.m, func(v view) (*RulePlan, error) { return v.promoter().Plan(ctx, request) })
}

// Open carries a plan out as far as it can: a branch with one commit, a push, and a pull
// request. With an error the result says how far it has come, and repeating it continues.
func (r *Rules) Open(ctx context.Context, plan *RulePlan) (RuleProposed, error) {
	return with(r.m, func(v view) (RuleProposed, error) { return v.promoter().Open(ctx, plan) })
}
