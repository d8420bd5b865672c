package promote

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// Probability that a statement alone is meant as a rule for the team, by its source.
const (
	orderWeight  = 0.9
	noteWeight   = 0.7
	reviewWeight = 0.7
	threadWeight = 0.6
	commitWeight = 0.5
)

const (
	// maxCommits is the maximum number of commits to examine, newest first.
	maxCommits = 5000
	// maxOffered is the maximum number of statements given to a model: about 10,000 tokens.
	maxOffered = 200
)

// Found contains the possible rules. The JSON form is a public contract.
type Found struct {
	Candidates []Candidate `json:"candidates"`
	Caveats    []string    `json:"caveats"`
}

// Candidates lists possible rules of the repository, ready ones first.
func (pr *Promoter) Candidates(ctx context.Context) (Found, error) {
	place, err := pr.place(ctx)
	if err != nil {
		return Found{}, err
	}
	pr.fetch(ctx, place)
	list, err := pr.candidates(ctx, place)
	return Found{messages.Filled(list), messages.Filled(pr.ws.Caveats)}, err
}

// Ready returns the candidates that the model considers ready and that were not proposed from here, by descending
// confidence, without asking a forge. Candidates that merely share words are wrong too often to be shown unasked.
func (pr *Promoter) Ready(ctx context.Context) []Candidate {
	if conf := pr.ws.Policy().Config.Agent; !conf.On() || !conf.Rules {
		return nil
	}
	place, err := pr.place(ctx)
	if err != nil {
		return nil
	}
	list, _ := pr.candidates(ctx, place) // empty on failure
	return slices.DeleteFunc(list, func(c Candidate) bool {
		return !c.Ready || !c.byModel || pr.proposed(ctx, c.IDs()) != ""
	})
}

func (pr *Promoter) candidates(ctx context.Context, place *workspace.Place) ([]Candidate, error) {
	all, err := pr.gather(ctx, place)
	if err != nil {
		return nil, err
	}
	rules, err := pr.ruled(place)
	return candidates(all, rules, func(said []statement) ([]pattern, map[int]bool) { return pr.byModel(ctx, said) }), err
}

// fetch updates the fetched items of the forges.
func (pr *Promoter) fetch(ctx context.Context, place *workspace.Place) {
	pr.src.StartFetches(ctx, place)
	pr.src.Forges(place).ReportFetches()
}

// byModel returns the patterns that the model finds, and the statements that it read, none if the configuration
// disables it.
func (pr *Promoter) byModel(ctx context.Context, said []statement) (list []pattern, read map[int]bool) {
	offered := offered(said)
	quoted := make([]answer.Citation, len(offered))
	read = map[int]bool{}
	for i, s := range offered {
		quoted[i] = s.Citation
		quoted[i].Excerpt = s.text
		read[s.number] = true
	}
	rules, from, err := pr.model.Rules(ctx, quoted)
	if err != nil {
		pr.ws.Caveat("The model said nothing of rules: %v.", err)
	}
	if rules == nil {
		return nil, nil
	}
	for i, rule := range rules {
		p := pattern{}
		if p.rule, err = wording(rule); err != nil {
			pr.ws.Caveat("A rule of the model is none: %v.", err)
			continue
		}
		for _, n := range from[i] {
			p.group = append(p.group, offered[n])
		}
		list = append(list, p)
	}
	return list, read
}

// offered returns the newest statements, as many as a model reads, in ascending order of time, without those that
// contain a secret in plain words.
func offered(said []statement) []statement {
	said = slices.DeleteFunc(slices.Clone(said), func(s statement) bool {
		return s.IsRule || secrets().MatchString(s.text)
	})
	slices.SortStableFunc(said, func(a, b statement) int { return cmp.Compare(a.Time, b.Time) })
	return said[max(0, len(said)-maxOffered):]
}

// ruled returns the statements of the work tree's rules.
func (pr *Promoter) ruled(place *workspace.Place) (list []lint.Statement, err error) {
	t, ok := pr.src.RepositoryRules(place)
	if !ok {
		return nil, nil
	}
	files, err := t.Files()
	for _, f := range files {
		if text, err := t.Read(f); err == nil {
			list = append(list, lint.Statements(f.Path, []byte(pr.ws.Redactor.Lines(string(text))))...)
		}
	}
	return list, err
}

// gather reads the wishes of people in memory, the forge and the history.
func (pr *Promoter) gather(ctx context.Context, place *workspace.Place) ([]Said, error) {
	out, err := pr.ofMemory(place)
	if err != nil {
		return nil, err
	}
	forges := pr.src.Forges(place)
	for _, r := range forges.Remotes {
		if err := pr.ofForge(ctx, forges, r, &out); err != nil {
			pr.ws.Caveat("What was fetched of %s could not be read: %v", r.Host, err)
		}
	}
	pr.ofHistory(ctx, place, &out)
	return slices.DeleteFunc(out, func(s Said) bool { return pr.src.Hides(s.ID) }), nil
}

// ofMemory reads the project's own files: decisions and lessons of sessions, standing orders, decisions and notes. All
// belong to one unnamed person.
func (pr *Promoter) ofMemory(place *workspace.Place) (out []Said, err error) {
	tree := pr.src.MemoryTree()
	files, err := tree.Files()
	for _, f := range files {
		own := f.Project == place.Project.ID || slices.ContainsFunc(place.Dirs(), func(dir string) bool {
			return strings.HasPrefix(f.Path, dir+"/")
		})
		if !own || pr.ws.ExcludedMemory(f.Path, f.Project) != "" {
			continue
		}
		text, err := tree.Read(f)
		if err != nil {
			pr.ws.Caveat("%s can't be read and was not looked through: %v", f.Path, err)
			continue
		}
		units, _ := cite.Units(f, []byte(pr.ws.Redactor.Lines(string(text))))
		if f.Area == cite.AreaMemory {
			units = pr.src.AttributedUnits(f.Path, units)
		}
		for _, u := range units {
			out = append(out, ofUnit(f, u)...)
		}
	}
	return out, err
}

// ofUnit returns the wishes in a unit of memory, unless a model wrote it.
func ofUnit(f cite.File, u cite.Unit) []Said {
	s := Said{Citation: answer.Citation{ID: u.ID, Layer: u.Layer, Source: u.Source, Time: messages.Instant(u.Time),
		Session: u.Session}, Place: u.ID, Weight: orderWeight, Force: Holds}
	switch {
	case u.By == answer.Model:
		return nil
	case f.Area == cite.AreaArchive && slices.Contains([]string{"decision", "lesson", "conclusion"}, u.Intent):
		s.Place, s.Weight, s.Force = cmp.Or(u.Session, f.Path), u.Confidence, Asks
		return statementsIn(s, u.Text)
	case f.Area == cite.AreaDecision && u.Holds():
		s.Sentences = []string{cite.DecidedTitle(u.Title)}
		return []Said{s}
	case f.Area == cite.AreaProfile && f.Path != "gitmem/profile.md":
		return statementsIn(s, u.Text)
	case f.Area == cite.AreaMemory:
		s.Place, s.Weight, s.Force = f.Path, noteWeight, Tells
		return statementsIn(s, u.Own())
	}
	return nil
}

// statementsIn returns the paragraphs of a text as statements, without quotations and code.
func statementsIn(s Said, text string) (out []Said) {
	for line := range markdown.Sentences(text) {
		switch line.Kind {
		case markdown.LineText, markdown.LineItem, markdown.LineIndented:
			if line.First {
				s.Sentences = nil
				out = append(out, s)
			}
			last := &out[len(out)-1]
			last.Sentences = append(last.Sentences, line.Text)
		}
	}
	return out
}

// ofForge reads the comments and reviews that were fetched from a forge.
func (pr *Promoter) ofForge(ctx context.Context, forges *forge.Forges, r forge.Remote, out *[]Said) error {
	log, err := forges.ItemsOf(r).Read()
	if err != nil {
		return err
	}
	defer log.Close()
	last := map[string]providers.Item{}
	var order []string
	for record, err := range log.Records(0) {
		if err != nil || ctx.Err() != nil {
			return err
		}
		it, err := record.Item()
		if err != nil || !slices.Contains([]string{"comment", "review", "note"}, it.Kind) ||
			providers.IsBot(it.Author.Name, it.Author.Email) {
			continue
		}
		if _, known := last[it.ID]; !known {
			order = append(order, it.ID)
		}
		last[it.ID] = it
	}
	for _, id := range order {
		it := last[id]
		s := Said{
			Citation: answer.Citation{ID: id, Layer: cite.LayerTeam, Source: r.Kind, Author: pr.ws.Clean(it.Author.Name),
				Time: messages.Instant(it.Time), URL: it.URL},
			Place: id[:strings.LastIndex(id, ":")], Weight: reviewWeight,
		}
		if len(it.Paths) == 0 {
			s.Weight, s.Thread = threadWeight, true
		}
		*out = append(*out, statementsIn(s, pr.ws.Clean(it.Text))...)
	}
	return nil
}

// ofHistory finds commits that replace one thing by another: repeated replacements may reflect a rule. The prose of
// commits is not used, because it explains what they change.
func (pr *Promoter) ofHistory(ctx context.Context, place *workspace.Place, out *[]Said) {
	repo, err := pr.ws.Repository(place)
	if err != nil || repo == nil {
		return
	}
	n := 0
	for c, err := range repo.Walk(ctx, []string{"HEAD"}, git.WalkOptions{}) {
		switch n++; {
		case err != nil:
			pr.ws.Caveat("The history could not be read to its end: %v", err)
			return
		case n > maxCommits:
			pr.ws.Caveat("Of the history, the newest %d commits were looked through.", maxCommits)
			return
		}
		if len(c.Parents) < 2 && !providers.IsBot(c.Author.Name, c.Author.Email) {
			*out = append(*out, ofCommit(Said{
				Citation: answer.Citation{ID: string(cite.KindCommit) + ":" + c.Hash, Layer: cite.LayerTeam, Source: providers.Git,
					Author: pr.ws.Clean(c.Author.Name), Time: messages.Instant(c.Author.When)},
				Place: c.Author.When.UTC().Format("2006-01-02"),
			}, pr.ws.Clean(c.Subject))...)
		}
	}
}

// ofCommit returns the wish in the subject of a commit.
func ofCommit(s Said, subject string) []Said {
	text := instead(subject)
	if text == "" {
		return nil
	}
	s.Sentences, s.Quote, s.Weight, s.Force = []string{text}, subject, commitWeight, Asks
	return []Said{s}
}

var (
	subjectFrame = lazy.Pattern(`^[\w-]+(\([^)]*\))?!?: |\s*\(#\d+\)$`)
	replacing    = lazy.Pattern(`(?i)^(?:replace[sd]?|swap) (.{2,60}?) (?:with|by|for) (.{2,60})$`)
	switching    = lazy.Pattern(`(?i)^(?:switch|migrate|move|convert)(?:ed|d|es` +
		`|s)? (?:\w+ )?from (.{2,60}?) to (.{2,60})$`)
	preferring = lazy.Pattern(`(?i)^(use|prefer) .{2,60} (instead of|rather than|over) .{2,60}$`)
)

// instead returns the replacement in a commit's subject as a rule, "" if there is none.
func instead(subject string) string {
	subject = subjectFrame().ReplaceAllString(subject, "")
	if m := replacing().FindStringSubmatch(subject); m != nil {
		return "Use " + m[2] + " instead of " + m[1]
	}
	if m := switching().FindStringSubmatch(subject); m != nil {
		return "Use " + m[2] + " instead of " + m[1]
	}
	if preferring().MatchString(subject) {
		return subject
	}
	return ""
}
