package promote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers"
)

// Promoter proposes rules for the repository of the working folder, during one call.
type Promoter struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
	model  Model
}

// Model derives rules from statements, sorted by time, and returns for each rule the numbers of its statements.
type Model interface {
	Rules(ctx context.Context, said []answer.Citation) (rules []string, from [][]int, err error)
}

// New returns a Promoter for one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader, model Model) *Promoter {
	return &Promoter{ws, src, reader, model}
}

// Request is a request to propose a rule.
type Request struct {
	// What contains citation ids, which are evidence, and words: the rule. Without words the rule is that of the first
	// source. The id of a [Candidate] is replaced by its evidence.
	What   []string
	Domain string   // the file's name without .md; "" means the subject of the rule
	Paths  []string // globs for the files of a new file of rules; nil derives them from the evidence
	Labels []string // of the pull request
	Draft  bool
	// Demote is the location of a rule, as in [Rule].At, whose removal is proposed or, with words, its replacement by
	// them.
	Demote string
	Local  bool // write the rule to the work tree without a proposal
}

// Plan is a planned proposal of a rule. The JSON form is a public contract.
type Plan struct {
	ID         string            `json:"id"`
	Rule       string            `json:"rule"`
	File       string            `json:"file"`
	Paths      []string          `json:"paths"`      // globs of the files that it applies to, none for all
	Repository string            `json:"repository"` // the target repository, "" if none is known
	Base       string            `json:"base"`       // target branch
	Branch     string            `json:"branch"`
	Title      string            `json:"title"`
	Body       string            `json:"body"`
	Diff       string            `json:"diff"`
	Evidence   []answer.Citation `json:"evidence"`
	Near       []answer.Citation `json:"near"`    // others that agree
	Against    []answer.Citation `json:"against"` // others that disagree
	Replaces   []string          `json:"replaces"`
	Reviewers  []string          `json:"reviewers"`
	Open       string            `json:"open"` // address of the open pull request that would be updated, "" for none
	Caveats    []string          `json:"caveats"`

	request Request
	named   []string // the files that the evidence is about
	before  []byte   // the file without the rule, nil for none
	text    []byte   // the file with the rule
	at      destination
	author  string // author of the commit
	removed string // the removed rule, "" for none
}

// Plan returns what proposing a rule would do, and changes nothing. The error is a [*messages.Duplicate] if an existing
// rule is equivalent, and wraps ErrDuplicate if the same rule was declined on the same evidence.
func (pr *Promoter) Plan(ctx context.Context, r Request) (*Plan, error) {
	place, err := pr.place(ctx)
	if err != nil {
		return nil, err
	}
	plan := &Plan{request: r, Evidence: []answer.Citation{}, Near: []answer.Citation{}, Against: []answer.Citation{},
		Replaces: []string{}, Reviewers: []string{}}
	if err := pr.said(ctx, plan); err != nil {
		return nil, err
	}
	plan.ID, plan.Title = idOf(plan.Rule), subjectOf(plan.Rule)
	plan.Branch = branchOf(plan.Rule, plan.ID)
	if plan.at, err = pr.destination(ctx, place, r.Local); err != nil {
		return nil, err
	}
	plan.Base = plan.at.name
	if plan.at.onForge {
		plan.Repository = plan.at.forge.Host + "/" + plan.at.forge.Path
	}
	files, err := plan.at.rules(ctx)
	if err != nil {
		return nil, err
	}
	if r.Demote != "" {
		err = pr.demote(ctx, plan, files)
	} else if err = plan.compare(files, lint.Statement{}); err == nil {
		err = plan.edit(files)
	}
	if err != nil {
		return nil, err
	}
	plan.Diff = pr.ws.Clean(plan.Diff) // lines around the rule may contain a password
	if r.Local {
		return pr.done(plan)
	}
	if plan.author, err = plan.at.repo.Author(ctx); err != nil {
		return nil, &messages.Refusal{Reason: "git does not know who commits here",
			Advice: "git config user.name and user.email, and try again", Err: err}
	}
	if r.Demote == "" {
		if err := pr.others(ctx, plan); err != nil {
			return nil, err
		}
	}
	pr.reviewers(ctx, plan)
	plan.Body = plan.body()
	if err := pr.standing(ctx, plan); err != nil {
		return nil, err
	}
	return pr.done(plan)
}

// place returns the location of a repository that may be written to.
func (pr *Promoter) place(ctx context.Context) (*workspace.Place, error) {
	p, err := pr.ws.Place(ctx)
	switch {
	case err != nil:
		return nil, err
	case !p.InRepo:
		return nil, p.NoRepository(pr.ws.Options.Dir)
	}
	return p, pr.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID)
}

// said separates the request into words and evidence.
func (pr *Promoter) said(ctx context.Context, plan *Plan) error {
	var words []string
	var found []cite.Source
	given, err := pr.expand(ctx, plan.request.What)
	if err != nil {
		return err
	}
	for _, what := range given {
		if _, err := cite.Parse(what); err != nil || !strings.Contains(what, ":") {
			words = append(words, what)
			continue
		}
		src, err := pr.reader.Show(ctx, what)
		if errors.Is(err, messages.ErrNotFound) && strings.ContainsFunc(what, unicode.IsSpace) {
			words = append(words, what) // such as "docs: write them in English"
			continue
		}
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(found, func(s cite.Source) bool { return s.ID == src.ID }) {
			found = append(found, src)
			if src.Layer == cite.LayerTeam && len(src.Paths) <= maxNamed {
				plan.named = append(plan.named, src.Paths...)
			}
		}
	}
	rule := strings.Join(words, " ")
	if strings.TrimSpace(rule) == "" && len(found) > 0 && plan.request.Demote == "" {
		if rule = statementOf(found[0]); rule == "" {
			return &messages.Refusal{Reason: found[0].ID + " says nothing that could be a rule",
				Advice: "say it in words: gitmem promote <citation> \"…\"", Err: messages.ErrUsage}
		}
	}
	clean := pr.ws.Clean(rule)
	if clean != rule {
		return secret("the rule")
	}
	if rule == "" && plan.request.Demote != "" {
		plan.Evidence = evidence("", found)
		return nil
	}
	plan.Rule, err = wording(rule)
	plan.Evidence = evidence(plan.Rule, found)
	return err
}

// expand replaces the id of a candidate by its evidence and, without other words, its rule.
func (pr *Promoter) expand(ctx context.Context, what []string) ([]string, error) {
	if len(what) == 0 || len(what) > 2 || !regexp.MustCompile(`^[a-z2-7]{10}$`).MatchString(what[0]) {
		return what, nil
	}
	found, err := pr.Candidates(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found.Candidates, func(c Candidate) bool { return c.ID == what[0] })
	switch {
	case i < 0 && len(what) > 1:
		return what, nil // it is a word
	case i < 0:
		return nil, &messages.Refusal{Reason: "there is no candidate " + what[0], Advice: "list them with gitmem promote",
			Err: messages.ErrNotFound}
	}
	c := found.Candidates[i]
	was, words := pr.proposed(ctx, c.IDs()), strings.Join(what[1:], " ")
	if was != "" && words != "" && idOf(was) != idOf(words) {
		return nil, &messages.Refusal{Reason: "this is proposed already, as: " + was,
			Advice: "change the words there, or delete the branch that begins with " + branchPrefix, Err: messages.ErrDuplicate}
	}
	return append(c.IDs(), cmp.Or(words, was, c.Rule)), nil
}

var ruleTrailer = lazy.Pattern(`(?m)^` + trailer + `(\w+)$`)

// proposed returns the rule that an existing branch proposes on mostly the same evidence, "" if there is none: with new
// evidence the text of a pattern may change, but it is the same proposal.
func (pr *Promoter) proposed(ctx context.Context, evidence []string) string {
	place, err := pr.place(ctx)
	if err != nil {
		return ""
	}
	repo := pr.repo(place)
	branches := repo.BranchMessages(ctx, branchPrefix)
	for _, tip := range slices.Sorted(maps.Keys(branches)) {
		message := branches[tip]
		shared := len(slices.DeleteFunc(slices.Clone(evidence), func(id string) bool {
			return !strings.Contains(message, evidenceTrailer+id+"\n")
		}))
		id := ruleTrailer().FindStringSubmatch(message)
		if id == nil || 2*shared < strings.Count(message, evidenceTrailer) || 2*shared < len(evidence) {
			continue
		}
		files, _ := destination{repo: repo, base: tip}.rules(ctx) // an unreadable branch has no rules
		for _, f := range files {
			for _, s := range statements(f) {
				if idOf(s.Text) == id[1] {
					return s.Text
				}
			}
		}
	}
	return ""
}

// secret returns the error for text that must not leave this machine.
func secret(what string) error {
	return &messages.Refusal{Reason: what + " holds what looks like a password or a key, and nothing was proposed",
		Advice: "say it without", Err: messages.ErrUsage}
}

// compare finds existing rules that agree or disagree; but is the rule to be replaced.
func (plan *Plan) compare(files []ruleFile, but lint.Statement) error {
	compare := comparer()
	for _, f := range files {
		for _, s := range statements(f) {
			switch {
			case compare.Same(s.Text, plan.Rule) && (s != but || s.Text == plan.Rule):
				return &messages.Duplicate{File: s.File, Line: s.Line, Text: messages.OneLine(s.Text, maxRule)}
			case compare.Contradict(s.Text, plan.Rule):
				plan.Replaces = append(plan.Replaces, fmt.Sprintf("%s:%d %s", s.File, s.Line, messages.OneLine(s.Text, maxRule)))
			}
		}
	}
	return nil
}

// edit finds the file for the rule and adds the rule to its text.
func (plan *Plan) edit(files []ruleFile) error {
	named := plan.named
	domain, globs := domainOf(plan.Rule, named)
	if plan.request.Domain != "" {
		if domain = plan.request.Domain; checkDomain(domain) != nil {
			return checkDomain(domain)
		}
	}
	if plan.request.Paths != nil {
		globs = plan.request.Paths
	}
	f := ruleFile{path: path.Join(RulesDir, domain+".md")}
	if i := slices.IndexFunc(files, func(have ruleFile) bool { return have.path == f.path }); i >= 0 {
		f = files[i]
		has := f.globs()
		switch {
		case f.link:
			return &messages.Refusal{Reason: f.path + " is a link, through which nothing is written",
				Advice: "name another file of rules with --domain", Err: messages.ErrUsage}
		case f.unreadable():
			return &messages.Refusal{Reason: "the frontmatter of " + f.path +
				" can't be read, so which files its rules are for is not known",
				Advice: "mend it, or name another file of rules with --domain", Err: messages.ErrUsage}
		case len(has) == 0 && len(plan.request.Paths) > 0:
			return &messages.Refusal{Reason: f.path + " is for all files",
				Advice: "name another file of rules with --domain, or leave --paths out", Err: messages.ErrUsage}
		case len(has) == 0:
		case plan.request.Paths != nil && !slices.Equal(has, plan.request.Paths), len(named) > 0 && !covers(has, named):
			return &messages.Refusal{Reason: f.path + " is for other files: " + strings.Join(has, ", "),
				Advice: "name another file of rules with --domain", Err: messages.ErrUsage}
		case len(named) == 0:
			plan.Caveats = append(plan.Caveats, "The rule will count for "+strings.Join(has, ", ")+" only, as all of "+f.path+
				" does; --domain names another file.")
		}
		globs = has
	}
	text, err := withRule(f, plan.Rule, globs)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	plan.put(f, text, globs)
	return nil
}

// put sets the new text of the file.
func (plan *Plan) put(f ruleFile, text []byte, globs []string) {
	old := f.path
	if f.text == nil {
		old = ""
	}
	plan.File, plan.Paths, plan.before, plan.text = f.path, messages.Filled(globs), f.text, text
	plan.Diff = linediff.Unified(old, f.path, f.text, linediff.Diff(f.text, text), 3)
}

// done does a final check for secrets in the published text.
func (pr *Promoter) done(plan *Plan) (*Plan, error) {
	if text := plan.Title + "\n" + plan.Rule + "\n" + plan.Body + "\n" + plan.Branch; pr.ws.Clean(text) != text {
		return nil, secret("the proposal")
	}
	plan.Caveats = append(messages.Filled(plan.Caveats), pr.ws.Caveats...)
	return plan, nil
}

// standing asks the forge for the state of earlier proposals of the rule.
func (pr *Promoter) standing(ctx context.Context, plan *Plan) error {
	if !plan.at.onForge {
		return nil
	}
	to, err := pr.src.Forges(plan.at.place).Proposer(ctx, plan.at.forge)
	if err == nil {
		var p providers.Proposal
		if p, err = plan.standing(ctx, to); p.State == providers.ProposalOpen {
			plan.Open = p.URL
		}
	}
	if errors.Is(err, messages.ErrDuplicate) {
		return err
	}
	if err != nil {
		plan.Caveats = append(plan.Caveats, "No pull request can be opened now: "+why(err)+".")
	}
	return nil
}

// standing returns the newest proposal of the rule. The error wraps ErrDuplicate if it was declined on the same
// evidence.
func (plan *Plan) standing(ctx context.Context, to providers.Proposer) (providers.Proposal, error) {
	found, err := to.Proposals(ctx, plan.at.headOwner, plan.Branch)
	if err != nil || len(found) == 0 {
		return providers.Proposal{}, err
	}
	if i := slices.IndexFunc(found, func(p providers.Proposal) bool { return p.State == providers.ProposalOpen }); i >= 0 {
		return found[i], nil
	}
	if p := found[0]; p.State == providers.ProposalDeclined && !newEvidence(p.Body, plan.Evidence) {
		return p, &messages.Refusal{
			Reason: fmt.Sprintf("this was declined in %s%d: %s", plan.at.sign(), p.Number, p.URL), Err: messages.ErrDuplicate,
			Advice: "name new evidence for it, or open the pull request again there",
		}
	}
	return found[0], nil
}
