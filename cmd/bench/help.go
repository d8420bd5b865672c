package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// render regenerates the page in a folder from its figures, and also the help topic if the page is the one
// that is checked in.
func render(dir string) error {
	root, err := checkout()
	if err != nil {
		return err
	}
	published := filepath.Join(root, "cmd", "bench", "published")
	p, err := readPage(cmp.Or(dir, published))
	if err != nil {
		return err
	}
	text, err := p.help(published)
	if err != nil {
		return err
	}
	if err := p.write(cmp.Or(dir, published)); err != nil || dir != "" {
		return err
	}
	return os.WriteFile(filepath.Join(root, "templates", "help", "figures.md"), text, 0o644)
}

// help returns the help topic about figures. Its text is in figures.md.tmpl in a folder.
func (p page) help(dir string) ([]byte, error) {
	if len(p.Sections) == 0 {
		return nil, errors.New("there are no figures: go run . publish -out published writes them")
	}
	t, err := template.New("figures.md.tmpl").Funcs(template.FuncMap{"figures": p.bullets,
		"earlier": p.statements}).ParseFiles(filepath.Join(dir, "figures.md.tmpl"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, nil)
	return b.Bytes(), err
}

// helpWidth is the width of the help in columns.
const helpWidth = 98

// bullets lists the figures of a section whose names contain one of words, or all if there are none: each
// with its peers, gitmem first.
func (p page) bullets(name string, words ...string) (string, error) {
	i := slices.IndexFunc(p.Sections, func(s section) bool { return s.Name == name })
	if i < 0 {
		return "Not measured.", nil
	}
	s := p.Sections[i]
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s at %s.", s.Date, s.Commit)
	if s.Quick {
		return "", fmt.Errorf("section %s holds the sizes of a test (-quick)", name)
	}
	b.WriteString("\n\n")
	for _, f := range s.Figures {
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.Name, w) }) {
			continue
		}
		text := "- " + f.Text + ": "
		for i, one := range f.Sides {
			switch {
			case i > 0 && one.Value == nil: // the page has the reason
				continue
			case i > 0:
				text += "; " + one.Who + " " + f.value(one.Value)
			case one.Value == nil:
				text += "not measured"
			default:
				text += f.value(one.Value)
				if f.Unit == unitShare {
					text += fmt.Sprintf(" (%d of %d)", one.Part, one.Of)
				}
			}
		}
		b.WriteString(wrapped(text) + "\n")
	}
	for _, m := range s.Missing {
		b.WriteString(wrapped("- not measured: "+m) + "\n")
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// statements returns what was measured by other means, with its commit and day.
func (p page) statements(section string) string {
	var all []string
	for _, e := range p.Earlier {
		if e.Section == section {
			all = append(all, strings.TrimRight(e.Text, "\n")+fmt.Sprintf("\n\nMeasured on %s at %s.", e.Date, e.Commit))
		}
	}
	return strings.Join(all, "\n\n")
}

// wrapped wraps a list entry to the help's width.
func wrapped(text string) string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(w)) > helpWidth {
			lines, line = append(lines, line), "  "+w
			continue
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return strings.Join(append(lines, line), "\n")
}
