package git

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// maxMailmap limits the size of the file; the longest known ones have some thousand lines.
const maxMailmap = 8 << 20

// Mailmap maps the names and emails in commits to the preferred ones. The zero value and nil map nothing.
type Mailmap struct {
	byEmail map[string]*mailmapEntry
}

// mailmapEntry contains the replacements for one email: for everybody who used it, and for single names.
type mailmapEntry struct {
	identity
	byName map[string]identity
}

type identity struct{ name, email string }

// ParseMailmap parses the format of gitmailmap(5), all four forms. Other lines are ignored, as in git.
func ParseMailmap(text string) *Mailmap {
	m := &Mailmap{byEmail: map[string]*mailmapEntry{}}
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		first, firstEmail, rest, ok := cutAddress(line)
		if !ok {
			continue
		}
		second, secondEmail, _, ok := cutAddress(rest)
		if ok {
			m.add(secondEmail, second, identity{first, firstEmail})
		} else if first != "" {
			m.add(firstEmail, "", identity{name: first})
		}
	}
	return m
}

// cutAddress parses "Name <email>" at the start of a line.
func cutAddress(line string) (name, email, rest string, ok bool) {
	name, rest, _ = strings.Cut(line, "<")
	email, rest, ok = strings.Cut(rest, ">")
	// As in git, space within the brackets is part of the email.
	return valid(strings.TrimSpace(name)), valid(email), rest, ok
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// add sets the replacement for an email, or for an email with one name. A later line only changes the fields
// that it has.
func (m *Mailmap) add(email, name string, to identity) {
	key := strings.ToLower(email)
	e := m.byEmail[key]
	if e == nil {
		e = &mailmapEntry{byName: map[string]identity{}}
		m.byEmail[key] = e
	}
	if name != "" {
		e.byName[strings.ToLower(name)] = to
		return
	}
	e.identity = identity{cmp.Or(to.name, e.name), cmp.Or(to.email, e.email)}
}

// Resolve returns the name and email to use for those found in a commit. It ignores case. A line for the name
// and email takes precedence over one for the email alone.
func (m *Mailmap) Resolve(name, email string) (string, string) {
	if m == nil || len(m.byEmail) == 0 {
		return name, email
	}
	e := m.byEmail[strings.ToLower(email)]
	if e == nil {
		return name, email
	}
	to := e.identity
	if special, ok := e.byName[strings.ToLower(name)]; ok {
		to = special
	}
	return cmp.Or(to.name, name), cmp.Or(to.email, email)
}

// Mailmap returns the .mailmap of the work tree. It uses that of HEAD if the work tree has none, or if the
// repository has no work tree or is frozen. It is never nil. A file that can't be read maps nothing and is
// listed by [Repository.Skipped].
func (r *Repository) Mailmap() *Mailmap {
	text, err := r.mailmapText()
	if err != nil {
		r.skip(".mailmap", err.Error())
	}
	if r.mailmap == nil || r.mailmapSource != text {
		r.mailmap, r.mailmapSource = ParseMailmap(text), text
	}
	return r.mailmap
}

func (r *Repository) mailmapText() (string, error) { return r.topFile(".mailmap", maxMailmap) }

// topFile returns a file at the root of the work tree. It uses that of HEAD if the work tree has none, or if
// the repository has no work tree or is frozen. It returns "" if there is none.
func (r *Repository) topFile(name string, limit int64) (string, error) {
	if r.loc.WorkTree != "" && r.frozen == nil {
		path := filepath.Join(r.loc.WorkTree, filepath.FromSlash(name))
		// Like git, don't follow a link out of the repository.
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() <= limit {
			b, err := ReadFile(path, limit)
			return string(b), err
		}
	}
	b, err := r.Blob("HEAD", name)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrEmpty) {
		return "", nil
	}
	return string(b), err
}
