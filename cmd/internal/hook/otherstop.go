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

// secure notes before a compaction that the session forgets what it was told, where it is not told anew. It
// has a session archived that Gemini CLI resumed, since that client may delete it at its next start.
func (c *call) secure() error {
	switch {
	case c.Event == "PreCompact" && c.startsWithPrompt():
		return c.memory.Sessions().Untold(c.SessionID)
	case c.agent == gemini && c.env.Detach != nil && filesBeside(c.file) > 1:
		return c.handOver("archive")
	}
	return nil
}

// filesBeside counts the files of a session of Gemini CLI: when it is resumed, that client begins another
// one, whose name ends in the same eight characters of the id.
func filesBeside(file string) int {
	base := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	id := base[strings.LastIndexByte(base, '-')+1:]
	entries, _ := os.ReadDir(filepath.Dir(file)) // there may be none
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "-"+id+".jsonl") {
			n++
		}
	}
	return n
}

// Copilot CLI calls the hook of a turn's end up to a tenth of a second before the answer is in its file.
const (
	answerTime = 300 * time.Millisecond
	answerStep = 20 * time.Millisecond
	turnTail   = 256 << 10 // bytes of the file that a turn's end is looked for in
)

// awaitAnswer waits until Copilot CLI has written the turn, which ends with the call of this hook.
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

// turnWritten reports whether the last thing that a session file of Copilot CLI tells is the end of a turn.
func turnWritten(file string) bool {
	tail, err := fileTail(file, turnTail)
	if err != nil {
		return file == "" // a short session's file comes late
	}
	last := func(s string) int { return bytes.LastIndex(tail, []byte(s)) }
	return last(`"agentStop"`) > max(last(`"type":"user.message"`), last(`"type":"assistant.message"`))
}

// fileTail is the end of a regular file, of n bytes at most.
func fileTail(file string, n int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() { // reading a pipe might never end
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
