package bench

import (
	"cmp"
	"errors"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Messages yields each message of the sessions below a configuration folder as one
// document with its whole text, whatever the product makes of it: what a full
// build is measured on.
func Messages(configRoot string) iter.Seq2[index.Doc, error] {
	return func(yield func(index.Doc, error) bool) {
		files, errs := transcript.Files(configRoot)
		if err := errors.Join(errs...); err != nil {
			yield(index.Doc{}, err)
			return
		}
		for _, f := range files {
			if !messagesOf(f, yield) {
				return
			}
		}
	}
}

// messagesOf yields the messages of one file, and tells whether more are wanted.
func messagesOf(f transcript.File, yield func(index.Doc, error) bool) bool {
	in, err := os.Open(f.Path)
	if err != nil {
		return yield(index.Doc{}, err)
	}
	defer in.Close()
	for m, err := range transcript.NewReader(in, transcript.Position{}).All() {
		if err != nil {
			return yield(index.Doc{}, err)
		}
		if !yield(document(f, m), nil) {
			return false
		}
	}
	return true
}

// document is a message with all that it says.
func document(f transcript.File, m transcript.Message) index.Doc {
	d := index.Doc{
		ID: "transcript:" + f.Session + ":" + strconv.Itoa(m.Line), Source: f.Path, Layer: "transcripts", Type: "discussion", Role: string(m.Role),
		Project: m.Cwd, Session: f.Session, Author: string(m.Role), File: f.Path, Order: int64(m.Line), Time: m.Time,
		Offset: m.Offset, Length: m.Length, Text: cmp.Or(m.Text, m.Thinking),
	}
	for _, u := range m.Tools {
		d.Type, d.Tool, d.Text, d.Paths = "tool", u.Name, d.Text+spoken(string(u.Input)), append(d.Paths, u.Paths...)
	}
	for _, r := range m.Results {
		d.Type, d.Text = "result", d.Text+r.Text
	}
	return d
}

// spoken is JSON without the signs that make it so.
func spoken(input string) string {
	return strings.NewReplacer(`\n`, " ", `\t`, " ", `"`, " ", `{`, " ", `}`, " ").Replace(input)
}
