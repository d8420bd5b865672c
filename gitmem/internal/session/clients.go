package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Client is a client's process and its current session.
type Client struct {
	Session string `json:"session"`
	Machine string `json:"machine"`
	PID     int    `json:"pid"`
	Began   string `json:"began"` // distinguishes it from a later process with the same number; "" if unknown
	File    string `json:"-"`     // path of the record
}

// ClientsDir returns the folder with the records of clients.
func (s *Sessions) ClientsDir() string { return filepath.Join(s.ws.IndexDir(), "clients") }

// Attend records that the client which runs this process works on a session. A client works on one session at a time,
// so the previous one has ended. Processes of other agents than Claude Code are not recorded, because an agent that
// Claude Code started has Claude Code's variables.
func (s *Sessions) Attend(session string) {
	pid := 0
	if !transcript.ValidSessionID(session) || transcript.ClientOf(session) != transcript.ClaudeCode {
		return
	}
	if _, err := fmt.Sscan(s.ws.Options.Getenv("CLAUDE_PID"), &pid); err != nil || pid <= 1 {
		return
	}
	name := filepath.Join(s.ClientsDir(), fmt.Sprint(pid)+".json")
	b, err := json.Marshal(Client{Session: session, Machine: s.ws.Options.Machine, PID: pid, Began: processBegan(pid)})
	if err != nil {
		return
	}
	if old, err := os.ReadFile(name); err == nil && string(old) == string(b) {
		return
	}
	if os.MkdirAll(s.ClientsDir(), 0o700) == nil {
		_ = os.WriteFile(name, b, 0o600) // without it the transcript's age decides
	}
}

// Running returns the sessions that clients on this machine work on, as recorded by hooks.
func (s *Sessions) Running() []string {
	var out []string
	for _, c := range s.Clients() {
		if c.Machine == s.ws.Options.Machine && c.Alive() {
			out = append(out, c.Session)
		}
	}
	return out
}

// Clients returns the recorded clients; unreadable records are omitted.
func (s *Sessions) Clients() []Client {
	files, err := filepath.Glob(filepath.Join(s.ClientsDir(), "*.json"))
	if err != nil {
		return nil
	}
	var out []Client
	for _, f := range files {
		var c Client
		if b, err := os.ReadFile(f); err == nil && json.Unmarshal(b, &c) == nil {
			c.File = f
			out = append(out, c)
		}
	}
	return out
}

// Alive reports whether the process is still the one that was recorded.
func (c Client) Alive() bool {
	return processAlive(c.PID) && processBegan(c.PID) == c.Began
}
