package providers

// The kinds of sources. The ids of a source's items begin with its kind and a colon.
const (
	Git    = "git"
	Docs   = "docs"
	GitHub = "github"
	GitLab = "gitlab"
	Jira   = "jira"
	MCP    = "mcp" // reserved for what the user's own servers answer
)

// Kinds are all kinds of sources.
func Kinds() []string {
	kinds := []string{Git, Docs, Jira, MCP}
	for _, f := range forges {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// Unreleased is the Release of an item that tells what is to come.
const Unreleased = "Unreleased"

// CommitID begins the id of a commit, which items of several sources name.
const CommitID = Git + ":commit:"
