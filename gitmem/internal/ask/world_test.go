package ask_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers"
)

// world is a set of sources that an engine answers from. Every source is a hit; the weight of a term is counted over
// the sources.
type world struct {
	sources []cite.Source
	authors map[string]string      // id → author with address
	now     map[string]cite.Source // sources as they are when they are read again
	broken  map[string]error       // errors of reading sources
	digests map[string]transcript.Digest
	roles   map[string]string // of items of the team, by id

	searched   *[]answer.Searched // nil: the sources are commits
	unsearched []string
	incomplete []string
	synonyms   []search.Group
	referred   []string               // meanings of references
	released   []string               // releases of every period
	exists     func(path string) bool // reports whether it is a file of the current commit
	asked      []string               // references and times that were looked up
}

// role sets the role of the newest source.
func (w *world) role(is string) *world {
	if w.roles == nil {
		w.roles = map[string]string{}
	}
	w.roles[w.sources[len(w.sources)-1].ID] = is
	return w
}

func (w *world) commit(author, day, title, text string, paths ...string) *world {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	id := fmt.Sprintf("git:commit:%040x", len(w.sources)+1)
	name, _, _ := strings.Cut(author, " <")
	w.sources = append(w.sources, cite.Source{
		ID: id, Layer: cite.LayerTeam, Source: "git", Title: title, Text: title + "\n\n" + text + "\n", Author: name,
		Time: at, Paths: paths,
	})
	if w.authors == nil {
		w.authors, w.now = map[string]string{}, map[string]cite.Source{}
	}
	w.authors[id] = author
	return w
}

// session adds a session with its prompts, one per transcript line. Without prompts it is only a log of tools.
func (w *world) session(id, day string, prompts ...string) *world {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	d := transcript.Digest{Session: id, Start: at, Prompts: len(prompts), Quotes: map[string][]transcript.Quote{}}
	file := "/t/" + id + ".jsonl"
	for i, text := range prompts {
		w.sources = append(w.sources, cite.Source{
			ID: fmt.Sprintf("transcript:%s:%d", id, i+1), Layer: cite.LayerTranscripts, Source: "transcript", Title: "user",
			Text: text, Time: at, Session: id, Path: file, Line: i + 1,
		})
		if transcript.Agrees(text) {
			continue
		}
		d.Quotes["work"] = append(d.Quotes["work"], transcript.Quote{Line: i + 1, Text: text})
	}
	if len(prompts) == 0 {
		w.sources = append(w.sources, cite.Source{
			ID: "observation:" + id + ":1", Layer: cite.LayerTranscripts, Source: "observation", Title: "tool use",
			Text: "Edit ok", Time: at, Session: id, Path: id + ".md", Line: 1,
		})
	}
	if w.digests == nil {
		w.digests = map[string]transcript.Digest{}
	}
	w.digests[file] = d
	return w
}

func (w *world) engine() ask.Engine {
	now := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
	return ask.Engine{
		Evidence: w, Vocabulary: w, Leads: w, History: w,
		Commits: w, Releases: w, Project: w, Sessions: w, Coverage: w,
		Now: now, Clock: func() time.Time { return now },
	}
}

func (w *world) Fetch(h search.Hit) (cite.Source, error) {
	s := w.sources[h.Row]
	return s, w.broken[s.ID]
}

func (w *world) Resolve(_ context.Context, id string) (cite.Source, error) {
	if err := w.broken[id]; err != nil {
		return cite.Source{}, err
	}
	if s, ok := w.now[id]; ok {
		if s.ID == "" {
			return s, fmt.Errorf("%s: %w", id, cite.ErrNotFound)
		}
		return s, nil
	}
	for _, s := range w.sources {
		if s.ID == id {
			return s, nil
		}
	}
	return cite.Source{}, cite.ErrNotFound
}

func (w *world) Digest(file string) (transcript.Digest, error)               { return w.digests[file], nil }
func (w *world) Exchange(search.Hit) (asked, reply search.Hit)               { return asked, reply }
func (w *world) SelectIdeas(query.IdeaSelection) []string                    { return nil }
func (w *world) Linked(context.Context, string) []providers.Link             { return nil }
func (w *world) ChangedBy(context.Context, string) []string                  { return nil }
func (w *world) FirstIn(context.Context, string, []string) map[string]string { return nil }
func (w *world) WrittenBy(context.Context, []query.Lines) []string           { return nil }
func (w *world) OffBranch(context.Context, search.Range) []search.Hit        { return nil }
func (w *world) HeldIn(context.Context, search.Range, string, string) (held, known bool) {
	return false, false
}
func (w *world) Package(string) (folder, name string) { return "", "" }
func (w *world) RevertedBy(_ context.Context, id string) string {
	for _, s := range w.sources {
		if strings.Contains(s.Text, "This reverts commit "+strings.TrimPrefix(id, "git:commit:")) {
			return s.ID
		}
	}
	return ""
}

func (w *world) Incomplete() []string                                           { return w.incomplete }
func (w *world) ProjectName() string                                            { return "valves" }
func (w *world) ChangeOfName(context.Context, string, bool) string              { return "" }
func (w *world) Synonyms() []search.Group                                       { return w.synonyms }
func (w *world) HasNear(context.Context, string) bool                           { return false }
func (w *world) WordForms(context.Context, []string, bool) [][]search.QueryTerm { return nil }
func (w *world) Unsearched() []string                                           { return w.unsearched }

func (w *world) FindDeclaration(context.Context, string) (d query.Declaration, ok bool) {
	return d, false
}

func (w *world) Referred(ref string) []string {
	w.asked = append(w.asked, ref)
	return w.referred
}

func (w *world) Released(_ context.Context, r search.Range) []string {
	w.asked = append(w.asked, r.String())
	return w.released
}

func (w *world) Searched() []answer.Searched {
	if w.searched != nil {
		return *w.searched
	}
	return []answer.Searched{{Layer: "team", Source: "commits", Items: len(w.sources)}}
}

func (w *world) Find(_ context.Context, q search.Query) (search.Result, error) {
	var res search.Result
	mass := 0.0
	for _, term := range q.Terms {
		n := 0
		for _, s := range w.sources {
			if holds(s, term.Text, q.Weights) {
				n++
			}
		}
		res.Terms = append(res.Terms, search.Term{Text: term.Text, Docs: n, Rarity: 4 / float64(n+1)})
		mass += 4 / float64(n+1)
	}
	for i, s := range w.sources {
		if !q.Allows(search.OnProject, s.Project) || q.Projects != nil && !q.Projects(s.Project) ||
			!q.Range.Contains(s.Time) || (len(q.Layers) > 0 && !slices.Contains(q.Layers, s.Layer)) {
			continue
		}
		h := search.Hit{Row: i, Doc: index.Row{
			ID: s.ID, Layer: s.Layer, Author: w.authors[s.ID], Time: s.Time, Type: s.Type, Role: w.roles[s.ID], Paths: s.Paths,
			Session: s.Session, File: s.Path, Project: s.Project,
		}}
		for _, t := range res.Terms {
			if holds(s, t.Text, q.Weights) {
				h.Matched = append(h.Matched, t.Text)
				h.Coverage += t.Rarity / mass
			}
		}
		h.Score = h.Coverage
		res.Hits = append(res.Hits, h)
	}
	if len(q.Terms) == 0 {
		slices.SortStableFunc(res.Hits, func(a, b search.Hit) int { return b.Doc.Time.Compare(a.Doc.Time) })
	}
	return res, nil
}

// holds reports whether a source has a term in a field that counts; without weights all fields count.
func holds(s cite.Source, term string, w search.Weights) bool {
	text, all := s.Text, w == search.Weights{}
	if !all && w.Text == 0 {
		text, _, _ = strings.Cut(text, "\n")
	}
	if all || w.Paths > 0 {
		text += " " + strings.Join(s.Paths, " ")
	}
	return slices.Contains(index.Terms(text), term)
}

func (w *world) ask(t *testing.T, question string) answer.Answer {
	t.Helper()
	return w.askIn(t, question, search.Query{})
}

// askIn asks with filters.
func (w *world) askIn(t *testing.T, question string, filters search.Query) answer.Answer {
	t.Helper()
	e := w.engine()
	a, err := e.Ask(t.Context(), question, ask.Options{Query: filters})
	if err != nil {
		t.Fatal(err)
	}
	evidence := 0
	for i, c := range a.Citations {
		switch {
		case c.Role != answer.RoleEvidence && c.Role != answer.RoleLead:
			t.Errorf("%q: %s has the role %q", question, c.ID, c.Role)
		case c.Role == answer.RoleEvidence && evidence < i:
			t.Errorf("%q: evidence stands behind a lead", question)
		case c.Role == answer.RoleEvidence:
			evidence++
		}
	}
	if (a.Verdict == answer.Answered) != (evidence > 0) && len(a.People) == 0 {
		t.Errorf("%q: %s with %d citations that support it", question, a.Verdict, evidence)
	}
	if a.Citations == nil || a.People == nil || a.Caveats == nil || a.Fallbacks == nil || a.Suggestions == nil {
		t.Errorf("%q: a list is null", question)
	}
	return a
}

func history() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-01-02", "Drop Redis from the session store",
			"It cost a second service, because sessions fit in memory.", "store/session.go").
		commit("Ada <ada@example.org>", "2024-01-05", "Add the licence file", "", "LICENSE").
		commit("Bob <bob@example.org>", "2024-02-03", "Parser: keep the last line", "Should we remove the tokenizer?",
			"parser/parser.go").
		commit("Cy <cy@example.org>", "2024-03-03", "Rework everything",
			"The build is faster.\n\nThe tokenizer is documented.\n\nWe removed trailing spaces.", "a.go", "b.go", "c.go",
			"parser/parser.go").
		commit("dependabot[bot] <support@example.org>", "2024-05-03", "Bump parser from 1 to 2", "", "parser/go.mod")
}
