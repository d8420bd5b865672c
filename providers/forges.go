package providers

import (
	"net"
	"regexp"
	"slices"
	"sync"
)

// Forge describes a kind of server that holds repositories and what is said about them:
// how its ids, its pages and the messages of its merges look.
type Forge struct {
	Kind   string
	Host   string // of the public service
	Holds  string // what is fetched of it, in words
	Nested bool   // the path of a repository may have more than an owner and a name
	// Threads are its numbered discussions, cited as <kind>:<what>:<number>; commits come
	// by the first of them.
	Threads []Thread
	// Parts are the comments and reviews in a thread, cited as <kind>:<what>:<number>:<id>.
	Parts []string
	// CommitPage, FilePage and LinePage are the forms of addresses below a repository's page:
	// of a commit, of a file at a commit, and behind the # of a line of it; LastLine follows
	// that for a range.
	CommitPage, FilePage, LinePage, LastLine string

	// Patterns of the subject and of the body of a commit that came by a thread, whose
	// number is the first group.
	subjects, bodies []func() *regexp.Regexp
}

// Thread is a kind of numbered discussion. Sign comes before its number where people
// mention one.
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

// pattern is compiled when it is first needed.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Forges are all kinds of forges.
func Forges() []Forge { return slices.Clone(forges[:]) }

// FindForge is the kind of forge for which is is true; false where there is none.
func FindForge(is func(Forge) bool) (Forge, bool) {
	if i := slices.IndexFunc(forges[:], is); i >= 0 {
		return forges[i], true
	}
	return Forge{}, false
}

// ForgeOf is a kind of forge by its name; false where there is none.
func ForgeOf(kind string) (Forge, bool) {
	return FindForge(func(f Forge) bool { return f.Kind == kind })
}

// MergedBy is the thread that a commit says it came by: its number as people write it, such
// as #12, and its id; "" for none.
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

// IsLoopback reports whether a host is this machine by its name or number alone, so that a
// secret may be sent there without encryption.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
