package items

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

const (
	// MaxRecord is the maximum length of a record in bytes. Callers of [Writer.Put] must keep texts shorter.
	MaxRecord = 8 << 20
	maxID     = 1024
)

// ErrTooLarge means that an item does not fit into a record.
var ErrTooLarge = errors.New("the item is too large for the cache")

// errDamaged means that a line of the log is not in this package's format.
var errDamaged = errors.New("damaged record")

// Record is the content of one line of the log.
type Record struct {
	ID string
	// Links are the links of the item.
	Links []providers.Link
	// Offset and Length are the position of the line in the log, in bytes.
	Offset, Length int64

	item []byte // as JSON
	body []byte // the line after its checksum
}

// Item returns the item of a record.
func (r Record) Item() (providers.Item, error) {
	var s stored
	if err := json.Unmarshal(r.item, &s); err != nil {
		return providers.Item{}, fmt.Errorf("%s: %w: %w", r.ID, errDamaged, err)
	}
	it := providers.Item(s)
	it.ID, it.Links = r.ID, r.Links
	return it, nil
}

// stored is the form of an item in a record. Its id and links precede it.
type stored struct {
	ID        string                 `json:"-"`
	Kind      string                 `json:"kind"`
	Type      string                 `json:"type"`
	Title     string                 `json:"title"`
	Text      string                 `json:"text,omitempty"`
	Author    providers.Person       `json:"author"`
	Time      time.Time              `json:"time"`
	Paths     []string               `json:"paths,omitempty"`
	Refs      []string               `json:"refs,omitempty"`
	URL       string                 `json:"url,omitempty"`
	Merge     bool                   `json:"merge,omitempty"`
	Also      []providers.Person     `json:"also,omitempty"`
	Reviewers []providers.Person     `json:"-"`
	State     string                 `json:"state,omitempty"`
	Links     []providers.Link       `json:"-"`
	Files     []providers.FileChange `json:"files,omitempty"`
	Gist      string                 `json:"gist,omitempty"`
	Words     string                 `json:"words,omitempty"`
	Release   string                 `json:"release,omitempty"`
}

// validID reports whether an id fits into a record.
func validID(id string) bool {
	return id != "" && len(id) <= maxID && strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r == 0x7f }) < 0
}

// appendItem appends the record of an item.
func appendItem(b []byte, it providers.Item) ([]byte, error) {
	if !validID(it.ID) {
		return b, fmt.Errorf("%.80q can't be the id of an item", it.ID)
	}
	body, err := json.Marshal(stored(it))
	if err != nil {
		return b, fmt.Errorf("%s: %w", it.ID, err)
	}
	links := slice.Map(it.Links, func(l providers.Link) string { return escaped(string(l.Rel)) + "=" + escaped(l.ID) })
	line := fmt.Appendf(nil, "+\t%s\t%s\t%s", it.ID, strings.Join(links, " "), body)
	out := fmt.Appendf(b, "%08x\t%s\n", checksum(line), line)
	if len(out)-len(b) > MaxRecord {
		return b, fmt.Errorf("%s, %d bytes: %w", it.ID, len(out)-len(b), ErrTooLarge)
	}
	return out, nil
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// escaped escapes the characters that separate fields.
func escaped(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == '%' || r == '=' }) < 0 {
		return s
	}
	return strings.ReplaceAll(url.PathEscape(s), "=", "%3D")
}

// parseRecord parses a line without its line feed. The record shares the item's bytes.
func parseRecord(line []byte) (Record, error) {
	sum, rest, ok := bytes.Cut(line, []byte{'\t'})
	want, err := strconv.ParseUint(string(sum), 16, 32)
	fields := bytes.SplitN(rest, []byte{'\t'}, 4)
	if !ok || err != nil || len(sum) != 8 || checksum(rest) != uint32(want) || len(fields) != 4 ||
		string(fields[0]) != "+" || !validID(string(fields[1])) {
		return Record{}, errDamaged
	}
	links, err := parseLinks(string(fields[2]))
	return Record{ID: string(fields[1]), Links: links, item: fields[3], body: rest}, err
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
