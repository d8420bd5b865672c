// Command structure measures how Go code is built, the same way in each module, and prints one
// table: how long its functions are, how deep they nest, how many struct fields hold functions,
// and how often a call climbs from a lower package to a higher one. In this folder:
//
//	go run . [-v] [-sample SEED] [-entry NAME=FUNCTION]... DIR...
//
// Each DIR is the root of a module, whose version is what git describe says there, or what
// follows the @ of a folder in the module cache. NAME is the last part of the module's path and
// FUNCTION the name of a function as -v writes it, in which $1 is the first function literal.
// This gets the projects that gitmem is compared with as modules, tests included, and prints the
// Dir of each:
//
//	go mod download -json filippo.io/age@v1.2.1 github.com/restic/restic@v0.18.0 \
//		github.com/sourcegraph/zoekt@c4d8f3537f7a golang.org/x/pkgsite@v0.6.0
//
// The program compiles what a module imports, which takes minutes the first time.
//
// Files that are generated or import testing are left out, and so are modules inside of a module
// and files that are not built on this system without cgo. The figures:
//
//   - A code line has more than blanks and comments. A function's lines are those from { to },
//     both counted; a function literal belongs to the function that it is in.
//   - Nesting counts if, for, switch, select and function literals; else if is not one more.
//   - A function field is a field of a struct whose type is a function. It is an upward arrow if
//     another package sets it, which therefore is higher: a call through the field climbs. One
//     that only a constructor of its own package sets, from what it is given, is none.
//   - A call climbs if the package of a called function imports that of the caller, directly or
//     through others. Calls are followed from one function on, depth first and in the order of the
//     code, and each function is entered once. What a function calls several times counts once. A
//     call through a field, an interface or a variable is one, and leads to all functions that may
//     be in it by variable type analysis of the whole module; it climbs if one of them is higher.
//     Calls that leave the module are not followed, but a function that is handed to other modules
//     counts as called there; what else comes back from them is unknown and not counted. The body
//     of a range over a function belongs to the function that it is in.
//   - Names are those of functions, types, fields, and of constants and variables of a package. A
//     condition's operators are its && and ||. A message is a string of three words or more that a
//     call is given.
//   - An error return is the end of an "if err != nil" that returns an error. It wraps if it calls
//     fmt.Errorf with %w there; other ways to wrap are not counted.
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

// defaultEntries are the functions where the main flow of each project starts.
func defaultEntries() map[string]string {
	return map[string]string{
		"age":     "cmd/age.encryptNotPass",
		"restic":  "cmd/restic.runBackup",
		"zoekt":   "(*web.Server).serveSearch",
		"pkgsite": "(*internal/frontend.Server).serveDetails",
		"gitmem":  "(*gitmem.Memory).Ask",
	}
}

// measure takes all figures of a module. The flow starts at entry; none is followed if it is "".
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
