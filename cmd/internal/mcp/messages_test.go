package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// ping is a request that every running server answers.
const ping = `{"jsonrpc":"2.0","id":"alive","method":"ping"}`

// answers initialises a memory server with a protocol version and sends it lines. It returns the wanted
// number of messages, and all others until the answer to a ping.
func answers(t *testing.T, version, lines string, want int) (said []string) {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := Memory(t.Context(), Env{
			Version: "test", In: in, Out: out, Call: func(_ Report, do func(*gitmem.Memory) error) error { return do(nil) },
			Clean: func(s string) string { return s }, Failure: func(err error) string { return err.Error() },
		})
		_, _ = out.Close(), in.Close() // always nil
		done <- err
	}()
	all := bufio.NewScanner(fromServer)
	all.Buffer(nil, 64<<20)
	hello := map[string]any{"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": map[string]any{
		"protocolVersion": version, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "t", "version": "1"},
	}}
	if err := json.NewEncoder(toServer).Encode(hello); err != nil || !all.Scan() {
		t.Fatalf("the server does not greet: %v, %v", err, all.Err())
	}
	go func() { _, _ = io.WriteString(toServer, lines+"\n"+ping+"\n") }() // fails once the server has ended
	for alive := false; (!alive || len(said) < want) && all.Scan(); {
		var f struct {
			JSONRPC string
			ID      any
		}
		if err := json.Unmarshal(all.Bytes(), &f); err != nil || f.JSONRPC != "2.0" {
			t.Errorf("no message: %v: %q", err, all.Text())
		}
		if f.ID == "alive" {
			alive = true
		} else {
			said = append(said, all.Text())
		}
	}
	if err := toServer.Close(); err != nil {
		t.Error(err)
	}
	_, err := io.Copy(io.Discard, fromServer) // of calls that took longer
	if end := <-done; end != nil || err != nil {
		t.Errorf("the server ended: %v, %v, after %.1000q", end, err, said)
	}
	return said
}

// searching returns a call with a query of a size.
func searching(size int) string {
	return `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_search","arguments":{"queries":["` +
		strings.Repeat("relay ", size/6) + `"]}}}`
}

// TestRefusedMessages: an invalid or too large message is answered with an error with its id, and the server
// continues.
func TestRefusedMessages(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"hello":                      `-32700,"message":"the line is not JSON`,
		`{"jsonrpc":"2.0","id":5,`:   `-32700`,
		ping + ` x`:                  `-32700`,
		ping + ping:                  `-32700`,
		"\x00\xff":                   `-32700`,
		"\"a\x01b\"":                 `-32700`,
		`{"id":5,"method":"ping"}`:   `-32600,"message":"invalid message version`,
		`{"id":"a","method":"ping"}`: `-32600`,
		`{"jsonrpc":"1.0","id":5,"method":"ping"}`:       `-32600`,
		`{"jsonrpc":2,"id":5,"method":"ping"}`:           `-32600`,
		`{"jsonrpc":"2.0","id":5,"method":7}`:            `-32600`,
		`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`: `-32600`,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:    `-32600`,
		`{"jsonrpc":"2.0"}`:                              `-32600`,
		`null`:                                           `-32600`,
		`7`:                                              `-32600`,
		`"x"`:                                            `-32600`,
		`[]`:                                             `-32600,"message":"a batch`,
		"[" + ping + "]":                                 `-32600,"message":"a batch`,
		strings.Repeat("[", 60_000):                      `-32700`,
		strings.Repeat(`{"a":`, 1500) + strings.Repeat("}", 1500): `-32700`,
		searching(70_000):          `-32600,"message":"the message has 7`,
		searching(10 << 20):        `-32600,"message":"the message has 10`,
		searching(20 << 20):        `-32600,"message":"the message has 20`,
		strings.Repeat(" ", 1<<20): `-32600`,
	} {
		said := answers(t, "2025-11-25", line, 1)
		if len(said) != 1 || !strings.Contains(said[0], `"error":{"code":`+want) {
			t.Errorf("%.80q of %d bytes: %.300q, want %s", line, len(line), said, want)
			continue
		}
		var id any
		for _, has := range []struct {
			text string
			id   any
		}{{`"id":5`, 5.0}, {`"id":"a"`, "a"}} {
			if strings.Contains(line, has.text) && json.Valid([]byte(line)) && len(line) < 16<<20 {
				id = has.id
			}
		}
		var f map[string]any
		if err := json.Unmarshal([]byte(said[0]), &f); err != nil || f["id"] != id {
			t.Errorf("%.80q of %d bytes: the id is %v instead of %v: %v", line, len(line), f["id"], id, err)
		}
	}
}

// TestTakenMessages: messages that the protocol allows are passed on, with any white space.
func TestTakenMessages(t *testing.T) {
	t.Parallel()
	const request, other = `{"jsonrpc":"2.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"method":"ping"}`
	for line, want := range map[string]int{
		request + "  ": 1, "\t" + request + "\r": 1, "": 0, " \r": 0, request + "\n\n" + other: 2,
		`{"jsonrpc":"2.0","id":5,"result":{}}`: 0, `{"jsonrpc":"2.0","method":"notifications/other","params":1}`: 0,
	} {
		said := answers(t, "2025-11-25", line, want)
		if len(said) != want || strings.Contains(strings.Join(said, ""), "error") {
			t.Errorf("%q: %q", line, said)
		}
	}
}

// TestBatches: the protocol versions with batches still support them, and an invalid message in a batch has
// its own error.
func TestBatches(t *testing.T) {
	t.Parallel()
	request := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id) }
	notification := `{"jsonrpc":"2.0","method":"notifications/other"}`
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2026-07-28", "1999-01-01"} {
		allowed := version < "2025" || version == "2025-03-26"
		allowed = allowed && version > "2024"
		for batch, want := range map[string][2]int{ // results and errors
			"[" + request(5) + "," + request(6) + "]":       {2, 0},
			"[" + notification + "," + notification + "]":   {0, 0},
			"[" + request(5) + `,{"id":6,"method":"ping"}]`: {1, 1},
			"[7,[" + request(5) + "]]":                      {0, 2},
			"[]":                                            {0, 1},
		} {
			if !allowed {
				want = [2]int{0, 1}
			}
			said := strings.Join(answers(t, version, batch, want[0]+want[1]), "\n")
			if got := [2]int{strings.Count(said, `"result"`), strings.Count(said, `"error"`)}; got != want {
				t.Errorf("%s %s: %v instead of %v: %s", version, batch, got, want, said)
			}
		}
	}
}

// TestResourceURIs: a URI of any characters is answered.
func TestResourceURIs(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{`a\u0000b`, `\u001b[31m\n`, `\u0007\u000b`, `\udb40\udc01`, `\ud800`, "\xff",
		`%00%1b`, ""} {
		for _, scheme := range []string{"memory://", "", "file:///"} {
			said := answers(t, "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"`+
				scheme+uri+`"}}`, 1)
			if len(said) != 1 || !strings.Contains(said[0], `"id":5,"error":{"code":-32`) {
				t.Errorf("%s%s: %q", scheme, uri, said)
			}
		}
	}
}

// FuzzServer: after any input, a server answers the following ping, and only writes messages.
func FuzzServer(f *testing.F) {
	for _, version := range []string{"2025-03-26", "2025-11-25"} {
		for _, line := range []string{
			"hello", `{"jsonrpc":"2.0","id":5,"method":"ping"}`,
			`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}]`,
			`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"memory://a\u0000"}}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"a"}}}`,
			`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"remember","arguments":{"query":"\ud800"}}}`,
			`{"jsonrpc":"2.0","id":5,"method":"server/discover",` +
				`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		} {
			f.Add(version, line)
		}
	}
	f.Fuzz(func(t *testing.T, version, lines string) {
		answers(t, version, lines, 0)
	})
}
