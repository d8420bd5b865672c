package forget

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/internal/slice"
)

// Forgetting is what would be forgotten. Look at it, then call [Forgetter.Do]. The
// JSON form is a public contract.
type Forgetting struct {
	// Lines are what goes from memory's files.
	Lines []ForgottenLine `json:"removed"`
	// Hidden are citations of what is not gitmem's own: nothing of it is touched,
	// but it is not indexed, shown or archived any more.
	Hidden []HiddenSource `json:"hidden"`
	// History is what goes from earlier commits, nil if that was not asked for.
	History *ForgottenHistory `json:"history,omitempty"`
	// Missing lists what was asked for and is not there, one line each.
	Missing []string `json:"missing"`
	// Ask says that the caller named words, or a section of several notes: a
	// person should look at the list first.
	Ask bool `json:"ask"`

	forgetter  *Forgetter
	what       []string // citations for the commit's message, without text
	tombstones []tombstone.Tombstone
	cutter     tombstone.Cutter
	files      []string // that change
	texts      []string // what went, to look for it elsewhere
	kept       []string // sessions whose kept transcripts go
	history    bool
}

// ForgottenLine is a line that goes.
type ForgottenLine struct {
	File string `json:"file"` // slash path below the root
	ID   string `json:"id"`   // citation of what holds it, "" where nothing does
	Text string `json:"text"` // redacted and shortened
}

// HiddenSource is a source of somebody else's that is hidden.
type HiddenSource struct {
	ID    string `json:"id"`
	Where string `json:"where"` // where the words still lie, and whose they are
}

// ForgottenHistory is what goes from commits.
type ForgottenHistory struct {
	Commits  int                `json:"commits"` // that get another id
	Of       int                `json:"of"`      // all
	Files    []store.PurgedFile `json:"files"`
	Lines    []ForgottenLine    `json:"removed"`
	Refs     []store.PurgedRef  `json:"refs"`
	Stashed  int                `json:"stashed"`  // stash entries that go
	Unsigned int                `json:"unsigned"` // signatures that go
	Objects  int                `json:"objects"`  // of git that go
	Bytes    int64              `json:"bytes"`    // that they, or packs with them, take on disk
	Remotes  []string           `json:"remotes"`  // repositories that are out of reach
	Names    []string           `json:"names"`    // files, folders, branches and tags that are named so, and stay
}

// Forgotten is what was done. The JSON form is a public contract.
type Forgotten struct {
	Forgetting
	Commit string `json:"commit"` // "" when no file changed
	// Elsewhere are sources that still say the same.
	Elsewhere []Elsewhere `json:"elsewhere"`
	Caveats   []string    `json:"caveats"`
}

// Elsewhere is a source that says what was forgotten.
type Elsewhere struct {
	ID      string `json:"id"`
	Layer   string `json:"layer"`
	Excerpt string `json:"excerpt"`
}

// PlanForget finds what citations, or words, name. Each of what is a citation id,
// or a file and line as a note reports them ("…/MEMORY.md:7"); what is neither is
// words, all of which a piece of memory must hold, or a text in double quotes that
// it must hold literally. Nothing at all means what was forgotten before, should
// it have come back. With history, earlier commits are looked at, too, and for
// words also each line that holds them literally. It changes nothing.
//
// ErrNotFound: nothing of that is there; of several things the plan lists those missing.
// ErrNoStore: there is no store.
func (fg *Forgetter) PlanForget(ctx context.Context, what []string, history bool) (*Forgetting, error) {
	if !fg.ws.HasStore() {
		return nil, fmt.Errorf("%s: %w", fg.ws.Root, store.ErrNoStore)
	}
	set := fg.src.Forgotten()
	f := &Forgetting{
		Lines: []ForgottenLine{}, Hidden: []HiddenSource{}, Missing: []string{}, forgetter: fg, history: history,
		cutter: tombstone.Cutter{Set: set, Redactor: fg.ws.Redactor, Sections: map[string]bool{}},
	}
	if err := f.find(ctx, what); err != nil {
		return nil, err
	}
	if err := f.complete(ctx); err != nil {
		return nil, err
	}
	if err := f.checkReach(ctx); err != nil {
		return nil, err
	}
	if len(f.tombstones)+len(f.files) == 0 && (f.History == nil || f.History.Commits+f.History.Objects+
		len(f.History.Names) == 0) {
		return f, fmt.Errorf("nothing of this is in memory: %w", messages.ErrNotFound)
	}
	return f, nil
}

// checkReach refuses a plan that would show lines that are out of reach.
func (f *Forgetting) checkReach(ctx context.Context) error {
	own, may, err := f.forgetter.ws.Reachable(ctx)
	if err != nil || own == nil {
		return err
	}
	lines := f.Lines
	if f.History != nil {
		lines = append(slices.Clone(lines), f.History.Lines...)
	}
	for _, l := range lines {
		if !may(l.File) {
			return own.Refuse("all that would be forgotten")
		}
	}
	return nil
}

// complete works out what goes, now that it is known what is meant.
func (f *Forgetting) complete(ctx context.Context) error {
	f.tombstones = f.unlisted(f.tombstones)
	f.cutter.Set = f.cutter.Set.With(f.tombstones...)
	f.scanFiles()
	if !f.history {
		return nil
	}
	return f.scanHistory(ctx)
}

// builder makes tombstones of today.
func (f *Forgetting) builder() tombstone.Builder {
	return f.forgetter.src.TombstoneBuilder(f.cutter.Set)
}

// unlisted drops tombstones that come twice.
func (f *Forgetting) unlisted(tombstones []tombstone.Tombstone) []tombstone.Tombstone {
	seen := map[tombstone.Tombstone]bool{}
	return slices.DeleteFunc(slices.Clone(tombstones), func(s tombstone.Tombstone) bool {
		listed := seen[s] || f.cutter.Set.Holds(s)
		seen[s] = true
		return listed
	})
}

// memory yields memory's files as they are. What can't be read is a caveat.
func (fg *Forgetter) memory() iter.Seq2[cite.File, []byte] {
	return func(yield func(cite.File, []byte) bool) {
		known := fg.ws.Folders()
		for file, err := range fg.ws.Store.Files() {
			var b []byte
			if err == nil {
				b, err = fg.ws.Store.Read("", file.Path)
			}
			if err != nil {
				fg.ws.Caveat("%v", err)
			} else if !yield(fg.src.FileOf(known, file.Path), b) {
				return
			}
		}
	}
}

// scanFiles lists what goes from the files as they are.
func (f *Forgetting) scanFiles() {
	for at, b := range f.forgetter.memory() {
		edits, whole, cut := f.cutter.Edits(at, b)
		if len(edits) == 0 && !whole {
			continue
		}
		f.files = append(f.files, at.Path)
		held := f.holders(at, b)
		id := ""
		for _, line := range cut {
			if tombstone.Normal(line) != "" { // else it goes with the line above it
				id = held[line]
			}
			f.texts = append(f.texts, tombstone.Text(f.forgetter.ws.Clean(line)))
			f.Lines = append(f.Lines, ForgottenLine{File: at.Path, ID: id, Text: f.forgetter.excerpt(line)})
		}
	}
}

// holders are the citations of the pieces of a file, by the lines in them.
func (f *Forgetting) holders(at cite.File, src []byte) map[string]string {
	out := map[string]string{}
	for _, p := range tombstone.Pieces(at, src, f.forgetter.ws.Redactor) {
		for line := range strings.Lines(p.Raw) {
			line = strings.TrimSpace(line)
			if _, known := out[line]; !known {
				out[line] = p.ID
			}
		}
	}
	return out
}

// excerpt shows a line without giving all of it away.
func (fg *Forgetter) excerpt(line string) string {
	return messages.OneLine(fg.ws.Clean(tombstone.Text(line)), 60)
}

// scanHistory lists what goes from commits.
func (f *Forgetting) scanHistory(ctx context.Context) error {
	lines := map[ForgottenLine]bool{}
	var tombstones []tombstone.Tombstone
	purge, build := f.purge(), f.builder()
	plan, err := f.forgetter.ws.Store.PlanPurge(ctx, purge)
	if err != nil {
		return historyError(err)
	}
	for _, cut := range purge.cut {
		lines[ForgottenLine{File: cut.path, Text: f.forgetter.excerpt(cut.line)}] = true
		if tombstone.Distinctive(tombstone.Normal(cut.line)) { // or a merge from another machine brings it back
			tombstones = append(tombstones, build.Line(f.forgetter.ws.Clean(cut.line))...)
		}
	}
	for _, c := range plan.Rewritten {
		if c.First { // or another machine brings the old history back
			tombstones = append(tombstones, build.Commit(c.Old))
		}
	}
	remotes, err := f.forgetter.ws.Store.RemoteList()
	if err != nil {
		return historyError(err)
	}
	f.History = f.historyOf(plan, slice.Map(remotes, func(r store.Remote) string { return r.Name }))
	for line := range lines {
		f.History.Lines = append(f.History.Lines, line)
	}
	slices.SortFunc(f.History.Lines, func(a, b ForgottenLine) int {
		return strings.Compare(a.File+"\x00"+a.Text, b.File+"\x00"+b.Text)
	})
	f.tombstones = append(f.tombstones, f.unlisted(tombstones)...)
	f.cutter.Set = f.cutter.Set.With(tombstones...)
	return nil
}

func historyError(err error) error {
	if errors.Is(err, store.ErrUnsupported) || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNoGit) {
		return err
	}
	return fmt.Errorf("history: %w", err)
}

func (f *Forgetting) historyOf(p store.Purged, remotes []string) *ForgottenHistory {
	return &ForgottenHistory{
		Commits: len(p.Rewritten), Of: p.Commits, Stashed: p.Stashed, Unsigned: p.Unsigned, Objects: p.Objects,
		Bytes: p.Bytes,
		Files: messages.Filled(p.Files), Lines: []ForgottenLine{}, Refs: messages.Filled(p.Refs),
		Remotes: messages.Filled(remotes), Names: messages.Filled(f.forgetter.ws.CleanPaths(p.Names)),
	}
}

// purge is the cutter in the form that the store asks for. It lists what it cuts.
type purge struct {
	tombstone.Cutter
	forgetter *Forgetter
	folders   map[string]string
	cut       []struct{ path, line string }
}

func (f *Forgetting) purge() *purge {
	return &purge{Cutter: f.cutter, forgetter: f.forgetter, folders: f.forgetter.ws.Folders()}
}

// File implements [store.Purge].
func (p *purge) File(path string, content []byte) []byte {
	out, lines := p.Cut(p.forgetter.src.FileOf(p.folders, path), content)
	for _, line := range lines {
		p.cut = append(p.cut, struct{ path, line string }{path, line})
	}
	return out
}

// Do forgets: the lines go from the files, the list of what was forgotten gets a
// line for each, which is committed, every index and trace that may hold them is
// deleted, and, if history was asked for, they go from every commit. What is done
// when an error comes stays done; doing it again goes on.
func (fg *Forgetter) Do(ctx context.Context, f *Forgetting) (Forgotten, error) {
	fg.ws.Caveats, f.forgetter = slices.Clone(f.forgetter.ws.Caveats), fg
	out := Forgotten{Elsewhere: []Elsewhere{}}
	err := f.do(ctx, &out)
	out.Forgetting = *f
	out.Caveats = append([]string{}, f.forgetter.ws.Caveats...)
	return out, err
}

func (f *Forgetting) do(ctx context.Context, out *Forgotten) (err error) {
	fg := f.forgetter
	if out.Commit, err = f.cut(ctx); err != nil {
		return err
	}
	if err := fg.ws.Store.RemoveTemps(ctx); err != nil {
		fg.ws.Caveat("Temporary files of memory could not be removed: %v", err)
	}
	fg.erase(ctx, f)
	f.removeKept()
	if f.history {
		if err := f.purgeHistory(ctx); err != nil {
			return err
		}
	}
	out.Elsewhere, err = f.elsewhere(ctx)
	return err
}

// cut removes the lines from the files, lists their hashes, and commits.
func (f *Forgetting) cut(ctx context.Context) (commit string, err error) {
	fg := f.forgetter
	ctx, release, err := fg.ws.Store.Hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := fg.ws.Store.Busy(); err != nil { // it may bring the lines back
		return "", err
	}
	if err := fg.src.KeepEdits(ctx, f.committedFiles()); err != nil {
		return "", err
	}
	if err := fg.ws.Store.RewriteAll(ctx, f.edits()); err != nil {
		return "", err
	}
	fg.src.ForgetSet()
	paths := slices.Clone(f.files)
	if len(f.tombstones) > 0 {
		paths = append(paths, tombstone.File)
	}
	if len(paths) == 0 {
		return "", nil
	}
	var trailers []string // name what was forgotten without its words
	for _, id := range f.what {
		trailers = append(trailers, "Gitmem-Op: forget "+id)
	}
	commit, err = fg.ws.Store.Commit(ctx, store.Change{
		Paths: paths, Subject: "forget: " + messages.Plural(max(1, len(f.Lines)+len(f.Hidden)), "line"),
		Time: fg.ws.Options.Now(), Fsync: true,
		Trailers: trailers,
	})
	if errors.Is(err, store.ErrHeld) {
		fg.ws.Caveat("%v", err)
		err = nil
	}
	if err != nil {
		return commit, fmt.Errorf("the lines are gone from the files, but that is not committed yet: %w", err)
	}
	return commit, nil
}

// committedFiles are the files of which nothing goes that history does not hold yet: what a
// person edited in them may be committed before.
func (f *Forgetting) committedFiles() []string {
	folders := f.forgetter.ws.Folders()
	cut := func(rev, rel string) []string {
		b, err := f.forgetter.ws.Store.Read(rev, rel)
		if err != nil {
			return nil
		}
		_, lines := f.cutter.Cut(f.forgetter.src.FileOf(folders, rel), b)
		return lines
	}
	return slices.DeleteFunc(slices.Clone(f.files), func(rel string) bool {
		old := cut("HEAD", rel)
		return slices.ContainsFunc(cut("", rel), func(line string) bool { return !slices.Contains(old, line) })
	})
}

func (f *Forgetting) purgeHistory(ctx context.Context) error {
	done, err := f.forgetter.ws.Store.Purge(ctx, f.purge())
	if err != nil {
		return historyError(err)
	}
	lines := f.History.Lines
	f.History = f.historyOf(done, f.History.Remotes)
	f.History.Lines = lines
	return nil
}

// edits take the lines out of the files, and list them as forgotten.
func (f *Forgetting) edits() []store.FileEdit {
	known := f.forgetter.ws.Folders()
	var out []store.FileEdit
	for _, rel := range f.files {
		src := f.forgetter.src
		out = append(out, src.CutEdit(f.cutter, src.FileOf(known, rel)))
	}
	if len(f.tombstones) > 0 {
		out = append(out, store.FileEdit{Path: tombstone.File, Edit: f.forgetter.appendTombstones(f.tombstones)})
	}
	return out
}

func (fg *Forgetter) appendTombstones(tombstones []tombstone.Tombstone) func(old []byte) ([]store.Insertion,
	bool, error) {
	return func(old []byte) ([]store.Insertion, bool, error) {
		var b strings.Builder
		if len(old) == 0 {
			b.WriteString(tombstone.Header)
		} else if old[len(old)-1] != '\n' {
			b.WriteByte('\n')
		}
		have := tombstone.ParseSet(old)
		for _, s := range tombstones {
			if have.With(s).Len() > have.Len() {
				b.WriteString(s.String() + "\n")
			}
		}
		return []store.Insertion{{At: len(old), Text: fg.ws.Redactor.Clean(b.String())}}, false, nil
	}
}
