package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Stream says what a file of documents holds.
type Stream struct {
	Documents int   `json:"documents"`
	Bytes     int64 `json:"bytes"` // of what is searched: titles, texts, tools, paths
}

// fields is the number of fields of a document in a stream.
const fields = 17

// WriteDocuments writes documents to a file that both sides read, so that neither
// has to take transcripts apart: 17 fields a document, each with its length in
// front as an unsigned varint. Numbers are decimal, paths end in line feeds, and
// the time is in milliseconds since 1970, or empty.
func WriteDocuments(name string, docs iter.Seq2[index.Doc, error]) (st Stream, err error) {
	f, err := os.Create(name)
	if err != nil {
		return st, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 1<<20)
	var b []byte
	for d, err := range docs {
		if err != nil {
			return st, err
		}
		b = appendDocument(b[:0], d)
		if _, err := out.Write(b); err != nil {
			return st, err
		}
		st.add(d)
	}
	return st, out.Flush()
}

func (st *Stream) add(d index.Doc) {
	st.Documents++
	st.Bytes += int64(len(d.Title) + len(d.Text) + len(d.Tool))
	for _, p := range d.Paths {
		st.Bytes += int64(len(p))
	}
}

func appendDocument(b []byte, d index.Doc) []byte {
	at := ""
	if !d.Time.IsZero() {
		at = strconv.FormatInt(d.Time.UnixMilli(), 10)
	}
	var paths strings.Builder
	for _, p := range d.Paths {
		paths.WriteString(p + "\n")
	}
	for _, s := range [fields]string{
		d.ID, d.Source, d.Layer, d.Type, d.Role, d.Project, d.Session, d.Author, d.File, strconv.FormatInt(d.Order, 10), at,
		strconv.FormatInt(d.Offset, 10), strconv.FormatInt(d.Length, 10), d.Title, d.Text, d.Tool, paths.String(),
	} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

// ReadDocuments yields the documents of a file that WriteDocuments has written.
func ReadDocuments(name string) iter.Seq2[index.Doc, error] {
	return func(yield func(index.Doc, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(index.Doc{}, err)
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

// maxField is more than any field can have, against a damaged length.
const maxField = 1 << 28

// readDocument returns io.EOF between two documents only.
func readDocument(in *bufio.Reader) (index.Doc, error) {
	var s [fields]string
	for i := range s {
		n, err := binary.ReadUvarint(in)
		if err != nil || n > maxField {
			if i == 0 && errors.Is(err, io.EOF) {
				return index.Doc{}, io.EOF
			}
			return index.Doc{}, io.ErrUnexpectedEOF
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(in, b); err != nil {
			return index.Doc{}, io.ErrUnexpectedEOF
		}
		s[i] = string(b)
	}
	d := index.Doc{
		ID: s[0], Source: s[1], Layer: s[2], Type: s[3], Role: s[4], Project: s[5], Session: s[6], Author: s[7], File: s[8],
		Title: s[13], Text: s[14], Tool: s[15],
	}
	var errs [4]error
	d.Order, errs[0] = strconv.ParseInt(s[9], 10, 64)
	d.Offset, errs[1] = strconv.ParseInt(s[11], 10, 64)
	d.Length, errs[2] = strconv.ParseInt(s[12], 10, 64)
	if s[10] != "" {
		var ms int64
		ms, errs[3] = strconv.ParseInt(s[10], 10, 64)
		d.Time = time.UnixMilli(ms).UTC()
	}
	for p := range strings.Lines(s[16]) {
		d.Paths = append(d.Paths, strings.TrimSuffix(p, "\n"))
	}
	return d, errors.Join(errs[:]...)
}
