package bench

import (
	"bytes"
	"strconv"
	"time"
)

// session writes the records of one session.
type session struct {
	*scribe
	envelope
	left, long int       // messages to write; long results to come in a thousand
	at         time.Time // of the last record
	ids        uint64
	out        []byte
	text       []byte
	request    []byte
	bytes      int64 // of texts
}

// write appends the session's records to s.out: exactly s.left messages.
func (s *session) write() {
	for s.left > 0 {
		s.turn()
	}
}

// turn is a prompt and all that is done about it.
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

// pass lets some seconds go by.
func (s *session) pass(from, to int) {
	s.at = s.at.Add(time.Duration(from*1000+s.r.IntN((to-from)*1000)) * time.Millisecond)
}

// message counts a record whose text is given, and tells whether it is wanted.
func (s *session) message(text []byte) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	s.bytes += int64(len(text))
	return true
}

func (s *session) prompted() {
	s.text = s.sentences(s.text[:0], s.l.prompts, 1+s.r.IntN(3))
	if s.message(s.text) {
		s.out = s.prompt(s.out, s.uuid(), s.at, s.text)
	}
}

// says is a block of the assistant's own words.
func (s *session) says(kind, field string, text []byte) {
	s.text = text
	s.pass(2, 20)
	if s.message(text) {
		s.request = s.hash(append(s.request[:0], "req_"...), 16)
		s.out = s.reply(s.out, s.uuid(), s.at, string(s.request), textBlock(kind, field, text))
	}
}

// summary is what the assistant says at the end of a turn: some sentences, often a
// list, sometimes code.
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

// tool is one call with its result.
func (s *session) tool() {
	id := string(s.hash([]byte("toolu_"), 16))
	name, input, result := s.call()
	s.pass(1, 15)
	if s.message(input) {
		s.request = s.hash(append(s.request[:0], "req_"...), 16)
		s.out = s.reply(s.out, s.uuid(), s.at, string(s.request), toolBlock(id, name, input))
	}
	s.pass(1, 30)
	if s.message(result) {
		s.out = s.result(s.out, s.uuid(), s.at, id, s.r.IntN(100) < 6, result)
	}
}

// call chooses a tool with its input and its answer.
func (s *session) call() (name string, input, result []byte) {
	long := s.r.IntN(1000) < s.long
	path := s.path(append([]byte(s.cwd), '/'), s.nameRank(s.paths))
	switch p := s.r.IntN(100); {
	case p < 45:
		return "Bash", s.command(), s.output(s.l.logs, long)
	case p < 70:
		in := append(quote([]byte(`{"file_path":`), path), '}')
		return "Read", in, s.listing(s.output(s.l.code, long))
	case p < 88:
		in := quote([]byte(`{"file_path":`), path)
		in = quote(append(in, `,"old_string":`...), s.lines(nil, s.l.code, 1+s.r.IntN(4)))
		in = quote(append(in, `,"new_string":`...), s.lines(nil, s.l.code, 1+s.r.IntN(5)))
		return "Edit", append(in, '}'), s.edited(path, long)
	}
	in := quote([]byte(`{"pattern":`), s.identifier(nil, s.nameRank(s.names), 0))
	in = quote(append(in, `,"path":`...), s.path(nil, s.nameRank(s.paths)))
	return "Grep", append(in, `,"output_mode":"content"}`...), s.output(s.l.logs, long)
}

func (s *session) command() []byte {
	in := quote([]byte(`{"command":`), s.one(nil, s.l.commands))
	in = quote(append(in, `,"description":`...), s.fill(nil, s.l.says[s.r.IntN(8)]))
	return append(in, '}')
}

// output is what a tool prints: a few lines, or 4 to 20 KB of them.
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

// listing numbers the lines of a file as the client's reader does.
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
	b := append(append([]byte("The file "), path...), " has been updated. Here's the result of a look at a snippet of the edited file:\n"...)
	return append(b, s.listing(s.output(s.l.code, long))...)
}

// uuid is an id that no other record of the corpus has, in all likelihood.
func (s *session) uuid() string {
	s.ids++
	return uuid(s.home^s.ids<<32, s.r.Uint64())
}

// uuid writes 128 bits in the form of a random UUID.
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
