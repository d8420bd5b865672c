package items

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/url"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
)

const (
	// MaxRecord is how long a record may be, in bytes. Whoever puts an item sees to it
	// that its text is shorter.
	MaxRecord = 8 << 20
	maxID     = 1024
)

// ErrTooLarge means that an item does not fit a record.
var ErrTooLarge = errors.New("the item is too large for the cache")

// errDamaged means that a line of the log is none that this package wrote.
var errDamaged = errors.New("damaged record")

// Record is what one line of the log says.
type Record struct {
	ID   string
	Gone bool // the item is there no longer
	// Links are those of the item.
	Links []providers.Link
	// Offset and Length are the line's place in the log, in bytes.
	Offset, Length int64

	item []byte // as JSON
}

// Item is the item of a record that is not Gone.
func (r Record) Item() (providers.Item, error) {
	var s stored
	if err := json.Unmarshal(r.item, &s); err != nil {
		return providers.Item{}, fmt.Errorf("%s: %w: %w", r.ID, errDamaged, err)
	}
	it := s.item()
	it.ID, it.Links = r.ID, r.Links
	return it, nil
}

// stored is the form of an item in a record. Its id and links stand before it.
type stored struct {
	Kind    string    `json:"kind"`
	Type    string    `json:"type"`
	Title   string    `json:"title"`
	Text    string    `json:"text,omitempty"`
	Author  person    `json:"author"`
	Time    time.Time `json:"time"`
	Paths   []string  `json:"paths,omitempty"`
	Refs    []string  `json:"refs,omitempty"`
	URL     string    `json:"url,omitempty"`
	Merge   bool      `json:"merge,omitempty"`
	Also    []person  `json:"also,omitempty"`
	State   string    `json:"state,omitempty"`
	Files   []file    `json:"files,omitempty"`
	Gist    string    `json:"gist,omitempty"`
	Words   string    `json:"words,omitempty"`
	Release string    `json:"release,omitempty"`
}

type person struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

type file struct {
	Path    string `json:"path"`
	From    string `json:"from,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

func newStored(it providers.Item) stored {
	s := stored{
		Kind: it.Kind, Type: it.Type, Title: it.Title, Text: it.Text, Author: person(it.Author), Time: it.Time, Paths: it.Paths, Refs: it.Refs,
		URL: it.URL, Merge: it.Merge, State: it.State, Gist: it.Gist, Words: it.Words, Release: it.Release,
	}
	for _, p := range it.Also {
		s.Also = append(s.Also, person(p))
	}
	for _, f := range it.Files {
		s.Files = append(s.Files, file(f))
	}
	return s
}

func (s stored) item() providers.Item {
	it := providers.Item{
		Kind: s.Kind, Type: s.Type, Title: s.Title, Text: s.Text, Author: providers.Person(s.Author), Time: s.Time, Paths: s.Paths, Refs: s.Refs,
		URL: s.URL, Merge: s.Merge, State: s.State, Gist: s.Gist, Words: s.Words, Release: s.Release,
	}
	for _, p := range s.Also {
		it.Also = append(it.Also, providers.Person(p))
	}
	for _, f := range s.Files {
		it.Files = append(it.Files, providers.FileChange(f))
	}
	return it
}

// validID tells whether an id can stand in a record.
func validID(id string) bool {
	return id != "" && len(id) <= maxID && strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r == 0x7f }) < 0
}

// appendItem appends the record of an item.
func appendItem(b []byte, it providers.Item) ([]byte, error) {
	if !validID(it.ID) {
		return b, fmt.Errorf("%.80q can't be the id of an item", it.ID)
	}
	body, err := json.Marshal(newStored(it))
	if err != nil {
		return b, fmt.Errorf("%s: %w", it.ID, err)
	}
	var links []string
	for _, l := range it.Links {
		links = append(links, plain(string(l.Rel))+"="+plain(l.ID))
	}
	out := appendLine(b, "+\t"+it.ID+"\t"+strings.Join(links, " ")+"\t", body)
	if len(out)-len(b) > MaxRecord {
		return b, fmt.Errorf("%s, %d bytes: %w", it.ID, len(out)-len(b), ErrTooLarge)
	}
	return out, nil
}

// appendGone appends the record of an item that is there no longer.
func appendGone(b []byte, id string) []byte { return appendLine(b, "-\t"+id, nil) }

// appendLine appends a line behind its checksum.
func appendLine(b []byte, head string, body []byte) []byte {
	sum := crc32.Update(checksum([]byte(head)), castagnoli(), body)
	b = hex.AppendEncode(b, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	b = append(append(append(b, '\t'), head...), body...)
	return append(b, '\n')
}

// castagnoli is a table that the standard library keeps.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli()) }

// plain is a text without what parts fields.
func plain(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == '%' || r == '=' }) < 0 {
		return s
	}
	return strings.ReplaceAll(url.PathEscape(s), "=", "%3D")
}

// parseRecord reads a line without its end. The record keeps the item's bytes.
func parseRecord(line []byte) (Record, error) {
	sum, rest, ok := bytes.Cut(line, []byte{'\t'})
	var want [4]byte
	if n, err := hex.Decode(want[:], sum[:min(len(sum), 8)]); !ok || err != nil || n != 4 || len(sum) != 8 {
		return Record{}, errDamaged
	}
	if got := checksum(rest); got != uint32(want[0])<<24|uint32(want[1])<<16|uint32(want[2])<<8|uint32(want[3]) {
		return Record{}, errDamaged
	}
	fields := bytes.SplitN(rest, []byte{'\t'}, 4)
	r := Record{}
	switch {
	case len(fields) == 2 && string(fields[0]) == "-":
		r.Gone = true
	case len(fields) == 4 && string(fields[0]) == "+":
		r.item = fields[3]
	default:
		return Record{}, errDamaged
	}
	if r.ID = string(fields[1]); !validID(r.ID) {
		return Record{}, errDamaged
	}
	if !r.Gone {
		var err error
		if r.Links, err = parseLinks(string(fields[2])); err != nil {
			return Record{}, err
		}
	}
	return r, nil
}

func parseLinks(s string) ([]providers.Link, error) {
	if s == "" {
		return nil, nil
	}
	var out []providers.Link
	for word := range strings.SplitSeq(s, " ") {
		rel, id, ok := strings.Cut(word, "=")
		rel, errRel := url.PathUnescape(rel)
		id, errID := url.PathUnescape(id)
		if !ok || errRel != nil || errID != nil {
			return nil, errDamaged
		}
		out = append(out, providers.Link{Rel: providers.Rel(rel), ID: id})
	}
	return out, nil
}
