package corpus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
)

// Document is a message as stored in a full-text table. The time is in milliseconds since 1970.
type Document struct{ ID, Session, Time, Text, Tool, Path string }

// Document returns the whole message, or the part that gitmem indexes.
func (m Message) Document(whole bool) Document {
	text := m.Indexed
	if whole {
		text = m.Text
	}
	return Document{m.ID, m.Session, strconv.FormatInt(m.Time.UnixMilli(), 10), text, m.Tool, m.Path}
}

// fields is the number of fields of a document in a stream.
const fields = 6

// WriteDocuments writes documents to a file that both sides read, so that neither has to parse transcripts: 6
// fields per document, each preceded by its length as an unsigned varint. It returns the number of documents
// and their bytes.
func WriteDocuments(name string, docs iter.Seq[Document]) (n int, bytes int64, err error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 1<<20)
	var b []byte
	for d := range docs {
		b = b[:0]
		for _, s := range [fields]string{d.ID, d.Session, d.Time, d.Text, d.Tool, d.Path} {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
		if _, err := out.Write(b); err != nil {
			return n, bytes, err
		}
		n, bytes = n+1, bytes+int64(len(d.Text)+len(d.Tool)+len(d.Path))
	}
	return n, bytes, out.Flush()
}

// ReadDocuments yields the documents of a file written by WriteDocuments.
func ReadDocuments(name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(Document{}, err)
			return
		}
		defer f.Close()
		in := bufio.NewReaderSize(f, 1<<20)
		for n := 1; ; n++ {
			d, err := readDocument(in)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				err = fmt.Errorf("%s: document %d: %w", name, n, err)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// maxField is larger than any field, to detect a damaged length.
const maxField = 1 << 28

// readDocument returns io.EOF only between two documents.
func readDocument(in *bufio.Reader) (Document, error) {
	var s [fields]string
	for i := range s {
		n, err := binary.ReadUvarint(in)
		if err != nil || n > maxField {
			if i == 0 && errors.Is(err, io.EOF) {
				return Document{}, io.EOF
			}
			return Document{}, io.ErrUnexpectedEOF
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(in, b); err != nil {
			return Document{}, io.ErrUnexpectedEOF
		}
		s[i] = string(b)
	}
	return Document{s[0], s[1], s[2], s[3], s[4], s[5]}, nil
}
