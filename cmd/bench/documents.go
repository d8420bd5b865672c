package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// document is what a full-text table holds of a message.
type document struct{ id, session, time, title, text, tool, paths string }

// fields are the fields of a document in a stream; see gitmem/internal/bench.
const fields = 17

// readDocuments yields the documents of a file: each is 17 fields, and each field
// its length in bytes as an unsigned varint and then the bytes.
func readDocuments(name string) iter.Seq2[document, error] {
	return func(yield func(document, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(document{}, err)
			return
		}
		defer f.Close()
		in := bufio.NewReaderSize(f, 1<<20)
		for {
			d, err := readDocument(in)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

func readDocument(in *bufio.Reader) (document, error) {
	var parts [fields]string
	for i := range parts {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			if i > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return document{}, err
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(in, b); err != nil {
			return document{}, io.ErrUnexpectedEOF
		}
		parts[i] = string(b)
	}
	return document{
		id: parts[0], session: parts[6], time: parts[10], title: parts[13], text: parts[14], tool: parts[15], paths: parts[16],
	}, nil
}
