package failure

import (
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// step is one simple command of a shell command line.
type step struct {
	program, sub string
	targets      []string // arguments that are neither flags nor texts of several words
	words        []string // all words except flags that only change the output
	sure         bool     // the exit code of the line is that of this command
	piped        bool     // it reads the output of another command
	writes       bool     // its output goes to a file
}

// Lists of programs and words: viewers only display, checkers only check, wrappers run another program; shows and
// checks are subcommands that change nothing, keeps are those of git with no effect on other programs; opaque programs
// have unknown effects, plainly have no subcommand, and quiet are flags that only change the output.
const (
	viewers = " cat ls grep rg find fd head tail less wc echo printf pwd which type true sleep sort uniq cut jq diff " +
		"tree stat du df ps lsof date file cd awk sed curl wget ping nslookup ss netstat gitmem tee xargs for done "
	checkers = " test [ pytest jest vitest tsc mypy pyright eslint ruff prettier flake8 pylint shellcheck golangci-lint " +
		"staticcheck gh if fi read "
	wrappers = " sudo time nice env exec command npx pnpx bunx timeout nohup uv poetry pipenv bundle then do ! "
	shows    = " status log diff show list ls view get describe ps logs version info inspect help grep blame rev-parse " +
		"branch remote doc env freeze "
	checks  = " test vet check lint clippy plan validate typecheck "
	keeps   = " add commit push tag fetch stash "
	opaque  = " python python3 node ruby bash sh xargs curl " // unknown effects
	plainly = " pytest jest vitest tsc mypy python python3 node ruby bash sh ls cat cd rm mkdir cp mv chmod "
	quiet   = " -v -vv -vvv -x -s -q --verbose --quiet --tb=short --tb=long -count=1 --no-cache -json --silent "
)

func listed(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// heredoc matches a here-document, and tokens the words and operators of a line.
var (
	heredoc = lazy.Pattern(`(?s)<<-?\s*['"]?\w+['"]?([^\n]*)\n.*?\n\s*[A-Z_]{2,}(?:[\n)]|$)`)
	tokens  = lazy.Pattern(`[012&]?>>?(?:&\d|\s*[^\s;&|]+)?|&&|\|\||\|&|[;|&\n]|` +
		`(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|\$\([^)]*\)|[^\s;&|>"'])+`)
	assigns = lazy.Pattern(`^\w+=`)
)

// steps returns the commands of a shell command line, in order.
func steps(line string) (out []step) {
	var words []string
	writes, piped := false, false
	end := func(operator string) {
		if s, ok := newStep(words); ok {
			s.writes, s.piped, s.sure = writes, piped, true
			out = append(out, s)
		}
		for i := range out { // the last command of a pipe decides its exit code, and that of a list
			out[i].sure = out[i].sure && (operator == "&&" || operator == "" || operator == "|" && i < len(out)-1)
		}
		words, writes, piped = nil, false, operator == "|"
	}
	line = strings.ReplaceAll(heredoc().ReplaceAllString(strings.TrimRight(line, "; \n"), "$1\n"), "\\\n", " ")
	for _, t := range tokens().FindAllString(strings.TrimSpace(line), -1) {
		switch {
		case listed(" && || ; | & |& ", t) || t == "\n":
			end(t)
		case strings.HasPrefix(strings.TrimLeft(t, "012&"), ">"):
			writes = writes || !strings.Contains(t, "&1") && !strings.Contains(t, "/dev/null") && !strings.Contains(t, "/tmp/")
		default:
			words = append(words, t)
		}
	}
	end("")
	return out
}

// newStep parses the words of a command, without assignments and wrappers.
func newStep(words []string) (s step, ok bool) {
	i := 0
	for i < len(words) && (assigns().MatchString(words[i]) || listed(wrappers, words[i]) ||
		i > 0 && listed(wrappers, words[i-1]) && (words[i] == "run" || words[i] == "exec" || words[i][0] <= '9')) {
		i++
	}
	if i+2 < len(words) && strings.HasPrefix(words[i], "python") && words[i+1] == "-m" {
		i += 2
	}
	if i >= len(words) {
		return s, false
	}
	s.program = path.Base(words[i])
	for n, w := range words {
		if w = strings.Trim(w, `"'`); !listed(quiet, w) {
			s.words = append(s.words, w)
		}
		switch {
		case n <= i || w == "" || w[0] == '-' || strings.Contains(w, " "):
		case s.sub == "" && !listed(plainly, s.program) && !strings.ContainsAny(w, "./"):
			s.sub = w
		case listed(" run compose exec ", s.sub):
			s.sub += " " + w
		default:
			s.targets = append(s.targets, w)
		}
	}
	return s, true
}

// what returns the last word of the subcommand, up to a colon as in test:unit.
func (s step) what() string {
	what, _, _ := strings.Cut(s.sub[strings.LastIndexByte(s.sub, ' ')+1:], ":")
	return what
}

// views reports whether the command only displays something.
func (s step) views() bool { return listed(viewers, s.program) || listed(shows, s.what()) }

// changes reports whether the command may have changed something on which another one depends.
func (s step) changes(of step) bool {
	switch {
	case s.writes || slices.ContainsFunc(s.words, func(w string) bool {
		return strings.HasPrefix(w, "--fix") || strings.HasPrefix(w, "--write") || strings.Contains(w, ".write") ||
			s.program == "sed" && strings.HasPrefix(w, "-i") || s.program == "tee" && s.piped
	}):
		return true
	case s.views() || listed(checkers, s.program) || listed(checks, s.what()):
		return false
	case s.program == "git" && of.program != "git" && !strings.HasPrefix(of.sub, "pr"):
		return !listed(keeps, s.sub)
	case s.program == "go" || s.program == "cargo":
		return s.sub != "build" && !strings.HasPrefix(s.sub, "run")
	}
	return len(s.targets) > 1 || !listed(" python python3 node ruby ", s.program)
}

// failing returns the failed command of a line, as far as this is known: the last one that does something and, if the
// line failed, determines its exit code.
func failing(all []step, failed bool) (s step, ok bool) {
	for _, s := range slices.Backward(all) {
		if !s.piped && !s.views() && (s.sure || !failed) {
			return s, true
		}
	}
	if len(all) == 0 || all[len(all)-1].piped {
		return s, false
	}
	return all[len(all)-1], true
}

// covers reports whether a successful command repeats a failed one for all its targets. If the failed one had no
// targets, those of the successful one must be in the output of the failure.
func (s step) covers(failed step, told string) bool {
	if s.program != failed.program || s.sub != failed.sub || s.piped {
		return false
	}
	wide := func(t string) bool { return t == "." || t == "./..." }
	had, has := slices.DeleteFunc(slices.Clone(failed.targets), wide), slices.DeleteFunc(slices.Clone(s.targets), wide)
	if len(had) == 0 {
		return !slices.ContainsFunc(has, func(t string) bool { return !strings.Contains(told, bare(t)) })
	}
	return !slices.ContainsFunc(had, func(t string) bool {
		return !slices.ContainsFunc(has, func(o string) bool {
			o, t = unversioned(o), unversioned(t)
			return o == t || strings.HasSuffix(o, "/"+t) || strings.HasSuffix(t, "/"+o) ||
				strings.HasPrefix(t, o+"/") && s.program != "gh" // an address is no folder
		}) &&
			(len(has) > 0 || !strings.ContainsAny(t, "./"))
	})
}

// unversioned is a target without the version that it asks for, as express@4 and requests==2.1 do.
func unversioned(target string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(target, "/..."), "./"), "==")
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	return name
}

// bare is a target as outputs name it: of a path the last name.
func bare(target string) string { return path.Base(unversioned(target)) }
