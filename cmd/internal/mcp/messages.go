package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/lazy"
)

// mostMessage is the maximum size of a message in bytes. No argument of a tool needs more, and a search for
// so many words takes seconds.
const mostMessage = 64 << 10

// messages reads what a client sends, one message per line. It passes on the lines that the SDK accepts,
// which closes the connection on any other, and answers these with an error.
type messages struct {
	in      *bufio.Reader
	out     io.Writer
	passed  []byte // unread part of the messages that are passed on
	batches bool   // whether the client's protocol version has batches
}

// Read implements [io.Reader].
func (m *messages) Read(p []byte) (int, error) {
	for len(m.passed) == 0 {
		line, size, err := m.line()
		if err != nil {
			return 0, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 && size <= mostMessage {
			continue
		}
		if err := m.take(line, size); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.passed)
	m.passed = m.passed[n:]
	return n, nil
}

// line reads a line and returns its size and the part that the SDK would read.
func (m *messages) line() (line []byte, size int, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		size += len(part)
		if size <= sdk.DefaultMaxLineLength {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case size > 0: // the next read returns the error again
			return line, size, nil
		default:
			return nil, 0, err
		}
	}
}

// take passes on the messages of a line, or answers with an error.
func (m *messages) take(line []byte, size int) error {
	err := json.Unmarshal(line, new(json.RawMessage))
	switch {
	case size > mostMessage:
		return m.refuse(line, jsonrpc.CodeInvalidRequest,
			fmt.Errorf("the message has %d bytes, and at most %d are read: shorten its arguments", size, mostMessage))
	case err != nil:
		return m.refuse(nil, jsonrpc.CodeParseError, fmt.Errorf("the line is not JSON: %w", err))
	case line[0] != '[':
		return m.takeOne(line)
	case !m.batches:
		return m.refuse(nil, jsonrpc.CodeInvalidRequest,
			errors.New("a batch of messages: this version of the protocol has none, send them one by one"))
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(line, &batch); err != nil || len(batch) == 0 {
		return m.refuse(nil, jsonrpc.CodeInvalidRequest, errors.New("an empty batch"))
	}
	for _, message := range batch { // separately, because the SDK closes the connection if a batch has two notifications
		err = errors.Join(err, m.takeOne(message))
	}
	return err
}

func (m *messages) takeOne(text []byte) error {
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return m.refuse(text, jsonrpc.CodeInvalidRequest, err)
	}
	if r, ok := message.(*jsonrpc.Request); ok && r.Method == "initialize" {
		var hello struct{ ProtocolVersion string }
		_ = json.Unmarshal(r.Params, &hello) // the SDK answers invalid messages
		m.batches = slices.Contains([]string{"2024-11-05", "2025-03-26"}, hello.ProtocolVersion)
	}
	m.passed = append(append(m.passed, text...), '\n')
	return nil
}

var requestID = lazy.Pattern(`^["0-9-]`)

// refuse answers a message with an error, with its id if it has one.
func (m *messages) refuse(text []byte, code int, why error) error {
	var message struct{ ID json.RawMessage }
	_ = json.Unmarshal(text, &message) // what is not an object has no id
	if !requestID().Match(message.ID) {
		message.ID = json.RawMessage("null")
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": message.ID,
		"error": map[string]any{"code": code, "message": clip.Words(why.Error(), mostFailure, " …")},
	})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(answer, '\n'))
	return err
}

// output writes one message at a time. Close does nothing: the output ends with the process.
type output struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements [io.Writer].
func (o *output) Write(message []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.out.Write(message)
}

// Close implements [io.Closer].
func (o *output) Close() error { return nil }
