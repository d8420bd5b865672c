// Command bench measures gitmem from outside, as a user runs it, and compares it with its peers, git and
// SQLite FTS5, and with an empty Go program. It is a separate module, because gitmem needs neither SQLite nor
// a C compiler. In this folder:
//
//	go run . history DIR...                     the index of a history beside git log, and every commit
//	go run . hooks                              each hook beside an empty program
//	go run . storm                              readers beside indexers
//	go run . servers                            servers for models beside an indexer
//	go run . sync                               machines that changed memory apart, beside git pull and push
//	go run . ask -questions F -repo NAME=DIR    judged questions
//	go run . corpus DIR                         the invented sessions alone
//	go run . publish -out DIR [-repo NAME=DIR]  all published figures beside their peers, as a page
//	go run . publish -figures                   templates/help/figures.md from published/figures.json
//	go run . questions check                    the judged questions have their form, and the sealed ones are unchanged
//	CGO_ENABLED=1 go run -tags sqlite_fts5 . index    build, size, search, refresh, deletes beside FTS5
//
// Without the tag, index only measures gitmem. Each verb lists its flags with -h. The program is built from
// this checkout unless -gitmem names one. Nothing of the user's is read or written: all data is in a
// temporary folder, or below -dir.
//
// What can't be measured from outside is measured by Go benchmarks in the packages. Two of them are run by
// index, with the same messages and queries as FTS5: BenchmarkMessages in gitmem/internal/index measures the
// engine alone (build, size, memory), and BenchmarkWarmSearch in gitmem/internal/query ranking in a running
// process (warm). BenchmarkHistory in providers/git, which history runs, walks a whole history, alternately
// with git log, and compares ids, parents, order, files, people, times and messages. To run it alone:
//
//	GITMEM_BENCH_REPOSITORY=DIR go test -run '^$' -bench History -benchtime 5x ./providers/git
//
// BenchmarkBesideGit in gitmem/internal/store compares a durable append and commit with git add and git
// commit; beside-git.sh in this folder does so with whole processes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

func main() {
	debug.SetGCPercent(20) // children inherit the peak of their parent's memory
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage")

// verb is one kind of measurement. flags adds its flags and returns the function that measures.
type verb struct {
	name, args string
	flags      func(*setup) func(context.Context) (report, error)
}

// report is a result, which prints itself for people. Its JSON is for programs.
type report interface{ print(w io.Writer) error }

func verbs() []verb {
	return []verb{
		{"index", "", indexVerb}, {"history", " DIR...", historyVerb}, {"hooks", "", hooksVerb}, {"storm", "", stormVerb},
		{"servers", "", serversVerb}, {"sync", "", syncVerb}, {"ask", "", askVerb},
		{"publish", "", publishVerb}, {"questions", " check", questionsVerb},
		{"corpus", " DIR", corpusVerb}, {"fts5", " build|append|delete|warm|query DB ...", peerVerb},
	}
}

// setup is what all verbs share.
type setup struct {
	*flag.FlagSet
	gitmem, dir string
	keep, json  bool
	corpus      corpus.Corpus
	env         []string
	out         io.Writer
	tell        func(string) // reports progress
	built       []string     // Go benchmarks that were built
}

func run(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
		if len(args) > 0 && args[0] == v.name {
			return v.run(ctx, args[1:], out, errs)
		}
	}
	return fmt.Errorf("%w: bench %s", errUsage, strings.Join(names, "|"))
}

func (v verb) run(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	s := &setup{FlagSet: flag.NewFlagSet("bench "+v.name, flag.ContinueOnError), env: os.Environ(), out: out}
	s.SetOutput(errs)
	s.Usage = func() {
		fmt.Fprintf(errs, "usage: bench %s [flags]%s\n", v.name, v.args)
		s.PrintDefaults()
	}
	s.tell = func(text string) { fmt.Fprintf(errs, "bench: %s\n", text) }
	s.StringVar(&s.gitmem, "gitmem", "", "program to measure; empty: it is built from this checkout")
	s.StringVar(&s.dir, "dir", "", "folder for all of it, kept afterwards; one that an earlier run has left is used again")
	s.BoolVar(&s.keep, "keep", false, "keep the temporary folder")
	s.BoolVar(&s.json, "json", false, "print the figures as JSON")
	measure := v.flags(s)
	if err := s.Parse(args); err != nil {
		return errors.Join(err, errUsage)
	}
	defer func() { err = errors.Join(err, s.leave()) }()
	r, err := measure(ctx)
	if r == nil {
		return err
	}
	if s.json {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return errors.Join(err, e.Encode(r))
	}
	return errors.Join(err, r.print(out))
}

// enter creates the folder, and finds or builds the program.
func (s *setup) enter(ctx context.Context) (err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "gitmem-bench-"); err != nil {
			return err
		}
		s.tell("work in " + s.dir)
	} else {
		s.keep = true
		if s.dir, err = filepath.Abs(s.dir); err == nil {
			err = os.MkdirAll(s.dir, 0o700)
		}
	}
	if err != nil {
		return err
	}
	if s.gitmem != "" {
		if s.gitmem, err = exec.LookPath(s.gitmem); err == nil {
			s.gitmem, err = filepath.Abs(s.gitmem)
		}
		return err
	}
	s.gitmem = filepath.Join(s.dir, "gitmem.exe") // Windows needs the suffix, others do not mind
	return s.build(ctx, s.gitmem, "build", "-trimpath", "-ldflags=-s -w", "./cmd/gitmem")
}

func (s *setup) leave() error {
	if s.keep || s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// build builds something from this checkout with the go command.
func (s *setup) build(ctx context.Context, to string, args ...string) error {
	root, err := checkout()
	if err != nil {
		return err
	}
	s.tell("build " + args[len(args)-1])
	c := exec.CommandContext(ctx, "go", append([]string{args[0], "-o", to}, args[1:]...)...)
	c.Dir, c.Env = root, append(s.env[:len(s.env):len(s.env)], "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// benchmark runs a Go benchmark of this checkout the given number of times, as a separate process in a home,
// and returns the reported values by unit.
func (s *setup) benchmark(ctx context.Context, h home, pkg, name string, times int,
	env ...string) (map[string]float64, spent, error) {
	program := filepath.Join(s.dir, name+".test.exe")
	if !slices.Contains(s.built, program) {
		if err := s.build(ctx, program, "test", "-c", pkg); err != nil {
			return nil, spent{}, err
		}
		s.built = append(s.built, program)
	}
	h.own = append(h.own[:len(h.own):len(h.own)], env...)
	took, err := h.run(ctx, program, "-test.run=^$", "-test.bench=^"+name+"$", fmt.Sprintf("-test.benchtime=%dx", times))
	if err != nil {
		return nil, took, fmt.Errorf("%w: %s", err, took.out)
	}
	got := map[string]float64{}
	for _, found := range regexp.MustCompile(`([0-9.]+) (\S+)`).FindAllSubmatch(took.out, -1) {
		got[string(found[2])], _ = strconv.ParseFloat(string(found[1]), 64) // digits only
	}
	if _, ok := got["ns/op"]; !ok {
		return nil, took, fmt.Errorf("%s of %s has reported nothing:\n%s", name, pkg, took.out)
	}
	return got, took, nil
}

// inCheckout reports whether Go benchmarks can be built; if not, it reports what is not measured.
func (s *setup) inCheckout(what string) bool {
	_, err := checkout()
	if err != nil {
		s.tell(fmt.Sprintf("%s: not measured: %v", what, err))
	}
	return err == nil
}

// checkout returns the folder of gitmem's module that contains the working folder.
func checkout() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if b, _ := os.ReadFile(filepath.Join(dir, "go.mod")); strings.HasPrefix(string(b),
			"module github.com/gitmem/gitmem\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("this is no checkout of gitmem: run bench in one; a program elsewhere is named with -gitmem")
		}
	}
	return "", err
}

// corpusFlags adds the flags for the number of invented sessions.
func (s *setup) corpusFlags() {
	s.IntVar(&s.corpus.Size, "messages", 350_000, "number of messages")
	s.IntVar(&s.corpus.Sessions, "sessions", 0, "number of sessions; 0 is one for 175 messages")
	s.Uint64Var(&s.corpus.Seed, "seed", 1, "another number gives another corpus")
}

// checkCorpus sets the default number of sessions and validates it.
func (s *setup) checkCorpus() error {
	if s.corpus.Sessions == 0 {
		s.corpus.Sessions = max(1, s.corpus.Size/175)
	}
	if s.corpus.Size < s.corpus.Sessions {
		return fmt.Errorf("%w: -messages %d -sessions %d: each session needs one message", errUsage, s.corpus.Size,
			s.corpus.Sessions)
	}
	return nil
}

func corpusVerb(s *setup) func(context.Context) (report, error) {
	var w written
	s.corpusFlags()
	s.StringVar(&w.streams, "streams", "", "folder for the messages as FTS5's side reads them, and for queries")
	s.IntVar(&w.Asked, "queries", 60, "number of queries")
	return func(ctx context.Context) (report, error) {
		if s.NArg() != 1 {
			return nil, fmt.Errorf("%w: bench corpus DIR", errUsage)
		}
		if err := s.checkCorpus(); err != nil {
			return nil, err
		}
		w.Corpus = s.corpus
		return &w, w.write(ctx, s.Arg(0))
	}
}

// written describes a corpus that was written.
type written struct {
	Corpus corpus.Corpus  `json:"corpus"`
	Came   corpus.Written `json:"came_to"`
	Whole  int64          `json:"whole"` // bytes of the messages
	Kept   int64          `json:"kept"`  // bytes that gitmem indexes
	Form   int            `json:"form"`
	Asked  int            `json:"queries"`

	streams string
}

// corpusForm changes whenever the content of a corpus with the same numbers changes.
const corpusForm = 2

func (w *written) write(ctx context.Context, dir string) (err error) {
	w.Form = corpusForm
	if w.Came, err = w.Corpus.Write(ctx, dir); err != nil || w.streams == "" {
		return err
	}
	if err := os.MkdirAll(w.streams, 0o700); err != nil {
		return err
	}
	docs := func(whole bool) func(func(corpus.Document) bool) {
		return func(yield func(corpus.Document) bool) {
			for m := range w.Corpus.Messages() {
				if !yield(m.Document(whole)) {
					return
				}
			}
		}
	}
	if _, w.Whole, err = corpus.WriteDocuments(filepath.Join(w.streams, "messages"), docs(true)); err != nil {
		return err
	}
	if _, w.Kept, err = corpus.WriteDocuments(filepath.Join(w.streams, "documents"), docs(false)); err != nil {
		return err
	}
	texts := func(yield func(string) bool) {
		for m := range w.Corpus.Messages() {
			if !yield(m.Indexed) {
				return
			}
		}
	}
	var typed, words strings.Builder
	for _, q := range corpus.DrawQueries(texts, w.Asked, w.Corpus.Seed) {
		typed.WriteString(q.Typed + "\n")
		words.WriteString(q.Words + "\n")
	}
	return errors.Join(os.WriteFile(filepath.Join(w.streams, "queries"), []byte(typed.String()), 0o600),
		os.WriteFile(filepath.Join(w.streams, "queries-fts5"), []byte(words.String()), 0o600))
}

func (w *written) print(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%d messages in %d sessions: %.1f MB of text (%d bytes a message) in %.1f MB of files\n",
		w.Came.Messages, w.Came.Sessions, float64(w.Came.Texts)/1e6, w.Came.Texts/int64(w.Came.Messages),
		float64(w.Came.Files)/1e6)
	return err
}

// milliseconds converts d for figures.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
