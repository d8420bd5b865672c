package providers

// The kinds of sources. The ids of a source's items begin with its kind and a colon.
const (
	Git    = "git"
	Docs   = "docs"
	GitHub = "github"
	GitLab = "gitlab"
	Jira   = "jira"
	MCP    = "mcp" // reserved for answers of the user's own servers
)

// Kinds returns all kinds of sources.
func Kinds() []string {
	kinds := []string{Git, Docs, Jira, MCP}
	for _, f := range forges {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// Unreleased is the Release of an item that describes changes of a future release.
const Unreleased = "Unreleased"

// CommitID is the prefix of the ids of commits, which items of several sources refer to.
const CommitID = Git + ":commit:"
