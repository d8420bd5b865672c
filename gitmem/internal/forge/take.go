package forge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// sink stores the items of a source.
type sink struct {
	fg *Forges
	r  Remote
	w  *items.Writer

	latest  time.Time // maximum time of an item
	taken   int       // received items
	refused map[string]int
}

// take stores one item without secrets.
func (t *sink) take(it providers.Item) error {
	if !t.fg.Caller.ValidID(it.ID) || !strings.HasPrefix(it.ID, t.r.Kind+":") {
		t.refused["had ids that are not of there"]++
		return nil
	}
	if it.Time.Unix() < 0 || it.Time.After(t.latest) { // it would sort before or after all others forever
		t.refused["had times that can't be"]++
		return nil
	}
	_, err := t.w.Put(Sanitised(it, t.fg.Redactor))
	if errors.Is(err, items.ErrTooLarge) {
		t.refused["were too large"]++
		return nil
	}
	return err
}

func (t *sink) report(f *fetching, src providers.Source) {
	if s, ok := src.(providers.Skipper); ok {
		var left []string
		for _, skip := range s.Skipped() {
			left = append(left, fmt.Sprintf("%d %s", skip.Items, t.fg.clean(skip.Reason)))
		}
		if len(left) > 0 {
			f.report("Left out of what %s gave now: %s.", t.r.name(), strings.Join(left, ", "))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(t.refused)) {
		f.report("%s of %s %s and were left out.", messages.Plural(t.refused[why], "item"), t.r.name(), why)
	}
}

// Limits for one item: more is a log, a mistake or an attack.
const (
	keptText  = 256 << 10
	keptTitle = 1 << 10
	keptList  = 3000
	keptWord  = 4 << 10
)

// Sanitised returns an item in its stored form: truncated and without secrets.
func Sanitised(it providers.Item, redactor *redact.Redactor) providers.Item {
	clean := func(s string) string { return redactor.Clean(s).String() }
	word := func(s string) string { return clean(cutText(s, keptWord)) }
	person := func(p providers.Person) providers.Person {
		return providers.Person{Name: unbroken(word(p.Name)), Email: unbroken(word(p.Email))}
	}
	out := it
	out.Title = cmp.Or(strings.Join(strings.Fields(clean(cutText(it.Title, keptTitle))), " "), it.ID)
	out.Text = redactor.Lines(clean(cutText(it.Text, keptText)))
	out.Author, out.URL, out.State, out.Gist = person(it.Author), pageURL(word(it.URL)), word(it.State), word(it.Gist)
	out.Words, out.Release = clean(cutText(it.Words, keptText)), word(it.Release)
	out.Paths = mapped(it.Paths, redactor.Path)
	out.Refs = mapped(it.Refs, word)
	out.Also = mapped(it.Also, person)
	out.Links = mapped(it.Links, func(l providers.Link) providers.Link {
		return providers.Link{Rel: providers.Rel(word(string(l.Rel))), ID: word(l.ID)}
	})
	out.Files = mapped(it.Files, func(f providers.FileChange) providers.FileChange {
		f.Path, f.From = redactor.Path(f.Path), redactor.Path(f.From)
		return f
	})
	return out
}

// unbroken returns a name on one line.
func unbroken(s string) string { return strings.Join(strings.Fields(s), " ") }

// pageURL returns an http or https URL unchanged, and "" for anything else.
func pageURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return s
}

// mapped applies f to the first keptList elements of a list; it returns nil for an empty list.
func mapped[T, U any](list []T, f func(T) U) []U {
	if len(list) == 0 {
		return nil
	}
	return slice.Map(list[:min(len(list), keptList)], f)
}

// cutText truncates a text between words, since a truncated secret would not be recognised.
func cutText(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return s[:strings.LastIndexAny(s[:n], " \t\n")+1] + "[…]"
}
