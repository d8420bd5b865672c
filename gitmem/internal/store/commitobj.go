package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

var errBadCommit = errors.New("damaged commit")

// treeOf returns the tree id in the first line of a commit's body.
func treeOf(body []byte) (hash, error) {
	line, _, _ := strings.Cut(string(body[:min(len(body), 64)]), "\n")
	name, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return hash{}, errBadCommit
	}
	id, ok := parseHash(name)
	if !ok {
		return hash{}, errBadCommit
	}
	return id, nil
}

// renderCommit returns the body of a commit.
func renderCommit(tree hash, parents []hash, who string, message string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", who, who, message)
	return b.Bytes()
}

// who renders an author line, without the brackets, NUL and newlines that git refuses.
func (o Options) who(t time.Time) string {
	name := cmp.Or(identText(o.Author.Name), "gitmem")
	email := cmp.Or(identText(o.Author.Email), "gitmem@"+identText(cmp.Or(o.Machine, "localhost")))
	return fmt.Sprintf("%s <%s> %d %s", name, email, t.Unix(), t.Format("-0700"))
}

func identText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == '<' || r == '>' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.Trim(s, " .,:;\"'\\")
}

// defaultSubject is the subject of a change without one.
const defaultSubject = "Update memory"

// message renders subject and trailers, each on one line.
func message(subject string, trailers []string) string {
	var b strings.Builder
	b.WriteString(cmp.Or(oneLine(subject), defaultSubject) + "\n")
	sep := "\n"
	for _, t := range trailers {
		if t = oneLine(t); t != "" {
			b.WriteString(sep + t + "\n")
			sep = ""
		}
	}
	return b.String()
}

func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", " ")
	return strings.Join(strings.Fields(s), " ")
}
