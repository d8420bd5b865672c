package promote

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/templates"
)

const (
	// maxQuote is the maximum length of a quotation, in characters.
	maxQuote = 400
	// maxQuoted is the maximum number of quoted sources: a forge accepts 65,536 characters.
	maxQuoted = 20
	// nearShare is the minimum similarity of statements about the same subject.
	nearShare = 0.5
	// maxNear is the maximum number of reported statements that agree or disagree.
	maxNear = 5
	// maxNamed is the maximum number of files in a source that still define its subject.
	maxNamed = 20
	// maxReviewers is the maximum number of requested reviewers.
	maxReviewers = 3
)

// comparer returns a comparer of statements that knows the mutually exclusive terms of projects.
func comparer() *lint.Comparer { return lint.NewComparer(templates.Rivals()) }

func statements(f ruleFile) []lint.Statement { return lint.Statements(f.path, f.text) }

var threadPart = lazy.Pattern(`^[a-z]+:(comment|review|note):`)

// statementOf returns a source as a rule: the first sentence with a wish, or else the first one. For a decision it
// returns its title and its reasons.
func statementOf(src cite.Source) string {
	if cite.Kind(src.Source) == cite.KindDecision {
		if _, why, ok := strings.Cut(src.Text, "\n## Why\n"); ok {
			return strings.TrimRight(src.Title, ".") + ": " + cite.Lead(why, maxRule/2).Text
		}
		return src.Title
	}
	first := ""
	for s := range markdown.Sentences(src.Text) {
		if s.Kind == markdown.LineHeading {
			continue
		}
		if forceOf(s.Text) > Tells {
			return imperative(s.Text)
		}
		first = cmp.Or(first, s.Text)
	}
	if first == "" && !threadPart().MatchString(src.ID) { // parts of a thread have the thread's title
		return src.Title
	}
	return first
}

var courtesies = lazy.Pattern(`(?i)^((please|pls|from (now|here) on|in general|nit:?)[ ,]+)+`)

// imperative returns a sentence without introductory courtesies.
func imperative(sentence string) string {
	rest := courtesies().ReplaceAllString(sentence, "")
	first, size := utf8.DecodeRuneInString(rest)
	if word, _, _ := strings.Cut(rest, " "); strings.ContainsAny(word, "._()<>") || strings.ToLower(word) != word {
		return rest // a name of code
	}
	return strings.ToUpper(string(first)) + rest[size:]
}

// evidence quotes each source: the sentence most similar to the rule.
func evidence(rule string, found []cite.Source) []answer.Citation {
	list := []answer.Citation{}
	for _, src := range found {
		c := src.Citation(0)
		quotes := cite.Quotes(src.Text, 1, maxQuote, func(p string) float64 { return lint.Likeness(p, rule) })
		if len(quotes) == 0 {
			quotes = []cite.Quote{cite.Lead(src.Text, maxQuote)}
		}
		c.Excerpt, c.Status = quotes[0].Text, answer.StatusHolds
		list = append(list, c)
	}
	return list
}

// others finds other statements that agree or disagree. Those of the team are shown to the team; those in the user's
// own memory only to the user.
func (pr *Promoter) others(ctx context.Context, plan *Plan) error {
	found, err := pr.reader.Search(ctx, plan.Rule, query.Filter{Layer: "team,memory", Limit: 30, NoFallbacks: true})
	if err != nil {
		return err
	}
	compare := comparer()
	for _, h := range found.Hits {
		if slices.ContainsFunc(plan.Evidence, func(e answer.Citation) bool { return e.ID == h.ID }) {
			continue
		}
		for s := range markdown.Sentences(h.Body) {
			c := h.Citation
			c.Excerpt = s.Text
			switch own := h.Layer != cite.LayerTeam; {
			case s.Kind == markdown.LineHeading || len([]rune(s.Text)) > maxQuote:
				continue
			case compare.Contradict(s.Text, plan.Rule) && own:
				plan.Caveats = append(plan.Caveats, "Your own memory says otherwise ["+h.ID+"]: "+s.Text)
			case compare.Contradict(s.Text, plan.Rule) && len(plan.Against) < maxNear:
				plan.Against = append(plan.Against, c)
			case !own && lint.Likeness(s.Text, plan.Rule) >= nearShare && len(plan.Near) < maxNear:
				plan.Near = append(plan.Near, c)
			default:
				continue
			}
			break
		}
	}
	return nil
}

// reviewers sets the reviewers: owners of the rule's file or of the files in its evidence, or else the people who know
// those files best; only accounts of the forge.
func (pr *Promoter) reviewers(ctx context.Context, plan *Plan) {
	paths := append([]string{plan.File}, plan.named...)
	add := func(login string) {
		if login != "" && !slices.Contains(plan.Reviewers, login) && len(plan.Reviewers) < maxReviewers {
			plan.Reviewers = append(plan.Reviewers, login)
		}
	}
	for _, name := range docs.OwnerFiles() {
		text, ok := plan.at.read(ctx, name)
		if !ok {
			continue
		}
		owners := docs.ParseOwners(text)
		for _, p := range paths {
			for _, who := range owners.Of(p) {
				if login, ok := strings.CutPrefix(who, "@"); ok {
					add(login)
				}
			}
		}
		break
	}
	if len(plan.Reviewers) > 0 || len(paths) == 1 {
		return
	}
	for _, p := range pr.experts(ctx, paths[1:]) {
		add(p.Login())
	}
}

// experts returns the people who know some files best. No result is not an error: reviewers are optional.
func (pr *Promoter) experts(ctx context.Context, paths []string) (list []team.Person) {
	v, err := pr.reader.Begin(ctx, nil)
	if err != nil {
		return nil
	}
	v.Shards = slices.DeleteFunc(v.Shards, func(s ingest.Shard) bool { return !ingest.OfTeam(s.Name) })
	if v.Refresh(ctx) != nil {
		return nil
	}
	defer v.Close()
	c, err := v.Contributions(ctx)
	if err != nil {
		return nil
	}
	area := c.Select(func(p string) bool { return slices.Contains(paths, p) })
	for _, s := range c.Rank(area, team.Options{}).People {
		if s.Active && !s.Bot {
			list = append(list, s.Person)
		}
	}
	return list
}
