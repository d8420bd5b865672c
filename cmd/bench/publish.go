package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// publisher measures the published figures together with their peers.
type publisher struct {
	*setup
	out, locomo, beside string
	only                []string
	figures, quick      bool
	rounds              int
	repos               map[string]string // folder of each repository by its name in questions
	given               map[string]string // peers by name: a program, or a folder of its source
	empty, git          string
	older               string // program of an older commit
	missing             string // why there is none
	peers               []*rival
	judged              []*questionSet // the questions that were asked already
	page                page
	commit              string
}

// part is a section and the function that measures it.
type part struct {
	name, title, about string
	measure            func(*publisher, context.Context, *section) error
	others             bool // other memories are measured in it
}

func parts() []part {
	return []part{
		{"speed", "Speed", "Both sides of each row ran by turns. CPU is that of the user and of the system together.",
			(*publisher).speed, false},
		{"retrieval", "Long conversations",
			"LoCoMo (Maharana et al., CC BY-NC 4.0, read from a file that the user has): each question of categories 1 to 4 " +
				"is searched in its conversation, of which each session is a transcript. The share of evidence that stands " +
				"among the first five.", (*publisher).retrieval, true},
		{"natural", "Questions about the history of repositories",
			"Judged questions (`testdata/questions`) on clones. Useful: a right source is among the " +
				"first three and the question is not refused. All texts were read for meaning before (`gitmem model embed`), as " +
				"the background does in time.", (*publisher).natural, false},
		{"premises", "Questions about what never happened",
			"The same questions' other part: less is better where something is told as an answer.",
			(*publisher).premises, false},
		{"injection", "What a prompt is told",
			"Each prompt goes to the hook as the client sends it. Related prompts ask about what one earlier, invented " +
				"session said, " +
				"in other order and without its small words; unrelated ones are about nothing that was recorded.",
			(*publisher).injection, true},
		{"secrets", "Secrets",
			"Texts with a drawn secret, in the forms that people wrote for it (`testdata/secret-forms-*.jsonl`): the share " +
				"that is found, and of the " +
				"same texts with the secret taken out the share in which something is found all the same.",
			(*publisher).secrets, true},
		{"latency", "Latency",
			"Invented sessions; each value is the median of processes of their own, unless a row says otherwise.",
			(*publisher).latency, false},
		{"size", "Size", "What is on the disk afterwards, to the bytes of all texts.", (*publisher).sizes, true},
		{"growth", "Growth",
			"The exponent with which each figure grows over three sizes: 1 is as fast as the size, 0 is not at all.",
			(*publisher).growth, false},
		{"deleted", "After the client deleted a transcript",
			"Sessions are indexed and archived, their transcripts are deleted, and the same questions are " +
				"searched again: the share for which the right session is still the first.", (*publisher).deleted, true},
	}
}

func sectionNames() (names []string) {
	for _, p := range parts() {
		names = append(names, p.name)
	}
	return names
}

func publishVerb(s *setup) func(context.Context) (report, error) {
	p := &publisher{setup: s, repos: map[string]string{}, given: map[string]string{}}
	s.StringVar(&p.out, "out", "",
		"folder for the page, its charts and figures.json; sections that are not measured stay as they are there")
	s.StringVar(&p.locomo, "locomo", "", "LoCoMo's locomo10.json")
	s.StringVar(&p.beside, "beside", "77bd7b7", "commit of this repository whose program is measured beside")
	s.BoolVar(&p.quick, "quick", false, "small sizes, for a test")
	s.IntVar(&p.rounds, "rounds", 3, "measure each side so many times and take the median")
	s.BoolVar(&p.figures, "figures", false,
		"measure nothing: write the page anew from its figures.json; without -out those in published, and "+
			"templates/help/figures.md too")
	s.corpusFlags()
	s.repoFlag(p.repos)
	s.Func("peer", "another memory: name=program, or name=folder of its source; names are "+
		strings.Join(peerNames(), ", "), func(v string) error {
		name, at, ok := strings.Cut(v, "=")
		if !ok || !slices.Contains(peerNames(), name) {
			return fmt.Errorf("expected name=program with one of the names %s", strings.Join(peerNames(), ", "))
		}
		var err error
		p.given[name], err = filepath.Abs(at)
		return err
	})
	s.Func("only", "measure these sections only, with commas between: "+strings.Join(sectionNames(), ", "),
		func(names string) error {
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); !slices.Contains(sectionNames(), name) {
					return fmt.Errorf("the sections are %s", strings.Join(sectionNames(), ", "))
				}
				p.only = append(p.only, name)
			}
			return nil
		})
	return func(ctx context.Context) (report, error) {
		switch {
		case p.figures:
			return nil, render(p.out)
		case p.out == "":
			return nil, fmt.Errorf("%w: -out names a folder for the page", errUsage)
		case p.rounds < 1 || p.corpus.Size < leastMessages:
			return nil, fmt.Errorf("%w: -rounds is 1 at least, and -messages %d", errUsage, leastMessages)
		}
		return p, p.run(ctx)
	}
}

// run measures the requested sections. A failure is noted in its section, and the others continue.
func (p *publisher) run(ctx context.Context) (err error) {
	if p.out, err = filepath.Abs(p.out); err != nil {
		return err
	}
	if p.page, err = readPage(p.out); err != nil {
		return err
	}
	if p.git, err = exec.LookPath("git"); err != nil {
		return err
	}
	given := p.gitmem
	if err := p.enter(ctx); err != nil {
		return err
	}
	var missing string
	if p.empty, missing = buildEmpty(ctx, p.dir, p.env); missing != "" {
		return errors.New(missing)
	}
	if p.commit = p.revision(ctx); given != "" {
		p.commit = "the program " + given
	}
	if p.older, err = p.buildCommit(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.missing = fmt.Sprintf("the program of %s could not be built: %v", p.beside, err)
	}
	version, err := p.alone("git", "").versionOf(ctx, p.git, "version")
	if err != nil {
		return err
	}
	var failed error
	for _, one := range parts() {
		if len(p.only) > 0 && !slices.Contains(p.only, one.name) {
			continue
		}
		p.tell("section " + one.name)
		s := section{Name: one.name, Title: one.title, About: one.about, Quick: p.quick, Commit: p.commit,
			Machine: machine() + ", " + version, Date: time.Now().UTC().Format(time.DateOnly)}
		if one.others {
			p.findPeers(ctx)
			for _, peer := range p.peers {
				if peer.version != "" {
					s.Peers = append(s.Peers, peer.name+": "+peer.version)
				}
			}
		}
		if err := one.measure(p, ctx, &s); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.Missing = append(s.Missing, reason(err))
			failed = errors.Join(failed, fmt.Errorf("%s: %w", one.name, err))
		}
		p.page.put(s)
		if err := p.page.write(p.out); err != nil {
			return err
		}
	}
	return failed
}

func (p *publisher) print(out io.Writer) error {
	_, err := fmt.Fprintf(out, "written to %s\n", filepath.Join(p.out, "README.md"))
	return err
}

// revision returns the newest commit that changed the program, ignoring later changes to the benchmark and
// the documentation.
func (p *publisher) revision(ctx context.Context) string {
	root, err := checkout()
	if err != nil {
		return "an unknown commit"
	}
	asked := func(args ...string) string {
		c := exec.CommandContext(ctx, p.git, append(args, "--", ".", ":!cmd/bench", ":!*.md")...)
		c.Dir = root
		b, err := c.Output()
		if err != nil {
			return ""
		}
		return trimmed(b)
	}
	commit := cmp.Or(asked("log", "-1", "--abbrev=8", "--format=%h"), "an unknown commit")
	if asked("status", "--porcelain") != "" {
		commit += " with changes"
	}
	return commit
}

// machine describes the machine.
func machine() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	name := ""
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = ", " + strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s/%s, %d cores%s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), name)
}

// buildCommit builds the program of an older commit in a clone that shares the objects of this checkout.
func (p *publisher) buildCommit(ctx context.Context) (string, error) {
	program := filepath.Join(p.dir, "older-"+p.beside, "gitmem.exe")
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	root, err := checkout()
	if err != nil {
		return "", err
	}
	source := filepath.Join(p.dir, "older-"+p.beside, "source")
	if err := os.RemoveAll(source); err != nil {
		return "", err
	}
	p.tell("build gitmem of " + p.beside)
	for _, step := range [][]string{
		{root, p.git, "cat-file", "-e", p.beside + "^{commit}"},
		{root, p.git, "clone", "--quiet", "--shared", "--no-checkout", root, source},
		{source, p.git, "checkout", "--quiet", "--detach", p.beside},
		{source, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/gitmem"},
	} {
		if err := p.inFolder(ctx, step[0], step[1:]...); err != nil {
			return "", err
		}
	}
	return program, nil
}

// inFolder runs a command of an installation. Its output is part of the error if it fails.
func (p *publisher) inFolder(ctx context.Context, dir string, command ...string) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env = dir, append(slices.Clone(p.env), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		const most = 300
		out = bytes.TrimSpace(out)
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, out[max(0, len(out)-most):])
	}
	return nil
}

// alone returns a home in which gitmem runs no background process and contacts no forge.
func (p *publisher) alone(name, in string) home {
	return home{dir: filepath.Join(p.dir, name), in: in, env: p.env,
		own: []string{"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1", "LC_ALL=C"}}
}

// sized returns the run's setup for this many messages, in a separate folder.
func (p *publisher) sized(messages int) *setup {
	s := *p.setup
	s.dir = filepath.Join(p.dir, fmt.Sprintf("messages-%d", messages))
	s.corpus.Size, s.corpus.Sessions = messages, max(1, messages/175)
	return &s
}

// leastMessages is the smallest number of messages that can be divided into three sizes.
const leastMessages = 35 * 35

// messages returns the three sizes that are measured: all messages, a seventh and a 35th.
func (p *publisher) messages() [3]int {
	if p.quick {
		return [3]int{1200, 800, 400}
	}
	return [3]int{p.corpus.Size, p.corpus.Size / 7, p.corpus.Size / 35}
}

// least returns a size: the first for figures, the second for a quick run.
func (p *publisher) least(full, quick int) int {
	if p.quick {
		return quick
	}
	return full
}

// need returns the names of the available repositories; if there are none, it notes that in the section.
func (p *publisher) need(s *section) []string {
	var names []string
	for name := range p.repos {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		s.Missing = append(s.Missing, "what needs a repository: no clone was named with -repo NAME=DIR")
	}
	return names
}
