package cite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/providers"
)

// Kind is the first word of a citation id: what sort of source it names.
type Kind string

// The kinds of source that can be cited.
const (
	KindRules       Kind = "rules"                   // rules:<file>#<heading>
	KindMemory      Kind = "memory"                  // memory:<project>[/<topic file>]#<heading>
	KindPlan        Kind = "plan"                    // plan:<file>#<heading>, of the client's folder of plans
	KindTask        Kind = "task"                    // task:<id>
	KindSession     Kind = "session"                 // session:<date>#<id>
	KindIdea        Kind = "idea"                    // idea:<id>
	KindDecision    Kind = "decision"                // decision:<id>
	KindTranscript  Kind = "transcript"              // transcript:<session>:<line>[#<block>], as #tool-2, #result, #thinking
	KindPrompt      Kind = "prompt"                  // prompt:<session>:<line of the client's prompt history>
	KindObservation Kind = "observation"             // observation:<session>:<id>
	KindCommit      Kind = providers.Git + ":commit" // git:commit:<sha>
	KindBlame       Kind = providers.Git + ":blame"  // git:blame:<path>:<line>[-<line>]@<sha>

	KindJira     Kind = providers.Jira // jira:<KEY>
	KindDocument Kind = providers.Docs // docs:<path>#<heading>

	// Those of forges are <forge>:<what>, in [providers.Forges].
)

// ID is a citation id taken apart.
type ID struct {
	Kind     Kind
	Name     string // file, project, date, session, sha or key
	Fragment string // heading slug, block id or block of a record behind '#', without it; id of an observation, a review or a comment; sha of a blame
	To       int    // last line of a blame, 0 where there is one only
	Number   int    // line for transcripts and prompts; number of a thread of a forge
}

// String writes the id in the form that [Parse] reads.
func (id ID) String() string {
	switch id.Kind {
	case KindObservation:
		return string(id.Kind) + ":" + id.Name + ":" + id.Fragment
	case KindTranscript, KindPrompt:
		s := string(id.Kind) + ":" + id.Name + ":" + strconv.Itoa(id.Number)
		if id.Fragment != "" {
			s += "#" + id.Fragment
		}
		return s
	case KindRules, KindMemory, KindPlan, KindSession:
		if id.Fragment != "" {
			return string(id.Kind) + ":" + id.Name + "#" + id.Fragment
		}
	case KindDocument:
		return id.document()
	case KindBlame:
		return id.blame()
	}
	if threads, parts := forgeKinds(); slices.Contains(threads, id.Kind) || slices.Contains(parts, id.Kind) {
		return id.thread()
	}
	return string(id.Kind) + ":" + id.Name
}

// Parse reads a citation id. A bare hexadecimal word of 4 to 40 digits is read
// as a commit, since that is what people paste. The error names what is wrong
// and which forms exist.
func Parse(s string) (ID, error) {
	s = strings.Trim(strings.TrimSpace(s), "[]`")
	if isHex(s) && len(s) >= 4 && len(s) <= 40 {
		return ID{Kind: KindCommit, Name: strings.ToLower(s)}, nil
	}
	kind, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" {
		return ID{}, fmt.Errorf("%q is not a citation id: expected a form such as git:commit:<sha>, memory:<project>#<heading> or transcript:<session>:<line>", s)
	}
	switch k := Kind(kind); k {
	case KindRules, KindMemory, KindPlan, KindSession:
		name, fragment, _ := strings.Cut(rest, "#")
		return ID{Kind: k, Name: name, Fragment: fragment}, nil
	case KindTask, KindIdea, KindDecision:
		return ID{Kind: k, Name: strings.TrimPrefix(rest, "^")}, nil
	case KindTranscript:
		return parseRecord(rest)
	case KindObservation:
		return parseObservation(rest)
	case KindPrompt:
		return parseNumbered(k, rest)
	case providers.Git:
		return parseGit(rest)
	case KindJira:
		return parseKey(rest)
	case KindDocument:
		return parseDocument(rest)
	}
	if _, ok := providers.ForgeOf(kind); ok {
		return parseThread(s)
	}
	return ID{}, fmt.Errorf("citation id %q: unknown kind %q", s, kind)
}

func parseNumbered(k Kind, rest string) (ID, error) {
	i := strings.LastIndexByte(rest, ':')
	if i <= 0 {
		return ID{}, fmt.Errorf("citation id %s:%s: expected %s:<session>:<number>", k, rest, k)
	}
	n, err := strconv.Atoi(rest[i+1:])
	if err != nil || n < 1 {
		return ID{}, fmt.Errorf("citation id %s:%s: %q is no positive number", k, rest, rest[i+1:])
	}
	return ID{Kind: k, Name: rest[:i], Number: n}, nil
}

// parseRecord reads what names a record of a transcript or a block of it. The
// first block of a kind may carry its number.
func parseRecord(rest string) (ID, error) {
	rest, block, named := strings.Cut(rest, "#")
	id, err := parseNumbered(KindTranscript, rest)
	if err != nil || !named {
		return id, err
	}
	kind, number, numbered := strings.Cut(block, "-")
	n, err := strconv.Atoi(number)
	if numbered && (err != nil || n < 1) || !isBlock(kind) {
		return ID{}, fmt.Errorf("citation id %s#%s: %q is no block of a record: expected one such as tool, tool-2, result or thinking", id, block, block)
	}
	id.Fragment = kind
	if n > 1 {
		id.Fragment += "-" + strconv.Itoa(n)
	}
	return id, nil
}

func isBlock(kind string) bool {
	return slices.Contains([]transcript.Kind{
		transcript.KindTool, transcript.KindResult, transcript.KindThinking, transcript.KindPlan, transcript.KindTodo, transcript.KindTitle,
	}, transcript.Kind(kind))
}

func parseGit(rest string) (ID, error) {
	what, sha, _ := strings.Cut(rest, ":")
	if what == "blame" {
		return parseBlame(sha)
	}
	if what != "commit" {
		return ID{}, fmt.Errorf("citation id git:%s: only git:commit:<sha> and git:blame:<path>:<line>@<sha> are known", rest)
	}
	if !isHex(sha) || len(sha) < 4 || len(sha) > 40 {
		return ID{}, fmt.Errorf("citation id git:%s: %q is no commit id of 4 to 40 hexadecimal digits", rest, sha)
	}
	return ID{Kind: KindCommit, Name: strings.ToLower(sha)}, nil
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}
