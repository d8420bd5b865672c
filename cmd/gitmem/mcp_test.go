package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// mcpClient is a program that starts gitmem with the arguments after the first one, like a client starts a
// server, and sends it the requests in a file, one after another: each line has the name of a tool, or a
// method, which contains a slash, and its arguments as JSON. It prints the text of a tool's result, or the
// result of a method as JSON. A line that begins with $ is a command, which runs while the server is running.
func mcpClient() {
	if err := mcpRequests(os.Args[1], os.Args[2:]...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mcpFrame is a message of the protocol.
type mcpFrame struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// mcpConnection is a running server.
type mcpConnection struct {
	to   *json.Encoder
	from *bufio.Reader
	last int
}

func (c *mcpConnection) request(method string, params any) (mcpFrame, error) {
	c.last++
	if err := c.to.Encode(mcpFrame{JSONRPC: "2.0", ID: c.last, Method: method, Params: params}); err != nil {
		return mcpFrame{}, err
	}
	for {
		line, err := c.from.ReadBytes('\n')
		if err != nil {
			return mcpFrame{}, fmt.Errorf("%s: the server said nothing more: %w", method, err)
		}
		var f mcpFrame
		if err := json.Unmarshal(line, &f); err != nil {
			return mcpFrame{}, fmt.Errorf("%s: no frame: %q", method, line)
		}
		if f.ID == c.last {
			return f, nil
		}
		fmt.Printf("%s", line) // a notification
	}
}

// connectMCP starts a server and initialises the session, which ends when in is closed.
func connectMCP(server *exec.Cmd) (c *mcpConnection, in io.WriteCloser, err error) {
	if in, err = server.StdinPipe(); err != nil {
		return nil, nil, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := server.Start(); err != nil {
		return nil, nil, err
	}
	c = &mcpConnection{to: json.NewEncoder(in), from: bufio.NewReader(out)}
	hello := map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}}
	if _, err := c.request("initialize", hello); err != nil {
		return nil, nil, err
	}
	return c, in, c.to.Encode(mcpFrame{JSONRPC: "2.0", Method: "notifications/initialized"})
}

func mcpRequests(file string, args ...string) error {
	requests, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	server := exec.Command("gitmem", args...)
	server.Stderr = os.Stderr
	c, in, err := connectMCP(server)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(requests)) {
		if err := c.send(strings.TrimSpace(line)); err != nil {
			return err
		}
	}
	if err := in.Close(); err != nil {
		return err
	}
	rest, err := io.ReadAll(c.from)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("after the end: %q, %v", rest, err)
	}
	return server.Wait()
}

// send sends one line of a file of requests, and prints the response.
func (c *mcpConnection) send(line string) error {
	name, text, _ := strings.Cut(line, " ")
	if name == "" || name[0] == '#' {
		return nil
	}
	if name == "$" {
		words := strings.Split(text, " ")
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, out)
		}
		return nil
	}
	var args any
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	method := name
	if !strings.Contains(name, "/") {
		method, args = "tools/call", map[string]any{"name": name, "arguments": args}
	}
	fmt.Printf("> %s\n", name)
	f, err := c.request(method, args)
	if err != nil {
		return err
	}
	var result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
	switch {
	case f.Error != nil:
		fmt.Printf("protocol error: %s\n", f.Error)
	case method == "tools/call":
		if err := json.Unmarshal(f.Result, &result); err != nil {
			return err
		}
		if result.IsError {
			fmt.Print("tool error: ")
		}
		for _, part := range result.Content {
			fmt.Println(part.Text)
		}
		if result.StructuredContent != nil {
			fmt.Printf("structured: %s\n", result.StructuredContent)
		}
	default:
		var b bytes.Buffer
		if err := json.Indent(&b, f.Result, "", " "); err != nil {
			return err
		}
		fmt.Println(b.String())
	}
	return nil
}
