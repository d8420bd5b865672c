package corpus

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// session writes the records of one session.
type session struct {
	*scribe
	envelope
	left, long int       // messages to write; long results per thousand
	at         time.Time // of the last record
	ids        uint64
	out        []byte
	text       []byte
	request    []byte
	bytes      int64 // of texts
	said       int
	hear       func(Message) // receives each message; may be nil
}

// Message is a message of a session, or the input or result of a tool call.
type Message struct {
	Kind, ID, Session, Folder string // Kind is prompt, text, thinking, tool or result
	Time                      time.Time
	Text                      string // the full text
	// Indexed is the part of Text that gitmem indexes, Tool and Path are its other indexed fields.
	Indexed, Tool, Path string
}

// write appends the session's records to s.out: exactly s.left messages.
func (s *session) write() {
	for s.left > 0 {
		s.turn()
	}
}

// turn writes a prompt and all records of the reply.
func (s *session) turn() {
	begin := s.at
	s.prompted()
	for range 1 + s.r.IntN(8) {
		if s.r.IntN(100) < 25 {
			s.says("thinking", "thinking", s.sentences(s.text[:0], s.l.thoughts, 2+s.r.IntN(6)))
		}
		if s.r.IntN(100) < 45 {
			s.says("text", "text", s.sentences(s.text[:0], s.l.says, 1+s.r.IntN(4)))
		}
		s.tool()
	}
	s.says("text", "text", s.summary(s.text[:0]))
	s.out = s.duration(s.out, s.uuid(), s.at, int(s.at.Sub(begin).Milliseconds()))
	s.pass(30, 1800)
}

// pass advances the time by some seconds.
func (s *session) pass(from, to int) {
	s.at = s.at.Add(time.Duration(from*1000+s.r.IntN((to-from)*1000)) * time.Millisecond)
}

// message counts a record with the given text, and reports whether it is wanted.
func (s *session) message(kind string, text []byte, c call) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	s.said++
	s.bytes += int64(len(text))
	if s.hear == nil {
		return true
	}
	m := Message{
		Kind: kind, ID: "transcript:" + s.envelope.session + ":" + strconv.Itoa(s.said), Session: s.envelope.session,
		Folder: s.cwd, Time: s.at,
		Text: string(text), Indexed: string(text), Tool: c.tool,
	}
	switch {
	case kind == "tool":
		m.Text, m.Indexed, m.Path = spoken(m.Text), string(c.told), string(c.path)
	case kind == "result" && len(text) > resultHead+resultTail:
		m.Indexed = m.Text[:resultHead] + "\n" + m.Text[len(text)-resultTail:]
	}
	s.hear(m)
	return true
}

// The part of a long result that gitmem indexes: its beginning and its end, in bytes.
const resultHead, resultTail = 1200, 600

// spoken returns JSON without its syntax.
func spoken(input string) string {
	return strings.NewReplacer(`\n`, " ", `\t`, " ", `"`, " ", `{`, " ", `}`, " ").Replace(input)
}

func (s *session) prompted() {
	s.text = s.sentences(s.text[:0], s.l.prompts, 1+s.r.IntN(3))
	if s.message("prompt", s.text, call{}) {
		s.out = s.prompt(s.out, s.uuid(), s.at, s.text)
	}
}

// says appends a record with a block of text from the assistant.
func (s *session) says(kind, field string, text []byte) {
	s.text = text
	s.pass(2, 20)
	if s.message(kind, text, call{}) {
		s.request = s.hash(append(s.request[:0], "req_"...), 16)
		s.out = s.reply(s.out, s.uuid(), s.at, string(s.request), textBlock(kind, field, text))
	}
}

// summary appends the assistant's text at the end of a turn: some sentences, often a list, sometimes code.
func (s *session) summary(b []byte) []byte {
	b = s.sentences(b, s.l.says, 3+s.r.IntN(4))
	if s.r.IntN(100) < 45 {
		b = append(b, '\n')
		for range 2 + s.r.IntN(5) {
			b = s.one(append(b, "\n- "...), s.l.says)
		}
	}
	if s.r.IntN(100) < 25 {
		b = append(b, "\n\n```\n"...)
		b = s.lines(b, s.l.code, 2+s.r.IntN(6))
		b = append(b, "```\n"...)
	}
	return b
}

func (s *session) lines(b []byte, from []template, n int) []byte {
	for range n {
		b = append(s.one(b, from), '\n')
	}
	return b
}

// tool writes one call with its result.
func (s *session) tool() {
	id := string(s.hash([]byte("toolu_"), 16))
	c := s.call()
	s.pass(1, 15)
	if s.message("tool", c.input, c) {
		s.request = s.hash(append(s.request[:0], "req_"...), 16)
		s.out = s.reply(s.out, s.uuid(), s.at, string(s.request), toolBlock(id, c.tool, c.input))
	}
	s.pass(1, 30)
	if s.message("result", c.result, c) {
		s.out = s.result(s.out, s.uuid(), s.at, id, s.r.IntN(100) < 6, c.result)
	}
}

// call is a tool call: its input, the part of that which describes its purpose, the file, and the result.
type call struct {
	tool                      string
	input, told, path, result []byte
}

// call chooses a tool with its input and its result.
func (s *session) call() call {
	long := s.r.IntN(1000) < s.long
	path := s.path(append([]byte(s.cwd), '/'), s.nameRank(s.paths))
	switch p := s.r.IntN(100); {
	case p < 45:
		input, told := s.command()
		return call{tool: "Bash", input: input, told: told, result: s.output(s.l.logs, long)}
	case p < 70:
		in := append(quote([]byte(`{"file_path":`), path), '}')
		return call{tool: "Read", input: in, path: path, result: s.listing(s.output(s.l.code, long))}
	case p < 88:
		in := quote([]byte(`{"file_path":`), path)
		in = quote(append(in, `,"old_string":`...), s.lines(nil, s.l.code, 1+s.r.IntN(4)))
		in = quote(append(in, `,"new_string":`...), s.lines(nil, s.l.code, 1+s.r.IntN(5)))
		return call{tool: "Edit", input: append(in, '}'), path: path, result: s.edited(path, long)}
	}
	pattern, below := s.identifier(nil, s.nameRank(s.names), 0), s.path(nil, s.nameRank(s.paths))
	in := quote(append(quote([]byte(`{"pattern":`), pattern), `,"path":`...), below)
	return call{tool: "Grep", input: append(in, `,"output_mode":"content"}`...), told: pattern, path: below,
		result: s.output(s.l.logs, long)}
}

func (s *session) command() (input, told []byte) {
	command := s.one(nil, s.l.commands)
	why := s.fill(nil, s.l.says[s.r.IntN(8)])
	input = quote(append(quote([]byte(`{"command":`), command), `,"description":`...), why)
	return append(input, '}'), append(append(command, '\n'), why...)
}

// output returns the output of a tool: a few lines, or 4 to 20 KB of them.
func (s *session) output(from []template, long bool) []byte {
	s.scribe.now = s.at
	if !long {
		return s.lines(nil, from, 1+s.r.IntN(10))
	}
	size := 4096 << s.r.IntN(2)
	size += s.r.IntN(size + size/4) // up to 4096*2*2.25 = 18432
	var b []byte
	for len(b) < size {
		b = s.lines(b, from, 4)
	}
	return b
}

// listing numbers the lines of a file in the format of the client's Read tool.
func (s *session) listing(text []byte) []byte {
	out := make([]byte, 0, len(text)*5/4)
	n := 1 + s.r.IntN(300)
	for line := range bytes.Lines(text) {
		out = strconv.AppendInt(append(out, ' '), int64(n), 10)
		out = append(append(out, '\t'), line...)
		n++
	}
	return out
}

func (s *session) edited(path []byte, long bool) []byte {
	b := append(append([]byte("The file "), path...),
		" has been updated. Here's the result of a look at a snippet of the edited file:\n"...)
	return append(b, s.listing(s.output(s.l.code, long))...)
}

// uuid returns an id that is unique in the corpus, with high probability.
func (s *session) uuid() string {
	s.ids++
	return uuid(s.home^s.ids<<32, s.r.Uint64())
}

// uuid formats 128 bits as a random UUID.
func uuid(hi, lo uint64) string {
	const digits = "0123456789abcdef"
	b := []byte("00000000-0000-4000-8000-000000000000")
	hi = mix(hi, lo)
	for i := range b {
		switch i {
		case 8, 13, 14, 18, 19, 23:
			continue
		case 20:
			hi = lo
		}
		b[i] = digits[hi&15]
		hi >>= 4
	}
	return string(b)
}
