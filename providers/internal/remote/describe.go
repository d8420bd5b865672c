package remote

import (
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Classify sets the fields that follow from the text and the labels of a thread: its type and its references.
func Classify(it *providers.Item, labels []string) {
	it.Refs = providers.References(it.Title + "\n" + it.Text)
	if it.Type = providers.TypeOfLabels(labels); it.Type == "" {
		it.Type = providers.InferType(it.Title, it.Text, it.Paths)
	}
	if it.Kind == "issue" && strings.HasSuffix(it.Title, "?") && len(labels) == 0 {
		it.Type = "discussion"
	}
}

// LinkClosed links the issues of the project with this path that a merge request closes according to its
// text. prefix begins their ids.
func LinkClosed(it *providers.Item, project, prefix string) {
	for _, ref := range providers.Closing(it.Title + "\n" + it.Text) {
		if place, n, ok := strings.Cut(ref, "#"); ok && (place == "" || strings.EqualFold(place, project)) {
			it.Links = AddLink(it.Links, providers.Link{Rel: providers.Closes, ID: prefix + n})
		}
	}
}
