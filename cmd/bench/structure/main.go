// Command structure measures the structure of Go code in the same way for each module, and prints one table:
// how long its functions are, how deep they nest, how many struct fields are functions, and how often a call
// climbs from a lower package to a higher one. In this folder:
//
//	go run . [-v] [-sample SEED] [-entry NAME=FUNCTION]... DIR...
//
// Each DIR is the root of a module, whose version is the output of git describe there, or what follows the @
// of a folder in the module cache. NAME is the last part of the module's path and FUNCTION the name of a
// function as printed by -v, in which $1 is the first function literal. This downloads the projects that
// gitmem is compared with as modules, including tests, and prints the Dir of each:
//
//	go mod download -json filippo.io/age@v1.2.1 github.com/restic/restic@v0.18.0 \
//		github.com/sourcegraph/zoekt@c4d8f3537f7a golang.org/x/pkgsite@v0.6.0
//
// The program compiles the imports of a module, which takes minutes the first time.
//
// Files that are generated or import testing are left out, and so are nested modules and files that are not
// built on this system without cgo. The figures:
//
//   - A code line has more than blanks and comments. A function's lines are those from { to }, both counted;
//     a function literal belongs to the function that contains it.
//   - Nesting counts if, for, switch, select and function literals; else if does not add a level.
//   - A function field is a struct field with a function type. It is an upward arrow if another package sets
//     it, which therefore is higher: a call through the field climbs. A field that is only set by a
//     constructor of its own package, from an argument, is not an upward arrow.
//   - A call climbs if the package of a called function imports that of the caller, directly or through
//     others. Calls are followed from one function, depth first and in the order of the code, and each
//     function is entered once. Repeated calls of one function in another count once. A call through a field,
//     an interface or a variable is one call, and leads to all functions that variable type analysis of the
//     whole module finds for it; it climbs if one of them is higher. Calls that leave the module are not
//     followed, but a function that is passed to other modules counts as called there; other calls back from
//     them are unknown and not counted. The body of a range over a function belongs to the function that
//     contains it.
//   - Names are those of functions, types and fields, and of constants and variables of a package. The operators of a
//     condition are its && and ||. A message is a string of three or more words that is an argument of a call.
//   - An error return is the end of an "if err != nil" that returns an error. It wraps if it calls fmt.Errorf
//     with %w there; other ways to wrap are not counted.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func run(args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("structure", flag.ContinueOnError)
	flags.SetOutput(errs)
	verbose := flags.Bool("v", false, "list upward arrows and climbs")
	seed := flags.Uint64("sample", 0, "print names, comments and messages that this `SEED` draws, for a reader to judge")
	entries := defaultEntries()
	flags.Func("entry", "function that a project's flow starts at, as `NAME=FUNCTION`", func(s string) error {
		name, function, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("no = in it")
		}
		entries[name] = function
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no module to measure; -h lists the flags")
	}
	var all []figures
	for _, dir := range flags.Args() {
		m, err := load(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		f, err := m.measure(entries[m.name])
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, f)
	}
	if *verbose {
		for _, f := range all {
			f.list(out)
		}
	}
	if *seed > 0 {
		for _, f := range all {
			f.sample(out, *seed)
		}
		return nil
	}
	return table(out, all)
}

// defaultEntries returns the function where the main flow of each project starts.
func defaultEntries() map[string]string {
	return map[string]string{
		"age":     "cmd/age.encryptNotPass",
		"restic":  "cmd/restic.runBackup",
		"zoekt":   "(*web.Server).serveSearch",
		"pkgsite": "(*internal/frontend.Server).serveDetails",
		"gitmem":  "(*gitmem.Memory).Ask",
	}
}

// measure measures all figures of a module. The flow starts at entry; if that is "", none is followed.
func (m *module) measure(entry string) (figures, error) {
	f := figures{name: m.name, version: m.version, entry: entry}
	if err := m.measureSource(&f); err != nil {
		return f, err
	}
	f.fields, f.arrows = m.functionFields()
	if entry == "" {
		return f, nil
	}
	calls, err := m.follow(entry)
	f.calls = calls
	return f, err
}
