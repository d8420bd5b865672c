package cite

import (
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/providers"
)

// FromItem converts an item of a team source to a source. line is the line at which its text begins in the file that
// contains it, 0 if there is none.
func (r *Resolver) FromItem(it providers.Item, line int) Source {
	source, _, _ := strings.Cut(it.ID, ":") // the forge, the tracker or docs
	src := Source{
		ID: it.ID, Layer: LayerTeam, Source: source, Type: it.Type, Title: messages.Clip(r.clean(it.Title), mostTitle),
		Text:   r.clean(it.Text),
		Author: r.clean(it.Author.Name), Time: it.Time, Project: r.clean(r.Project), Line: line, State: r.clean(it.State),
		URL:   r.clean(it.URL),
		Links: it.Links,
	}
	if line == 0 { // a thread is quoted with its title, like a commit
		src.Text = src.Title + "\n"
		if it.Text != "" {
			src.Text += "\n" + r.clean(it.Text) + "\n"
		}
	}
	for _, p := range it.Also {
		src.Also = append(src.Also, r.clean(p.Name))
	}
	for _, p := range it.Paths {
		src.Paths = append(src.Paths, r.Redactor.Path(p))
	}
	if len(src.Paths) > 0 {
		src.Path = src.Paths[0]
	}
	return src
}

// team resolves the id of a team source.
func (r *Resolver) team(id ID) (Source, error) {
	if r.Elsewhere == nil {
		return Source{}, fmt.Errorf("%s: nothing was fetched for the current folder: %w", id, ErrNotFound)
	}
	it, line, err := r.Elsewhere.TeamItem(id)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, err)
	}
	return r.FromItem(it, line), nil
}
