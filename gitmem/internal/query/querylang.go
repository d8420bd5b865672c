package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/glob"
	"github.com/gitmem/gitmem/markdown"
)

// parsedQuery is a parsed query or question together with the flags.
type parsedQuery struct {
	parsed    search.Parsed
	query     search.Query
	limits    []limit
	bySession bool // keep the best hit of each session
}

// limit is one restriction of a query, and a function to remove it.
type limit struct {
	text string // as typed
	lift func(*search.Query)
}

// readQuery combines the fields, signs and phrases of a query with the flags: both apply.
func (rd *Reader) readQuery(ctx context.Context, parsed search.Parsed, f Filter) (parsedQuery, error) {
	parsed.Named = rd.ReferenceTime
	a := parsedQuery{parsed: parsed, bySession: f.BySession}
	err := checkSize(&a.parsed)
	if err != nil {
		return a, err
	}
	if a.query, err = rd.Query(ctx, f); err != nil {
		return a, err
	}
	fields := fieldReader{m: rd, into: &a, flags: f}
	if err := fields.flagged(); err != nil {
		return a, err
	}
	if err := fields.read(ctx); err != nil {
		return a, err
	}
	a.query = a.parsed.Apply(a.query)
	a.signs()
	return a, nil
}

// mostLimits is the maximum number of signs and field values in a query, and of quoted phrases that count as such: each
// is checked for every document.
const mostLimits = 100

// checkSize rejects oversized queries, and removes the quotes from the phrases of a long pasted text.
func checkSize(p *search.Parsed) error {
	limits, phrases := 0, 0
	for i, it := range p.Items {
		switch {
		case it.Field != "":
			limits += len(it.Values)
		case it.Sign != search.Plain:
			limits++
		case it.Phrase:
			if phrases++; phrases > mostLimits {
				if phrases == mostLimits+1 {
					p.Items = slices.Clone(p.Items)
				}
				p.Items[i].Phrase = false
			}
		}
	}
	if limits > mostLimits {
		return fmt.Errorf("%w: the query has %d signs and values of fields, and at most %d can be looked at: leave some out",
			messages.ErrUsage, limits, mostLimits)
	}
	return nil
}

// searched sets the ranking words of a search query and the time that they name. The time restricts the query if the
// words state that explicitly, or if there is nothing else; otherwise it is only preferred. Words without index terms
// are searched for literally.
func (a *parsedQuery) searched(now time.Time) {
	a.query.Text = a.parsed.Words()
	if a.query.Range.IsZero() {
		switch r, rest := a.parsed.Times(now); {
		case r.IsZero():
		case search.AsksOfWork(rest):
			a.query.Range, a.query.Text = r, ""
			a.bounded(r)
		case r.Restricts() || rest == "":
			a.query.Range, a.query.Text = r, rest
			a.bounded(r)
		default:
			a.query.Near, a.query.Text = r, rest
		}
	}
	if len(index.Terms(a.query.Text)) == 0 && len(a.query.Phrases) == 0 {
		for _, w := range strings.Fields(a.query.Text) {
			a.query.Phrases = append(a.query.Phrases, search.NewPhrase(w, false))
		}
	}
}

// bounded records a time in the words as a restriction of the query.
func (a *parsedQuery) bounded(r search.Range) {
	if r.Words != "" {
		a.limits = append(a.limits, limit{r.Words, func(q *search.Query) { q.Range = search.Range{} }})
	}
}

// namesSession reports whether a question is about named sessions.
func (a parsedQuery) namesSession() bool {
	return a.query.Session != "" || slices.ContainsFunc(a.parsed.Fields(), func(it search.Item) bool {
		return it.Field == "session"
	})
}

// flagged restricts the query by the flags; any value of a flag may match.
func (r fieldReader) flagged() error {
	f, a := r.flags, r.into
	note := func(name, value string, lift func(*search.Query)) {
		if value != "" {
			a.limits = append(a.limits, limit{"--" + name + " " + value, lift})
		}
	}
	note("since", f.Since, func(q *search.Query) { q.Range = q.Range.Begin(search.Range{}) })
	note("until", f.Until, func(q *search.Query) { q.Range = q.Range.End(search.Range{}) })
	for _, flag := range []struct {
		name   string
		values []string
	}{{"author", f.Author}, {"type", listed(f.Type)}, {"path", f.Path}, {"layer", listed(f.Layer)},
		{"agent", listed(f.Agent)}} {
		if len(flag.values) == 0 {
			continue
		}
		c, bad, why := condition(flag.name, flag.values)
		if why != "" {
			return fmt.Errorf("%w: --%s %s %s", messages.ErrUsage, flag.name, bad, why)
		}
		value := strings.Join(flag.values, ",")
		if flag.name == "layer" {
			a.query.Layers = flag.values
			note("layer", value, func(q *search.Query) { q.Layers = nil })
		} else {
			r.add("--"+flag.name+" "+value, c)
		}
	}
	note("session", f.Session, func(q *search.Query) { q.Session = "" })
	return nil
}

// listed splits the value of a flag that takes a comma-separated list.
func listed(values string) []string {
	return strings.FieldsFunc(strings.ToLower(values), func(r rune) bool { return r == ',' || r == ' ' })
}

// signs records the restrictions by required and excluded words and phrases.
func (a *parsedQuery) signs() {
	q := a.query
	for i, w := range q.Required {
		a.limits = append(a.limits, limit{"+" + w.Text, func(q *search.Query) { q.Required = without(q.Required, i) }})
	}
	for i, w := range q.Excluded {
		a.limits = append(a.limits, limit{"-" + w.Text, func(q *search.Query) { q.Excluded = without(q.Excluded, i) }})
	}
	for i, p := range q.Phrases {
		text := `the quotes of "` + p.Text + `"`
		if p.Not {
			text = `-"` + p.Text + `"`
		}
		a.limits = append(a.limits, limit{text, func(q *search.Query) {
			q.Phrases = without(q.Phrases, i)
			if terms := p.Terms(); !p.Not && len(terms) > 0 {
				q.Required = append(slices.Clip(q.Required), search.Words{Text: p.Text, Terms: terms})
			}
		}})
	}
}

func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }

// fieldReader converts the fields of a query to conditions.
type fieldReader struct {
	m     *Reader
	into  *parsedQuery
	flags Filter
}

// read combines the values of each field: one of the wanted values must match, and none of the excluded ones.
func (r fieldReader) read(ctx context.Context) error {
	for _, name := range search.FieldNames() {
		var wanted, refused []string
		for _, it := range r.into.parsed.Fields() {
			switch {
			case it.Field != name:
			case it.Sign == search.Excluded:
				refused = append(refused, it.Values...)
			default:
				wanted = append(wanted, it.Values...)
			}
		}
		for _, v := range wanted {
			if slices.Contains(refused, v) {
				return usageOf(name, v, "is wanted and refused at once: leave one out")
			}
		}
		if err := r.field(ctx, name, wanted, false); err != nil {
			return err
		}
		if err := r.field(ctx, name, refused, true); err != nil {
			return err
		}
	}
	return nil
}

// usageOf returns the error for an invalid field value, with a hint for those who did not mean a field.
func usageOf(field, value, why string) error {
	return fmt.Errorf(`%w: %s:%s %s; write "%s:%s" in quotes to look for it as words`, messages.ErrUsage, field, value,
		why, field, value)
}

func (r fieldReader) field(ctx context.Context, name string, values []string, not bool) error {
	if len(values) == 0 {
		return nil
	}
	switch name {
	case "since", "until":
		return r.time(name, values, not)
	case "project":
		return r.project(ctx, values, not)
	}
	c, bad, why := condition(name, values)
	if why != "" {
		return usageOf(name, bad, why)
	}
	if err := r.conflict(name, values, not); err != nil {
		return err
	}
	c.Not = not
	r.add(fieldText(name, values, not), c)
	return nil
}

func fieldText(name string, values []string, not bool) string {
	it := search.Item{Field: name, Values: values}
	if not {
		it.Sign = search.Excluded
	}
	return it.String()
}

// add adds a condition that can be removed again.
func (r fieldReader) add(text string, c search.Condition) {
	q := &r.into.query
	q.Conditions = append(q.Conditions, c)
	i := len(q.Conditions) - 1
	r.into.limits = append(r.into.limits, limit{text, func(q *search.Query) { q.Conditions = without(q.Conditions, i) }})
}

// condition returns the condition that one of the values matches, or an invalid value with the reason.
func condition(name string, values []string) (c search.Condition, bad, why string) {
	c = search.Condition{Words: values}
	var fits func(have, want string) bool
	var known []string
	switch name {
	case "author":
		c.On, fits = search.OnAuthor, func(have, want string) bool {
			return strings.Contains(strings.ToLower(have), strings.ToLower(want))
		}
	case "path":
		c.On, fits = search.OnPath, func(have, want string) bool { return search.MatchesPath(want, have) }
		for _, v := range values {
			if !glob.Valid(v) {
				return c, v, "is no pattern: close its brackets, as in *.[ch]"
			}
		}
	case "layer":
		c.On, known = search.OnLayer, cite.Layers()
	case "type":
		c.On, known, fits = search.OnType, Types(), hasType
	case "role":
		c.On, known, fits = search.OnRole, roles(), hasRole
	case "intent":
		c.On, known, fits = search.OnRole, markdown.Intents(), hasIntent
	case "session":
		c.On, fits = search.OnSession, search.OfSession
	case "agent":
		c.On, known = search.OnSession, transcript.Clients()
		fits = func(have, want string) bool { return have != "" && transcript.ClientOf(have) == strings.ToLower(want) }
	case "tool":
		c.On = search.OnTool
	}
	for _, v := range values {
		if known != nil && !slices.Contains(known, strings.ToLower(v)) {
			return c, v, "is unknown (" + strings.Join(known, ", ") + ")"
		}
	}
	if fits == nil {
		fits = strings.EqualFold
	}
	c.Match = func(have string) bool {
		return slices.ContainsFunc(values, func(want string) bool { return fits(have, want) })
	}
	return c, "", ""
}

// conflict returns an error for flags and fields that no document can satisfy together.
func (r fieldReader) conflict(name string, values []string, not bool) error {
	var flag string
	ok := true
	switch name {
	case "layer", "type":
		flag = map[string]string{"layer": r.flags.Layer, "type": r.flags.Type}[name]
		ok = slices.ContainsFunc(listed(flag), func(f string) bool {
			return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, f) }) != not
		})
	case "session":
		flag = r.flags.Session
		ok = not || slices.ContainsFunc(values, func(v string) bool {
			return strings.HasPrefix(v, flag) || strings.HasPrefix(flag, v)
		})
	}
	if flag == "" || ok {
		return nil
	}
	return fmt.Errorf("%w: --%s %s and %s can't both hold: leave one out", messages.ErrUsage, name, flag,
		fieldText(name, values, not))
}

// time restricts the range by since: or until:.
func (r fieldReader) time(name string, values []string, not bool) error {
	switch {
	case not:
		return usageOf(name, values[0], "can't be refused: use "+map[string]string{"since": "until", "until": "since"}[name]+
			":")
	case len(values) > 1:
		return usageOf(name, strings.Join(values, ","), "names several times: name one")
	}
	f := Filter{Since: values[0]}
	if name == "until" {
		f = Filter{Until: values[0]}
	}
	span, err := r.m.TimeRange(f)
	if err != nil {
		_, plain, _ := strings.Cut(err.Error(), "--"+name+": ")
		return usageOf(name, values[0], "is no time: "+plain)
	}
	a := r.into
	before := a.query.Range
	if span.Since.After(before.Since) {
		a.query.Range = before.Begin(span)
	}
	if !span.Until.IsZero() && (before.Until.IsZero() || span.Until.Before(before.Until)) {
		a.query.Range = a.query.Range.End(span)
	}
	now := a.query.Range
	if now.From+now.To == "" && !now.Since.IsZero() && !now.Until.IsZero() && !now.Since.Before(now.Until) {
		return fmt.Errorf("%w: %s and what is said beside it leave no time: since lies not before until", messages.ErrUsage,
			fieldText(name, values, false))
	}
	a.limits = append(a.limits, limit{fieldText(name, values, false), func(q *search.Query) {
		if name == "since" {
			q.Range = q.Range.Begin(before)
		} else {
			q.Range = q.Range.End(before)
		}
	}})
	return nil
}

// project sets the scope. Named projects replace the current one; with --project both must match.
func (r fieldReader) project(ctx context.Context, values []string, not bool) error {
	var named []func(string) bool
	for _, v := range values {
		in, err := r.m.ws.ScopeOf(ctx, v)
		if err != nil {
			return err
		}
		named = append(named, in)
	}
	one := func(project string) bool {
		return slices.ContainsFunc(named, func(in func(string) bool) bool { return in == nil || in(project) })
	}
	a, before := r.into, r.into.query.Projects
	switch {
	case not:
		r.add(fieldText("project", values, true), search.Condition{On: search.OnProject, Not: true,
			Match: func(p string) bool {
				return p != "" && one(p)
			}})
		return nil
	case r.flags.Project == "":
		a.query.Projects = one
	case !slices.ContainsFunc(values, func(v string) bool { return sameProject(v, r.flags.Project) }):
		return fmt.Errorf("%w: --project %s and %s can't both hold: leave one out", messages.ErrUsage, r.flags.Project,
			fieldText("project", values, false))
	default:
		a.query.Projects = func(project string) bool { return one(project) && (before == nil || before(project)) }
	}
	a.limits = append(a.limits, limit{fieldText("project", values, false), func(q *search.Query) { q.Projects = before }})
	return nil
}

// sameProject reports whether two project names can refer to the same project.
func sameProject(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == "all" || b == "all" || strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// roles returns the speakers in a session, and the other roles of documents.
func roles() []string {
	return []string{
		"user", "assistant", "subagent", "tool", "result", "error", "thinking", "plan", "todo", "title", "prompt", "summary",
		"commit", "merge", "rules", "memory", "decision", "task", "profile", "session", "idea", "observation",
	}
}

// hasType reports whether one of the types of a document is want.
func hasType(have, want string) bool {
	return slices.ContainsFunc(strings.Fields(have), func(t string) bool { return strings.EqualFold(t, want) })
}

func hasRole(have, want string) bool {
	if strings.EqualFold(want, "subagent") {
		want = "sidechain"
	}
	have, _ = cite.CutRole(have)
	return strings.EqualFold(have, want)
}

// hasIntent reports whether a role is that of an idea with an intent; decision records and tasks have the intent of
// their name.
func hasIntent(have, want string) bool {
	want = strings.ToLower(want)
	role, intent := cite.CutRole(have)
	switch {
	case role == string(cite.KindIdea):
		return intent == want
	case role == string(cite.KindDecision):
		return want == markdown.IntentDecision
	case role == string(cite.KindTask):
		return want == markdown.IntentTodo
	}
	return false
}
