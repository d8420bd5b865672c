package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// contender is one program in a timed comparison.
type contender struct {
	who     string
	run     func(ctx context.Context, turn int) (spent, error)
	missing string // why it does not run
	only    bool   // it is not a competitor
	spent   []spent
}

// command returns a contender that runs one command in a home.
func command(who string, h home, program string, args ...string) *contender {
	return &contender{who: who, run: func(ctx context.Context, _ int) (spent, error) {
		return h.run(ctx, program, args...)
	}}
}

// turns runs contenders in turn; if warm is set, each once first to warm the caches.
func turns(ctx context.Context, rounds int, warm bool, all ...*contender) error {
	first := 0
	if warm {
		first = -1
	}
	for turn := first; turn < rounds; turn++ {
		for i := range all {
			c := all[(i+max(turn, 0))%len(all)]
			if c.missing != "" {
				continue
			}
			s, err := c.run(ctx, max(turn, 0))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil && (c != all[0] || errors.Is(err, errLocked)) {
				c.missing, c.spent = reason(err), nil // a peer's failure is reported in its row
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", c.who, err)
			}
			if s.out, s.errs = nil, nil; turn >= 0 {
				c.spent = append(c.spent, s)
			}
		}
	}
	return nil
}

// compared marks a contender as shown for comparison only.
func (c *contender) compared() *contender {
	c.only = true
	return c
}

// Values of a process.
func cpuMS(s spent) float64  { return milliseconds(s.cpu) }
func wallMS(s spent) float64 { return milliseconds(s.wall) }
func cpuS(s spent) float64   { return s.cpu.Seconds() }
func peakMB(s spent) float64 { return float64(s.peak) / megabyte }

// timed returns a figure of the times of contenders.
func timed(name, text, unit string, goal float64, value func(spent) float64, all ...*contender) figure {
	f := figure{Name: name, Text: text, Unit: unit, Goal: goal}
	for _, c := range all {
		if c.missing != "" {
			f.Sides = append(f.Sides, side{Who: c.who, Missing: c.missing})
			continue
		}
		var values []float64
		for _, s := range c.spent {
			values = append(values, value(s))
		}
		one := medianOf(c.who, values)
		one.Only = c.only
		f.Sides = append(f.Sides, one)
	}
	return f
}

// both returns a figure of the wall time and one of the CPU time: the first includes waiting for other
// processes, the second does not depend on the load of the machine.
func both(name, text string, all ...*contender) []figure {
	return []figure{timed(name, text+", wall", unitMS, 0, wallMS, all...),
		timed(name+" cpu", text+", CPU", unitMS, 0, cpuMS, all...)}
}

// speed fills the section about speed: of questions about repositories, of small processes and of sessions.
func (p *publisher) speed(ctx context.Context, s *section) error {
	var failed error
	for _, do := range []func(context.Context, *section) error{p.speedOfRepositories, p.speedOfStart, p.speedOfIndexing,
		p.speedOfServers, p.speedOfFresh, p.speedBeside} {
		if err := do(ctx, s); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// besides returns gitmem and its older program with the same arguments, each with its own cache.
func (p *publisher) besides(h home, args ...string) []*contender {
	old := h
	old.kept = ".cache-older"
	older := command(p.olderName(), old, p.older, args...)
	older.missing = p.missing
	return []*contender{command(measured, h, p.gitmem, args...), older}
}

func (p *publisher) olderName() string { return measured + " " + p.beside }

// cleared returns a contender whose cache is deleted before each turn.
func cleared(c *contender, h home) *contender {
	run := c.run
	c.run = func(ctx context.Context, turn int) (spent, error) {
		if err := os.RemoveAll(h.cache()); err != nil {
			return spent{}, err
		}
		return run(ctx, turn)
	}
	return c
}

// probes are the inputs for one repository: its questions, the file with the most changes, and a word of a
// subject.
type probes struct {
	commits   int
	questions []string
	word      string
	file      string
	line      int
}

// probe draws questions from subjects along the history, and finds the file with the most changes in the
// newest 1,000 commits.
func (p *publisher) probe(ctx context.Context, h home) (q probes, err error) {
	out, err := h.run(ctx, p.git, "log", "--no-merges", "--format=%s")
	if err != nil {
		return q, err
	}
	subjects := strings.Split(strings.TrimSpace(string(out.out)), "\n")
	q.commits = len(subjects)
	for i := range 5 {
		words := turned(strings.Fields(subjects[(2*i+1)*len(subjects)/10]))
		q.questions = append(q.questions, "why was "+words+" changed?")
		for w := range strings.FieldsSeq(words) {
			if len(w) > len(q.word) && !strings.ContainsAny(w, `/\[]*.^$"'`) {
				q.word = w
			}
		}
	}
	changed, err := h.run(ctx, p.git, "log", "-n", "1000", "--no-merges", "--format=", "--name-only")
	if err != nil {
		return q, err
	}
	count := map[string]int{}
	for name := range strings.FieldsSeq(string(changed.out)) {
		count[name]++
	}
	for name, n := range count {
		if n < cmp.Or(count[q.file], 0) || n == count[q.file] && name > q.file {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(h.work(), filepath.FromSlash(name))); err == nil &&
			strings.Count(string(b), "\n") > 20 && !strings.HasSuffix(name, ".md") {
			q.file, q.line = name, strings.Count(string(b), "\n")/2
		}
	}
	return q, nil
}

// speedOfRepositories measures each of the given clones.
func (p *publisher) speedOfRepositories(ctx context.Context, s *section) error {
	for i, name := range p.need(s) {
		h := p.alone(filepath.Join("speed", strconv.Itoa(i)), p.repos[name])
		if err := h.make(); err != nil {
			return err
		}
		q, err := p.probe(ctx, h)
		if err != nil {
			return err
		}
		p.tell(fmt.Sprintf("%s: %d commits", name, q.commits))
		figures, err := p.repository(ctx, h, name, q)
		s.Figures = append(s.Figures, figures...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (p *publisher) repository(ctx context.Context, h home, name string, q probes) (figures []figure, err error) {
	old := h
	old.kept = ".cache-older"
	mute := h
	mute.mute = true
	of := fmt.Sprintf("%s, %d commits without merges: ", name, q.commits)
	sides := p.besides(h, "ask", "--no-agent", q.questions[0])
	grep := command("git log --grep -i", mute, p.git, "log", "-i", "--grep="+q.word)
	all := []*contender{cleared(sides[0], h), grep, cleared(sides[1], old)}
	if err := turns(ctx, p.rounds, false, all...); err != nil {
		return nil, err
	}
	figures = append(figures, both("first answer "+name, of+"first answer in an empty home", all...)...)

	sides = p.besides(h, "index")
	patches := command("git log -p", mute, p.git, "log", "-p")
	all = []*contender{cleared(sides[0], h), patches, cleared(sides[1], old)}
	if err := turns(ctx, p.rounds, false, all...); err != nil {
		return figures, err
	}
	figures = append(figures, timed("index cpu "+name, of+"complete index, CPU", unitS, 0, cpuS, all...),
		timed("index rss "+name, of+"complete index, peak memory", unitMB, 0, peakMB, all...))

	for _, b := range sides { // both indexes are complete now: run each question alternately
		b.spent = nil
	}
	for _, question := range q.questions {
		again := p.besides(h, "ask", "--no-agent", question)
		if err := turns(ctx, p.rounds, true, again...); err != nil {
			return figures, err
		}
		for i, c := range again {
			sides[i].spent, sides[i].missing = append(sides[i].spent, c.spent...), c.missing
		}
	}
	figures = append(figures, timed("ask "+name, of+"a question with a complete index, CPU of a process", unitMS, 0.5,
		cpuMS, sides[0], sides[1]))
	more, err := p.lines(ctx, h, mute, name, of, q)
	return append(figures, more...), err
}

// lines compares why and who with git's equivalents.
func (p *publisher) lines(ctx context.Context, h, mute home, name, of string, q probes) ([]figure, error) {
	if q.file == "" {
		return nil, nil
	}
	place := fmt.Sprintf("%d,%d", q.line, q.line)
	why, who := p.besides(h, "why", q.file+":"+strconv.Itoa(q.line)), p.besides(h, "who", q.file)
	blame := command("git blame -L", mute, p.git, "blame", "-L", place, "--", q.file)
	lines := command("git log -L", mute, p.git, "log", "-L", place+":"+q.file)
	shortlog := command("git shortlog", mute, p.git, "shortlog", "-s", "-n", "HEAD", "--", q.file)
	asked, known := []*contender{why[0], blame, lines, why[1]}, []*contender{who[0], shortlog, who[1]}
	if err := errors.Join(turns(ctx, p.rounds, true, asked...), turns(ctx, p.rounds, true, known...)); err != nil {
		return nil, err
	}
	return slices.Concat(both("why "+name, of+"why a line of "+q.file+" is as it is", asked...),
		both("who "+name, of+"who knows "+q.file, known...)), nil
}

// speedOfStart measures the smallest processes.
func (p *publisher) speedOfStart(ctx context.Context, s *section) error {
	h := p.alone("start", "")
	if err := h.make(); err != nil {
		return err
	}
	if _, err := h.run(ctx, p.gitmem, "init"); err != nil {
		return err
	}
	w := &hookWorld{home: h}
	for _, row := range []struct {
		name, text string
		in         []byte
		args       []string
	}{
		{"version", "gitmem version, CPU", nil, []string{"version"}},
		{"post-tool-use", "hook post-tool-use, CPU", w.used(), []string{"hook", "post-tool-use"}},
	} {
		fed := func(who, program string, args ...string) *contender {
			return &contender{who: who, run: func(ctx context.Context, _ int) (spent, error) {
				return h.feed(ctx, row.in, program, args...)
			}}
		}
		older := fed(p.olderName(), p.older, row.args...)
		older.missing = p.missing
		all := []*contender{fed(measured, p.gitmem, row.args...), older, fed("an empty Go program", p.empty).compared()}
		if err := turns(ctx, p.least(20, 3)*p.rounds, true, all...); err != nil {
			return err
		}
		s.Figures = append(s.Figures, timed(row.name, row.text, unitMS, 0, cpuMS, all...))
	}
	return nil
}

// used returns the payload after a tool call.
func (w *hookWorld) used() []byte {
	b, err := w.call(turnSession, "PostToolUse", map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."},
		"tool_response": map[string]any{"stdout": "ok", "stderr": ""},
	})
	if err != nil {
		panic(err) // strings can be encoded
	}
	return b
}

// speedOfIndexing measures full indexing of invented sessions of three sizes, and the session start with
// them.
func (p *publisher) speedOfIndexing(ctx context.Context, s *section) error {
	for i, messages := range p.messages() {
		w, err := newSessions(ctx, p.sized(messages), "large", 60)
		if err != nil {
			return err
		}
		w.gitmem = p.gitmem
		w.home.own = append(w.home.own, "GITMEM_NO_BACKGROUND=1")
		old := w.home
		old.kept = ".cache-older"
		sides := p.besides(w.home, "index")
		fts := &contender{who: "FTS5", missing: noPeer, run: func(ctx context.Context, _ int) (spent, error) {
			r := &indexRun{sessions: w}
			return r.buildPeer(ctx, r.tables(), filepath.Join(w.home.dir, "documents"))
		}}
		all := []*contender{cleared(sides[0], w.home), cleared(sides[1], old), fts}
		if err := turns(ctx, p.rounds, false, all...); err != nil {
			return err
		}
		text := fmt.Sprintf("full index of %d messages", messages)
		f := timed(fmt.Sprintf("index %d", messages), text+", CPU", unitS, 0.5, cpuS, all...)
		f.Note = "FTS5 reads parsed texts"
		s.Figures = append(s.Figures, f, timed(fmt.Sprintf("index %d rss", messages), text+", peak memory", unitMB, 0,
			peakMB, all...))
		if i == 0 {
			if err := p.speedOfSessionStart(ctx, s, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// speedOfSessionStart measures the session start with all transcripts of the corpus.
func (p *publisher) speedOfSessionStart(ctx context.Context, s *section, w *sessions) error {
	in, err := (&hookWorld{home: w.home}).call(startSession, "SessionStart", map[string]any{"source": "startup"})
	if err != nil {
		return err
	}
	// A separate store contains the index too, so that of the sessions is unchanged.
	stored := func(name, program string) (home, error) {
		h := w.home
		h.own = append(h.own[:len(h.own):len(h.own)], "GITMEM_HOME="+filepath.Join(h.dir, name))
		for _, verb := range []string{"init", "index"} {
			if _, err := h.run(ctx, program, verb); err != nil {
				return h, err
			}
		}
		return h, nil
	}
	h, err := stored("store", p.gitmem)
	if err != nil {
		return err
	}
	fed := func(who string, h home, program string, args ...string) *contender {
		return &contender{who: who, run: func(ctx context.Context, _ int) (spent, error) {
			return h.feed(ctx, in, program, args...)
		}}
	}
	older := &contender{who: p.olderName(), missing: p.missing}
	if p.missing == "" {
		old, err := stored("store-older", p.older)
		if older = fed(p.olderName(), old, p.older, "hook", "session-start"); err != nil {
			older.missing = reason(err)
		}
	}
	all := []*contender{fed(measured, h, p.gitmem, "hook", "session-start"), older,
		fed("an empty Go program", h, p.empty).compared()}
	if err := turns(ctx, p.least(10, 2)*p.rounds, true, all...); err != nil {
		return err
	}
	s.Figures = append(s.Figures,
		both("session-start", fmt.Sprintf("hook session-start beside %d transcripts", w.corpus.Sessions), all...)...)
	return nil
}

// speedOfFresh compares a question about messages that are not indexed yet with grep.
func (p *publisher) speedOfFresh(ctx context.Context, s *section) error {
	w, err := newSessions(ctx, p.sized(p.messages()[1]), "fresh", 60)
	if err != nil {
		return err
	}
	w.gitmem = p.gitmem
	w.home.own = append(w.home.own, "GITMEM_NO_BACKGROUND=1")
	old := w.home
	old.kept = ".cache-older"
	word := slices.MaxFunc(strings.Fields(w.words[0]), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	sides := p.besides(w.home, search(w.typed[0])...)
	for i, c := range sides {
		run, h := c.run, []home{w.home, old}[i]
		index := []string{p.gitmem, p.older}[i]
		c.run = func(ctx context.Context, turn int) (spent, error) {
			if err := w.takeBack(); err != nil { // index the present messages before more are added
				return spent{}, err
			}
			if _, err := h.run(ctx, index, "index"); err != nil {
				return spent{}, err
			}
			from, err := w.more(ctx, turn, newMessages)
			if err == nil {
				err = w.grow(from, turn)
			}
			if err != nil {
				return spent{}, err
			}
			return run(ctx, turn)
		}
	}
	all := []*contender{sides[0], sides[1]}
	if grep, err := exec.LookPath("grep"); err == nil {
		mute := w.home
		mute.mute = true
		all = append(all, command("grep -r -i", mute, grep, "-r", "-i", "--", word,
			filepath.Join(w.home.client(), "projects")))
	}
	err = turns(ctx, p.rounds, true, all...)
	if err := errors.Join(err, w.takeBack()); err != nil {
		return err
	}
	s.Figures = append(s.Figures,
		both("fresh", fmt.Sprintf("a search after %d new messages among %d that no index holds yet", newMessages,
			w.corpus.Size), all...)...)
	return nil
}

// speedBeside measures indexing one repository while another is being indexed.
func (p *publisher) speedBeside(ctx context.Context, s *section) error {
	names := p.need(&section{})
	if len(names) < 2 {
		s.Missing = append(s.Missing, "gitmem index while another repository is indexed: two clones are needed")
		return nil
	}
	commits := map[string]int{}
	for _, name := range names {
		out, err := p.alone("beside", p.repos[name]).run(ctx, p.git, "rev-list", "--count", "HEAD")
		if err != nil {
			return err
		}
		commits[name], _ = strconv.Atoi(strings.TrimSpace(string(out.out))) // digits only
	}
	slices.SortFunc(names, func(a, b string) int { return commits[a] - commits[b] })
	small, large := p.alone("beside", p.repos[names[0]]), p.alone("beside", p.repos[names[len(names)-1]])
	old := small
	old.kept = ".cache-older"
	if err := small.make(); err != nil {
		return err
	}
	sides := p.besides(small, "index")
	alone := cleared(command(measured+" alone", small, p.gitmem, "index"), small).compared()
	all := []*contender{p.during(sides[0], p.gitmem, small, large), alone, p.during(sides[1], p.older, old, large)}
	if err := turns(ctx, p.rounds, false, all...); err != nil {
		return err
	}
	s.Figures = append(s.Figures, timed("beside", fmt.Sprintf("gitmem index of %s while %s is indexed, wall", names[0],
		names[len(names)-1]), unitMS, 0, wallMS, all...))
	return nil
}

// during runs a contender while the same program indexes a larger repository in the same home.
func (p *publisher) during(c *contender, program string, h, large home) *contender {
	run := c.run
	large.kept = h.kept
	c.run = func(ctx context.Context, turn int) (spent, error) {
		if err := os.RemoveAll(h.cache()); err != nil {
			return spent{}, err
		}
		other := exec.CommandContext(ctx, program, "index")
		other.Dir, other.Env = large.work(), large.environ()
		if err := other.Start(); err != nil {
			return spent{}, err
		}
		time.Sleep(50 * time.Millisecond) // until it has started
		s, err := run(ctx, turn)
		_ = other.Process.Kill() // it may have ended
		_ = other.Wait()         // returns an error because the process was killed
		return s, err
	}
	return c
}
