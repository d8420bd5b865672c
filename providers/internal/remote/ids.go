package remote

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// LinkCommit adds a commit of a thread, unless sha is not a full id.
func LinkCommit(links []providers.Link, sha string) []providers.Link {
	sha = strings.ToLower(sha)
	if len(sha) != 40 && len(sha) != 64 || strings.Trim(sha, "0123456789abcdef") != "" {
		return links
	}
	return AddLink(links, providers.Link{Rel: providers.Contains, ID: providers.CommitID + sha})
}

// AddLink adds a link unless the list contains it.
func AddLink(links []providers.Link, l providers.Link) []providers.Link {
	if slices.Contains(links, l) {
		return links
	}
	return append(links, l)
}
