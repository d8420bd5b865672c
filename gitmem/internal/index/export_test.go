package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// SealManifest gives an edited manifest its checksum.
func SealManifest(body []byte) []byte {
	return fmt.Appendf(append([]byte(nil), body...), "%08x\n", crc32.ChecksumIEEE(body))
}

// SealTable gives damaged bytes the checksum of a table's header, so that a
// test gets past it.
func SealTable(b []byte) {
	const dirEnd = headerSize + columns*entrySize
	if len(b) >= dirEnd+4 {
		binary.LittleEndian.PutUint32(b[dirEnd:], crc32.ChecksumIEEE(b[:dirEnd]))
	}
}

// WriteTable writes a table of documents with made-up lengths.
func WriteTable(out io.Writer, docs []Doc) error {
	w := newTableWriter(nil)
	for i := range docs {
		if _, err := w.add(&docs[i], [fields]int{i, 1, 0, len(docs[i].Paths)}); err != nil {
			return err
		}
	}
	w.finish()
	return w.writeTo(out)
}

// WalkTable reads everything in a table, at most some thousand of each.
func WalkTable(b []byte) error {
	t, err := parseTable(b)
	if err != nil {
		return err
	}
	s := &Snapshot{t: t}
	for i := range min(t.rows, 4000) {
		r := s.Row(i)
		s.Find(r.ID)
		s.StringRef(r.Source)
		_, _, _, _ = s.Dead(i), s.Unix(i), s.LayerOf(i), s.String(s.AuthorOf(i))
		for _, n := range []int32{s.Next(i), s.Prev(i)} {
			if n >= 0 {
				s.Row(int(n))
			}
		}
		if n := s.SessionOf(i); n >= 0 {
			s.SessionTokens(n)
		}
	}
	if t.rows < 4000 && t.count[colSessionName] < 4000 {
		// What a writer would make of it.
		w := newTableWriter(t)
		if _, err := w.add(&Doc{ID: "a:1", Session: "s", Paths: []string{"p"}}, [fields]int{1}); err != nil {
			return err
		}
	}
	return t.verify()
}

// DecodeMarks, EncodeMarks and DecodeDocmap open the other two formats to
// fuzzing.
func DecodeMarks(b []byte) (map[string]Mark, error) { return decodeMarks(b) }
func EncodeMarks(m map[string]Mark) []byte          { return encodeMarks(m) }
func DecodeDocmap(b []byte) error {
	m, err := decodeDocmap(b)
	if err == nil {
		for i := range min(m.count(), 4000) {
			m.rows.at(i)
		}
	}
	return err
}

// SealTail replaces the last four bytes by the checksum of the rest.
func SealTail(b []byte) {
	if n := len(b) - 4; n >= 0 {
		binary.LittleEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[:n]))
	}
}

// ParseTable opens a table as a snapshot does.
func ParseTable(b []byte) error {
	_, err := parseTable(b)
	return err
}

// SealTableTail gives a table the checksum of its bytes.
func SealTableTail(b []byte) {
	end := len(b) - footerSize
	binary.LittleEndian.PutUint32(b[end:], crc32.ChecksumIEEE(b[:end]))
}

// SetCRC gives a manifest's text the checksum of a table.
func SetCRC(manifest string, table []byte) string {
	at := strings.Index(manifest, `"Path": "table"`)
	crc := at + strings.Index(manifest[at:], `"CRC": `) + len(`"CRC": `)
	end := crc + strings.IndexAny(manifest[crc:], "\n}")
	return manifest[:crc] + fmt.Sprint(crc32.ChecksumIEEE(table)) + manifest[end:]
}
