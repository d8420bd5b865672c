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
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// installed is the result of install and uninstall. The JSON form is a public contract.
type installed struct {
	Settings string            `json:"settings"` // file of the client
	Backup   string            `json:"backup"`   // "" when there is none
	Program  string            `json:"program"`  // that the hooks run
	Root     string            `json:"root"`     // the root of memory
	DryRun   bool              `json:"dry_run"`
	Changes  []settings.Change `json:"changes"`
	Skills   []settings.Change `json:"skills"`   // and other texts for agents
	Sessions int               `json:"sessions"` // whose transcripts backfill has not looked at
	Notes    []string          `json:"notes"`    // for the user to know or do
	Diff     string            `json:"diff"`     // of a dry run
}

// readOnlyRules are permission rules by which the client may query memory without asking. None
// of these commands writes memory.
func readOnlyRules() []string {
	return append(commandRules(), "mcp__gitmem__memory_search", "mcp__gitmem__memory_show", "mcp__gitmem__memory_why", "mcp__gitmem__memory_personal", "mcp__gitmem__memory_team",
		"mcp__gitmem__get_user_profile", "mcp__gitmem__get_preference_metadata", "mcp__gitmem__get_changelog", "mcp__gitmem__get_session_context", "mcp__gitmem__get_full_context")
}

// commandRules are those for commands, where the server of tools is not registered.
func commandRules() []string {
	return []string{"Bash(gitmem ask:*)", "Bash(gitmem recall:*)", "Bash(gitmem search:*)", "Bash(gitmem show:*)"}
}

// wanted is what the settings should hold if program runs the hooks.
func wanted(program string, rules []string) settings.Wanted {
	w := settings.Wanted{Own: gitmem.HookWords, Allow: rules}
	for _, r := range hook.Registered("claude") {
		w.Hooks = append(w.Hooks, settings.Hook{
			Event: r.Event, Matcher: r.Matcher, Command: program, Args: []string{"hook", r.Name}, Timeout: r.Timeout, StatusMessage: r.StatusMessage,
		})
	}
	return w
}

// stableProgram is the path that still leads to this program after an upgrade: the one that
// it was called by if it is a link to this file, such as a package manager's, else the file
// itself.
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
		return "", hintError{fmt.Errorf("this program is called %s", filepath.Base(program)), "hooks are known again by their program's name: call it gitmem"}
	case strings.Contains(program, "go-build") && strings.Contains(filepath.ToSlash(program), "/exe/"):
		return "", hintError{fmt.Errorf("%s goes away when go run ends", program), "build it first: go install github.com/gitmem/gitmem/cmd/gitmem@latest"}
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

// settingsFile is the file of the client's settings to edit: the user's, or the local one
// of a checkout. A project's shared settings are never edited: they would publish the path
// of one user's program.
func settingsFile(m *gitmem.Memory, project bool) (string, error) {
	if !project {
		dir, err := m.Client()
		return filepath.Join(dir, "settings.json"), err
	}
	dir, err := m.Checkout()
	return filepath.Join(dir, ".claude", "settings.local.json"), err
}

// maxTries bounds how often an edit is repeated because the file was written meanwhile.
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

// edit is what install puts into a file, and uninstall takes out of it. before is the copy of
// the file, where one is kept.
type edit struct {
	path      string
	put, take func(src, before []byte) ([]byte, []settings.Change, error)
	copied    bool     // others' files may hold keys, which would be in the copy
	folders   []string // that go with the file if they are empty
}

// settingsEdit is the edit of JSON settings. A copy is kept of those with hooks.
func settingsEdit(path string, w settings.Wanted) edit {
	return edit{
		path: path, folders: []string{filepath.Dir(path)}, copied: len(w.Members) == 0,
		put:  func(src, _ []byte) ([]byte, []settings.Change, error) { return settings.Install(src, w) },
		take: func(src, before []byte) ([]byte, []settings.Change, error) { return settings.Remove(src, before, w) },
	}
}

// do makes an edit, or undoes it: what is left then are the bytes of before, if the file is
// still as install left it.
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
			if rec, err = e.record(rec, known, file); err == nil {
				err = recs.Save(rec.WithAfter(out))
			}
		}
		switch {
		case err != nil:
		case gone:
			err = file.Remove()
			for _, dir := range e.folders {
				install.RemoveFolder(dir)
			}
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

// add reports changes: of texts apart, and of what is outside the client's settings with its
// file.
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
func (e edit) record(rec install.Record, known bool, file install.File) (install.Record, error) {
	if !known {
		rec = install.Record{File: file.Path, Existed: file.Exists && !install.Sealed(file.Bytes)}
	}
	if !e.copied || known && rec.Wrote(file.Bytes) {
		return rec, nil
	}
	before, w := file.Bytes, wanted("", readOnlyRules())
	if known || settings.HasOwn(file.Bytes, w) {
		var err error
		if before, _, err = settings.Remove(file.Bytes, rec.Before, w); err != nil {
			return rec, err
		}
	}
	rec.Before = before
	return rec, nil
}

// refused names the file that is invalid and says that nothing was changed.
func (e edit) refused(err error, undo bool) error {
	hint := "nothing was changed; put this right, then try again"
	if text, _, err := e.put(nil, nil); !undo && !e.copied && err == nil {
		hint += ", or add this to it by hand:\n" + string(text)
	}
	return hintError{fmt.Errorf("%s: %w", e.path, err), hint}
}

// skillEdit writes a skill of the user, but never overwrites the user's own.
func skillEdit(dir, name string) edit {
	path, text := filepath.Join(dir, "skills", name, "SKILL.md"), install.Seal([]byte(templates.Skill(name)))
	did := func(what, notes string) []settings.Change {
		return []settings.Change{{Did: what, What: path, Notes: notes}}
	}
	return edit{path: path, folders: []string{filepath.Dir(path), filepath.Join(dir, "skills")},
		put: func(src, _ []byte) ([]byte, []settings.Change, error) {
			what := "replaced"
			switch {
			case bytes.Equal(src, text):
				what = "kept"
			case len(src) == 0:
				what = "added"
			case !install.Sealed(src):
				return src, did("kept", "a skill of your own"), nil
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

// edits are what install and uninstall do with these options, and what they only propose in
// files that others share.
func (a *app) edits(m *gitmem.Memory, program string, o installOptions) (own, proposed []edit, r *installed, err error) {
	path, err := settingsFile(m, o.project || !o.hooks())
	server, refusal := a.clientEdit(o.client, program)
	if err = cmp.Or(err, refusal); err != nil {
		return nil, nil, nil, err
	}
	rules := readOnlyRules()
	switch {
	case o.shared:
		dir, user := filepath.Dir(path), filepath.Join(a.home, ".claude")
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), ".git")); err != nil || sameFile(dir, user) || dir == user {
			return nil, nil, nil, hintError{fmt.Errorf("%s is not shared: it is in no repository, or your own", dir), "run this in a repository, or without --shared"}
		}
		path = filepath.Join(dir, "settings.json")
		proposed = []edit{settingsEdit(path, settings.Wanted{Own: gitmem.HookWords, Members: []settings.Member{
			{In: "extraKnownMarketplaces", Name: "gitmem", Value: json.RawMessage(`{"source": {"source": "github", "repo": "gitmem/gitmem"}}`)},
			{In: "enabledPlugins", Name: "gitmem@gitmem", Value: true},
		}})}
	case o.client != "claude":
		path, own, proposed = server.path, []edit{server}, []edit{paragraph(filepath.Join(filepath.Dir(filepath.Dir(path)), "AGENTS.md"))}
	case o.hooksOnly:
		own = []edit{settingsEdit(path, wanted(program, nil))}
	case o.project:
		own = []edit{settingsEdit(path, wanted(program, commandRules()))}
	default:
		try := &installed{DryRun: true}
		_ = server.do(install.Records{}, false, try) // what can't be read is refused when it is written
		if program != "" && slices.ContainsFunc(try.Changes, func(c settings.Change) bool { return c.Did == "kept" && c.Notes != "" }) {
			rules = commandRules() // the tools of that server are another's
		}
		own = []edit{settingsEdit(path, wanted(program, rules)), server}
		for _, name := range templates.Skills() {
			own = append(own, skillEdit(filepath.Dir(path), name))
		}
	}
	return own, proposed, &installed{Settings: path, Program: program, Root: m.Root(), DryRun: o.dryRun, Changes: []settings.Change{}, Skills: []settings.Change{}, Notes: []string{}}, nil
}

// clientEdit registers the server of tools with a client of this user. Where and how is
// documented at code.claude.com/docs/en/mcp, learn.chatgpt.com/docs/extend/mcp (Codex),
// cursor.com/docs/mcp, geminicli.com/docs/tools/mcp-server and
// code.visualstudio.com/docs/agents/reference/mcp-configuration.
func (a *app) clientEdit(client, program string) (edit, error) {
	path, in, kind := "", "mcpServers", ""
	switch client {
	case "claude":
		path, kind = filepath.Join(cmp.Or(a.getenv("CLAUDE_CONFIG_DIR"), a.home), ".claude.json"), `"type":"stdio",`
	case "codex":
		path = filepath.Join(cmp.Or(a.getenv("CODEX_HOME"), filepath.Join(a.home, ".codex")), "config.toml")
	case "cursor":
		path = filepath.Join(a.home, ".cursor", "mcp.json")
	case "gemini":
		path = filepath.Join(a.home, ".gemini", "settings.json")
	case "vscode":
		config, _ := os.UserConfigDir() // "" makes no absolute path
		path, in, kind = filepath.Join(config, "Code", "User", "mcp.json"), "servers", `"type":"stdio",`
	default:
		return edit{}, &usageError{fmt.Errorf("--client %q: expected claude, codex, cursor, gemini or vscode", client)}
	}
	if !filepath.IsAbs(path) {
		return edit{}, fmt.Errorf("%s is no absolute path: HOME, or the variable that names the client's folder, has to be one", path)
	}
	command, err := json.Marshal(program) // quoted in TOML as in JSON
	if client == "codex" {
		return codexEdit(path, command), err
	}
	e := settingsEdit(path, settings.Wanted{Own: gitmem.HookWords, Members: []settings.Member{
		{In: in, Name: "gitmem", Value: json.RawMessage(fmt.Sprintf(`{%s"command":%s,"args":["mcp"]}`, kind, command))},
	}})
	if client == "claude" {
		e.folders = nil // that is the user's home
	}
	return e, err
}

// codexEdit adds a table to the end of Codex's configuration.
func codexEdit(path string, command []byte) edit {
	const table = "[mcp_servers.gitmem]\ncommand = %s\nargs = [\"mcp\"]\n"
	ours := regexp.MustCompile("(" + fmt.Sprintf(regexp.QuoteMeta(table), `"(?:[^"\n]*[/\\])?gitmem(?:[-.][^"/\\\n]*)?"`) + `)(?:\s*\[|\s*$)`)
	return textEdit(path, "mcp_servers.gitmem", fmt.Sprintf(table, command), []string{filepath.Dir(path)}, ours, func(src []byte) (any, error) {
		var config struct {
			Servers map[string]any `toml:"mcp_servers"`
		}
		meta, err := toml.Decode(string(src), &config)
		server := config.Servers["gitmem"]
		named := slices.ContainsFunc(meta.Keys(), func(k toml.Key) bool { return k.String() == "mcp_servers" })
		if server != nil && named && !regexp.MustCompile(`(?m)^\s*\[\s*"?mcp_servers"?\s*\]`).Match(src) { // which the library lets pass
			err = errors.New("mcp_servers is an inline table, to which no other can be added")
		}
		return server, err
	})
}

// paragraph tells agents in a file of a checkout when to ask memory.
func paragraph(path string) edit {
	return textEdit(path, path, templates.Agents(), nil, regexp.MustCompile("("+regexp.QuoteMeta(templates.Agents())+")"), func(src []byte) (any, error) {
		if bytes.Contains(src, []byte("<!-- gitmem -->")) {
			return path, nil
		}
		return nil, nil
	})
}

// textEdit adds a text to the end of a file unless the file has the like, nil for none; the
// first group of ours finds it in any version that install wrote, alone.
func textEdit(path, what, text string, folders []string, ours *regexp.Regexp, has func([]byte) (any, error)) edit {
	find := func(src []byte, there any) []int {
		for _, at := range ours.FindAllSubmatchIndex(src, -1) {
			if left, _ := has(slices.Concat(src[:at[2]], src[at[3]:])); !reflect.DeepEqual(left, there) {
				return at
			}
		}
		return nil // or it is only quoted in another's text
	}
	return edit{
		path: path, folders: folders,
		put: func(src, _ []byte) ([]byte, []settings.Change, error) {
			there, _ := has(src)
			out, did := []byte(string(src)+"\n"[:min(len(src), 1)]+text), settings.Change{Did: "added", What: what}
			if at := find(src, there); at != nil {
				out, did.Did = []byte(string(src[:at[2]])+text+string(src[at[3]:])), "kept"
			} else if there != nil {
				return src, []settings.Change{{Did: "kept", What: what, Notes: "another of that name is there, which stays"}}, nil
			}
			_, err := has(out) // neither here nor where a table can't follow
			return out, []settings.Change{did}, err
		},
		take: func(src, _ []byte) ([]byte, []settings.Change, error) {
			there, err := has(src)
			if there == nil {
				return src, nil, err
			}
			kept := settings.Change{Did: "kept", What: what, Notes: "it is not as install wrote it"}
			if at := find(src, there); at != nil {
				head, rest := src[:at[2]], src[at[3]:]
				if len(rest) == 0 || bytes.HasSuffix(head, []byte("\n\n")) {
					head = bytes.TrimSuffix(head, []byte("\n"))
				}
				out := slices.Concat(head, rest)
				if left, err := has(out); err == nil && left == nil {
					return out, []settings.Change{{Did: "removed", What: what}}, nil
				}
				kept.Notes = "the file has more of it, or is invalid without it"
			}
			return src, []settings.Change{kept}, nil
		},
	}
}
