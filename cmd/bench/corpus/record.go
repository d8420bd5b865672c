package corpus

import (
	"strconv"
	"time"
)

// envelope has the fields that the records of one session share.
type envelope struct {
	session, cwd, branch string
	last                 string // uuid of the record before
}

// clientVersion is the client version whose record format is used.
const clientVersion = "2.1.329"

// open appends the fields of a record up to its message.
func (e *envelope) open(b []byte, kind, uuid string, at time.Time) []byte {
	b = append(b, `{"parentUuid":`...)
	if e.last == "" {
		b = append(b, "null"...)
	} else {
		b = quote(b, e.last)
	}
	e.last = uuid
	b = append(b, `,"isSidechain":false,"userType":"external","entrypoint":"cli","cwd":`...)
	b = quote(b, e.cwd)
	b = append(append(b, `,"sessionId":"`...), e.session...)
	b = append(append(b, `","version":"`+clientVersion+`","gitBranch":"`...), e.branch...)
	b = append(append(b, `","type":"`...), kind...)
	b = append(append(b, `","uuid":"`...), uuid...)
	b = append(b, `","timestamp":"`...)
	b = at.AppendFormat(b, "2006-01-02T15:04:05.000Z")
	return append(b, `",`...)
}

func (e *envelope) prompt(b []byte, uuid string, at time.Time, text []byte) []byte {
	b = e.open(b, "user", uuid, at)
	b = append(b, `"promptSource":"typed","turnOrigin":"human","message":{"role":"user","content":`...)
	return append(quote(b, text), "}}\n"...)
}

// reply appends a record of the assistant with one block.
func (e *envelope) reply(b []byte, uuid string, at time.Time, request string, block func([]byte) []byte) []byte {
	b = e.open(b, "assistant", uuid, at)
	b = append(append(b, `"requestId":"`...), request...)
	b = append(b, `","message":{"id":"msg_`...)
	b = append(append(b, request...), `","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[`...)
	return append(block(b), `],"stop_reason":null}}`+"\n"...)
}

func textBlock(kind, field string, text []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		b = append(append(b, `{"type":"`...), kind...)
		b = append(append(append(b, `","`...), field...), `":`...)
		return append(quote(b, text), '}')
	}
}

func toolBlock(id, name string, input []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		b = append(append(b, `{"type":"tool_use","id":"`...), id...)
		b = append(append(append(b, `","name":"`...), name...), `","input":`...)
		return append(append(b, input...), '}')
	}
}

func (e *envelope) result(b []byte, uuid string, at time.Time, id string, failed bool, text []byte) []byte {
	b = e.open(b, "user", uuid, at)
	b = append(append(b, `"message":{"role":"user","content":[{"tool_use_id":"`...), id...)
	b = append(b, `","type":"tool_result","content":`...)
	b = quote(b, text)
	b = strconv.AppendBool(append(b, `,"is_error":`...), failed)
	return append(b, "}]}}\n"...)
}

// duration appends the client's record at the end of a turn.
func (e *envelope) duration(b []byte, uuid string, at time.Time, ms int) []byte {
	b = e.open(b, "system", uuid, at)
	b = append(b, `"subtype":"turn_duration","durationMs":`...)
	return append(strconv.AppendInt(b, int64(ms), 10), "}\n"...)
}

// quote appends a JSON string. s must be valid UTF-8.
func quote[T string | []byte](b []byte, s T) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
