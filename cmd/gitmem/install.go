package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// installed is the result of install and uninstall. The JSON form is a public contract.
type installed struct {
	Settings string            `json:"settings"` // file of the client
	Backup   string            `json:"backup"`   // "" if there is none
	Program  string            `json:"program"`  // run by the hooks
	Root     string            `json:"root"`     // the root of memory
	DryRun   bool              `json:"dry_run"`
	Changes  []settings.Change `json:"changes"`
	Skills   []settings.Change `json:"skills"`   // and other texts for agents
	Sessions int               `json:"sessions"` // with transcripts that backfill has not read
	Notes    []string          `json:"notes"`    // for the user to know or do
	Diff     string            `json:"diff"`     // of a dry run

	client  string   // client name, "" for the clients of everybody who shares a repository
	hooked  string   // the file that registers hooks
	missing []string // folders that did not exist before
	left    []string // folders of removed files
}

// flag returns the command line flag for the client, "" for Claude Code.
func (r *installed) flag() string {
	if r.client == "" || r.client == "claude" {
		return ""
	}
	return " --client " + r.client
}

// readOnlyRules returns permission rules that let Claude Code query memory without confirmation. None of
// these commands writes memory.
func readOnlyRules() []string { return append(commandRules(), readTools("mcp__gitmem__")...) }

// readTools returns the tools that neither write memory nor call a model, in the client's format.
func readTools(prefix string) []string {
	names := []string{"memory_search", "memory_show", "memory_why", "memory_personal", "memory_team",
		"get_user_profile", "get_preference_metadata", "get_changelog", "get_session_context", "get_full_context"}
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// commandRules returns the rules for commands, in case the tool server is not registered.
func commandRules() []string {
	return []string{"Bash(gitmem ask:*)", "Bash(gitmem recall:*)", "Bash(gitmem search:*)", "Bash(gitmem show:*)"}
}

// wanted returns the entries that the settings should have if program runs the hooks.
func wanted(program string, rules []string) settings.Wanted {
	w := settings.Wanted{Own: gitmem.HookWords, Allow: rules}
	for _, r := range hook.Registered("claude") {
		w.Hooks = append(w.Hooks, settings.Hook{
			Event: r.Event, Matcher: r.Matcher, Command: program, Args: []string{"hook", r.Name}, Timeout: r.Timeout,
			StatusMessage: r.StatusMessage,
		})
	}
	return w
}

// stableProgram returns a path that still leads to this program after an upgrade: the one with which it was
// called if that is a link to this file, such as a package manager's, otherwise the file itself.
func (a *app) stableProgram() (string, error) {
	program, err := a.program()
	if err != nil {
		return "", err
	}
	if path, err := a.calledBy(); err == nil && sameFile(path, program) {
		program = path
	}
	switch _, ok := gitmem.HookWords(program, []string{"hook", "stop"}); {
	case !ok:
		return "", hintError{fmt.Errorf("this program is called %s", filepath.Base(program)),
			"hooks are known again by their program's name: call it gitmem"}
	case strings.Contains(program, "go-build") && strings.Contains(filepath.ToSlash(program), "/exe/"):
		return "", hintError{fmt.Errorf("%s goes away when go run ends", program),
			"build it first: go install github.com/gitmem/gitmem/cmd/gitmem@latest"}
	case strings.ToValidUTF8(program, "") != program:
		return "", fmt.Errorf("the path %q is no UTF-8, which settings can't hold", program)
	}
	return program, nil
}

func (a *app) calledBy() (string, error) {
	name := a.name
	if !strings.ContainsAny(name, `/\`) {
		for _, dir := range filepath.SplitList(a.getenv("PATH")) {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) {
				return path, nil
			}
		}
		return "", exec.ErrNotFound
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.dir, name)
	}
	return filepath.Clean(name), nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// settingsFile returns the file of the client's settings to edit: the user's, or the local one of a checkout.
// A project's shared settings are never edited: they would publish the path of one user's program.
func settingsFile(m *gitmem.Memory, project bool) (string, error) {
	if !project {
		dir, err := m.Client()
		return filepath.Join(dir, "settings.json"), err
	}
	dir, err := m.Checkout()
	return filepath.Join(dir, ".claude", "settings.local.json"), err
}

// maxTries limits how often an edit is repeated because the file was written meanwhile.
const maxTries = 5

// retryEdit repeats an edit until the file is not written in between.
func retryEdit(do func() error) error {
	for i := 0; ; i++ {
		err := do()
		if !errors.Is(err, install.ErrChanged) {
			return err
		}
		if i == maxTries {
			return fmt.Errorf("%w: %w", gitmem.ErrConflict, err)
		}
	}
}

// edit is the change of install to a file, and its reversal by uninstall. before is the copy of the file, if
// one is kept, or its outline.
type edit struct {
	path      string
	put, take func(src, before []byte) ([]byte, []settings.Change, error)
	want      *settings.Wanted // nil for a file that is not JSON
	copied    bool             // a copy is kept; not of other clients' files, which may contain keys
	folders   []string         // removed with the file if they were created for it and are empty
	shared    bool             // other users may read a new file
	// program returns the program that a text runs, or ""; nil for JSON.
	program func(src []byte) string
}

// settingsEdit returns the edit of JSON settings. Only for those of Claude Code a copy is kept.
func settingsEdit(path string, w settings.Wanted) edit {
	return edit{
		path: path, want: &w, folders: []string{filepath.Dir(path)},
		put:  func(src, _ []byte) ([]byte, []settings.Change, error) { return settings.Install(src, w) },
		take: func(src, before []byte) ([]byte, []settings.Change, error) { return settings.Remove(src, before, w) },
	}
}

// claudeEdit returns the edit of Claude Code's settings.
func claudeEdit(path string, w settings.Wanted) edit {
	e := settingsEdit(path, w)
	e.copied = true
	return e
}

// do applies an edit, or undoes it: undoing restores the former bytes, if the file is unchanged since
// install.
func (e edit) do(recs install.Records, undo bool, r *installed) error {
	had, turn := *r, e.put
	if undo {
		turn = e.take
	}
	return retryEdit(func() error {
		*r = had
		file, err := install.Read(e.path)
		if err != nil {
			return err
		}
		rec, known := recs.Load(e.path)
		if undo && !known && !e.copied && e.want != nil && !settings.HasOwn(file.Bytes, *e.want) {
			w := *e.want
			w.Allow = nil // if only rules remain, they belong to the user
			turn = settingsEdit(e.path, w).take
		}
		out, changes, err := turn(file.Bytes, rec.Before)
		if err == nil && undo && e.copied && known && rec.Wrote(file.Bytes) {
			out, _, err = e.take(rec.Before, rec.Before)
		}
		if err != nil {
			return e.refused(err, undo)
		}
		gone := undo && file.Exists && !rec.Existed && (len(out) == 0 && len(file.Bytes) > 0 || known && settings.Empty(out))
		if gone {
			out = nil
		}
		if r.add(e, changes); r.DryRun {
			r.Diff += unifiedDiff(e.path, file.Bytes, out)
			if !bytes.Equal(out, file.Bytes) {
				return file.Writable()
			}
			return nil
		}
		if !undo && !bytes.Equal(out, file.Bytes) {
			if rec, err = e.record(rec, known, file, r.missing); err == nil {
				err = recs.Save(rec.WithAfter(out))
			}
		}
		switch {
		case err != nil:
		case gone:
			err = file.Remove()
			r.left = append(r.left, rec.Folders...)
		case e.shared && !bytes.Equal(out, file.Bytes):
			err = file.WriteMode(out, 0o644)
		case !bytes.Equal(out, file.Bytes):
			err = file.Write(out)
		}
		if !undo && e.copied && rec.Existed {
			r.Backup = recs.Backup(e.path)
		}
		if err == nil && undo && known {
			err = recs.Drop(e.path)
		}
		return err
	})
}

// add reports changes: texts separately, and changes outside the client's settings with their file.
func (r *installed) add(e edit, changes []settings.Change) {
	for _, c := range changes {
		list := &r.Changes
		if c.What == e.path {
			list = &r.Skills
		} else if !e.copied {
			c.What += " in " + e.path
		}
		*list = append(*list, c)
	}
}

// record records the settings without gitmem's entries, before they are written.
func (e edit) record(rec install.Record, known bool, file install.File, missing []string) (install.Record, error) {
	if !known {
		rec = install.Record{File: file.Path, Existed: file.Exists && !install.Sealed(file.Bytes)}
		for _, dir := range e.folders {
			if slices.Contains(missing, dir) {
				rec.Folders = append(rec.Folders, dir)
			}
		}
	}
	if e.want == nil || known && rec.Wrote(file.Bytes) {
		return rec, nil
	}
	before, w := file.Bytes, *e.want
	if e.copied {
		w = wanted("", readOnlyRules())
	}
	if known || settings.HasOwn(file.Bytes, w) {
		var err error
		if before, _, err = settings.Remove(file.Bytes, rec.Before, w); err != nil {
			return rec, err
		}
	}
	if rec.Before = before; !e.copied {
		rec.Before = settings.Outline(before, w)
	}
	return rec, nil
}

// isThere reports whether a path exists.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// refused returns an error that names the invalid file and states that nothing was changed.
func (e edit) refused(err error, undo bool) error {
	hint := "nothing was changed; put this right, then try again"
	if text, _, err := e.put(nil, nil); !undo && !e.copied && err == nil {
		hint += ", or add this to it by hand:\n" + string(text)
	}
	return hintError{fmt.Errorf("%s: %w", e.path, err), hint}
}

// skillEdit writes a skill of the user.
func skillEdit(dir, name string) edit {
	path := filepath.Join(dir, "skills", name, "SKILL.md")
	return sealedEdit(path, templates.Skill(name), filepath.Dir(path), filepath.Join(dir, "skills"))
}

// textKind returns the kind of a text for agents by its path: skill, policy or text.
func textKind(path string) string {
	switch {
	case filepath.Base(path) == "SKILL.md":
		return "skill"
	case filepath.Ext(path) == ".toml":
		return "policy"
	}
	return "text"
}

// sealedEdit writes a file that belongs to gitmem, but never overwrites the user's own.
func sealedEdit(path, content string, folders ...string) edit {
	text := install.Seal([]byte(content))
	did := func(what, notes string) []settings.Change {
		return []settings.Change{{Did: what, What: path, Notes: notes}}
	}
	return edit{path: path, folders: folders,
		put: func(src, _ []byte) ([]byte, []settings.Change, error) {
			what := "replaced"
			switch {
			case bytes.Equal(src, text):
				what = "kept"
			case len(src) == 0:
				what = "added"
			case !install.Sealed(src):
				return src, did("kept", "a "+textKind(path)+" of your own"), nil
			}
			return text, did(what, ""), nil
		},
		take: func(src, _ []byte) ([]byte, []settings.Change, error) {
			switch {
			case install.Sealed(src):
				return nil, did("removed", ""), nil
			case len(src) > 0:
				return src, did("kept", "it is not as install wrote it"), nil
			}
			return src, nil, nil
		},
	}
}

// edits returns the edits of install and uninstall with these options, and those that are only proposed for
// shared files.
func (a *app) edits(m *gitmem.Memory, program string,
	o installOptions) (own, proposed []edit, r *installed, err error) {
	path, err := settingsFile(m, o.project || !o.hooks())
	c, refusal := a.client(o.client)
	if err = cmp.Or(err, refusal); err != nil {
		return nil, nil, nil, err
	}
	servers, err := a.clientEdits(c, program)
	if err != nil {
		return nil, nil, nil, err
	}
	rules := readOnlyRules()
	switch {
	case o.shared:
		dir, user := filepath.Dir(path), filepath.Join(a.home, ".claude")
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), ".git")); err != nil || sameFile(dir, user) || dir == user {
			return nil, nil, nil, hintError{fmt.Errorf("%s is not shared: it is in no repository, or your own", dir),
				"run this in a repository, or without --shared"}
		}
		path = filepath.Join(dir, "settings.json")
		proposed = []edit{settingsEdit(path, settings.Wanted{Own: gitmem.HookWords, Members: []settings.Member{
			{In: "extraKnownMarketplaces", Name: "gitmem",
				Value: json.RawMessage(`{"source": {"source": "github", "repo": "gitmem/gitmem"}}`)},
			{In: "enabledPlugins", Name: "gitmem@gitmem", Value: true},
		}})}
	case o.client != "claude":
		checkout := filepath.Dir(filepath.Dir(path))
		proposed = []edit{paragraph(filepath.Join(checkout, c.instructions))}
		path, own = servers[0].path, servers
	case o.hooksOnly:
		own = []edit{claudeEdit(path, wanted(program, nil))}
	case o.project:
		own = []edit{claudeEdit(path, wanted(program, commandRules()))}
	default:
		try := &installed{DryRun: true}
		_ = servers[0].do(install.Records{}, false, try) // an unreadable file is refused when it is written
		if program != "" && slices.ContainsFunc(try.Changes, func(c settings.Change) bool {
			return c.Did == "kept" && c.Notes != ""
		}) {
			rules = commandRules() // the tools of that server are not ours
		}
		own = []edit{claudeEdit(path, wanted(program, rules)), servers[0]}
		for _, name := range templates.Skills() {
			own = append(own, skillEdit(filepath.Dir(path), name))
		}
	}
	r = &installed{Settings: path, Program: program, Root: m.Root(), DryRun: o.dryRun, Changes: []settings.Change{},
		Skills: []settings.Change{}, Notes: []string{}}
	if !o.shared {
		r.client = o.client
	}
	for _, e := range own {
		if r.hooked == "" && e.want != nil && len(e.want.Hooks) > 0 {
			r.hooked = e.path
		}
	}
	return own, proposed, r, nil
}
