package cite

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/providers"
)

// OfForge tells the kinds that are fetched from a forge or a tracker.
func (k Kind) OfForge() bool {
	threads, parts := forgeKinds()
	return k == KindJira || slices.Contains(threads, k) || slices.Contains(parts, k)
}

// forgeKinds are the kinds of ids that name a thread of a forge, and those that name
// something in one.
func forgeKinds() (threads, parts []Kind) {
	for _, f := range providers.Forges() {
		for _, t := range f.Threads {
			threads = append(threads, Kind(f.Kind+":"+t.What))
		}
		for _, p := range f.Parts {
			parts = append(parts, Kind(f.Kind+":"+p))
		}
	}
	return threads, parts
}

// maxThread is the largest number of a thread that is read.
const maxThread = 1<<31 - 1

// thread writes <kind>:<number> or <kind>:<number>:<id>.
func (id ID) thread() string {
	s := string(id.Kind) + ":" + strconv.Itoa(id.Number)
	if id.Fragment != "" {
		s += ":" + id.Fragment
	}
	return s
}

// parseThread reads what names a thread of a forge or a part of it.
func parseThread(s string) (ID, error) {
	threads, parts := forgeKinds()
	fields := strings.Split(s, ":")
	if len(fields) > 2 {
		id := ID{Kind: Kind(fields[0] + ":" + fields[1])}
		n, ok := natural(fields[2])
		id.Number = n
		switch {
		case ok && len(fields) == 3 && slices.Contains(threads, id.Kind):
			return id, nil
		case ok && len(fields) == 4 && slices.Contains(parts, id.Kind) && regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(fields[3]):
			id.Fragment = fields[3]
			return id, nil
		}
	}
	var forms []string
	for _, k := range threads {
		forms = append(forms, string(k)+":<number>")
	}
	for _, k := range parts {
		forms = append(forms, string(k)+":<number>:<id>")
	}
	return ID{}, fmt.Errorf("citation id %q: expected %s", s, strings.Join(forms, ", "))
}

// natural reads a number as forges write it: no sign and no zero before it.
func natural(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && n <= maxThread && strconv.Itoa(n) == s
}

// parseKey reads the key of a tracker's issue: a project in capitals and a number.
func parseKey(rest string) (ID, error) {
	key := strings.ToUpper(rest)
	if !regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,63}-[1-9][0-9]{0,9}$`).MatchString(key) {
		return ID{}, fmt.Errorf("citation id jira:%s: %q is no key such as ABC-12", rest, rest)
	}
	return ID{Kind: KindJira, Name: key}, nil
}

// document writes docs:<path>#<heading>. A path with a # in it is always followed by
// one, and so is one that ends with what [Parse] takes off an id.
func (id ID) document() string {
	s := string(KindDocument) + ":" + id.Name
	if id.Fragment != "" || strings.Contains(id.Name, "#") || strings.Trim(strings.TrimSpace(s), "[]`") != s {
		s += "#" + id.Fragment
	}
	return s
}

// parseDocument reads a path below the top of the repository, and a heading.
func parseDocument(rest string) (ID, error) {
	name, heading := rest, ""
	if i := strings.LastIndexByte(rest, '#'); i >= 0 {
		name, heading = rest[:i], rest[i+1:]
	}
	switch {
	case !fs.ValidPath(name) || name == "." || strings.ContainsFunc(rest, unicode.IsControl) || !utf8.ValidString(rest):
		return ID{}, fmt.Errorf("citation id docs:%s: %q is no path below the top of the repository", rest, name)
	case strings.ContainsAny(heading, " \t"):
		return ID{}, fmt.Errorf("citation id docs:%s: %q is no anchor of a heading", rest, heading)
	}
	return ID{Kind: KindDocument, Name: name, Fragment: heading}, nil
}

// FromItem makes a source of an item of a team source. line is where its text begins
// in the file that it is a part of, 0 for none.
func (r *Resolver) FromItem(it providers.Item, line int) Source {
	source, _, _ := strings.Cut(it.ID, ":") // the forge, the tracker or docs
	src := Source{
		ID: it.ID, Layer: LayerTeam, Source: source, Type: it.Type, Title: messages.Clip(r.clean(it.Title), mostTitle), Text: r.clean(it.Text),
		Author: r.clean(it.Author.Name), Time: it.Time, Project: r.clean(r.Project), Line: line, State: r.clean(it.State), URL: r.clean(it.URL),
		Links: it.Links,
	}
	if line == 0 { // a thread is quoted with its title, as a commit is
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

// team looks the id of a team source up.
func (r *Resolver) team(id ID) (Source, error) {
	if r.Team == nil {
		return Source{}, fmt.Errorf("%s: nothing was fetched for the current folder: %w", id, ErrNotFound)
	}
	it, line, err := r.Team(id)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, err)
	}
	return r.FromItem(it, line), nil
}
