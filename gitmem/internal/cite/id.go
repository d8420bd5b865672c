package cite

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// Kind is the first word of a citation id: the kind of source.
type Kind string

// source returns the first part of the kind, such as github of github:pr.
func (k Kind) source() string {
	s, _, _ := strings.Cut(string(k), ":")
	return s
}

// The kinds of source that can be cited.
const (
	KindRules    Kind = "rules"    // rules:<file>#<heading>
	KindMemory   Kind = "memory"   // memory:<project>[/<topic file>]#<heading>
	KindPlan     Kind = "plan"     // plan:<file>#<heading>, in the client's folder of plans
	KindTask     Kind = "task"     // task:<id>
	KindProfile  Kind = "profile"  // profile:<path>
	KindOrder    Kind = "order"    // order:<path>, of a project's standing orders
	KindSession  Kind = "session"  // session:<date>#<id>
	KindIdea     Kind = "idea"     // idea:<id>
	KindDecision Kind = "decision" // decision:<id>
	// transcript:<session>:<line>[#<block>], as #tool-2, #result, #thinking
	KindTranscript  Kind = "transcript"
	KindPrompt      Kind = "prompt"                  // prompt:<session>:<line of the client's prompt history>
	KindObservation Kind = "observation"             // observation:<session>:<id>
	KindCommit      Kind = providers.Git + ":commit" // git:commit:<sha>
	KindBlame       Kind = providers.Git + ":blame"  // git:blame:<path>:<line>[-<line>]@<sha>

	KindJira     Kind = providers.Jira // jira:<KEY>
	KindDocument Kind = providers.Docs // docs:<path>#<heading>

	// Kinds of forges are <forge>:<what>, see [providers.Forges].
)

// ID is a parsed citation id.
type ID struct {
	Kind Kind
	Name string // file, project, date, session, sha or key
	// heading slug, block id or record block after '#', without it; id of an observation, a review or a comment; sha of a
	// blame
	Fragment string
	To       int // last line of a blame, 0 for a single line
	Number   int // line of a transcript or prompt; number of a forge thread
}

// form is the syntax of the ids of a kind: an optional name, number and fragment.
type form struct {
	kind   Kind
	shape  string // for messages
	name   bool
	number bool   // of a line or a forge thread
	mark   string // separator before the fragment, or ""
	always bool   // the fragment is required
}

var forms = [...]form{
	{kind: KindRules, shape: "rules:<file>#<heading>", name: true, mark: "#"},
	{kind: KindMemory, shape: "memory:<project>#<heading>", name: true, mark: "#"},
	{kind: KindPlan, shape: "plan:<file>#<heading>", name: true, mark: "#"},
	{kind: KindSession, shape: "session:<date>#<id>", name: true, mark: "#"},
	{kind: KindDocument, shape: "docs:<path>#<heading>, of a path below the top of the repository", name: true, mark: "#"},
	{kind: KindTask, shape: "task:<id>", name: true},
	{kind: KindOrder, shape: "order:<path>, such as order:orders.never-use-malloc", name: true},
	{kind: KindProfile, shape: "profile:<path>, such as profile:tools.editor", name: true},
	{kind: KindIdea, shape: "idea:<id>", name: true},
	{kind: KindDecision, shape: "decision:<id>", name: true},
	{kind: KindTranscript,
		shape: "transcript:<session>:<line> or transcript:<session>:<line>#<block>, of a block such as tool, tool-2, " +
			"result or thinking", name: true, number: true, mark: "#"},
	{kind: KindPrompt, shape: "prompt:<session>:<line>", name: true, number: true},
	{kind: KindObservation, shape: "observation:<session>:<id>", name: true, mark: ":", always: true},
	{kind: KindCommit, shape: "git:commit:<sha>, of 4 to 40 hexadecimal digits", name: true},
	{kind: KindBlame, shape: "git:blame:<path>:<line>@<sha> or git:blame:<path>:<line>-<line>@<sha>", name: true,
		number: true, mark: "@", always: true},
	{kind: KindJira, shape: "jira:<KEY>, such as jira:ABC-12", name: true},
}

// forgeForms returns the forms of forge threads and their parts.
func forgeForms() []form {
	var out []form
	for _, f := range providers.Forges() {
		for _, t := range f.Threads {
			kind := f.Kind + ":" + t.What
			out = append(out, form{kind: Kind(kind), shape: kind + ":<number>", number: true})
		}
		for _, part := range f.Parts {
			kind := f.Kind + ":" + part
			out = append(out, form{kind: Kind(kind), shape: kind + ":<number>:<id>", number: true, mark: ":", always: true})
		}
	}
	return out
}

// findForm returns the first form that matches.
func findForm(is func(form) bool) (form, bool) {
	list := forms[:]
	i := slices.IndexFunc(list, is)
	if i < 0 {
		list = forgeForms()
		i = slices.IndexFunc(list, is)
	}
	if i < 0 {
		return form{}, false
	}
	return list[i], true
}

// String formats the id so that [Parse] can read it. It appends a # if the name contains one or ends with characters
// that [Parse] trims.
func (id ID) String() string {
	s := string(id.Kind)
	f, ok := findForm(func(f form) bool { return f.kind == id.Kind })
	f.name = f.name || !ok
	if f.name {
		s += ":" + id.Name
	}
	if f.number {
		s += ":" + id.lines()
	}
	if f.mark == "" || id.Fragment == "" && (f.mark != "#" || f.number || !strings.Contains(id.Name, "#") &&
		trimmed(s) == s) {
		return s
	}
	return s + f.mark + id.Fragment
}

// lines returns the line range of an id, or the number of a thread.
func (id ID) lines() string {
	if id.To > id.Number {
		return fmt.Sprintf("%d-%d", id.Number, id.To)
	}
	return strconv.Itoa(id.Number)
}

// trimmed returns an id without surrounding white space, brackets and backticks.
func trimmed(s string) string { return strings.Trim(strings.TrimSpace(s), "[]`") }

// Parse parses a citation id. It reads a bare hexadecimal word of 4 to 40 digits as a commit, since people paste those.
// The error names the expected form.
func Parse(s string) (ID, error) {
	if s = trimmed(s); isSHA(s) {
		s = string(KindCommit) + ":" + s
	}
	if f, ok := findForm(func(f form) bool { return strings.HasPrefix(s, string(f.kind)+":") }); ok {
		id, ok := f.read(s[len(f.kind)+1:])
		if !ok || !id.valid() {
			return ID{}, fmt.Errorf("citation id %q: expected %s", s, f.shape)
		}
		return id, nil
	}
	if strings.HasPrefix(s, providers.Git+":") {
		return ID{}, fmt.Errorf("citation id %q: only git:commit:<sha> and git:blame:<path>:<line>@<sha> are known", s)
	}
	return ID{}, fmt.Errorf("%q is not a citation id: expected a form such as git:commit:<sha>, "+
		"memory:<project>#<heading>, transcript:<session>:<line> or github:pr:<number>", s)
}

// read parses the part after the kind. A name may contain colons and at-signs.
func (f form) read(rest string) (id ID, ok bool) {
	id.Kind = f.kind
	i := strings.LastIndex(rest, f.mark)
	switch {
	case f.mark == "":
	case i >= 0:
		rest, id.Fragment = rest[:i], rest[i+1:]
		if id.Fragment == "" && (f.always || f.number) {
			return id, false
		}
	case f.always:
		return id, false
	}
	if f.number {
		i := strings.LastIndexByte(rest, ':')
		first, last, ranged := strings.Cut(rest[i+1:], "-")
		if id.Number, ok = natural(first); ok && ranged {
			id.To, ok = natural(last)
			ok = ok && f.kind == KindBlame && id.To >= id.Number
		}
		if id.To == id.Number {
			id.To = 0
		}
		if !ok || f.name != (i >= 0) {
			return id, false
		}
		rest = rest[:max(i, 0)]
	}
	id.Name = rest
	return id, f.name != (rest == "")
}

var (
	issueKey     = lazy.Pattern(`^[A-Z][A-Z0-9_]{0,63}-[1-9][0-9]{0,9}$`)
	fragmentForm = lazy.Pattern(`^[A-Za-z0-9_-]{1,64}$`)
)

// valid reports whether the parts of an id are valid for its kind, and normalises them.
func (id *ID) valid() bool {
	switch id.Kind {
	case KindTask, KindIdea, KindDecision:
		id.Name = strings.TrimLeft(id.Name, "^")
		return id.Name != ""
	case KindTranscript:
		return id.Fragment == "" || id.validBlock()
	case KindObservation:
		return isObservationID(id.Fragment)
	case KindCommit:
		id.Name = strings.ToLower(id.Name)
		return isSHA(id.Name)
	case KindBlame:
		id.Fragment = strings.ToLower(id.Fragment)
		return isSHA(id.Fragment) && isTreePath(id.Name)
	case KindDocument:
		return isTreePath(id.Name) && utf8.ValidString(id.Fragment) && !strings.ContainsFunc(id.Fragment, func(r rune) bool {
			return r == ' ' || unicode.IsControl(r)
		})
	case KindJira:
		id.Name = strings.ToUpper(id.Name)
		return issueKey().MatchString(id.Name)
	}
	return id.Name != "" || id.Fragment == "" || fragmentForm().MatchString(id.Fragment) // of a part of a thread
}

// validBlock reports whether the fragment names a block of a record. It removes the number of the first block.
func (id *ID) validBlock() bool {
	kind, number, numbered := strings.Cut(id.Fragment, "-")
	n, err := strconv.Atoi(number)
	if numbered && (err != nil || n < 1) || !slices.Contains([]transcript.Kind{
		transcript.KindTool, transcript.KindResult, transcript.KindThinking, transcript.KindPlan, transcript.KindTodo,
		transcript.KindTitle,
	}, transcript.Kind(kind)) {
		return false
	}
	if id.Fragment = kind; n > 1 {
		id.Fragment += "-" + strconv.Itoa(n)
	}
	return true
}

// isTreePath reports whether a path can be in a repository's tree.
func isTreePath(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.ContainsFunc(name, unicode.IsControl) && utf8.ValidString(name)
}

// natural parses a number as forges write it: without sign and leading zero.
func natural(s string) (int, bool) {
	const most = 1<<31 - 1
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && n <= most && strconv.Itoa(n) == s
}

// isSHA reports whether a word may be a commit hash or a prefix of one.
func isSHA(s string) bool {
	return len(s) >= 4 && len(s) <= 40 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
