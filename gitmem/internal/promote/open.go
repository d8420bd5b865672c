package promote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/branch"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers"
)

// State is the progress of a proposal.
type State string

// The states of a proposal.
const (
	StateWritten   State = "written"   // to the work tree
	StateCommitted State = "committed" // only on a local branch
	StatePushed    State = "pushed"    // without an open pull request
	StateOpened    State = "opened"
	StateUpdated   State = "updated"   // an open pull request was updated
	StateUnchanged State = "unchanged" // an open pull request was already up to date
)

// Proposed is the result of a plan. The JSON form is a public contract.
type Proposed struct {
	ID      string   `json:"id"`
	Rule    string   `json:"rule"`
	File    string   `json:"file"`
	State   State    `json:"state"`
	Branch  string   `json:"branch"`
	Commit  string   `json:"commit"`
	Number  int      `json:"number"` // of the pull request, 0 for none
	URL     string   `json:"url"`
	Next    []string `json:"next"` // remaining manual steps: commands and addresses
	Caveats []string `json:"caveats"`
}

// proposing is one run of the steps of a plan. Each step checks the present state of git and the forge instead of
// records of an earlier run, so that a run continues where the last one stopped.
type proposing struct {
	*Plan
	pr  *Promoter
	out Proposed
	// known is the commit of the branch on the remote, "" for none.
	known string
	open  bool // a proposal of the branch is open
}

// Open executes a plan as far as it can; together with an error the result contains the completed steps.
func (pr *Promoter) Open(ctx context.Context, plan *Plan) (Proposed, error) {
	r := &proposing{Plan: plan, pr: pr, out: Proposed{ID: plan.ID, Rule: plan.Rule, File: plan.File, Branch: plan.Branch,
		Next: []string{}}}
	err := r.run(ctx)
	r.out.Caveats = append(messages.Filled(r.out.Caveats), pr.ws.Caveats...)
	return r.out, err
}

func (r *proposing) run(ctx context.Context) error {
	if r.request.Local {
		return r.write()
	}
	to, failed := r.proposer(ctx)
	if failed == nil {
		failed = r.choosePush(ctx, to)
	}
	if errors.Is(failed, messages.ErrDuplicate) || errors.Is(failed, store.ErrConflict) {
		return failed
	}
	if err := r.commit(ctx); err != nil {
		return err
	}
	if failed != nil {
		return r.byHand(failed)
	}
	if err := r.push(ctx); err != nil {
		return err
	}
	return r.propose(ctx, to)
}

// write writes the rule to the work tree, unless the file has changed since.
func (r *proposing) write() error {
	root, err := os.OpenRoot(r.at.repo.WorkTree)
	if err != nil {
		return err
	}
	defer root.Close()
	files, err := r.at.rulesOnDisk([]string{r.File})
	if err != nil {
		return err
	}
	var now []byte
	if i := slices.IndexFunc(files, func(f ruleFile) bool { return f.path == r.File }); i >= 0 {
		now = files[i].text
	}
	if !bytes.Equal(now, r.before) {
		return fmt.Errorf("%s has changed meanwhile: %w", r.File, store.ErrConflict)
	}
	r.out.State, r.out.Branch = StateWritten, ""
	here, err := filepath.Rel(r.pr.ws.Options.Dir, filepath.Join(r.at.repo.WorkTree, filepath.FromSlash(r.File)))
	if err != nil {
		here = r.File
	}
	r.out.Next = append(r.out.Next, "git add "+filepath.ToSlash(here))
	return branch.WriteFile(root, r.File, r.text)
}

// proposer returns the client for the forge.
func (r *proposing) proposer(ctx context.Context) (providers.Proposer, error) {
	if !r.at.onForge {
		return nil, errNoForge
	}
	return r.pr.src.Forges(r.at.place).Proposer(ctx, r.at.forge)
}

// errNoForge means that the repository is not from a forge that gitmem knows.
var errNoForge = errors.New("the repository comes from no forge that gitmem knows, or that the configuration allows")

// choosePush determines where the account may push, and what is already there.
func (r *proposing) choosePush(ctx context.Context, to providers.Proposer) error {
	has, err := to.Access(ctx)
	if err != nil {
		return err
	}
	if has.DefaultBranch != r.Base {
		return &messages.Refusal{
			Reason: fmt.Sprintf("%s calls its branch %s, and here it is known as %s", r.Repository, has.DefaultBranch, r.Base),
			Advice: "run git remote set-head " + r.at.remote + " --auto, and try again", Err: store.ErrConflict,
		}
	}
	r.Reviewers = slices.DeleteFunc(r.Reviewers, func(login string) bool { return strings.EqualFold(login, has.Login) })
	if !has.Push && r.at.push == r.at.remote {
		if r.at.headOwner, r.at.push, err = to.Fork(ctx); err != nil {
			return err
		}
		if u, err := url.Parse(r.at.push); err != nil || u.Scheme != "https" || u.User != nil || u.Host != r.at.forge.Host {
			return fmt.Errorf("the fork's address %s is not on %s: %w", messages.OneLine(r.at.push, 100), r.at.forge.Host,
				providers.ErrRefused)
		}
	}
	p, err := r.standing(ctx, to)
	if err != nil {
		return err
	}
	r.open = p.State == providers.ProposalOpen
	r.known, err = r.at.repo.RemoteCommit(ctx, r.at.push, r.Branch)
	return err
}

// commit creates the branch, unless it exists locally or on the remote.
func (r *proposing) commit(ctx context.Context) error {
	repo := r.at.repo
	here, err := repo.Commit(ctx, "refs/heads/"+r.Branch)
	if err != nil {
		return err
	}
	if r.known != "" && r.known != here && !r.open { // the commits of others are not proposed in the user's name
		return &messages.Refusal{Reason: "the branch " + r.Branch + " is on " + r.at.push +
			" with commits that were not made here",
			Advice: "look at it, and delete it there or open a pull request for it by hand", Err: store.ErrConflict}
	}
	if here == "" && r.known != "" { // created on another machine
		if err := repo.FetchCommit(ctx, r.at.push, r.Branch); err != nil {
			return err
		}
		here = r.known
	}
	if here != "" {
		if !r.isOurs(ctx, here) {
			return &messages.Refusal{Reason: "the branch " + r.Branch + " is there, and not with this rule",
				Advice: "look at it, and rename or delete it", Err: store.ErrConflict}
		}
		if r.holds(ctx, here) || r.known != "" {
			r.out.Commit, r.out.State = here, StateCommitted
			return nil
		}
	}
	r.out.Commit, err = repo.Make(ctx, branch.Change{Branch: r.Branch, Old: here, Parent: r.at.base, Path: r.File,
		Text: r.text, Message: r.message()})
	if err != nil {
		return fmt.Errorf("the rule was not committed: %w", err)
	}
	r.out.State = StateCommitted
	return nil
}

// isOurs reports whether a commit is that of the rule, or a descendant of it.
func (r *proposing) isOurs(ctx context.Context, commit string) bool {
	text, err := r.at.repo.Messages(ctx, r.at.base, commit)
	return err == nil && strings.Contains(text, trailer+r.ID+"\n")
}

// holds reports whether a commit has the rule in the file of the plan.
func (r *proposing) holds(ctx context.Context, commit string) bool {
	at := r.at
	at.base = commit
	text, ok := at.read(ctx, r.File)
	has := func(rule string) bool {
		return slices.ContainsFunc(statements(ruleFile{path: r.File, text: text}), func(s lint.Statement) bool {
			return s.Text == rule
		})
	}
	if r.removed != "" {
		return ok && !has(r.removed)
	}
	return ok && has(r.Rule)
}

// The trailers with the rule and its evidence in the commit message.
const (
	trailer         = "Gitmem-Rule: "
	evidenceTrailer = "Gitmem-Evidence: "
)

func (r *proposing) message() string {
	var b strings.Builder
	b.WriteString(r.Title + "\n\n" + inert(r.Rule) + "\n\n" + trailer + r.ID + "\n")
	for _, e := range r.Evidence {
		b.WriteString(evidenceTrailer + e.ID + "\n")
	}
	return b.String()
}

// push pushes the branch. It does not overwrite a branch that others changed.
func (r *proposing) push(ctx context.Context) error {
	switch {
	case r.known == "":
		if err := r.at.repo.Push(ctx, r.at.push, r.out.Commit, r.Branch); err != nil {
			return &messages.Refusal{Reason: "the branch is committed and was not pushed: " + err.Error(),
				Advice: "run it again: it goes on from there. To leave it, git branch -D " + r.Branch, Err: err}
		}
	case r.known != r.out.Commit:
		r.out.Caveats = append(r.out.Caveats, "The branch has other commits on "+r.at.push+
			" than here, and is left as it is there.")
	}
	r.out.State = StatePushed
	return nil
}

// propose opens the pull request, or updates the open one.
func (r *proposing) propose(ctx context.Context, to providers.Proposer) error {
	p, err := r.standing(ctx, to)
	if err != nil {
		return again(err)
	}
	if p.State == providers.ProposalOpen {
		return again(r.update(ctx, to, p))
	}
	head := r.at.headOwner + ":" + r.Branch
	p, err = to.Propose(ctx, providers.Proposal{Head: head, Base: r.Base, Title: r.Title, Body: r.Body,
		Draft: r.request.Draft})
	if err != nil {
		found, lookErr := r.standing(ctx, to) // somebody may have been faster, or the response was lost
		if lookErr != nil || found.State != providers.ProposalOpen {
			return again(err)
		}
		p = found
	}
	r.out.State, r.out.Number, r.out.URL = StateOpened, p.Number, p.URL
	if err := to.Invite(ctx, p.Number, r.Reviewers); err != nil {
		r.out.Caveats = append(r.out.Caveats, "Not everybody could be asked for a review: "+why(err)+".")
	}
	r.label(ctx, to)
	return nil
}

func (r *proposing) label(ctx context.Context, to providers.Proposer) {
	if len(r.request.Labels) == 0 {
		return
	}
	if err := to.Label(ctx, r.out.Number, r.request.Labels); err != nil {
		r.out.Caveats = append(r.out.Caveats, "The labels were not added: "+why(err)+".")
	}
}

// update writes the current state to an open pull request.
func (r *proposing) update(ctx context.Context, to providers.Proposer, p providers.Proposal) error {
	r.out.State, r.out.Number, r.out.URL = StateUnchanged, p.Number, p.URL
	r.label(ctx, to)
	body := withBody(p.Body, r.Body)
	if strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n")) == strings.TrimSpace(strings.ReplaceAll(p.Body,
		"\r\n", "\n")) {
		return nil
	}
	r.out.State = StateUpdated
	return to.Describe(ctx, p.Number, body)
}

// byHand sets the remaining manual steps if the forge can't be used. A temporary failure is also returned as an error.
func (r *proposing) byHand(failed error) error {
	remote := r.at.push
	if remote == "" {
		r.out.Next = append(r.out.Next, "git merge "+r.Branch)
		return nil
	}
	r.out.Next = append(r.out.Next, "git push "+remote+" "+r.Branch)
	if r.at.onForge && r.at.forge.Kind == providers.GitHub {
		r.out.Next = append(r.out.Next, fmt.Sprintf("https://%s/%s/compare/%s...%s:%s?expand=1", r.at.forge.Host,
			r.at.forge.Path, r.Base, r.at.headOwner, r.Branch))
	}
	var unsigned *messages.Refusal
	if errors.Is(failed, errNoForge) || errors.As(failed, &unsigned) || errors.Is(failed, providers.ErrRefused) ||
		r.pr.ws.IsOffline() {
		r.out.Caveats = append(r.out.Caveats, "No pull request was opened: "+why(failed)+".")
		return nil
	}
	return again(failed)
}

// again wraps the error of a step from which a later run can continue.
func again(err error) error {
	if err == nil || errors.As(err, new(*messages.Refusal)) {
		return err
	}
	return &messages.Refusal{Reason: why(err), Advice: "run it again: it goes on from there", Err: err}
}

// why returns an error of a forge as text for people.
func why(err error) string {
	var r *messages.Refusal
	if errors.As(err, &r) {
		return r.Reason + "; " + r.Advice
	}
	return forge.Reason(err)
}
