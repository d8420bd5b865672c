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

// Forgetting is a plan of what to forget. Review it, then call [Forgetter.Do]. The JSON form is a public contract.
type Forgetting struct {
	// Lines are the lines to remove from memory's files.
	Lines []ForgottenLine `json:"removed"`
	// Hidden lists citations of sources that gitmem does not own: they are not changed, but no longer indexed, shown or
	// archived.
	Hidden []HiddenSource `json:"hidden"`
	// History describes the removal from earlier commits, nil if that was not requested.
	History *ForgottenHistory `json:"history,omitempty"`
	// Missing lists the requested content that does not exist, one line each.
	Missing []string `json:"missing"`
	// Ask is set if the caller named words, or a section with several notes: a person should review the list first.
	Ask bool `json:"ask"`

	forgetter  *Forgetter
	what       []string // citations for the commit message, without text
	tombstones []tombstone.Tombstone
	cutter     tombstone.Cutter
	files      []string // files to change
	texts      []string // removed texts, to find them elsewhere
	kept       []string // sessions whose kept transcripts are removed
	history    bool
}

// ForgottenLine is a line to remove.
type ForgottenLine struct {
	File string `json:"file"` // slash path below the root
	ID   string `json:"id"`   // citation of the unit that contains it, or ""
	Text string `json:"text"` // redacted and truncated
}

// HiddenSource is a source of another owner that is hidden.
type HiddenSource struct {
	ID    string `json:"id"`
	Where string `json:"where"` // where the content remains, and who owns it
}

// ForgottenHistory describes the removal from commits.
type ForgottenHistory struct {
	Commits  int                `json:"commits"` // commits that get a new id
	Of       int                `json:"of"`      // all commits
	Files    []store.PurgedFile `json:"files"`
	Lines    []ForgottenLine    `json:"removed"`
	Refs     []store.PurgedRef  `json:"refs"`
	Stashed  int                `json:"stashed"`  // removed stash entries
	Unsigned int                `json:"unsigned"` // removed signatures
	Objects  int                `json:"objects"`  // removed git objects
	Bytes    int64              `json:"bytes"`    // disk usage of these objects, or of packs with them
	Remotes  []string           `json:"remotes"`  // unreachable repositories
	Names    []string           `json:"names"`    // files, folders, branches and tags whose names contain it; they remain
}

// Forgotten is the result of forgetting. The JSON form is a public contract.
type Forgotten struct {
	Forgetting
	Commit string `json:"commit"` // "" if no file changed
	// Elsewhere lists other sources with the same content.
	Elsewhere []Elsewhere `json:"elsewhere"`
	Caveats   []string    `json:"caveats"`
}

// Elsewhere is a source that contains forgotten content.
type Elsewhere struct {
	ID      string `json:"id"`
	Layer   string `json:"layer"`
	Excerpt string `json:"excerpt"`
}

// PlanForget finds the content that citations or words name. Each argument is a citation id, or a file and line as a
// note reports them ("…/MEMORY.md:7"). Anything else is read as words that a piece of memory must all contain, or as a
// text in double quotes that it must contain literally. Without arguments the plan covers reappeared content that was
// forgotten before. With history, earlier commits are searched too, and for words also each line that contains them
// literally. PlanForget changes nothing.
//
// The error is ErrNotFound if nothing matches; if only some arguments match, the plan lists the missing ones. It is
// ErrNoStore if there is no store.
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

// checkReach refuses a plan that would show lines that the caller may not read.
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

// complete determines what is removed.
func (f *Forgetting) complete(ctx context.Context) error {
	f.tombstones = f.unlisted(f.tombstones)
	f.cutter.Set = f.cutter.Set.With(f.tombstones...)
	f.scanFiles()
	if !f.history {
		return nil
	}
	return f.scanHistory(ctx)
}

// builder returns a builder of tombstones with today's date.
func (f *Forgetting) builder() tombstone.Builder {
	return f.forgetter.src.TombstoneBuilder(f.cutter.Set)
}

// unlisted removes duplicate tombstones.
func (f *Forgetting) unlisted(tombstones []tombstone.Tombstone) []tombstone.Tombstone {
	seen := map[tombstone.Tombstone]bool{}
	return slices.DeleteFunc(slices.Clone(tombstones), func(s tombstone.Tombstone) bool {
		listed := seen[s] || f.cutter.Set.Holds(s)
		seen[s] = true
		return listed
	})
}

// memory yields memory's files with their content. It adds a caveat for files that cannot be read.
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

// scanFiles lists the lines to remove from the current files.
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
			if tombstone.Normal(line) != "" { // otherwise it is removed with the preceding line
				id = held[line]
			}
			f.texts = append(f.texts, tombstone.Text(f.forgetter.ws.Clean(line)))
			f.Lines = append(f.Lines, ForgottenLine{File: at.Path, ID: id, Text: f.forgetter.excerpt(line)})
		}
	}
}

// holders returns the citation of the piece that contains each line of a file.
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

// excerpt returns a truncated line for display.
func (fg *Forgetter) excerpt(line string) string {
	return messages.OneLine(fg.ws.Clean(tombstone.Text(line)), 60)
}

// scanHistory lists the lines to remove from commits.
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
		if tombstone.Distinctive(tombstone.Normal(cut.line)) { // otherwise a merge from another machine restores it
			tombstones = append(tombstones, build.Line(f.forgetter.ws.Clean(cut.line))...)
		}
	}
	for _, c := range plan.Rewritten {
		if c.First { // otherwise another machine restores the old history
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

// purge adapts the cutter to the store's interface and records what it removes.
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

// Do executes the plan. It removes the lines from the files, adds a tombstone for each and commits that, deletes every
// index and trace that may contain them, and, if requested, removes them from every commit. Steps before an error
// remain done; calling it again continues.
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

// cut removes the lines from the files, adds their tombstones, and commits.
func (f *Forgetting) cut(ctx context.Context) (commit string, err error) {
	fg := f.forgetter
	ctx, release, err := fg.ws.Store.Hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	if err := fg.ws.Store.Busy(); err != nil { // an operation in progress may restore the lines
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
	var trailers []string // name the content without its words
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

// committedFiles returns the files whose removed lines are all in the history. Other edits in them may be committed
// before.
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

// edits returns the edits that remove the lines from the files and add the tombstones.
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
