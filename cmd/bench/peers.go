package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// rival is another memory for coding agents, as installed on this machine.
type rival struct {
	name, program, version, missing string
	keep                            func(ctx context.Context, p *publisher, of spoken) (asker, error)
}

// known describes how another memory is installed and called. The commands of an installation run in a
// separate folder; DIR is replaced with it.
type known struct {
	name    string
	install [][]string
	program string // relative to the folder
	built   string // package of the source that builds the program
	version []string
	missing string // why it can't be measured even if it is installed
	keep    func(*rival, context.Context, *publisher, spoken) (asker, error)
}

func knownPeers() []known {
	return []known{
		{name: "deja-vu", install: [][]string{{"env", "GOBIN=DIR", "go", "install",
			"github.com/vshulcz/deja-vu/cmd/deja@latest"}}, program: "deja", built: "./cmd/deja", version: []string{"version"},
			keep: (*rival).deja},
		{name: "engram", install: [][]string{{"env", "GOBIN=DIR", "go", "install",
			"github.com/Gentleman-Programming/engram/cmd/engram@latest"}}, program: "engram", built: "./cmd/engram",
			version: []string{"version"}, keep: (*rival).engram},
		{name: "basic-memory", install: [][]string{{"python3", "-m", "venv", "DIR"}, {"DIR/bin/pip", "install", "--quiet",
			"basic-memory"}}, program: filepath.Join("bin", "basic-memory"), version: []string{"--version"},
			keep: (*rival).basic},
		{name: "claude-mem", install: [][]string{{"npm", "install", "--silent", "--ignore-scripts", "--prefix", "DIR",
			"claude-mem"}}, program: filepath.Join("node_modules", "claude-mem", "package.json"),
			missing: "it keeps what a model writes of each session, and finds nothing of transcripts that no model has read: " +
				"an account would be needed"},
	}
}

func peerNames() (names []string) {
	for _, k := range knownPeers() {
		names = append(names, k.name)
	}
	return names
}

// installTime is the time limit for one installation, and for a memory to read its input.
const installTime = 5 * time.Minute

// findPeers uses the given memories, and installs the others into the run's folder, once. A quick run
// installs nothing.
func (p *publisher) findPeers(ctx context.Context) {
	if len(p.peers) > 0 {
		return
	}
	for _, k := range knownPeers() {
		one := &rival{name: k.name, keep: func(ctx context.Context, p *publisher, of spoken) (asker, error) {
			return asker{}, errors.New("not asked")
		}}
		p.peers = append(p.peers, one)
		if k.keep != nil {
			one.keep = func(ctx context.Context, p *publisher, of spoken) (asker, error) { return k.keep(one, ctx, p, of) }
		}
		if p.quick && p.given[k.name] == "" {
			one.missing = "a quick run installs nothing"
			continue
		}
		if err := p.installed(ctx, k, one); err != nil {
			one.missing = fmt.Sprintf("it could not be installed: %.300s", strings.Join(strings.Fields(err.Error()), " "))
			continue
		}
		one.missing = k.missing
		if len(k.version) > 0 {
			one.version, _ = p.alone("peers", "").versionOf(ctx, one.program, k.version...) // "" if it reports none
		}
	}
}

// versionOf returns the line in which a program prints its version.
func (h home) versionOf(ctx context.Context, program string, args ...string) (string, error) {
	if err := h.make(); err != nil {
		return "", err
	}
	s, err := h.run(ctx, program, args...)
	first, _, _ := strings.Cut(trimmed(s.out), "\n")
	return first, err
}

// installed sets the program of a peer: the given one, one built from the given source, or one installed
// here.
func (p *publisher) installed(ctx context.Context, k known, one *rival) error {
	ctx, stop := context.WithTimeout(ctx, installTime)
	defer stop()
	if err := p.alone("peers", "").make(); err != nil {
		return err
	}
	dir := filepath.Join(p.dir, "peers", k.name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	one.program = filepath.Join(dir, k.program)
	if at := p.given[k.name]; at != "" {
		info, err := os.Stat(at)
		if err != nil || !info.IsDir() || k.built == "" {
			one.program = at
			return err
		}
		return p.inFolder(ctx, at, "go", "build", "-o", one.program, k.built)
	}
	if _, err := os.Stat(one.program); err == nil {
		return nil
	}
	p.tell("install " + k.name)
	for _, step := range k.install {
		var command []string
		for _, word := range step {
			command = append(command, strings.ReplaceAll(word, "DIR", dir))
		}
		if err := p.inFolder(ctx, dir, command...); err != nil {
			return err
		}
	}
	_, err := os.Stat(one.program)
	return err
}

// deja reads the client's transcripts in place.
func (one *rival) deja(ctx context.Context, p *publisher, of spoken) (a asker, err error) {
	h := of.home
	a.renew = func(ctx context.Context) error {
		_, err := h.run(ctx, one.program, "index")
		return err
	}
	a.ask = func(ctx context.Context, question string, limit int) (got []found, err error) {
		var list struct {
			Hits []struct {
				Session struct {
					ID       string
					Messages []struct{ Time time.Time }
				}
			}
		}
		if _, err := h.answer(ctx, &list, one.program, "search", "--json", "--limit", strconv.Itoa(limit),
			question); err != nil {
			return nil, err
		}
		for _, hit := range list.Hits {
			got = append(got, found{"", hit.Session.ID})
			for _, m := range hit.Session.Messages {
				got = append(got, found{of.byTime(hit.Session.ID, m.Time), hit.Session.ID})
			}
		}
		return got, nil
	}
	return a, a.renew(ctx)
}

// engram stores what an agent saves: each turn is saved under its name.
func (one *rival) engram(ctx context.Context, p *publisher, of spoken) (a asker, err error) {
	h := of.home
	h.own = append(h.own[:len(h.own):len(h.own)], "ENGRAM_DATA_DIR="+filepath.Join(h.dir, "engram"))
	type object = map[string]any
	all := object{"version": "0.1.0", "exported_at": "2026-01-01 00:00:00"}
	var observations []object
	for i, t := range of.turns {
		at := t.At.UTC().Format(time.DateTime)
		observations = append(observations, object{
			"id": i + 1, "session_id": "all", "type": "manual", "title": t.ID, "content": t.Text, "project": of.name,
			"scope":          "project",
			"revision_count": 1, "duplicate_count": 1, "last_seen_at": at, "created_at": at, "updated_at": at,
		})
	}
	all["sessions"], all["observations"] = []object{{"id": "all", "project": of.name, "directory": "",
		"started_at": "2026-01-01 00:00:00"}}, observations
	b, err := json.Marshal(all)
	if err != nil {
		return a, err
	}
	file := filepath.Join(h.dir, "engram.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return a, err
	}
	if _, err := h.run(ctx, one.program, "import", file); err != nil {
		return a, err
	}
	title := regexp.MustCompile(`(?m)^\[\d+\] #\d+ \(.*?\) — (\S+)`)
	a.ask = func(ctx context.Context, question string, limit int) (got []found, err error) {
		// it requires all words
		for words := longestFirst(question); len(words) > 0 && len(got) == 0; words = words[:len(words)-1] {
			s, err := h.run(ctx, one.program, "search", strings.Join(words, " "), "--project", of.name, "--limit",
				strconv.Itoa(limit))
			if err != nil {
				return nil, err
			}
			for _, m := range title.FindAllSubmatch(s.out, -1) {
				got = append(got, of.byID(string(m[1])))
			}
		}
		return got, nil
	}
	return a, nil
}

// basic stores notes in Markdown: each turn is one, under its name.
func (one *rival) basic(ctx context.Context, p *publisher, of spoken) (a asker, err error) {
	h := of.home
	h.own = append(h.own[:len(h.own):len(h.own)], "BASIC_MEMORY_NO_PROMOS=1", "FASTMCP_LOG_LEVEL=ERROR")
	notes := filepath.Join(h.dir, "notes")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		return a, err
	}
	names := map[string]string{}
	for i, t := range of.turns {
		name := fmt.Sprintf("turn-%06d", i)
		names[name+".md"] = t.ID
		if err := os.WriteFile(filepath.Join(notes, name+".md"), []byte("---\ntitle: "+name+"\n---\n\n"+t.Text+"\n"),
			0o600); err != nil {
			return a, err
		}
	}
	taking, stop := context.WithTimeout(ctx, installTime)
	defer stop()
	for _, args := range [][]string{{"project", "add", of.name, notes}, {"reindex", "--project", of.name}} {
		if _, err := h.run(taking, one.program, args...); err != nil {
			if taking.Err() != nil && ctx.Err() == nil {
				err = fmt.Errorf("it had not taken %d turns in after %v", len(of.turns), installTime)
			}
			return a, err
		}
	}
	server, err := startServer(ctx, h, one.program, "mcp")
	if err != nil {
		return a, err
	}
	a.close = func() { server.ends() }
	a.ask = func(ctx context.Context, question string, limit int) (got []found, err error) {
		reply, err := server.use("search_notes", map[string]any{"query": strings.Join(contentWords(question), " OR "),
			"project": of.name, "page_size": limit, "output_format": "json"})
		if err != nil {
			return nil, err
		}
		var outer struct {
			Content []struct{ Text string }
		}
		var list struct {
			Results []struct {
				FilePath string `json:"file_path"`
			}
		}
		if err := json.Unmarshal(reply, &outer); err != nil || len(outer.Content) == 0 {
			return nil, err
		}
		err = json.Unmarshal([]byte(outer.Content[0].Text), &list)
		for _, r := range list.Results {
			got = append(got, of.byID(names[r.FilePath]))
		}
		return got, err
	}
	return a, nil
}

// gitleaks returns the program that searches for secrets: from PATH, or installed in the version whose rules
// the tests here use.
func (p *publisher) gitleaks(ctx context.Context) (string, error) {
	if program, err := exec.LookPath("gitleaks"); err == nil {
		return program, nil
	}
	if p.quick {
		return "", errors.New("a quick run installs nothing")
	}
	ctx, stop := context.WithTimeout(ctx, installTime)
	defer stop()
	dir := filepath.Join(p.dir, "peers", "gitleaks")
	program := filepath.Join(dir, "gitleaks")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	return program, errors.Join(os.MkdirAll(dir, 0o700), p.inFolder(ctx, p.dir, "env", "GOBIN="+dir, "go", "install",
		"github.com/zricethezav/gitleaks/v8@v8.30.1"))
}
