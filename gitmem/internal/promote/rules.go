package promote

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers/git"
)

// Rule is a rule of the repository with its origin and its current problems. The JSON form is a public contract.
type Rule struct {
	At       string     `json:"at"` // its file and line, as accepted by --demote
	Text     string     `json:"text"`
	Paths    []string   `json:"paths"`  // globs of the files that it applies to, none for all
	Files    int        `json:"files"`  // number of files that match today
	Commit   string     `json:"commit"` // the commit that wrote it, "" if uncommitted
	Author   string     `json:"author"`
	Time     string     `json:"time"`
	Evidence []Evidence `json:"evidence"` // from its proposal
	Problems []string   `json:"problems"`
}

// Evidence is a source in the proposal of a rule, with its current status.
type Evidence struct {
	ID     string        `json:"id"`
	Status answer.Status `json:"status"`
}

// Rules contains the rules of the repository. The JSON form is a public contract.
type Rules struct {
	Rules   []Rule   `json:"rules"`
	Caveats []string `json:"caveats"`
}

// Rules lists the rules of the work tree with the author of each, its evidence and the status of that, the files that
// it matches today, and contradicting statements.
func (pr *Promoter) Rules(ctx context.Context) (Rules, error) {
	place, err := pr.place(ctx)
	if err != nil {
		return Rules{}, err
	}
	t, ok := pr.src.RepositoryRules(place)
	if !ok {
		return Rules{}, &messages.Refusal{Reason: "a bare repository has no rules to look at", Advice: "run it in a clone",
			Err: messages.ErrNotFound}
	}
	pr.fetch(ctx, place)
	said, err := pr.gather(ctx, place)
	if err != nil {
		return Rules{}, err
	}
	files, err := t.Files()
	if err != nil {
		return Rules{}, err
	}
	out := Rules{Rules: []Rule{}}
	entries := pr.tracked(place)
	for _, f := range files {
		text, err := t.Read(f)
		if err != nil {
			pr.ws.Caveat("%s can't be read and was not looked through: %v", f.Path, err)
			continue
		}
		origin := pr.origin(ctx, place, f.Path)
		rf := ruleFile{path: f.Path, text: []byte(pr.ws.Redactor.Lines(string(text)))}
		for _, s := range statements(rf) {
			r := Rule{At: fmt.Sprintf("%s:%d", s.File, s.Line), Text: s.Text, Paths: messages.Filled(rf.globs()),
				Evidence: []Evidence{}, Problems: []string{}}
			if r.Files = matching(r.Paths, entries); rf.unreadable() {
				r.Files = 0
				r.Problems = append(r.Problems, "the frontmatter can't be read, so which files it is for is not known")
			}
			if c, ok := origin[s.Line]; ok {
				pr.provenance(ctx, &r, c)
			}
			out.Rules = append(out.Rules, r)
		}
	}
	compare := comparer()
	for i := range out.Rules {
		out.Rules[i].judge(compare, out.Rules, said)
	}
	out.Caveats = append([]string{}, pr.ws.Caveats...)
	return out, nil
}

// tracked returns the files of the current commit.
func (pr *Promoter) tracked(place *workspace.Place) (paths []string) {
	repo, err := pr.ws.Repository(place)
	if err != nil || repo == nil {
		return nil
	}
	entries, _ := repo.List("HEAD", "") // empty before the first commit
	return slice.Map(entries, func(e git.Entry) string { return e.Path })
}

// matching returns the number of files that match globs; without globs all files match.
func matching(globs, paths []string) (n int) {
	if len(globs) == 0 {
		return len(paths)
	}
	return slice.Count(paths, func(p string) bool { return covers(globs, []string{p}) })
}

// origin returns the commits that wrote the lines of a file, by line number. A line that differs from the committed one
// has no entry.
func (pr *Promoter) origin(ctx context.Context, place *workspace.Place, name string) map[int]git.Commit {
	out := map[int]git.Commit{}
	repo, err := pr.ws.Repository(place)
	if err != nil || repo == nil {
		return out
	}
	blamed, err := repo.Blame(ctx, "HEAD", name, 0, 0)
	if err != nil {
		return out // it is not committed
	}
	disk, _ := pr.reader.OnDisk(place, name)
	lines := strings.Split(string(disk), "\n")
	commits := map[string]git.Commit{}
	for _, l := range blamed {
		i := l.Line - 1
		if i >= len(lines) || strings.TrimRight(lines[i], "\r") != strings.TrimRight(l.Text, "\r") {
			i = slices.IndexFunc(lines, func(s string) bool {
				return strings.TrimRight(s, "\r") == strings.TrimRight(l.Text, "\r")
			})
		}
		c, known := commits[l.Commit]
		if !known {
			if c, err = repo.Commit(l.Commit); err != nil {
				continue
			}
			commits[l.Commit] = c
		}
		out[i+1] = c
	}
	return out
}

var evidenceLine = lazy.Pattern(`(?m)^` + evidenceTrailer + `(.+?)\r?$`)

// provenance sets the author, time and evidence of a rule.
func (pr *Promoter) provenance(ctx context.Context, r *Rule, c git.Commit) {
	r.Commit, r.Author, r.Time = c.Hash, pr.ws.Clean(c.Author.Name), messages.Instant(c.Author.When)
	for _, m := range evidenceLine().FindAllStringSubmatch(c.Body, -1) {
		e := Evidence{ID: m[1], Status: answer.StatusHolds}
		if _, err := pr.reader.Show(ctx, e.ID); err != nil {
			e.Status = answer.StatusGone
		}
		r.Evidence = append(r.Evidence, e)
	}
}

// judge finds the problems of a rule: it matches no file, its evidence is missing, another rule contradicts or repeats
// it, or people disagreed later.
func (r *Rule) judge(compare *lint.Comparer, all []Rule, said []Said) {
	add := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	if len(r.Paths) > 0 && r.Files == 0 {
		add("no file matches %s", strings.Join(r.Paths, ", "))
	}
	if n := len(r.Evidence); n > 0 && !slices.ContainsFunc(r.Evidence, func(e Evidence) bool {
		return e.Status != answer.StatusGone
	}) {
		add("none of its evidence (%d) can be found here any more", n)
	}
	for _, o := range all {
		switch {
		case o.At == r.At:
		case compare.Contradict(r.Text, o.Text):
			add("%s says otherwise: %s", o.At, o.Text)
		case compare.Same(r.Text, o.Text):
			add("%s says the same", o.At)
		}
	}
	since := " since"
	if r.Time == "" {
		since = ""
	}
	for _, s := range said {
		for _, text := range s.Sentences {
			if s.Time > r.Time && forceOf(text) > Tells && compare.Contradict(r.Text, text) {
				add("%s said otherwise%s: %s [%s]", cmp.Or(s.Author, "you"), since, cmp.Or(s.Quote, text), s.ID)
			}
		}
	}
}

// demote removes a rule from its file, or replaces its text, and states the reason.
func (pr *Promoter) demote(ctx context.Context, plan *Plan, files []ruleFile) error {
	name, number, _ := workspace.CutLine(plan.request.Demote)
	i := slices.IndexFunc(files, func(f ruleFile) bool { return f.path == path.Clean(name) && !f.link })
	if i < 0 {
		return &messages.Refusal{Reason: messages.OneLine(plan.request.Demote, maxSubject) + " is no rule of the repository",
			Advice: "see them with gitmem rules; one that is not pushed yet is taken out by hand", Err: messages.ErrNotFound}
	}
	f := files[i]
	list := statements(f)
	at := slices.IndexFunc(list, func(s lint.Statement) bool { return s.Line == number })
	if at < 0 {
		return &messages.Refusal{Reason: fmt.Sprintf("no rule begins on line %d of %s", number, f.path),
			Advice: "see them with gitmem rules", Err: messages.ErrNotFound}
	}
	old := list[at]
	if here, err := plan.at.rulesOnDisk([]string{f.path}); err == nil && len(here) == 1 {
		if !slices.ContainsFunc(statements(here[0]), func(s lint.Statement) bool {
			return s.Line == number && s.Text == old.Text
		}) {
			return &messages.Refusal{Reason: fmt.Sprintf("line %d of %s is here another rule than in what is pushed: %s", number,
				f.path, old.Text), Advice: "pull or push first, so that both are the same", Err: messages.ErrUsage}
		}
	}
	if err := plan.compare(files, old); err != nil {
		return err
	}
	text, next := replaced(f, list, at, plan.Rule)
	verb, was := "rewrite", pr.ws.Clean(old.Text) // the published text may contain a password
	if plan.Rule == "" {
		verb, plan.Rule = "remove", was
	}
	plan.Title = messages.OneLine("rules: "+verb+" “"+inert(was), maxSubject-1) + "”"
	plan.ID = idOf("demote " + f.path + " " + old.Text + next)
	plan.Branch = branchOf("no "+was, plan.ID)
	plan.Replaces = []string{} // the rule itself contradicts it
	plan.removed = old.Text
	all, err := pr.Rules(ctx)
	for _, r := range all.Rules {
		if r.Text == old.Text {
			plan.Replaces = append(plan.Replaces, r.Problems...)
		}
	}
	plan.put(f, text, f.globs())
	return err
}

var blockStart = lazy.Pattern("^(#|\\||<!--|```|~~~|---)")

// replaced returns a file of rules with one of its statements replaced by another rule, "" for none, and the lines of
// that rule. Text between rules is kept.
func replaced(f ruleFile, list []lint.Statement, at int, rule string) (text []byte, next string) {
	lines := strings.SplitAfter(string(f.text), "\n")
	first := list[at].Line - 1
	end := first + 1
	for end < len(lines) && (at+1 >= len(list) || end+1 < list[at+1].Line) && strings.TrimSpace(lines[end]) != "" &&
		!blockStart().MatchString(strings.TrimSpace(lines[end])) {
		end++
	}
	if rule != "" {
		mark := regexp.MustCompile(`^\s*(?:(?:[-*+>]|\d+[.)]|\[[ /xX]\])\s+)*`).FindString(lines[first])
		next = mark + rule + strings.TrimPrefix(lines[end-1], strings.TrimRight(lines[end-1], "\r\n"))
	}
	return []byte(strings.Join(lines[:first], "") + next + strings.Join(lines[end:], "")), next
}
