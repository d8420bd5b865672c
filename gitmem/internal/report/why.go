package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// WhyQuestion asks why a file, a folder or lines of a file are as they are.
type WhyQuestion struct {
	// What is a path, relative to Options.Dir or to the top of the repository, with either kind of slash; the suffix ":12"
	// or ":12-20" selects lines, and a revision with a colon as prefix, such as "v1.2:", selects that revision.
	What string
	// Rev is the revision if What names none; "" is HEAD with the content on disk.
	Rev string
	// Limit is the maximum number of reasons; 0 means 5.
	Limit int
}

// Why contains the recorded reasons for lines, a file or a folder. The JSON form is a public contract: fields are
// added, never renamed, and lists are never null.
type Why struct {
	Path string `json:"path"` // relative to the top of the repository
	Rev  string `json:"rev"`  // the examined commit, 40 hex digits
	From int    `json:"from"` // requested lines, as on disk; 0 for the whole path
	To   int    `json:"to"`
	// Recorded reports whether a reason was found.
	Recorded bool `json:"recorded"`
	// Lines are runs of lines from one commit; none for a whole path.
	Lines []WhyLines `json:"blamed"`
	// Commits are the changes, by descending importance.
	Commits []WhyCommit `json:"made_by"`
	// Reasons are the sentences that give a reason, each verified in its source.
	Reasons []answer.Citation `json:"reasons"`
	Caveats []string          `json:"caveats"`
}

// WhyLines is a run of lines that came from one commit.
type WhyLines struct {
	From int `json:"from"` // as on disk
	To   int `json:"to"`
	// ID cites the lines as that commit wrote them, or the commit if the path can't be shown; "" if they are uncommitted.
	ID     string `json:"id"`
	Commit string `json:"commit"` // 40 hex digits, "" if uncommitted
	Text   string `json:"text"`   // redacted
	// Session cites the agent's call that wrote them, or the archived session that last wrote the file before they were
	// committed; "" if unknown.
	Session string `json:"session"`
}

// WhyCommit is a commit that contributed to lines or a path.
type WhyCommit struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Author string `json:"author"`
	Time   string `json:"time"` // RFC 3339
	// Part is its contribution: wrote (the present lines), moved (lines of others, or their white space), changed (the
	// lines earlier), added (the path), renamed, latest or largest (change of a path).
	Part string `json:"part"`
	// Path is the name of the file at that time.
	Path string `json:"path"`
	// Added and Removed count the changed lines of the file; Lines counts the requested lines that it wrote.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Lines   int `json:"lines"`
	// Via is the citation id of the pull request or merge that brought it, "" if unknown.
	Via string `json:"via"`
	// PullRequest is the number of its pull request in the commit or its merge, such as #12, and Closes the issues that
	// they close, whether or not these were fetched.
	PullRequest string   `json:"pull_request"`
	Closes      []string `json:"closes"`
	// Release is the first release that contains it.
	Release    string `json:"release"`
	Status     string `json:"status"`
	RevertedBy string `json:"reverted_by"`
}

// Why reports who wrote lines of a file, a file or a folder, when, and why: the sentences that give a reason, from the
// commits, from related pull requests and issues that were fetched, and from memory. Without a reason Recorded is
// false, which is not an error; for a path that does not exist in the repository the error wraps [ErrNotFound].
func (t *Team) Why(ctx context.Context, q WhyQuestion) (Why, error) {
	return ingest.RetryDamaged(ctx, func(*bool) (Why, error) { return t.why(ctx, q) })
}

func (t *Team) why(ctx context.Context, q WhyQuestion) (Why, error) {
	p, err := t.ws.Place(ctx)
	if err != nil {
		return Why{}, err
	}
	repo, err := t.ws.Repository(p)
	if err != nil {
		return Why{}, err
	}
	if p.Untrusted != nil {
		return Why{}, p.NoRepository(t.ws.Options.Dir)
	}
	if repo == nil {
		return Why{}, &messages.Refusal{Reason: "no git history can be read from " + t.ws.Options.Dir,
			Advice: "run it inside a git repository; for files of memory use gitmem blame", Err: messages.ErrNotFound}
	}
	if err := t.ws.CheckReach(ctx, p.DisplayName(), p.Project.ID); err != nil {
		return Why{}, err
	}
	w := &why{team: t, seen: map[string]bool{}, place: p, repo: repo, limit: cmp.Or(q.Limit, 5)}
	if w.target, err = t.targetOf(ctx, p, repo, q); err != nil {
		return Why{}, err
	}
	if w.cite, err = t.src.Resolver(p, false); err != nil {
		return Why{}, err
	}
	defer w.close()
	if err := w.openView(ctx); err != nil { // first, since it fetches the targets of links
		return Why{}, err
	}
	w.out = Why{Path: t.ws.Redactor.Path(w.target.path), Rev: w.target.rev, From: w.target.from, To: w.target.to}
	if err := w.answer(ctx); err != nil {
		return Why{}, err
	}
	w.out.Caveats = append(w.out.Caveats, t.ws.Caveats...)
	return w.out.filled(), nil
}

// why is the state of one question.
type why struct {
	team    *Team
	place   *workspace.Place
	repo    *git.Repository
	cite    *cite.Resolver
	view    *query.View     // of memory, rules and fetched items
	history *index.Snapshot // of the history without an update, nil for none
	target  whyTarget
	limit   int
	found   []whyChange // commits to search for reasons, by descending importance
	out     Why

	seen     map[string]bool // sources searched for reasons
	read     int
	reasons  []whyReason
	nearness // nearness of the current source
}

// nearness is the distance of a reason from the requested lines.
type nearness int

const (
	ownCommit  nearness = iota // the commit that wrote the lines
	ownThread                  // its pull request or merge, and what these link to
	ownSession                 // the session that wrote them
	otherWork                  // earlier or neighbouring changes
	mentioning                 // document that names them or is named
)

// whyReason is a sentence that gives a reason, scored by its weight.
type whyReason struct {
	answer.Citation
	nearness
}

// whyChange is a commit with its contribution.
type whyChange struct {
	commit         git.Commit
	part, path     string
	added, removed int
	lines          int
	words          int // number of these lines with a letter or a digit
}

const (
	// maximum number of commits to search for reasons, and to show.
	whyCommits = 40
	whyShown   = 8
	// maximum length of the history of lines or of a path.
	whyHistory = 2000
	// maximum number of files of a commit to search for moved lines, and minimum number of characters in these lines.
	whyMoved, leastMoved = 60, 12
)

func (w *why) close() {
	if w.history != nil {
		_ = w.history.Close() // read-only: nothing can be lost
	}
	if w.view != nil {
		w.view.Close()
	}
}

func (w *why) answer(ctx context.Context) error {
	var err error
	if w.target.from > 0 {
		err = w.ofLines(ctx)
	} else {
		err = w.ofPath(ctx)
	}
	if err != nil {
		return err
	}
	w.caveatMissing()
	if err := w.listCommits(ctx); err != nil {
		return err
	}
	return w.findReasons(ctx)
}

// ofLines blames the lines, and finds the commits that changed them earlier.
func (w *why) ofLines(ctx context.Context) error {
	if w.target.headFrom > 0 {
		blamed, err := w.repo.Blame(ctx, w.target.rev, w.target.path, w.target.headFrom, w.target.headTo)
		if err != nil {
			return err
		}
		if err := w.groupLines(blamed); err != nil {
			return err
		}
	}
	w.uncommitted()
	if w.target.headFrom == 0 {
		return nil
	}
	return w.addEarlier(ctx)
}

// groupLines joins adjacent lines of one commit, and sorts the commits by number of lines.
func (w *why) groupLines(blamed []git.BlameLine) error {
	head := slices.Collect(strings.Lines(w.target.head))
	for i := 0; i < len(blamed); {
		first, n := blamed[i], 1
		for i+n < len(blamed) && blamed[i+n].Commit == first.Commit && blamed[i+n].Path == first.Path &&
			blamed[i+n].Original == first.Original+n &&
			w.target.disk[blamed[i+n].Line] == w.target.disk[first.Line]+n {
			n++
		}
		i += n
		from := w.target.disk[first.Line]
		if from == 0 {
			continue // not on disk any more
		}
		text := strings.Join(head[min(first.Line-1, len(head)):min(first.Line-1+n, len(head))], "")
		w.out.Lines = append(w.out.Lines, WhyLines{From: from, To: from + n - 1, ID: w.lineID(first, n),
			Commit: first.Commit, Text: text})
		c := w.foundAt(first.Commit)
		if c < 0 {
			commit, err := w.repo.Commit(first.Commit)
			if err != nil {
				return err
			}
			c = len(w.found)
			w.found = append(w.found, whyChange{commit: commit, part: "wrote", path: first.Path})
		}
		w.found[c].lines += n
		w.found[c].words += wordLines(text)
	}
	slices.SortStableFunc(w.found, func(a, b whyChange) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.lines, a.lines),
			b.commit.Committer.When.Compare(a.commit.Committer.When))
	})
	return nil
}

// foundAt returns the index of a commit in found, -1 if it is not there.
func (w *why) foundAt(hash string) int {
	return slices.IndexFunc(w.found, func(c whyChange) bool { return c.commit.Hash == hash })
}

// lineID returns a citation of n lines as their commit wrote them, or of that commit if the path contains a secret or
// characters that are not allowed in an id.
func (w *why) lineID(first git.BlameLine, n int) string {
	id := cite.BlameID(first.Path, first.Original, first.Original+n-1, first.Commit).String()
	if _, err := cite.Parse(id); err != nil || w.team.ws.Redactor.Path(first.Path) != first.Path {
		return cite.ID{Kind: cite.KindCommit, Name: first.Commit}.String()
	}
	return id
}

// wordLines counts the lines that contain more than brackets and white space: the authors of the others are not
// informative.
func wordLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// uncommitted adds the uncommitted lines on disk.
func (w *why) uncommitted() {
	byPlace := func(a, b WhyLines) int { return cmp.Compare(a.From, b.From) }
	slices.SortFunc(w.out.Lines, byPlace)
	next, missing := w.target.from, 0
	for _, l := range append(slices.Clone(w.out.Lines), WhyLines{From: w.target.to + 1}) {
		if l.From > next {
			text, _ := cite.CutLines(w.target.text, next, l.From-1)
			w.out.Lines = append(w.out.Lines, WhyLines{From: next, To: l.From - 1, Text: text})
			missing += l.From - next
		}
		next = l.To + 1
	}
	slices.SortFunc(w.out.Lines, byPlace)
	if missing > 0 {
		w.caveat("%s not committed yet, so nothing is recorded of why.", messages.Plural(missing, "line")+
			map[bool]string{true: " is", false: " are"}[missing == 1])
	}
}

// ofPath reads the history of a file or folder: its origin, its largest and latest changes, and then the others from
// new to old.
func (w *why) ofPath(ctx context.Context) error {
	var all []whyChange
	for c, err := range w.repo.FollowPath(ctx, w.target.rev, w.target.path, true) {
		if err != nil {
			return err
		}
		part := map[byte]string{'A': "added", 'R': "renamed"}[c.Op]
		all = append(all, whyChange{commit: c.Commit, part: cmp.Or(part, "changed"), path: c.Path, added: c.Added,
			removed: c.Removed})
		if len(all) == whyHistory {
			w.caveat("Only the %d newest changes were looked at.", whyHistory)
			break
		}
	}
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	latest, rest := all[:min(last, 2)], all[min(last, 2):last]
	slices.SortStableFunc(rest, func(a, b whyChange) int { return cmp.Compare(b.added+b.removed, a.added+a.removed) })
	w.found = slices.Concat(all[last:], latest, rest)
	for i := range w.found[:min(len(w.found), 6)] {
		switch c := &w.found[i]; {
		case i == 0 || c.part != "changed":
		case i <= 2:
			c.part = "latest"
		case c.added+c.removed > 0:
			c.part = "largest"
		}
	}
	w.found = w.found[:min(len(w.found), whyCommits)]
	return nil
}

// listCommits fills in the most important commits, without their status.
func (w *why) listCommits(ctx context.Context) error {
	shown := w.found[:min(len(w.found), whyShown)]
	hashes := slice.Map(shown, func(c whyChange) string { return c.commit.Hash })
	releases, err := w.repo.Releases(ctx, "", hashes...)
	if err != nil {
		return err
	}
	for _, c := range shown {
		id := cite.ID{Kind: cite.KindCommit, Name: c.commit.Hash}.String()
		via, err := w.via(ctx, id, c.commit)
		if err != nil {
			return err
		}
		w.out.Commits = append(w.out.Commits, WhyCommit{
			ID: id, Title: w.team.src.ShownMessage(c.commit.Subject), Author: w.team.ws.Clean(c.commit.Author.Name),
			Time: c.commit.Author.When.UTC().Format(time.RFC3339),
			Part: c.part, Path: w.team.ws.Redactor.Path(c.path), Added: c.added, Removed: c.removed, Lines: c.lines,
			Via: via, PullRequest: w.pullRequest(via, c.commit), Closes: w.closes(id, via),
			Release: w.team.ws.Clean(releases[c.commit.Hash]),
		})
	}
	if n := len(w.found) - whyShown; n > 0 {
		w.caveat("%d earlier changes are not shown.", n)
	}
	return nil
}

// caveatMissing adds a caveat about missing history, because of which a later commit may be listed in place of an
// earlier one.
func (w *why) caveatMissing() {
	for _, c := range w.found {
		if w.repo.IsShallowEnd(c.commit.Hash) {
			w.caveat("This clone is shallow and ends at git:commit:%s, which stands for all before it; fetch the rest with "+
				"git fetch --unshallow.", c.commit.Hash)
			break
		}
	}
	if n := len(w.repo.Skipped()); n > 0 {
		w.caveat("%s of the repository could not be read or compared, so that a later commit may stand for an earlier one.",
			messages.Plural(n, "object"))
	}
}

func (w *why) caveat(format string, args ...any) {
	w.out.Caveats = append(w.out.Caveats, fmt.Sprintf(format, args...))
}

// via returns the pull request that brought a commit, if known, or else the merge.
func (w *why) via(ctx context.Context, id string, c git.Commit) (string, error) {
	for _, l := range w.view.Linked(ctx, id) {
		if l.Rel == providers.PartOf {
			return l.ID, nil
		}
	}
	merge, err := w.repo.MergedBy(ctx, c.Hash)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrEmpty) || merge == c.Hash {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return cite.ID{Kind: cite.KindCommit, Name: merge}.String(), nil
}

// pullRequest returns the number of the pull request in a commit's merge or in the commit.
func (w *why) pullRequest(via string, c git.Commit) string {
	if merge, err := w.repo.Commit(strings.TrimPrefix(via, string(cite.KindCommit)+":")); err == nil {
		c = merge
	}
	for _, f := range providers.Forges() {
		if number, _ := f.MergedBy(c.Subject, c.Body); number != "" {
			return number
		}
	}
	return ""
}

// closes returns the issues that a commit, or the item that brought it, closes.
func (w *why) closes(ids ...string) []string {
	out := []string{}
	for _, id := range ids {
		if src, err := w.cite.Resolve(id); err == nil {
			out = append(out, ask.Closes(src)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (w Why) filled() Why {
	w.Lines, w.Commits, w.Reasons = messages.Filled(w.Lines), messages.Filled(w.Commits), messages.Filled(w.Reasons)
	w.Caveats = slices.Compact(messages.Filled(w.Caveats))
	w.Recorded = len(w.Reasons) > 0
	return w
}

// cutLineRange splits line numbers off the end of a path: ":12", ":12-20" or "#L12-L20".
func cutLineRange(what string) (name string, from, to int, ok bool) {
	i := strings.LastIndexAny(what, ":#")
	if i <= 0 {
		return what, 0, 0, false
	}
	lines := what[i+1:]
	if what[i] == '#' {
		lines = strings.ReplaceAll(lines, "L", "")
	}
	first, last, ranged := strings.Cut(lines, "-")
	if !ranged {
		last = first
	}
	from, okFrom := lineNumber(first)
	to, okTo := lineNumber(last)
	return what[:i], from, to, okFrom && okTo && from <= to
}
