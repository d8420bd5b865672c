package remote

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// LinkCommit adds a commit that a thread holds; what is no full id is left out.
func LinkCommit(links []providers.Link, sha string) []providers.Link {
	sha = strings.ToLower(sha)
	if len(sha) != 40 && len(sha) != 64 || strings.Trim(sha, "0123456789abcdef") != "" {
		return links
	}
	return AddLink(links, providers.Link{Rel: providers.Contains, ID: providers.CommitID + sha})
}

// AddLink adds a link that is not there yet.
func AddLink(links []providers.Link, l providers.Link) []providers.Link {
	if slices.Contains(links, l) {
		return links
	}
	return append(links, l)
}
