package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/templates"
)

// Exit codes. They are part of the interface: never renumber.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitNoStore     = 3
	exitNotFound    = 4
	exitLocked      = 5
	exitConflict    = 6
	exitInterrupted = 130
)

// models contains the files of the built-in models, or nil.
type models struct{ encoder, sentences []byte }

// app contains the environment of a command: streams, variables, clock and folder. Commands use nothing else,
// so that a test can replace all of it.
type app struct {
	in                              io.Reader
	out, err                        io.Writer
	outTTY, errTTY                  bool
	width                           func() int // width of the terminal in columns; 0 or nil: no terminal
	dir, home, cache, temp, machine string
	getenv                          func(string) string
	now                             func() time.Time
	name                            string                 // the path with which the program was called
	program                         func() (string, error) // path of the executable
	environ                         func() []string
	lockWait                        time.Duration // how long to wait for a busy store; 0 is the default for people
	builtin                         models
	managed                         string // the client's managed settings, written by an administrator
	bar                             *bar   // current progress bar, or nil
	// receives progress instead of a bar; nil draws one on a terminal
	reportProgress func(gitmem.Progress)
	reportWarning  func(string)         // receives warnings instead of standard error
	transport      http.RoundTripper    // connects to forges; nil disables them
	repositories   *gitmem.Repositories // cache of a server for its next call; nil caches nothing
	cacheless      bool                 // the cache is deleted when the process ends
	moved          bool                 // flag: another working folder was chosen
	offline        bool                 // flag: contact no forge
	unfinished     bool                 // a question left indexing to a background process
	adopts         bool                 // flag: adopt a clone of memory without asking
	hooked         bool                 // a hook is running, which must not search for programs
	json           bool                 // flag: print results as JSON
	pages          string               // address of the pages that are open in the browser, or ""
}

// errNothing ends a command with an empty result, which is still printed.
var errNothing = errors.New("nothing found")

// failedResult ends a command whose result, which is still printed, contains an error.
type failedResult string

func (t failedResult) Error() string { return string(t) }

// hintError is an error with a hint for the user.
type hintError struct {
	error
	hint string
}

func (h hintError) Unwrap() error { return h.error }

// run executes one command line and returns its exit code. Hooks are dispatched
// before the command tree is built: they are on the user's hot path.
func (a *app) run(ctx context.Context, args []string) int {
	if calledByClient(args) {
		a.transport = nil // a hook does not wait for a server
		agent, unknown := hookAgent(args[2:])
		if len(unknown) > 0 {
			fmt.Fprintf(a.err, "gitmem: the hook ignored what it does not know: %s\n", errorText(fmt.Errorf("%q", unknown)))
		}
		a.runHook(ctx, args[1], agent)
		return exitOK
	}
	if len(args) == 1 && args[0] == "statusline" { // the client renders the line in colour
		a.transport = nil
		a.runStatusline(ctx)
		return exitOK
	}
	if len(args) == 5 && args[0] == "merge-driver" { // git calls it for each file
		return a.report(ctx, mergeFile(args[1], args[2], args[3], args[4]))
	}
	root := a.newRootCmd()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	a.bar.clear()
	code := a.report(ctx, err)
	if len(args) > 0 && args[0] == "hook" {
		return exitOK // any other code would block the client or be an error for it
	}
	return code
}

// calledByClient reports whether a hook is called by the client rather than by a person who needs usage.
// Another version of the client may pass more arguments than the event's name.
func calledByClient(args []string) bool {
	return len(args) > 1 && args[0] == "hook" && !strings.HasPrefix(args[1], "-") &&
		!slices.ContainsFunc(args[2:], func(s string) bool { return s == "--debug" || s == "--help" || s == "-h" })
}

// hookAgent returns the agent in the arguments of a hook, or "", and the other arguments.
func hookAgent(args []string) (agent string, rest []string) {
	for i := 0; i < len(args); i++ {
		value, isAgent := strings.CutPrefix(args[i], "--agent=")
		if args[i] == "--agent" && i+1 < len(args) {
			i++
			value, isAgent = args[i], true
		}
		if isAgent {
			agent = value
		} else {
			rest = append(rest, args[i])
		}
	}
	return agent, rest
}

// report prints an error and returns the exit code.
func (a *app) report(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitCode(ctx, err)
	if errors.Is(err, errNothing) {
		return code
	}
	fmt.Fprintf(a.err, "gitmem: error: %s\n", errorText(err))
	if hint := hintFor(err, code); hint != "" {
		fmt.Fprintf(a.err, "gitmem: hint: %s\n", hint)
	}
	return code
}

// errorText returns an error's message for people; it may quote user input or file names.
func errorText(err error) string {
	return gitmem.Redacted(printable(strings.TrimSuffix(gitmem.ErrorText(err), "\n")))
}

func exitCode(ctx context.Context, err error) int {
	var usage *usageError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, gitmem.ErrUsage):
		return exitUsage
	case errors.Is(err, gitmem.ErrNoStore):
		return exitNoStore
	case errors.Is(err, errNothing), errors.Is(err, gitmem.ErrNotFound):
		return exitNotFound
	case errors.Is(err, gitmem.ErrLocked):
		return exitLocked
	case errors.Is(err, gitmem.ErrDuplicate), errors.Is(err, gitmem.ErrConflict):
		return exitConflict
	}
	return exitError
}

func hintFor(err error, code int) string {
	var h hintError
	if errors.As(err, &h) {
		return h.hint
	}
	var r *gitmem.Refusal
	if errors.As(err, &r) {
		return gitmem.Redacted(printable(r.Advice))
	}
	if errors.Is(err, gitmem.ErrNoRepository) {
		return "run it in a clone of the project"
	}
	if errors.Is(err, syscall.EROFS) {
		return "in a sandbox nothing can be written there: run it outside of it, or let it write to that folder"
	}
	switch code {
	case exitUsage:
		return "see gitmem help"
	case exitNoStore:
		return "make a store with gitmem init, or write a first note with gitmem note"
	case exitLocked:
		return "another process is writing; try again, or see gitmem doctor"
	}
	return ""
}

// usageError is an invalid command line.
type usageError struct{ err error }

func (u *usageError) Error() string { return u.err.Error() }
func (u *usageError) Unwrap() error { return u.err }

// memory opens the memory for a folder.
func (a *app) memory(dir string) (*gitmem.Memory, error) {
	program := ""
	if !a.hooked { // only the plugin's hooks create a store, and they call the gitmem on PATH
		program = a.driverProgram()
	}
	return gitmem.Open(gitmem.Options{
		// MemoryDir only exists on Linux
		Dir: dir, Home: a.home, CacheDir: a.cache, TempDir: a.temp, MemoryDir: "/dev/shm", Getenv: a.getenv,
		Environ: a.environ(),
		Encoder: a.builtin.encoder, Sentences: a.builtin.sentences, Now: a.now, Machine: a.machine, LockWait: a.lockWait,
		Program:      program,
		Adopt:        a.mayAdopt,
		Warn:         a.warn,
		Repositories: a.repositories,
		Progress:     a.progress(), Transport: a.transport, Offline: a.offline, Run: runProgram,
		Unfinished: &a.unfinished,
	})
}

// warn prints a warning, unless there is a receiver for warnings.
func (a *app) warn(s string) {
	if s = gitmem.Redacted(s); a.reportWarning != nil {
		a.reportWarning(s)
		return
	}
	fmt.Fprintf(a.err, "gitmem: %s\n", s)
}

// with opens the memory of the working folder for one command.
func (a *app) with(do func(*gitmem.Memory) error) (err error) {
	m, err := a.memory(a.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	return do(m)
}

// command returns a command that works on the memory of the working folder.
func (a *app) command(use, short string, args cobra.PositionalArgs,
	run func(context.Context, *gitmem.Memory, []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: usage(args), RunE: func(c *cobra.Command, args []string) error {
		return a.with(func(m *gitmem.Memory) error { return run(c.Context(), m, args) })
	}}
}

// group returns a command that only has subcommands.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: usage(cobra.NoArgs), RunE: func(c *cobra.Command, _ []string) error {
		return c.Help()
	}}
	c.AddCommand(subs...)
	return c
}

// resultCommand returns a command that prints the result of a call, even if the error is errNothing or a
// failedResult.
func resultCommand[T any](a *app, use, short string, args cobra.PositionalArgs,
	get func(context.Context, *gitmem.Memory, []string) (T, error), print func(T)) *cobra.Command {
	return a.command(use, short, args, func(ctx context.Context, m *gitmem.Memory, args []string) error {
		v, err := get(ctx, m, args)
		if err != nil && !errors.Is(err, errNothing) && !errors.As(err, new(failedResult)) {
			return err
		}
		return cmp.Or(emit(a, v, print), err)
	})
}

// jsonFlag adds the flag that prints a command's result as JSON.
func (a *app) jsonFlag(c *cobra.Command, help string) *cobra.Command {
	c.Flags().BoolVar(&a.json, "json", false, help)
	return c
}

func (a *app) newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:     "gitmem",
		Short:   "A memory for coding agents and the people who work with them",
		Version: version(), SilenceErrors: true, SilenceUsage: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				err := fmt.Errorf("unknown command %q", args[0])
				if templates.Topic(args[0]) != "" {
					return hintError{&usageError{err}, "read gitmem help " + args[0]}
				}
				return suggested(err, c, args[0], strconv.Quote)
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().VarP(value(a.startIn), "directory", "C",
		"run as if started in this folder; if repeated, each one is relative to the one before")
	root.SetFlagErrorFunc(flagError)
	help, usage := root.HelpFunc(), root.UsageFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) { describe(c); help(c, args) })
	root.SetUsageFunc(func(c *cobra.Command) error {
		describe(c)
		err := usage(c)
		if err == nil && !c.HasParent() {
			_, err = io.WriteString(c.OutOrStderr(), topicList())
		}
		return err
	})
	root.SetHelpCommand(a.newHelpCmd())
	a.addCommands(root)
	return root
}

// addCommands adds all commands, in the groups of the first page of the help.
func (a *app) addCommands(root *cobra.Command) {
	add := func(title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
		for _, c := range commands {
			c.GroupID = title
		}
		root.AddCommand(commands...)
	}
	add("Ask", a.newAskCmd("ask"), a.newAskCmd("recall"), a.newAttachCmd(), a.newSearchCmd(), a.newFixCmd(),
		a.newShowCmd(), a.newWhyCmd(), a.newBrowseCmd())
	add("Remember", a.newNoteCmd(), a.newTaskCmd(), a.newDecideCmd(), a.newDecisionCmd(), a.newEditCmd(),
		a.newMemoryCmd(), a.newProfileCmd(), a.newBackfillCmd(), a.newCompactCmd())
	add("Look back", a.newContinueCmd(), a.newContextCmd(), a.newIdeasCmd(), a.newTopicsCmd(), a.newEntitiesCmd(),
		a.newGraphCmd(), a.newReopenCmd(), a.newLogCmd(), a.newDiffCmd(), a.newBlameCmd(), a.newStatsCmd())
	add("Team", a.newWhoCmd(), a.newTeamCmd(), a.newPromoteCmd(), a.newRulesCmd(), a.newProjectCmd())
	add("Safety", a.newStatusCmd(), a.newDoctorCmd(), a.newPauseCmd(), a.newResumeCmd(), a.newUndoCmd(), a.newForgetCmd())
	add("Setup", a.newInitCmd(), a.newInstallCmd(), a.newUninstallCmd(), a.newSyncCmd(), a.newExportCmd(),
		a.newImportCmd(), a.newIndexCmd(), a.newModelCmd(), a.newProviderCmd(), a.newMCPCmd(), a.newVersionCmd())
	root.SetHelpCommandGroupID("Setup")
	root.SetCompletionCommandGroupID("Setup")
	root.AddCommand(a.newPluginCmd(), a.newHookCmd(), a.newStatuslineCmd(), newMergeDriverCmd()) // for programs: hidden
}

// describe sets the help text of a command, which most calls do not show.
func describe(c *cobra.Command) {
	if long, example := templates.Command(c.CommandPath()); long != "" { // completions have cobra's own texts
		c.Long, c.Example = long, example
	}
}

// absolute makes a path that a person gave absolute, relative to the working folder.
func (a *app) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.dir, path)
}

// startIn makes a folder the working folder of the command.
func (a *app) startIn(dir string) error {
	dir = a.absolute(dir)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("there is no such folder")
	case err == nil && !info.IsDir():
		return errors.New("it is not a folder")
	}
	a.dir, a.moved = dir, true
	return err
}

// usage turns cobra's argument errors into usage errors, and checks --limit.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n, err := c.Flags().GetInt("limit"); err == nil && (n < 1 || n > 10_000) {
			return &usageError{fmt.Errorf("--limit %d: expected 1 to 10000", n)}
		}
		if err := c.ValidateFlagGroups(); err != nil {
			return &usageError{err}
		}
		if err := check(c, args); err != nil {
			return suggested(fmt.Errorf("%s: %w", c.CommandPath(), err), c, strings.Join(args, " "), strconv.Quote)
		}
		return nil
	}
}
