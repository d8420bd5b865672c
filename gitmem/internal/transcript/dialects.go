package transcript

import (
	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/codex"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/copilot"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/crush"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/gemini"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/opencode"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/pi"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/qwen"
)

// sessions lists the sessions of a client.
func (s Stores) sessions(client string) ([]dialect.Session, []error) {
	switch client {
	case "codex":
		return codex.Sessions(s.Home, s.getenv)
	case "copilot":
		return copilot.Sessions(s.Home, s.getenv)
	case "crush":
		return crush.Sessions(s.Home, s.getenv)
	case "gemini":
		return gemini.Sessions(s.Home, s.getenv)
	case "opencode":
		return opencode.Sessions(s.Home, s.getenv)
	case "pi":
		return pi.Sessions(s.Home, s.getenv)
	case "qwen":
		return qwen.Sessions(s.Home, s.getenv)
	}
	return nil, nil
}

// records reads a session of a client.
func records(client string, s dialect.Session) ([]dialect.Record, error) {
	switch client {
	case "codex":
		return codex.Records(s)
	case "copilot":
		return copilot.Records(s)
	case "crush":
		return crush.Records(s)
	case "gemini":
		return gemini.Records(s)
	case "opencode":
		return opencode.Records(s)
	case "pi":
		return pi.Records(s)
	case "qwen":
		return qwen.Records(s)
	}
	return nil, dialect.ErrUnknownFormat
}
