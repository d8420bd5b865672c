package providers

import (
	"net"
	"regexp"
	"slices"
	"sync"
)

// Forge describes a kind of server that hosts repositories and their discussions: the format of its ids, of
// its page addresses and of its merge commit messages.
type Forge struct {
	Kind   string
	Host   string // of the public service
	Holds  string // what is fetched from it, for people
	Nested bool   // the path of a repository may have more parts than owner and name
	// Threads are its kinds of numbered discussions, cited as <kind>:<what>:<number>. Commits are merged by the
	// first kind.
	Threads []Thread
	// Parts are the kinds of comments and reviews in a thread, cited as <kind>:<what>:<number>:<id>.
	Parts []string
	// CommitPage and FilePage are formats of addresses below the page of a repository: the page of a commit, and
	// of a file at a commit. LinePage is the format of the fragment that selects a line, and LastLine the suffix
	// that extends it to a range.
	CommitPage, FilePage, LinePage, LastLine string

	// Patterns of the subject and the body of a commit that was merged by a thread. The first group is the
	// number of the thread.
	subjects, bodies []func() *regexp.Regexp
}

// Thread is a kind of numbered discussion. Sign is the character before its number in text.
type Thread struct{ What, Sign string }

var forges = [...]Forge{
	{
		Kind: GitHub, Host: "github.com", Holds: "pull requests and issues", Threads: []Thread{{"pr", "#"}, {"issue", "#"}},
		Parts:      []string{"review", "comment"},
		CommitPage: "/commit/%s", FilePage: "/blob/%s/%s", LinePage: "L%d", LastLine: "-L%d",
		subjects: []func() *regexp.Regexp{pattern(`\(#([1-9][0-9]{0,8})\)$`),
			pattern(`^Merge pull request #([1-9][0-9]{0,8}) `)},
	},
	{
		Kind: GitLab, Host: "gitlab.com", Holds: "merge requests and issues", Nested: true,
		Threads: []Thread{{"mr", "!"}, {"issue", "#"}}, Parts: []string{"note"},
		CommitPage: "/-/commit/%s", FilePage: "/-/blob/%s/%s", LinePage: "L%d", LastLine: "-%d",
		bodies: []func() *regexp.Regexp{pattern(`(?m)^See merge request (?:[^\s!]+)?!([1-9][0-9]{0,8})$`)},
	},
}

// pattern returns a function that compiles expr on its first call.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Forges returns all kinds of forges.
func Forges() []Forge { return slices.Clone(forges[:]) }

// FindForge returns the first kind of forge for which is returns true; the bool is false if there is none.
func FindForge(is func(Forge) bool) (Forge, bool) {
	if i := slices.IndexFunc(forges[:], is); i >= 0 {
		return forges[i], true
	}
	return Forge{}, false
}

// ForgeOf returns the kind of forge with this name; the bool is false if there is none.
func ForgeOf(kind string) (Forge, bool) {
	return FindForge(func(f Forge) bool { return f.Kind == kind })
}

// MergedBy returns the thread that merged a commit, according to its message: its number as people write it,
// such as #12, and its id. Both are "" if the message names none.
func (f Forge) MergedBy(subject, body string) (number, id string) {
	var found []string
	for _, p := range f.subjects {
		found = append(found, p().FindStringSubmatch(subject)...)
	}
	for _, p := range f.bodies {
		found = append(found, p().FindStringSubmatch(body)...)
	}
	if len(found) == 0 {
		return "", ""
	}
	t := f.Threads[0]
	return t.Sign + found[1], f.Kind + ":" + t.What + ":" + found[1]
}

// IsLoopback reports whether a host name or IP address is that of this machine, so that a secret may be sent
// to it without encryption. It does not resolve names.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
