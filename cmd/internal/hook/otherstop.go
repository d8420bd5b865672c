package hook

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// secure records before a compaction that the session loses its context, if it is not injected again. It
// archives a session that Gemini CLI resumed, because that client may delete it at its next start.
func (c *call) secure() error {
	switch {
	case c.Event == "PreCompact" && c.startsWithPrompt():
		return c.memory.Sessions().Untold(c.SessionID)
	case c.agent == gemini && c.env.Detach != nil && filesBeside(c.file) > 1:
		return c.handOver("archive")
	}
	return nil
}

// filesBeside counts the files of a session of Gemini CLI: when it is resumed, that client starts another
// file, whose name ends in the same eight characters of the id.
func filesBeside(file string) int {
	base := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	id := base[strings.LastIndexByte(base, '-')+1:]
	entries, _ := os.ReadDir(filepath.Dir(file)) // the folder may not exist
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "-"+id+".jsonl") {
			n++
		}
	}
	return n
}

// Copilot CLI calls the hook at the end of a turn up to a tenth of a second before the answer is in its file.
const (
	answerTime = 300 * time.Millisecond
	answerStep = 20 * time.Millisecond
	turnTail   = 256 << 10 // bytes of the file that are searched for the end of a turn
)

// awaitAnswer waits until Copilot CLI has written the turn, whose last record is the call of this hook.
func (c *call) awaitAnswer(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	step := time.NewTicker(answerStep)
	defer step.Stop()
	for !turnWritten(c.file) {
		select {
		case <-ctx.Done():
			return
		case <-step.C:
		}
	}
}

// turnWritten reports whether the last record in a session file of Copilot CLI is the end of a turn.
func turnWritten(file string) bool {
	tail, err := fileTail(file, turnTail)
	if err != nil {
		return file == "" // the file of a short session is created late
	}
	last := func(s string) int { return bytes.LastIndex(tail, []byte(s)) }
	return last(`"agentStop"`) > max(last(`"type":"user.message"`), last(`"type":"assistant.message"`))
}

// fileTail returns the end of a regular file, at most n bytes.
func fileTail(file string, n int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() { // reading a pipe might block for ever
		err = os.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	from := max(0, info.Size()-n)
	return io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
}
