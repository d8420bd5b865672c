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
	// maxQuote is how much of a source is quoted, in characters.
	maxQuote = 400
	// maxQuoted is how many sources are quoted: a forge takes 65,536 characters.
	maxQuoted = 20
	// nearShare is the likeness from which two statements are about the same.
	nearShare = 0.5
	// maxNear is how many others are told that say nearly the same, or otherwise.
	maxNear = 5
	// maxNamed is how many files a source names at most that are what it is about.
	maxNamed = 20
	// maxReviewers is how many people are asked for a review.
	maxReviewers = 3
)

// comparer compares statements by the things of which a project uses one.
func comparer() *lint.Comparer { return lint.NewComparer(templates.Rivals()) }

func statements(f ruleFile) []lint.Statement { return lint.Statements(f.path, f.text) }

var threadPart = lazy.Pattern(`^[a-z]+:(comment|review|note):`)

// statementOf is what a source says as a rule: the first sentence that wants something, or
// else the first one. A decision says its title and its reasons.
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
	if first == "" && !threadPart().MatchString(src.ID) { // which have the title of their thread
		return src.Title
	}
	return first
}

var courtesies = lazy.Pattern(`(?i)^((please|pls|from (now|here) on|in general|nit:?)[ ,]+)+`)

// imperative is a sentence without a word of courtesy before it.
func imperative(sentence string) string {
	rest := courtesies().ReplaceAllString(sentence, "")
	first, size := utf8.DecodeRuneInString(rest)
	if word, _, _ := strings.Cut(rest, " "); strings.ContainsAny(word, "._()<>") || strings.ToLower(word) != word {
		return rest // a name of code
	}
	return strings.ToUpper(string(first)) + rest[size:]
}

// evidence quotes each source: the sentence that is most like the rule.
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

// others looks for who else says the same, or otherwise. What the team said is told to the
// team; what only the user's own memory says is told to the user.
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

// reviewers are who owns the file of the rule or the files of its evidence, and, where
// nobody does, who knows those best; only accounts of the forge.
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

// experts are who knows some files best. Nobody is no error: a review can do without.
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
